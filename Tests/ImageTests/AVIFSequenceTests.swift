import Foundation
import Media
import TestSupport
import Testing

@testable import Image

@Suite(
    "AVIF sequences",
    .enabled(if: Program.tool(ImageFiles.magickName) != nil && Program.tool("avifenc") != nil))
struct AVIFSequenceTests {
    private let files: ImageFiles

    init() throws { files = try ImageFiles() }

    @Test("each picture is shown for its own time, and is what was coded, in any order")
    func sequence() throws {
        var words = ["-l", "-s", "10", "--timescale", "1000"]
        var expected: [[UInt8]] = []
        let delays = [70, 5, 333, 40]
        for (index, color) in ["red", "lime", "blue", "#808080"].enumerated() {
            let name = "\(index).png"
            let place = "\(index * 4),2 \(index * 4 + 6),9"
            try files.run(
                ImageFiles.magickName,
                [
                    "-size", "32x24", "xc:white", "-fill", color, "-draw", "rectangle \(place)",
                    "PNG24:\(name)",
                ])
            expected += try files.magick(name, width: 32, height: 24)
            words += ["--duration", "\(delays[index])", name]
        }
        try files.run("avifenc", words + ["a.avif"])
        let (file, seen) = try pictures(files.folder.file("a.avif"))
        #expect(file.kind == .avif && file.timescale == 1000 && !file.isStill)
        // 5 ms are as little meant as in a GIF
        #expect(file.pictures.map(\.duration) == [70, 100, 333, 40])
        // the coder does not keep every code of later pictures
        for (index, name) in ["0.png", "1.png", "2.png", "3.png"].enumerated() {
            try files.run("avifdec", ["--index", "\(index)", "-d", "8", "a.avif", name])
            expected[index] = try files.magick(name, width: 32, height: 24)[0]
            #expect(difference(seen[index], expected[index]) <= 1, "\(index)")
        }
        let decoder = try ImageDecoder(file)
        for index in [3, 0, 2, 2, 1] {
            #expect(difference(rgba(try decoder.picture(at: index)), expected[index]) <= 1)
        }
        let exact = try ImageFile(path: file.path, delays: .atLeast(.milliseconds(1)))
        #expect(exact.pictures.map(\.duration) == [70, 5, 333, 40])
    }
}
