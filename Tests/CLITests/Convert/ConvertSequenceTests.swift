import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite(
    "Pictures that become a movie", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
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

    @Test("pictures that a shell lists as text come in natural order, others as they are typed")
    func listed() throws {
        for number in 1...11 { try picture("s\(number).png", luma: 16 + 20 * number) }
        // as LC_ALL=C and a language's order list them
        let listings = [
            [1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9], [10, 11, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        ]
        for listing in listings {
            let made = try run(
                ["convert"] + listing.map { "s\($0).png" }
                    + ["-o", "l.mp4", "-y", "--fps", "25", "--crf", "8"])
            #expect(made.status == 0, "\(made.errorText)")
            expect(try grays("l.mp4"), near: (1...11).map { 16 + 20 * $0 })
        }
        let typed = try run(
            ["convert", "s3.png", "s2.png", "s7.png", "-o", "t.mp4", "--fps", "25", "--crf", "8"]
                + ["--gaps", "ignore"])
        #expect(typed.status == 0, "\(typed.errorText)")
        expect(try grays("t.mp4"), near: [76, 56, 156])
        // names without numbers are no listing, and numbered ones behind them are
        for (name, luma) in [("intro.png", 40), ("Main.png", 80)] { try picture(name, luma: luma) }
        let mixed = try run(
            ["convert", "intro.png", "Main.png", "s10.png", "s11.png", "s9.png", "-o", "m.mp4"]
                + ["--fps", "25", "--crf", "8"])
        #expect(mixed.status == 0, "\(mixed.errorText)")
        expect(try grays("m.mp4"), near: [40, 80, 196, 216, 236])
    }

    @Test(
        "dates and times in names count nothing",
        arguments: [
            ["IMG_20240501_100000.png", "IMG_20240501_100003.png", "IMG_20240501_101500.png"],
            ["20240501.png", "20240511.png", "20240601.png"],
            [
                "s 2024-05-01 10-15-30.png", "s 2024-05-01 10-15-33.png",
                "s 2024-05-01 10-16-02.png",
            ],
            ["a-20240501100000.png", "a-20240501100002.png", "a-20240502100002.png"],
        ])
    func times(names: [String]) throws {
        for (index, name) in names.enumerated() { try picture(name, luma: 40 + 60 * index) }
        let made = try run(["convert", ".", "-o", "clip.mp4", "-t", "0.2s", "--crf", "8"])
        #expect(made.status == 0, "\(made.errorText)")
        #expect(try MovieOracle(folder.file("clip.mp4")).duration() == 0.6)
        // control: these are numbers
        for name in ["x_102400.png", "x_102403.png"] { try picture(name, luma: 40) }
        let refused = try run(["convert", "x_*.png", "-o", "x.mp4", "-t", "0.2s"])
        #expect(refused.status == 66 && refused.errorText.contains("x_102401.png"))
    }

    @Test("pictures that -t leaves out beside --fps are reported")
    func ended() throws {
        for number in 1...8 { try picture("s\(number).png", luma: 16 + 20 * number) }
        let made = try run(["convert", "s*.png", "-o", "clip.mp4", "--fps", "10", "-t", "0.3s"])
        #expect(made.status == 0, "\(made.errorText)")
        #expect(
            made.errorText.contains("the 8 pictures last 00:00:00.800, and the movie ends at"))
    }

    /// A photo of one gray that says when it was taken.
    private func photo(_ name: String, luma: Int, _ time: String, _ fraction: String) throws {
        try picture(name, luma: luma)
        let builder = LivePhotoBuilder(folder: folder)
        let exif = LivePhotoBuilder.exif(taken: time, fraction: fraction)
        try builder.write(
            LivePhotoBuilder.photo(
                try builder.bytes(of: folder.file(name)),
                LivePhotoBuilder.segment("Exif\0\0", exif)), name)
    }

    @Test("photos show until the next one was taken, those of one instant share the time")
    func exifTiming() throws {
        try photo("c.jpg", luma: 60, "2026:11:22 23:59:59", "50")
        try photo("a.jpg", luma: 100, "2026:11:23 00:00:01", "00")
        try photo("b.jpg", luma: 140, "2026:11:23 00:00:01", "00")
        try photo("d.jpg", luma: 180, "2026:11:23 00:00:02", "25")
        let words = ["convert", "?.jpg", "-o", "clip.mp4", "--crf", "8", "--timing", "exif"]
        let made = try run(words)
        #expect(made.status == 0, "\(made.errorText)")
        expect(try grays("clip.mp4"), near: [60, 100, 140, 180])
        let clip = MovieOracle(folder.file("clip.mp4"))
        let times = try clip.presentationTimes()
        let wanted = [0, 1.5, 2.125, 2.75]
        #expect(zip(times, wanted).allSatisfy { abs($0 - $1) < 2e-5 }, "\(times)")
        #expect(abs(try clip.duration() - 3.375) < 2e-5)
        let reported = try run(words + ["-y", "-t", "5s"])
        #expect(reported.status == 0, "\(reported.errorText)")
        // numbers are not looked at, so there is nothing to overlook
        #expect(try run(words + ["-y", "-t", "5s", "--gaps", "ignore"]).status == 0)
        #expect(abs(try clip.duration() - 7.75) < 2e-5)
        try picture("e.jpg", luma: 20)
        let refused = try run(words + ["-y"])
        #expect(refused.status == 65 && refused.errorText.contains("e.jpg"), "\(refused.errorText)")
        #expect(try run(words + ["-y", "--fps", "25"]).status == 64)
        #expect(try run(words + ["-y", "--gaps", "hold"]).status == 64)
        let alone = try run(["convert", "a.jpg", "-o", "x.mp4", "--timing", "exif"])
        #expect(alone.status == 64 && alone.errorText.contains("several pictures"))
    }

    @Test("a list says which picture shows when and for how long")
    func listTiming() throws {
        for (name, luma) in [("a 1.png", 50), ("b.png", 110), ("c.png", 200)] {
            try picture(name, luma: luma)
        }
        func list(_ text: String) throws -> Program.Result {
            try text.write(toFile: folder.file("times.txt"), atomically: true, encoding: .utf8)
            return try run([
                "convert", "?*.png", "-o", "clip.mp4", "-y", "--crf", "8", "--timing", "times.txt",
            ])
        }
        let made = try list("# times\nc.png 500ms\na 1.png\t1s\n\nb.png 0.25\r\nc.png 1/25\n")
        #expect(made.status == 65 && made.errorText.contains("line 6"), "\(made.errorText)")
        let right = try list("# times\nc.png 500ms\na 1.png\t1s\n\nb.png 0.25\r\nc.png 40ms\n")
        #expect(right.status == 0, "\(right.errorText)")
        expect(try grays("clip.mp4"), near: [200, 50, 110, 200])
        let clip = MovieOracle(folder.file("clip.mp4"))
        #expect(
            zip(try clip.presentationTimes(), [0, 0.5, 1.5, 1.75])
                .allSatisfy { abs($0 - $1) < 2e-5 })
        #expect(abs(try clip.duration() - 1.79) < 2e-5)
        let unlisted = try list("b.png 1s\nc.png 1s\n")
        #expect(unlisted.status == 65 && unlisted.errorText.contains("a 1.png is not in the list"))
        let unknown = try list("b.png 1s\nx.png 1s\n")
        #expect(unknown.status == 65 && unknown.errorText.contains("line 2: x.png"))
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
        // a picture of another kind may come between
        let (first, second) = (NumberedName("a9.png"), NumberedName("a11.jpg"))
        #expect(second.flatMap { second in first.map { second.isOf($0) } } == true)
        #expect(NumberedName("a9b.png").flatMap { first?.isOf($0) } == false)
    }
}
