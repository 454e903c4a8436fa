import Capture
import Compose
import Foundation
import Media
import TestSupport
import Testing

/// The program that Tests/Client makes of the guide's examples; scripts/test builds it.
private enum Client {
    static let program: Program = {
        let folder = URL(fileURLWithPath: Program.vcap.path).deletingLastPathComponent()
        return Program(path: folder.appendingPathComponent("client").path)
    }()

    static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program.path) }
}

@Suite(
    "The guide's examples in a program that knows the library alone",
    .enabled(if: Client.isBuilt, "scripts/test builds Tests/Client beside the tests"),
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ClientTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// What an example says; the last name is the movie it makes.
    @discardableResult
    private func run(_ example: String, _ files: String...) throws -> String {
        let result = try Client.program.run(
            [example] + files, environment: ["HOME": folder.path], in: folder.path)
        #expect(result.status == 0, "\(example): \(result.outputText) \(result.errorText)")
        return result.outputText
    }

    private func movie(_ name: String) -> MovieOracle { MovieOracle(folder.file(name)) }

    /// Codec names of a movie's streams, in order.
    private func codecs(_ name: String) throws -> [String] {
        let probe = try #require(Program.tool("ffprobe"))
        return try probe.run([
            "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0",
            folder.file(name),
        ]).outputText.split(whereSeparator: \.isNewline).map { String($0.prefix { $0 != "," }) }
    }

    /// Two seconds of numbered pictures with a tone.
    private func clip(_ name: String, from number: Int = 0, luma: Int = 60) throws {
        var clip = GeneratedClip()
        clip.frames = 60
        clip.firstNumber = number
        clip.color = GeneratedClip.Codes(luma, 128, 128)
        try clip.write(to: folder.file(name))
    }

    private func seconds(ofAudio name: String) throws -> Double {
        Double(try movie(name).sound().count) / 48_000
    }

    @Test("a camera and a microphone are recorded with a pause, which cuts both at one instant")
    func cameraToFile() throws {
        #expect(try run("camera-to-file", "a.mp4").contains("finished 1"))
        let numbers = try movie("a.mp4").frameNumbers()
        let jumps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }.filter { $0 > 20 }
        #expect(jumps.count == 1 && numbers == numbers.sorted(), "\(numbers)")
        #expect((45...75).contains(numbers.count), "\(numbers.count) pictures")
        let length = try movie("a.mp4").frameLength().approximateSeconds
        #expect(abs(try seconds(ofAudio: "a.mp4") - length) < 0.03)
    }

    @Test("a photo is the camera's frame of its number")
    func photo() throws {
        let said = try run("photo", "a.jpg")
        let number = try #require(try movie("a.jpg").frameNumbers().first)
        #expect(said.contains("frame \(number)"), "\(said)")
    }

    @Test("two cameras come in step, and what one of them lost is named")
    func inStep() throws {
        let lines = try run("in-step").split(separator: "\n")
        #expect(lines.count == 30, "\(lines)")
        let dropped = lines.filter { $0.contains("dropped") }
        #expect(!dropped.isEmpty && dropped.allSatisfy { $0.contains("driverGap") }, "\(lines)")
        let apart = lines.compactMap { line in
            line.contains("apart by") ? line.split(separator: " ").last.flatMap { Double($0) } : nil
        }
        #expect(apart.count >= 15 && apart.allSatisfy { abs($0) <= 0.0167 }, "\(apart)")
    }

    @Test("two cameras make two tracks of exactly two seconds")
    func twoCameras() throws {
        #expect(try run("two-cameras", "a.mov").contains("finished 2"))
        // the outputs of a rehearsal are recorded afterwards
        let rehearsed = try run("rehearse", "r.mov")
        #expect(
            ["good", "degraded", "bad"].contains { rehearsed.hasPrefix($0) }, "\(rehearsed)")
        #expect(try MovieOracle(folder.file("r.mov")).duration() > 0.5)
        #expect(try codecs("a.mov") == ["h264", "h264"])
        for track in 0...1 {
            #expect(try movie("a.mov").frameNumbers(videoTrack: track).count == 60)
        }
    }

    @Test("a recording reports its marker and its status, and ends by itself")
    func watchedRecording() throws {
        let words = try run("watched-recording", "a.mp4")
        #expect(words.contains("marker Hello at 0"), "\(words)")
        #expect(words.contains("finished 1\n"), "\(words)")
        #expect(words.contains("finished 2.0 60 frames"), "\(words)")
        #expect(try movie("a.mp4").frameNumbers().count == 60)
    }

    @Test("fifty images in memory become two seconds, each brighter than the one before")
    func imagesToMovie() throws {
        try run("images-to-movie", "a.mp4")
        let luma = try movie("a.mp4").middleColors().map(\.luma)
        #expect(luma.count == 50 && luma == luma.sorted(), "\(luma)")
        #expect(luma[0] < 25 && luma[49] > 200)
        #expect(try movie("a.mp4").duration() == 2)
    }

    @Test("a GIF becomes a movie with each delay exact, twice")
    func gifToMovie() throws {
        let gif = PlainGIF.bytes(delays: [10, 20, 30], width: 64, height: 48)
        try Data(gif).write(to: URL(fileURLWithPath: folder.file("a.gif")))
        try run("gif-to-movie", "a.gif", "a.mp4")
        let times = try movie("a.mp4").presentationTimes()
        #expect(times.map { ($0 * 100).rounded() } == [0, 10, 30, 60, 70, 90])
        #expect(try movie("a.mp4").duration() == 1.2)
    }

    @Test(
        "reader to writer: copied samples give every frame and the same audio, in any container")
    func remux() throws {
        try clip("a.mp4")
        let audio = try movie("a.mp4").sound()
        for name in ["b.mov", "b.mkv"] {
            try run("remux", "a.mp4", name)
            #expect(try codecs(name) == ["h264", "aac"])
            #expect(try movie(name).frameNumbers() == Array(0..<60))
            // AAC is cut between packets
            #expect(abs(try movie(name).sound().count - audio.count) <= 2048)
        }
    }

    @Test("reader to writer: frames decoded and encoded anew are the same in another codec")
    func transcode() throws {
        try clip("a.mp4")
        try run("transcode", "a.mp4", "b.mp4")
        #expect(try codecs("b.mp4") == ["hevc"])
        #expect(try movie("b.mp4").frameNumbers() == Array(0..<60))
        #expect(try movie("b.mp4").duration() == 2)
    }

    @Test("two tracks dissolve for the second in which they overlap")
    func twoTracks() throws {
        try clip("a.mp4", luma: 40)
        try clip("b.mp4", from: 100, luma: 200)
        try run("two-tracks", "a.mp4", "b.mp4", "c.mp4")
        let numbers = try movie("c.mp4").frameNumbers()
        #expect(numbers.count == 90)
        #expect(Array(numbers.prefix(30)) == Array(0..<30))
        #expect(Array(numbers.suffix(29)) == Array(131..<160))
        let luma = try movie("c.mp4").middleColors().map(\.luma)
        #expect(abs(luma[10] - 40) < 5 && abs(luma[45] - 120) < 8 && abs(luma[80] - 200) < 5)
        #expect(abs(try seconds(ofAudio: "c.mp4") - 3) < 0.03)
    }

    @Test("a clip slides in by a curve, in a film of the higher of two rates")
    func easedOpening() throws {
        try clip("a.mp4", luma: 40)
        var fast = GeneratedClip()
        (fast.frames, fast.rate, fast.firstNumber) = (60, "60", 100)
        try fast.write(to: folder.file("b.mp4"))
        let words = try run("eased-opening", "a.mp4", "b.mp4", "c.mp4")
        #expect(words.contains("mp4 mov mkv webm ts") && words.contains("180 frames"), "\(words)")
        let numbers = try movie("c.mp4").frameNumbers()
        #expect(numbers.count == 180 && Array(numbers.suffix(60)) == Array(100..<160))
        let luma = try movie("c.mp4").middleColors().map(\.luma)
        #expect(luma[0] < 20 && luma[20] < 25 && abs(luma[70] - 40) < 5, "\(luma)")
    }

    @Test("a timeline wipes from clip to clip over music")
    func timeline() throws {
        try clip("a.mp4", luma: 40)
        try clip("b.mp4", from: 100, luma: 200)
        try clip("song.m4a")
        #expect(try run("timeline", "a.mp4", "b.mp4", "song.m4a", "c.mp4").contains("105 frames"))
        #expect(try movie("c.mp4").frameNumbers().count == 105)
        #expect(try codecs("c.mp4") == ["h264", "aac"])
    }

    @Test("a voice over music is one audio track as long as the voice")
    func mixedAudio() throws {
        try clip("voice.m4a")
        try clip("music.m4a")
        try run("mixed-audio", "voice.m4a", "music.m4a", "c.m4a")
        #expect(try codecs("c.m4a") == ["aac"])
        let audio = try movie("c.m4a").sound()
        #expect(abs(Double(audio.count) / 48_000 - 2) < 0.03)
        #expect(audio.map(abs).max() ?? 0 > 0.05)
    }

    @Test("a title is not there at first and stands over the clip in the end")
    func animatedTitle() throws {
        try clip("a.mp4", luma: 40)
        try run("animated-title", "a.mp4", "c.mp4")
        let luma = try movie("c.mp4").middleColors().map(\.luma)
        #expect(luma.count == 60)
        #expect(abs(luma[0] - 40) < 5 && luma[45] > 60, "\(luma)")
    }

    @Test("photographs become a time-lapse of ten a second")
    func timeLapse() throws {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        for number in 1...5 {
            let shade = String(format: "%02x", number * 40)
            let color = "color=c=0x\(shade)\(shade)\(shade):s=800x600"
            let result = try ffmpeg.run([
                "-v", "error", "-f", "lavfi", "-i", color, "-frames:v", "1",
                folder.file("p\(number).png"),
            ])
            try #require(result.status == 0, "\(result.errorText)")
        }
        try run("time-lapse", "p1.png", "p2.png", "p3.png", "p4.png", "p5.png", "c.mp4")
        let luma = try movie("c.mp4").middleColors().map(\.luma)
        #expect(luma.count == 5 && luma == luma.sorted() && luma[4] > luma[0] + 80, "\(luma)")
        #expect(try movie("c.mp4").duration() == 0.5)
    }

    @Test("a movie's frames are read in a range, each with its time")
    func readingFrames() throws {
        try clip("a.mp4", luma: 90)
        let lines = try run("brightness", "a.mp4").split(whereSeparator: \.isNewline)
        #expect(lines.count == 31)
        #expect(lines[1].hasPrefix("1.0 "))
        let means = lines.dropFirst().compactMap { Int($0.split(separator: " ").last ?? "") }
        #expect(means.allSatisfy { (80...100).contains($0) }, "\(means)")
    }

    @Test("five thumbnails of sync samples within a box, and the frame at one second")
    func thumbnails() throws {
        try clip("a.mp4", luma: 90)
        let lines = try run("thumbnails", "a.mp4").split(whereSeparator: \.isNewline)
        #expect(lines.count == 6)
        for (line, wanted) in zip(lines, ["0.2", "0.6", "1.0", "1.4", "1.8"]) {
            #expect(line.hasPrefix("\(wanted) ") && line.hasSuffix(" 160 90"), "\(line)")
        }
        // luma 90 of limited range is 86 of full
        let green = Int(lines[5].split(separator: " ").last ?? "") ?? 0
        #expect(lines[5].hasPrefix("green at 1.0 ") && (82...90).contains(green), "\(lines[5])")
    }

    @Test("a movie plays from its second second to its end")
    func playing() throws {
        try clip("a.mp4", luma: 90)
        let words = try run("playing", "a.mp4").split(whereSeparator: \.isWhitespace)
        #expect(words.prefix(3) == ["ended", "at", "2.0"], "\(words)")
        #expect((words.last.flatMap { Int($0) } ?? 0) > 5, "\(words)")
    }

    @Test("one type of frame size serves cameras and films in one file")
    func frameSize() {
        let size = PixelSize(width: 640, height: 360)
        #expect(
            VideoInputSettings(size: size).size == TimelineSettings(renderSize: size).renderSize)
    }
}
