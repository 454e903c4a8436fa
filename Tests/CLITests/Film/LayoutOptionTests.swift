import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import vcap

/// Films of takes of several cameras, and of clips over clips, as users get them: the numbers in each part of the
/// frame are read from the finished film.
@Suite(
    "Cameras and clips that share the frame", .serialized,
    .enabled(if: MovieOracle.isAvailable, "ffmpeg makes and reads the movies"))
struct LayoutOptionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func vcap(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(
            words, environment: ["XDG_RUNTIME_DIR": folder.path], in: folder.path)
    }

    /// Two cameras and two microphones of a second and a half.
    private func take(_ name: String = "take.mkv") throws {
        let made = try vcap(
            "record", "-c", "test:1,size=320x240", "-c", "test:2,size=320x240", "-a", "test:",
            "-a", "test:2", "-t", "1.5s", "--keys", "none", "-o", name)
        #expect(made.status == 0, "\(made.errorText)")
    }

    /// The numbers in a part of a film's frames.
    private func numbers(_ film: String, _ part: String) throws -> [Int] {
        let cut = folder.file("part.mkv")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-i", folder.file(film), "-an", "-fps_mode", "passthrough", "-vf",
            "crop=\(part)", "-c:v", "ffv1", cut,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return try MovieOracle(cut).frameNumbers()
    }

    @Test("side by side and in a grid every camera's frames are whole, in step and complete")
    func side() throws {
        try take()
        let cameras = try [0, 1].map {
            try MovieOracle(folder.file("take.mkv")).frameNumbers(videoTrack: $0)
        }
        let made = try vcap(
            "compose", "take.mkv", "--layout", "side", "-s", "640x240", "-o", "side.mp4")
        #expect(made.status == 0 && !made.errorText.contains("left out"), "\(made.errorText)")
        let halves = [
            try numbers("side.mp4", "320:240:0:0"), try numbers("side.mp4", "320:240:320:0"),
        ]
        for (half, camera) in zip(halves, cameras) {
            #expect(abs(half.count - camera.count) <= 1)
            #expect(Array(half.prefix(40)) == Array(camera.prefix(40)))
        }
        let grid = try vcap(
            "compose", "take.mkv", "--layout", "grid", "--video-tracks", "2,1", "-s", "640x480",
            "-o", "grid.mp4")
        #expect(grid.status == 0, "\(grid.errorText)")
        // two in a row of two, each in the middle of its half
        #expect(
            Array(try numbers("grid.mp4", "320:240:0:120").prefix(40))
                == Array(cameras[1].prefix(40)))
    }

    @Test("a small camera lies where it is put, over the other one, at any size")
    func pictureInPicture() throws {
        try take()
        let made = try vcap(
            "compose", "take.mkv", "--layout", "pip:top-left:0.5", "-s", "640x480", "-o", "pip.mp4")
        #expect(made.status == 0, "\(made.errorText)")
        let cameras = try [0, 1].map {
            try MovieOracle(folder.file("take.mkv")).frameNumbers(videoTrack: $0)
        }
        // four hundredths of 480 from the edges, on whole steps of the chroma grid
        let small = try numbers("pip.mp4", "320:240:20:20")
        #expect(Array(small.prefix(40)) == Array(cameras[1].prefix(40)))
        let plan = try vcap("compose", "take.mkv", "--layout", "pip", "--plan", "--json")
        #expect(plan.status == 0, "\(plan.errorText)")
    }

    @Test(
        "every microphone of a take is heard, by itself where it is named, and none when that is asked"
    )
    func microphones() throws {
        // a camera and two tones of unlike pitch, as a take of two microphones
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=30:d=2", "-f", "lavfi", "-i",
            "sine=f=500:d=2:r=48000", "-f", "lavfi", "-i", "sine=f=2000:d=2:r=48000", "-map", "0",
            "-map", "1", "-map", "2", "-c:v", "libx264", "-c:a", "aac", "-movflags",
            "use_metadata_tags", "-metadata", "org.vcap.device.0=Camera", "-metadata",
            "org.vcap.device.1=Microphone", folder.file("two.mp4"),
        ])
        #expect(made.status == 0, "\(made.errorText)")
        for (words, wanted) in [
            ([], [true, true]), (["--audio-tracks", "2"], [true, false]),
            (["--audio-tracks", "3"], [false, true]),
        ] as [([String], [Bool])] {
            let film = try Program.vcap.run(
                ["compose", "two.mp4", "-y", "-o", "f.mp4"] + words, in: folder.path)
            #expect(film.status == 0 && !film.errorText.contains("left out"), "\(film.errorText)")
            let sound = try MovieOracle(folder.file("f.mp4")).sound()
            #expect([500, 2000].map { Self.power(sound, $0) > 1e-4 } == wanted)
        }
        let silent = try vcap("compose", "two.mp4", "--audio-tracks", "none", "-o", "s.mp4")
        #expect(silent.status == 0, "\(silent.errorText)")
        #expect(try Asset.load(folder.file("s.mp4")).tracks.map(\.mediaType) == [.video])
        // another program's second track may be a commentary: the first is used, and that is said
        let other = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file("two.mp4"), "-map", "0", "-c", "copy",
            "-map_metadata", "-1", folder.file("other.mp4"),
        ])
        #expect(other.status == 0)
        let first = try vcap("compose", "other.mp4", "-o", "o.mp4")
        #expect(first.errorText.contains("its first audio track, 2, is used"), "\(first.errorText)")
    }

    /// What a filter makes of a movie's audio, one channel.
    private static func left(_ path: String, _ filter: String) throws -> [Float] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", path, "-filter_complex", filter, "-f", "f32le", "-ac", "1", "-ar",
            "48000", "-",
        ])
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// Of one frequency, in the middle second.
    private static func power(_ sound: [Float], _ frequency: Double) -> Double {
        let part = sound.dropFirst(24_000).prefix(48_000)
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in part.enumerated() {
            let angle = 2 * Double.pi * frequency * Double(index) / 48_000
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return (real * real + imaginary * imaginary) / Double(part.count * part.count)
    }

    @Test("with speaker the camera changes with the voice, and the sound does not break")
    func speaker() throws {
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "color=red:s=160x120:r=30:d=12", "-f", "lavfi",
            "-i",
            "color=blue:s=160x120:r=30:d=12", "-f", "lavfi", "-i",
            "sine=f=300:d=12:r=48000,volume=enable='between(t,4,8)':volume=0.02", "-f", "lavfi",
            "-i", "sine=f=300:d=12:r=48000,volume=enable='not(between(t,4,8))':volume=0.02", "-map",
            "0", "-map", "1", "-map", "2", "-map", "3", "-c:v", "ffv1", "-pix_fmt", "yuv420p",
            "-c:a",
            "pcm_s16le", folder.file("talk.mkv"),
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let film = try vcap(
            "compose", "talk.mkv", "--layout", "speaker", "--codec", "ffv1", "--audio-codec", "pcm",
            "-o", "film.mkv")
        #expect(film.status == 0, "\(film.errorText)")
        // an effect is where it was asked for in the whole clip, whichever shots that is in
        for (effect, count) in [("at=5s,duration=1s", 1), ("at=3s,duration=2s", 2)] {
            let saved = try vcap(
                "compose", "talk.mkv", "--layout", "speaker", "--effect", "mosaic,\(effect)", "-o",
                "p.vcap.json5", "-y")
            #expect(saved.status == 0, "\(saved.errorText)")
            let text = try String(contentsOfFile: folder.file("p.vcap.json5"), encoding: .utf8)
            #expect(text.components(separatedBy: "mosaic").count == count + 1, "\(text)")
        }
        let colors = try MovieOracle(folder.file("film.mkv")).middleColors()
        #expect(colors.count == 360)
        // red is dark in the blue plane's difference, blue is bright
        let isBlue = colors.map { $0.blue > 150 }
        let changes = isBlue.indices.dropFirst().filter { isBlue[$0] != isBlue[$0 - 1] }
        #expect(changes.count == 2, "\(changes)")
        // at 4 and 8 s, a tenth of a second ahead, within the smoothing
        for (change, frame) in zip(changes, [117, 237] as [Int]) {
            #expect(abs(Int(change) - frame) <= 6)
        }
        let sound = try Self.left(folder.file("film.mkv"), "[0:a:0]pan=mono|c0=c0")
        let mixed = try Self.left(
            folder.file("talk.mkv"), "[0:a:0][0:a:1]amix=inputs=2:normalize=0")
        #expect(abs(sound.count - mixed.count) <= 1)
        let off = zip(sound, mixed).map { abs($0 - $1) }
        // a film comes and goes in 3 ms
        let heard = off.indices.filter { off[$0] > 0.001 && (200..<off.count - 200).contains($0) }
        #expect(heard.isEmpty, "\(heard.prefix(5)) of \(heard.count)")
    }

    /// A movie of colours that last so long, each with a tone of its own loudness in turn.
    private func cameras(_ lengths: [Int], _ name: String) throws {
        let colors = ["red", "blue", "lime"]
        var words = ["-v", "error", "-y"]
        for (color, length) in zip(colors, lengths) {
            words += ["-f", "lavfi", "-i", "color=\(color):s=160x120:r=30:d=\(length)"]
        }
        let longest = lengths.max() ?? 1
        for index in lengths.indices {
            // each speaks in its share of the time, the last one until the end
            let share = Double(longest) / Double(lengths.count)
            let span = "between(t,\(Double(index) * share),\(Double(index + 1) * share))"
            words += [
                "-f", "lavfi", "-i",
                "sine=f=300:d=\(longest):r=48000,volume=enable='not(\(span))':volume=0.02",
            ]
        }
        words += (0..<2 * lengths.count).flatMap { ["-map", "\($0)"] }
        let made = try #require(Program.tool("ffmpeg")).run(
            words + ["-c:v", "ffv1", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le", folder.file(name)])
        #expect(made.status == 0, "\(made.errorText)")
    }

    @Test(
        "where the speaker's camera has ended another one is shown, and nothing of the take is lost"
    )
    func speakerWithoutFrames() throws {
        try cameras([8, 6], "short.mkv")
        let film = try vcap(
            "compose", "short.mkv", "short.mkv", "--layout", "speaker", "--codec", "ffv1",
            "--audio-codec", "pcm", "-o", "film.mkv")
        #expect(film.status == 0, "\(film.errorText)")
        #expect(film.errorText.contains("track 2 of short.mkv ends at 00:00:06.000"))
        let isBlue = try MovieOracle(folder.file("film.mkv")).middleColors().map { $0.blue > 150 }
        #expect(isBlue.count == 480)
        for (frame, wanted) in [
            (30, false), (150, true), (200, false), (235, false), (300, false), (390, true),
            (470, false),
        ] {
            #expect(isBlue[frame] == wanted, "\(frame)")
        }
    }

    @Test("a camera that ends early leaves the others in step in the takes that follow")
    func early() throws {
        try cameras([3, 2], "short.mkv")
        let film = try vcap(
            "compose", "short.mkv", "short.mkv", "--layout", "side", "-s", "320x120", "--codec",
            "ffv1",
            "-o", "film.mkv")
        #expect(film.status == 0, "\(film.errorText)")
        let cut = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file("film.mkv"), "-an", "-vf", "crop=160:120:160:0",
            "-c:v",
            "ffv1", folder.file("right.mkv"),
        ])
        #expect(cut.status == 0)
        let isBlue = try MovieOracle(folder.file("right.mkv")).middleColors().map { $0.blue > 150 }
        let shown = isBlue.indices.filter { isBlue[$0] }
        #expect(shown == Array(0..<60) + Array(90..<150))
    }

    @Test("a project in another folder finds its overlays, and one in the same needs no permission")
    func projects() throws {
        try take()
        try FileManager.default.createDirectory(
            atPath: folder.file("sub"), withIntermediateDirectories: false)
        let same = try vcap(
            "compose", "take.mkv", "--layout", "pip", "--overlay", "take.mkv,place=top", "-o",
            "./p.vcap.json5")
        #expect(same.status == 0 && !same.errorText.contains("outside"), "\(same.errorText)")
        for name in ["sub/p.vcap.json5", "sub/p.otio"] {
            let written = try vcap(
                "compose", "take.mkv", "--layout", "pip", "--overlay", "take.mkv,place=top", "-o",
                name)
            #expect(written.status == 0 && written.errorText.contains("outside"))
            // a control: another file of the name lies beside the project
            try Data("no movie".utf8).write(
                to: URL(fileURLWithPath: folder.file("sub/take.mkv")))
            let still = try vcap(
                "export", name, "--media-root", folder.path, "--still", "0.5s", "-y", "-o", "s.png")
            #expect(still.status == 0, "\(still.errorText)")
        }
    }

    @Test("slides decide the film's size, not the camera over them, which gives it its rate")
    func slides() throws {
        for (source, file) in [
            ("color=white:s=640x360:r=1:d=1", "slide.png"),
            ("color=red:s=160x120:r=50:d=1", "camera.mkv"),
        ] {
            let made = try #require(Program.tool("ffmpeg")).run([
                "-v", "error", "-f", "lavfi", "-i", source, folder.file(file),
            ])
            #expect(made.status == 0)
        }
        let film = try vcap(
            "compose", "slide.png@..1s", "--overlay", "camera.mkv", "-o", "film.mp4")
        #expect(film.status == 0, "\(film.errorText)")
        let video = try #require(try Asset.load(folder.file("film.mp4")).tracks.first)
        #expect(video.format?.video?.width == 640 && video.sampleCount == 50)
        let intro = try vcap(
            "compose", "slide.png@..1s", "slide.png@..1s", "--layout", "pip", "-o", "no.mp4")
        #expect(intro.status == 64, "\(intro.errorText)")
        try take()
        let opened = try vcap(
            "compose", "slide.png@..1s", "take.mkv", "--layout", "pip", "-s", "320x240", "-o",
            "o.mp4")
        #expect(opened.status == 0, "\(opened.errorText)")
    }

    @Test("what is not seen or heard is said")
    func losses() throws {
        try take()
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "color=red:s=160x120:r=25:d=1", "-f", "lavfi", "-i",
            "sine=d=3", "-c:v", "ffv1", folder.file("long.mkv"),
        ])
        #expect(made.status == 0)
        for (words, sentence) in [
            (["take.mkv", "--overlay", "take.mkv,opacity=0"], "is not seen: its opacity is 0"),
            (["take.mkv", "--overlay", "take.mkv,left=3"], "it lies outside of the frame"),
            (["long.mkv"], "its audio lasts 2 s longer than its video"),
        ] {
            let film = try Program.vcap.run(
                ["compose"] + words + ["--plan", "-o", "f.mp4"], in: folder.path)
            #expect(film.status == 0 && film.errorText.contains(sentence), "\(film.errorText)")
        }
        let quiet = try vcap("compose", "long.mkv@..1s", "--plan", "-o", "f.mp4")
        #expect(!quiet.errorText.contains("longer"), "\(quiet.errorText)")
    }

    @Test("what is recorded with two cameras becomes a film of both at once")
    func recorded() throws {
        let made = try vcap(
            "record", "-c", "test:1,size=320x240", "-c", "test:2,size=320x240", "-a", "test:",
            "-t", "1.5s", "--keys", "none", "-o", "day.mkv", "--then", "compose", "--layout",
            "side",
            "-s", "640x240", "-o", "day.mp4")
        #expect(made.status == 0, "\(made.errorText)")
        let second = try numbers("day.mp4", "320:240:320:0")
        #expect(second.count >= 40 && second == Array(second[0]..<second[0] + second.count))
    }

    @Test(
        "an overlay is there from its time on for its length, with its sound, and its words say how"
    )
    func overlay() throws {
        try take()
        let over = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "color=lime:s=200x100:r=30:d=1", "-f", "lavfi",
            "-i",
            "sine=f=3000:d=1:r=48000", "-c:v", "ffv1", "-c:a", "pcm_s16le", folder.file("g.mkv"),
        ])
        #expect(over.status == 0)
        let made = try vcap(
            "compose", "take.mkv", "--audio-tracks", "none", "--video-tracks", "1", "--overlay",
            "g.mkv@..0.5s,at=0.5s,place=center,width=0.5,border=black/0.02", "--codec", "ffv1",
            "--audio-codec", "pcm", "-o", "o.mkv")
        #expect(made.status == 0, "\(made.errorText)")
        let middles = try MovieOracle(folder.file("o.mkv")).middleColors()
        let isGreen = middles.map { $0.blue < 70 && $0.red < 70 }
        #expect(isGreen.indices.filter { isGreen[$0] } == Array(15..<30))
        let sound = try MovieOracle(folder.file("o.mkv")).sound()
        #expect(sound[..<23_900].allSatisfy { $0 == 0 })
        #expect(sound[24_200..<47_800].contains { $0 > 0.1 })
        #expect(sound[48_100...].allSatisfy { $0 == 0 })
    }

    @Test(
        "what cannot be meant is refused before anything is made, in a sentence",
        arguments: [
            (["one.mkv", "--layout", "side"], 64, "has one video track"),
            (
                ["take.mkv", "--layout", "side", "--video-tracks", "1,7"], 64,
                "has no video track 7"
            ),
            (["take.mkv", "--video-tracks", "1,2"], 64, "say with --layout"),
            (["take.mkv", "--layout", "speaker"], 64, "a microphone for each camera"),
            (
                ["take.mkv", "--layout", "speaker", "--clip-loudness", "-20"], 64,
                "give --loudness"
            ),
            (
                ["take.mkv", "take.mkv", "--layout", "side", "--transition", "wipe:0.2s"], 64,
                "a dissolve or a cut"
            ),
            (["take.mkv", "--overlay", "one.mkv,plac=top"], 64, "did you mean \"place\"?"),
            (["take.mkv", "--overlay", "one.mkv,width=7"], 64, "width must be a number"),
            (["take.mkv", "--overlay", "one.mkv,at=1s,at=2s"], 64, "at is there twice"),
            (["take.mkv", "--overlay", "no.mkv"], 66, "no.mkv"),
            (["take.mkv", "--layout", "side", "--fit", "blur"], 64, "fills the whole frame"),
            (["take.mkv", "--layout", "side", "--video-tracks", "1"], 64, "names one"),
            (
                ["take.mkv", "--layout", "pip", "--preset", "passthrough"], 64,
                "a transition or an overlay"
            ),
        ] as [([String], Int32, String)])
    func refused(words: [String], status: Int32, sentence: String) throws {
        let made = try vcap(
            "record", "-c", "test:1,size=160x120", "-c", "test:2,size=160x120", "-a", "test:",
            "-t", "0.5s", "--keys", "none", "-o", "take.mkv")
        #expect(made.status == 0)
        let one = try vcap(
            "record", "-c", "test:1,size=160x120", "-a", "none", "-t", "0.5s", "--keys", "none",
            "-o", "one.mkv")
        #expect(one.status == 0)
        let result = try Program.vcap.run(
            ["compose"] + words + ["-o", "film.mp4"], in: folder.path)
        #expect(result.status == status, "\(result.errorText)")
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("film.mp4")))
    }

    @Test(
        "a layout that the take cannot have is refused before it is recorded",
        arguments: [
            (["-a", "none"], ["--layout", "side"], "this one has one"),
            (
                ["-c", "test:2,size=160x120", "-a", "test:"], ["--layout", "speaker"],
                "the take has 1 for 2"
            ),
            (
                ["-c", "test:2,size=160x120", "-a", "none"],
                ["--layout", "side", "--preset", "passthrough"], "leave --layout out"
            ),
            (["-a", "test:"], ["--video-tracks", "7"], "the take's cameras are 1 to 1"),
            (["-a", "test:"], ["--audio-tracks", "1"], "is a camera of the take"),
        ])
    func refusedBefore(devices: [String], words: [String], sentence: String) throws {
        let result = try Program.vcap.run(
            ["record", "-c", "test:1,size=160x120"] + devices + [
                "-t", "0.5s", "--keys", "none", "-o", "t.mkv", "--then", "compose",
            ] + words + ["-o", "t.mp4"], in: folder.path)
        #expect(result.status == 64 && result.errorText.contains(sentence), "\(result.errorText)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("t.mkv")))
    }
}
