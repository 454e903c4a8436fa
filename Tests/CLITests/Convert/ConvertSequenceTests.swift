import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Pictures that become a movie", .serialized, .enabled(if: MovieOracle.isAvailable))
struct ConvertSequenceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    /// A picture of one gray.
    private func picture(_ name: String, luma: Int, size: String = "64x36") throws {
        let tool = try #require(Program.tool("ffmpeg"))
        let gray = String(luma, radix: 16)
        let made = try tool.run([
            "-v", "error", "-f", "lavfi", "-i", "color=0x\(gray)\(gray)\(gray):s=\(size)",
            "-frames:v", "1", folder.file(name),
        ])
        try #require(made.status == 0, "\(made.errorText)")
    }

    /// Luma in the middle of each frame of a movie, from black to white as 0 to 255.
    private func grays(_ name: String) throws -> [Int] {
        try MovieOracle(folder.file(name)).middleColors().map {
            Int((Double($0.luma - 16) * 255 / 219).rounded())
        }
    }

    private func expect(_ found: [Int], near wanted: [Int]) {
        #expect(found.count == wanted.count, "\(found)")
        for (a, b) in zip(found, wanted) { #expect(abs(a - b) <= 3, "\(found)") }
    }

    @Test("numbered pictures follow each other in natural order, each for its time")
    func numbered() throws {
        for number in 1...11 {
            try picture(
                "shot\(number).png", luma: 16 + 20 * number, size: number == 5 ? "40x40" : "64x36")
        }
        let made = try run(["convert", "shot*.png", "-o", "clip.mp4", "--fps", "25", "--crf", "8"])
        #expect(made.status == 0, "\(made.errorText)")
        expect(try grays("clip.mp4"), near: (1...11).map { 16 + 20 * $0 })
        let times = try MovieOracle(folder.file("clip.mp4")).presentationTimes()
        #expect(times.enumerated().allSatisfy { abs($1 - Double($0) / 25) < 1e-6 }, "\(times)")
        #expect(try MovieOracle(folder.file("clip.mp4")).duration() == 0.44)
    }

    @Test("a hole is refused by name, held, black or overlooked")
    func gaps() throws {
        for number in [7, 8, 11] { try picture("a\(number).png", luma: 20 * number) }
        let words = ["convert", "a*.png", "-o", "clip.mp4", "--fps", "25", "--crf", "8", "-y"]
        let refused = try run(words)
        #expect(refused.status == 66 && refused.errorText.contains("from a9.png to a10.png"))
        #expect(try run(words + ["--gaps", "hold"]).status == 0)
        expect(try grays("clip.mp4"), near: [140, 160, 220])
        let held = try MovieOracle(folder.file("clip.mp4")).presentationTimes()
        #expect(held.map { Int(($0 * 25).rounded()) } == [0, 1, 4])
        #expect(try run(words + ["--gaps", "black"]).status == 0)
        expect(try grays("clip.mp4"), near: [140, 160, 0, 220])
        #expect(try run(words + ["--gaps", "ignore"]).status == 0)
        expect(try grays("clip.mp4"), near: [140, 160, 220])
        #expect(try MovieOracle(folder.file("clip.mp4")).duration() == 0.12)
    }

    @Test("a picture that cannot be read ends the movie with its name, and nothing is left")
    func damaged() throws {
        for number in 1...3 { try picture("a\(number).png", luma: 100) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("a3.png")))
        try bytes.prefix(bytes.count / 2).write(to: URL(fileURLWithPath: folder.file("a2.png")))
        let result = try run(["convert", "a*.png", "-o", "clip.mp4", "-t", "1s"])
        #expect(result.status == 65 && result.errorText.contains("a2.png"), "\(result.errorText)")
        #expect(folder.contents == ["a1.png", "a2.png", "a3.png"])
        #expect(try run(["convert", "a*.png", "-o", "clip.mp4"]).status == 64)
    }

    @Test("the last number of a name counts")
    func numbers() {
        #expect(NumberedName("in/a12b007.png")?.number == 7)
        #expect(NumberedName("in/a12b007.png")?.path(12) == "in/a12b012.png")
        #expect(NumberedName("2024/photo.png")?.number == nil)
    }
}
