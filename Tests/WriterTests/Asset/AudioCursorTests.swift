import Foundation
import LibAV
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading

@Suite("Audio by movie time")
struct AudioCursorTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let arguments: [String]
        /// Greatest difference from the source that coding makes (2: the container does not state the
        /// encoder's delay, so that the audio lies later).
        var coding: Float = 0
        /// Greatest difference between a jump and reading on.
        var jumping: Float = 0
        var testDescription: String { name }
    }

    private let footage: Footage

    init() throws { footage = try Footage() }

    static let kinds = [
        Kind(name: "a.wav", arguments: []),
        Kind(name: "a.mov", arguments: ["-c:a", "pcm_s16le"]),
        Kind(name: "a.flac", arguments: []),
        Kind(name: "flac.mp4", arguments: ["-c:a", "flac", "-strict", "-2"]),
        Kind(name: "flac.mkv", arguments: ["-c:a", "flac"]),
        Kind(name: "pcm.mkv", arguments: ["-c:a", "pcm_s16le"]),
        Kind(
            name: "aac.m4a", arguments: ["-c:a", "aac", "-b:a", "160k"], coding: 0.02),
        Kind(
            name: "aac.mkv", arguments: ["-c:a", "aac", "-b:a", "160k"], coding: 2),
        Kind(name: "aac.ts", arguments: ["-c:a", "aac", "-b:a", "160k"], coding: 2, jumping: 1e-4),
        Kind(
            name: "opus.mp4", arguments: ["-c:a", "libopus", "-b:a", "160k"], coding: 0.05,
            jumping: 5e-3),
        Kind(
            name: "opus.mkv", arguments: ["-c:a", "libopus", "-b:a", "160k"], coding: 0.05,
            jumping: 5e-3),
        Kind(
            name: "opus.ogg", arguments: ["-c:a", "libopus", "-b:a", "160k"], coding: 0.05,
            jumping: 5e-3),
        Kind(
            name: "a.mp3", arguments: ["-c:a", "libmp3lame", "-b:a", "192k"], coding: 0.05,
            jumping: 1e-3),
        Kind(name: "alac.m4a", arguments: ["-c:a", "alac"]),
        Kind(name: "float.wav", arguments: ["-c:a", "pcm_f64le"]),
    ]

    private func difference(_ one: [Float], _ other: some Sequence<Float>) -> Float {
        zip(one, other).map { abs($0 - $1) }.max() ?? 0
    }

    private static let wanted = AudioFormat(
        coding: .raw(.float32), sampleRate: Footage.audioRate, channels: 1)

    @Test(
        "any frames of a recording are those of reading on, and lie where they were made",
        arguments: kinds)
    func randomAccess(_ kind: Kind) throws {
        let frames = 4 * Footage.audioRate
        let asset = try footage.recording(kind.name, frames: frames, kind.arguments)
        let track = try asset.first(.audio)
        let cursor = try AudioCursor(asset: asset, track: track, format: Self.wanted)
        var linear: [Float] = []
        for start in stride(from: 0, to: frames, by: 1601) {
            let count = min(1601, frames - start)
            linear += try cursor.read(at: Int64(start), count: count).floats
        }
        #expect(linear.count == frames)
        let source = (0..<frames).map { Footage.level($0) }
        // the last packet of an encoder may fade
        let inner = 2000..<frames - 4000
        let rounding: Float = 1.6 / 65_536
        #expect(
            difference(Array(linear[inner]), source[inner]) <= max(kind.coding, rounding))
        var random = SplitMix(seed: 3)
        for _ in 0..<24 {
            let place = Int.random(in: 0..<frames - 3000, using: &random)
            let part = try cursor.read(at: Int64(place), count: 3000).floats
            let off = difference(part, linear[place..<place + 3000])
            #expect(off <= kind.jumping, "at frame \(place)")
        }
        #expect(try cursor.read(at: -700, count: 700).floats.allSatisfy { $0 == 0 })
        #expect(try cursor.read(at: Int64(frames) + 5000, count: 99).floats.allSatisfy { $0 == 0 })
        #expect(cursor.damagedSamples == 0)
    }

    @Test(
        "another rate is the same from any place, and in tune", arguments: [44_100, 32_000, 96_000])
    func resampled(_ rate: Int) throws {
        let asset = try footage.recording("r.wav", frames: 3 * rate, rate: rate, [])
        let track = try asset.first(.audio)
        let wanted = AudioFormat(coding: .raw(.float32), sampleRate: 48_000, channels: 2)
        let cursor = try AudioCursor(asset: asset, track: track, format: wanted)
        let whole = try cursor.read(at: 0, count: 3 * 48_000).floats
        let left = stride(from: 0, to: whole.count, by: 2).map { whole[$0] }
        let right = stride(from: 1, to: whole.count, by: 2).map { whole[$0] }
        #expect(left == right)
        let source = (0..<3 * 48_000).map { Footage.level($0) }
        #expect(difference(Array(left[500..<140_000]), source[500..<140_000]) < 2e-3)
        let pieces = try AudioCursor(asset: asset, track: track, format: wanted)
        var place = 0
        for count in [1, 47, 4800, 333, 10_000, 2] {
            let part = try pieces.read(at: Int64(place), count: count).floats
            #expect(part == Array(whole[place * 2..<(place + count) * 2]))
            place += count
        }
        for place in [100_000, 77_777, 5, 130_000, 1] {
            let part = try pieces.read(at: Int64(place), count: 2000).floats
            #expect(difference(part, whole[place * 2..<(place + 2000) * 2]) < 1e-6)
        }
    }

    @Test(
        "noise that a decoder puts into bands is the same wherever reading begins, at other rates too",
        arguments: ["noise.m4a", "noise.mkv", "noise.mov", "hole.m4a"], [44_100, 48_000])
    func noise(_ name: String, rate: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file(name)
        let coding =
            name.hasSuffix("mov")
            ? ["-c:a", "ac3", "-b:a", "96k"] : ["-c:a", "aac", "-b:a", "48k"]
        let made = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-f", "lavfi", "-i",
                "anoisesrc=r=44100:d=12:a=0.3:seed=3,lowpass=6000,tremolo=f=3",
            ] + coding + [path])
        try #require(made.status == 0, "\(made.errorText)")
        if name.hasPrefix("hole") { try drop(packets: 58...80, of: path) }
        let asset = try Asset.load(path)
        let format = AudioFormat(coding: .raw(.float32), sampleRate: rate, channels: 1)
        func read(_ start: Int, _ count: Int, _ block: Int) throws -> [Float] {
            let cursor = try AudioCursor(asset: asset, track: asset.first(.audio), format: format)
            return try stride(from: start, to: start + count, by: block).flatMap { place in
                try cursor.read(at: Int64(place), count: block).floats
            }
        }
        #expect(try hasNoiseOfItsOwn(path), "control")
        let whole = try read(0, 12 * rate, 1000)
        for start in [1, 7000, 65_000, 65_536, 66_000, 90_000, 131_072, 200_000, 290_001, 400_123] {
            let part = try read(start, 100_000, 5000)
            #expect(part == Array(whole[start..<start + 100_000]), "from frame \(start) on")
        }
        // behind the end, and back
        let cursor = try AudioCursor(asset: asset, track: asset.first(.audio), format: format)
        for beyond in [20_000, 45_000, 70_000, 200_000] {
            let silence = try cursor.read(at: Int64(12 * rate + beyond), count: 1000).floats
            #expect(silence.allSatisfy { $0 == 0 })
            #expect(try cursor.read(at: 1000, count: 5000).floats == Array(whole[1000..<6000]))
        }
    }

    /// Leaves packets of a file's audio out.
    private func drop(packets: ClosedRange<Int>, of path: String) throws {
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-c", "copy", "-bsf:a",
            "noise=drop=between(n\\,\(packets.lowerBound)\\,\(packets.upperBound))", path + ".m4a",
        ])
        try #require(made.status == 0, "\(made.errorText)")
        try #require(rename(path + ".m4a", path) == 0)
    }

    /// Whether a decoder that begins in the middle makes others of the packets there than one that began with the first.
    private func hasNoiseOfItsOwn(_ path: String) throws -> Bool {
        let demuxer = try Demuxer(path: path)
        let format = try #require(demuxer.tracks.first?.format.audio)
        let (one, other) = (try AudioDecoder(format: format), try AudioDecoder(format: format))
        func bytes(_ sample: SampleBuffer) -> [UInt8] {
            if case .audio(let block) = sample.payload { block.bytes } else { [] }
        }
        var number = 0
        while case .sample(_, let packet) = try demuxer.next() {
            let samples = try one.decode(packet)
            if number >= 100 {
                let others = try other.decode(packet)
                // what overlaps is settled
                if number > 110, samples.flatMap(bytes) != others.flatMap(bytes) { return true }
            }
            number += 1
        }
        return false
    }

    @Test("an edit list gives each span in its place and silence in between")
    func editList() throws {
        let plain = try footage.recording("e.mp4", ["-c:a", "flac", "-strict", "-2"])
        let asset = try footage.edit(
            plain, track: 0,
            [
                EditListBox.Entry(duration: 250, mediaTime: nil),
                EditListBox.Entry(duration: 500, mediaTime: 96_000),
                EditListBox.Entry(duration: 100, mediaTime: nil),
                EditListBox.Entry(duration: 400, mediaTime: 1234),
            ])
        let cursor = try AudioCursor(
            asset: asset, track: asset.first(.audio), format: Self.wanted)
        func level(_ frame: Int) -> Float {
            switch frame {
            case 12_000..<36_000: Footage.level(frame - 12_000 + 96_000)
            case 40_800..<60_000: Footage.level(frame - 40_800 + 1234)
            default: 0
            }
        }
        for start in [0, 11_000, 35_000, 40_000, 59_000, 30_000] {
            let part = try cursor.read(at: Int64(start), count: 9000).floats
            #expect(difference(part, (start..<start + 9000).map(level)) < 1.6 / 65_536)
        }
    }

    @Test("stereo to mono is the mean")
    func channels() throws {
        let asset = try footage.encode(
            "s.wav",
            [
                "-f", "s16le", "-ar", "48000", "-ac", "2", "-i", try footage.sound(frames: 96_000),
            ])
        let cursor = try AudioCursor(
            asset: asset, track: asset.first(.audio), format: Self.wanted)
        #expect(cursor.nativeChannels == 2)
        let part = try cursor.read(at: 1000, count: 2000).floats
        let mean = (1000..<3000).map { (Footage.level(2 * $0) + Footage.level(2 * $0 + 1)) / 2 }
        #expect(difference(part, mean) < 1.6 / 65_536)
    }
}
