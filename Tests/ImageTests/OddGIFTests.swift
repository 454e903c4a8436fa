import Media
import TestSupport
import Testing

@testable import Image

@Suite("GIFs that no specification allows and browsers show")
struct OddGIFTests {
    private let files: ImageFiles
    private static let palette: [[UInt8]] = [[0, 0, 0], [255, 0, 0], [0, 255, 0], [0, 0, 255]]

    init() throws { files = try ImageFiles() }

    /// One picture's bytes: its indices coded from so many bits on, nil for no data at all.
    private func picture(_ indices: [UInt8], width: Int, bits: Int = 2, isEmpty: Bool = false)
        -> [UInt8]
    {
        let size = GIFMaker.short(width) + GIFMaker.short(indices.count / width)
        let coded = isEmpty ? [0] : GIFMaker.blocks(GIFMaker.codes(indices, bits))
        return [0x21, 0xF9, 4, 1 << 2] + GIFMaker.short(5) + [0, 0]
            + [0x2C, 0, 0, 0, 0] + size + [0, UInt8(bits)] + coded
    }

    private func write(_ pictures: [UInt8]..., width: Int, height: Int, end: [UInt8] = [0x3B])
        throws
        -> String
    {
        let head =
            Array("GIF89a".utf8) + GIFMaker.short(width) + GIFMaker.short(height) + [0x81, 0, 0]
        return try files.write(
            "a.gif", head + Self.palette.joined() + pictures.joined() + end)
    }

    @Test("codes that begin with more than 8 bits show what those of 2 do", arguments: 9...11)
    func wideCodes(_ bits: Int) throws {
        var chance = SplitMix(seed: UInt64(bits))
        let indices = (0..<6000).map { _ in UInt8.random(in: 0..<4, using: &chance) }
        let usual = try pictures(try write(picture(indices, width: 100), width: 100, height: 60)).1
        let path = try write(picture(indices, width: 100, bits: bits), width: 100, height: 60)
        let (file, wide) = try pictures(path)
        #expect(wide == usual)
        #expect(try ImageDecoder(file).damagedFrames == 0)
    }

    @Test("a first picture without data is nothing to be seen, and is counted")
    func emptyFirst() throws {
        let red = [UInt8](repeating: 1, count: 16)
        let path = try write(
            picture(red, width: 4, isEmpty: true), picture(red, width: 4), width: 4, height: 4)
        let file = try ImageFile(path: path)
        let decoder = try ImageDecoder(file)
        #expect(rgba(try decoder.picture(at: 0))[0] == 0)
        #expect(Array(rgba(try decoder.picture(at: 1))[..<3]) == [255, 0, 0])
        #expect(decoder.damagedFrames == 1)
        // of nothing else there is nothing to show
        let empty = picture(red, width: 4, isEmpty: true)
        let none = try ImageDecoder(
            ImageFile(path: try write(empty, empty, width: 4, height: 4)))
        #expect(throws: MediaError.self) { try none.picture(at: 0) }
    }

    @Test("behind whole pictures the last byte may be missing or be another: that is reported")
    func withoutEnd() throws {
        let red = [UInt8](repeating: 1, count: 16)
        for (end, isEarly) in [
            ([0x3B], false), ([], true), ([0x77, 1, 2], true), ([0, 0, 0x3B], false),
        ]
            as [([UInt8], Bool)]
        {
            let path = try write(
                picture(red, width: 4), picture(red, width: 4), width: 4, height: 4, end: end)
            let (file, seen) = try pictures(path)
            #expect(file.endsEarly == isEarly && seen.count == 2, "\(end)")
        }
    }

    @Test("a header alone is refused in a sentence", arguments: [[], [0x3B]] as [[UInt8]])
    func headerOnly(_ end: [UInt8]) throws {
        let path = try write(width: 4, height: 4, end: end)
        let error = try #require(#expect(throws: MediaError.self) { try ImageFile(path: path) })
        #expect(error.code == .damagedFile && error.message.contains("damaged or incomplete"))
    }
}
