import Foundation
import Media
import TestSupport
import Testing

@testable import Image

@Suite(
    "AVIF sequences",
    .enabled(
        if: Program.tool(ImageFiles.magickName) != nil && Program.tool("avifenc") != nil,
        "needs ImageMagick and avifenc"))
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

@Suite("How often an AVIF sequence is shown")
struct AVIFRepetitionTests {
    private func box(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        number(contents.count + 8, 4) + Array(name.utf8) + contents
    }

    private func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    }

    /// - Parameter whole: of the track; nil: it has no end.
    private func file(
        whole: Int?, edit: Int?, repeats: Bool, isLong: Bool = false, edits: Int = 1
    ) -> [UInt8] {
        let side = isLong ? 8 : 4
        let end = whole.map { number($0, side) } ?? [UInt8](repeating: 255, count: side)
        let header =
            [isLong ? 1 : 0, 0, 0, 3] + [UInt8](repeating: 0, count: isLong ? 24 : 16) + end
            + [UInt8](repeating: 0, count: 60)
        var track = box("tkhd", header)
        if let edit {
            let list = [isLong ? 1 : 0, 0, 0, repeats ? 1 : 0] + number(edits, 4)
            let entry = number(edit, side) + number(0, side) + number(0x10000, 4)
            track += box("edts", box("elst", list + (0..<edits).flatMap { _ in entry }))
        }
        return box("ftyp", Array("avis".utf8) + number(0, 4)) + box("meta", [0, 0, 0, 0])
            + box("moov", box("mvhd", number(0, 100)) + box("trak", track))
    }

    private func loops(_ bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { AVIFRepetition.loops(in: $0) }
    }

    @Test("an edit list repeats until the track ends, else all is shown once; without one for ever")
    func counts() {
        for isLong in [false, true] {
            #expect(loops(file(whole: 300, edit: 100, repeats: true, isLong: isLong)) == 3)
            #expect(loops(file(whole: 301, edit: 100, repeats: true, isLong: isLong)) == 4)
            #expect(loops(file(whole: 100, edit: 100, repeats: true, isLong: isLong)) == 1)
            #expect(loops(file(whole: 300, edit: 100, repeats: false, isLong: isLong)) == 1)
            #expect(loops(file(whole: nil, edit: 100, repeats: true, isLong: isLong)) == nil)
        }
        #expect(loops(file(whole: 300, edit: nil, repeats: false)) == nil)
        #expect(loops(file(whole: 300, edit: 0, repeats: true)) == nil)
        #expect(loops(file(whole: 300, edit: 100, repeats: true, edits: 2)) == nil)
        #expect(loops([]) == nil)
    }

    @Test("any part of a file is read without harm")
    func torn() {
        let whole = file(whole: 300, edit: 100, repeats: true, isLong: true)
        for count in 0..<whole.count {
            let found = loops(Array(whole[..<count]))
            #expect(found == nil || found == 3)
        }
    }
}
