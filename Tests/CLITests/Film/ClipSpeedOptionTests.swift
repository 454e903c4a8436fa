import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

/// Clips that play backwards, slowly and fast, as users ask for them; the numbers are read from the finished films.
@Suite(
    "How clips of a film play", .serialized,
    .enabled(if: MovieOracle.isAvailable, "ffmpeg makes and reads the movies"))
struct ClipSpeedOptionTests {
    private let folder: TemporaryFolder

    /// Two seconds of frames from 100 on, in groups of 20.
    init() throws {
        folder = try TemporaryFolder()
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames, clip.firstNumber) = (192, 108, 60, 100)
        clip.coding = ["-c:v", "libx264", "-g", "20", "-bf", "2", "-crf", "12"]
        try clip.write(to: folder.file("a.mp4"))
    }

    private func vcap(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, in: folder.path)
    }

    private func numbers(_ film: String) throws -> [Int] {
        try MovieOracle(folder.file(film)).frameNumbers()
    }

    @Test("@reverse plays a clip or its part backwards, behind others as they are")
    func reverse() throws {
        let made = try vcap(
            "compose", "a.mp4@..1s", "a.mp4@..1s@reverse", "a.mp4@reverse", "-o", "film.mp4")
        #expect(made.status == 0, "\(made.errorText)")
        #expect(
            try numbers("film.mp4")
                == Array(100..<130) + (100..<130).reversed() + (100..<160).reversed())
        let plan = try vcap("compose", "a.mp4@reverse", "--plan", "-o", "film.mp4")
        #expect(plan.outputText.contains("[a.mp4, backwards"))
        #expect(plan.outputText.contains("because it plays backwards"))
        let copied = try vcap("compose", "a.mp4@reverse", "--copy", "only", "-o", "b.mp4")
        #expect(copied.status == 64 && copied.errorText.contains("it plays backwards"))
    }

    @Test("a file whose name ends so is itself, and a mistaken part says what is meant")
    func names() throws {
        try FileManager.default.copyItem(
            atPath: folder.file("a.mp4"), toPath: folder.file("a.mp4@reverse"))
        let made = try vcap("compose", "a.mp4@reverse", "-o", "film.mp4")
        #expect(try made.status == 0 && numbers("film.mp4") == Array(100..<160))
        for part in ["@2s..1s", "@2s..1s@reverse", "@2s", "@Reverse", "@..0s"] {
            let mistaken = try vcap("compose", "a.mp4\(part)", "-o", "c.mp4")
            #expect(mistaken.status == 64, "\(part): \(mistaken.errorText)")
            #expect(mistaken.errorText.contains("behind it"))
        }
    }

    @Test("an overlay plays backwards and at a speed; what stands still does neither")
    func overlay() throws {
        let made = try vcap(
            "compose", "a.mp4", "--overlay",
            "a.mp4@..1s,left=0,top=0,width=1,height=1,speed=1/2,reverse,blend", "-o", "film.mp4")
        #expect(made.status == 0, "\(made.errorText)")
        let shown = try numbers("film.mp4")
        // the strip of a mixed frame is of no number; whole frames are every second one
        #expect(
            stride(from: 0, to: 60, by: 2).map { shown[$0] } == (100..<130).reversed())
        let still = folder.file("still.png")
        let frame = try vcap("compose", "a.mp4", "--still", "0s", "-o", still)
        #expect(frame.status == 0, "\(frame.errorText)")
        let refused = try vcap("compose", "still.png@reverse", "-o", "d.mp4")
        #expect(
            refused.status == 64 && refused.errorText.contains("nothing to play backwards"))
    }

    @Test("a project's key frames change the speed, and a mistake is named where it stands")
    func project() throws {
        func project(_ keys: String) throws {
            try "{ videos: [ { file: \"a.mp4\", keyframes: [ \(keys) ] } ] }".write(
                toFile: folder.file("p.vcap.json5"), atomically: true, encoding: .utf8)
        }
        try project("{ time: 1, speed: 1 }, { time: 1, speed: 0.25 }")
        let made = try vcap("export", "p.vcap.json5", "-o", "film.mp4")
        #expect(made.status == 0, "\(made.errorText)")
        let slow = (130..<160).flatMap { Array(repeating: $0, count: 4) }
        #expect(try numbers("film.mp4") == Array(100..<130) + slow)
        try project("{ time: 1, speed: 0 }")
        let refused = try vcap("export", "p.vcap.json5", "-o", "e.mp4")
        #expect(refused.status == 65 && refused.errorText.contains("p.vcap.json5:1:"))
        #expect(refused.errorText.contains("a speed such as"))
    }
}
