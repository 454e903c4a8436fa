import Foundation
import LibAV
import Media
import TestSupport
import Testing

/// Movies made by another program.
private let ffmpeg = Program.tool("ffmpeg")

private func make(_ arguments: [String], _ path: String) throws {
    let result = try #require(ffmpeg).run(["-v", "error", "-y"] + arguments + [path])
    try #require(result.status == 0, "\(result.errorText)")
}

private let picture = ["-f", "lavfi", "-i", "testsrc=size=160x96:rate=25:duration=2"]
private let sound = ["-f", "lavfi", "-i", "sine=1000:sample_rate=48000:duration=2"]

@Suite(.enabled(if: ffmpeg != nil, "ffmpeg is missing: scripts/install-deps test"))
struct ForeignMovieTests {
    @Test("every container in the list gives its frames and its audio")
    func containers() throws {
        let folder = try TemporaryFolder()
        for (name, codecs) in [
            ("a.mp4", ["-c:v", "libx264", "-c:a", "aac"]),
            ("a.mov", ["-c:v", "prores_ks", "-c:a", "pcm_s24le"]),
            ("a.ts", ["-c:v", "libx264", "-c:a", "mp2"]), ("a.avi", ["-c:v", "mjpeg"]),
            ("a.webm", ["-c:v", "libvpx", "-c:a", "libopus"]),
        ] {
            try make(picture + sound + codecs, folder.file(name))
            let demuxer = try Demuxer(path: folder.file(name))
            let samples = try Movies.read(demuxer)
            let format = try #require(demuxer.tracks.first?.format.video, "\(name)")
            #expect(try Movies.decode(format, samples[0]).count == 50, "\(name)")
            #expect(format.nominalRate == FrameRate(25))
        }
        for (name, codec) in [("a.wav", "pcm_s16le"), ("a.flac", "flac"), ("a.ogg", "libopus")] {
            try make(sound + ["-c:a", codec], folder.file(name))
            let demuxer = try Demuxer(path: folder.file(name))
            let samples = try Movies.read(demuxer)
            let format = try #require(demuxer.tracks.first?.format.audio)
            let heard = try Movies.decode(format, samples[0])
            #expect(heard.reduce(0) { $0 + $1.audioFrameCount } == 96_000, "\(name)")
        }
        // frames are another room's
        try make(picture + ["-frames:v", "1"], folder.file("a.png"))
        #expect(throws: MediaError.self) { try Demuxer(path: folder.file("a.png")) }
    }

    @Test("an MP4's edit list makes its audio begin at zero, to the frame")
    func editList() throws {
        let folder = try TemporaryFolder()
        try make(sound + ["-c:a", "aac"], folder.file("a.mp4"))
        let demuxer = try Demuxer(path: folder.file("a.mp4"))
        let format = try #require(demuxer.tracks.first?.format.audio)
        let heard = try Movies.decode(format, Movies.read(demuxer)[0])
        #expect(heard.first?.presentationTime == .zero)
        let values = AudioSignals.values(heard)
        let ideal = (0..<4000).map { Float(sin(2 * .pi * 1000 * Double($0) / 48_000)) }
        #expect(AudioSignals.shift(ideal, values, within: 0...40) % 48 == 0)
    }

    @Test("a phone's rotated movie says how to turn it")
    func rotation() throws {
        let folder = try TemporaryFolder()
        try make(picture + ["-c:v", "libx264"], folder.file("a.mp4"))
        // FFmpeg 5.1 counts this option counter-clockwise
        try make(
            ["-i", folder.file("a.mp4"), "-c", "copy", "-metadata:s:v", "rotate=270"],
            folder.file("b.mp4"))
        let upright = try Demuxer(path: folder.file("a.mp4"))
        #expect(upright.tracks[0].format.video?.orientation == .upright)
        let rotated = try Demuxer(path: folder.file("b.mp4"))
        #expect(
            rotated.tracks[0].format.video?.orientation
                == VideoOrientation(rotation: .clockwise90))
    }

    @Test("B-frames and Annex B streams come as length-prefixed samples in decode order")
    func annexB() throws {
        let folder = try TemporaryFolder()
        for codec in ["libx264", "libx265"] {
            try make(
                picture + ["-c:v", codec, "-x265-params", "log-level=none"], folder.file("a.ts"))
            let demuxer = try Demuxer(path: folder.file("a.ts"))
            let format = try #require(demuxer.tracks.first?.format.video)
            #expect(format.codecConfiguration.first == 1)
            let samples = try Movies.read(demuxer)[0]
            #expect(samples.contains { $0.decodeTime != nil })
            let bytes = try #require(samples.first?.block?.bytes)
            #expect(bytes.prefix(3) != [0, 0, 1] && bytes.prefix(4) != [0, 0, 0, 1])
            let times = try Movies.decode(format, samples).map(\.presentationTime)
            #expect(times.count == 50)
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("damaged bytes anywhere end in samples or in a sentence")
    func damage() throws {
        let folder = try TemporaryFolder()
        let short = picture + sound + ["-t", "0.4", "-c:v", "mpeg4", "-c:a", "aac"]
        var generator = SplitMix(state: 7)
        for name in ["a.mp4", "a.mkv", "a.ts", "a.avi"] {
            try make(short, folder.file(name))
            let whole = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
            for _ in 0..<25 {
                var bytes = whole
                for _ in 0..<8 {
                    let place = Int(generator.next() % UInt64(bytes.count))
                    bytes[place] = UInt8(truncatingIfNeeded: generator.next())
                }
                try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
                do { try playThrough(folder.file(name)) } catch let error as MediaError {
                    #expect(error.message.hasSuffix("."))
                }
            }
        }
    }

    private func playThrough(_ path: String) throws {
        let demuxer = try Demuxer(path: path)
        for (index, samples) in try Movies.read(demuxer).enumerated() {
            switch demuxer.tracks[index].format {
            case .video(let format):
                let decoder = try VideoDecoder(format: format)
                for sample in samples { _ = try? decoder.decode(sample) }
            case .audio(let format):
                let decoder = try AudioDecoder(format: format)
                for sample in samples { _ = try? decoder.decode(sample) }
            case .text, .metadata: break
            }
        }
    }
}

/// The same numbers on every run.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
