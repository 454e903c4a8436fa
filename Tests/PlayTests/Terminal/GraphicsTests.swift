import Foundation
import Media
import TestSupport
import Testing

@testable import Play

@Suite("A picture as a terminal's graphics")
struct GraphicsTests {
    @Test(
        "sixels read back are the picture within a step of the palette, and on the mean within four codes of it"
    )
    func sixel() throws {
        let picture = DrawnPicture.picture(96, 64)
        var screen = CellScreen(columns: 10, rows: 4)
        screen.show(SixelEncoder.bytes(of: picture))
        #expect(!screen.isInsideSequence)
        let shown = try SixelReader(try #require(screen.sixels.first))
        #expect(shown.width == 96 && shown.height == 64)
        var largest = 0
        var sums = [0, 0, 0]
        for y in 0..<64 {
            for x in 0..<96 {
                let (wanted, got) = (picture[x, y], try #require(shown.pixels[y * 96 + x]))
                largest = max(largest, wanted.distance(to: RGB(got[0], got[1], got[2])))
                let parts = [wanted.red, wanted.green, wanted.blue]
                for part in 0..<3 { sums[part] += Int(got[part]) - Int(parts[part]) }
            }
        }
        // red and blue have steps of 51
        #expect(largest <= 52)
        // dithering keeps the brightness of areas
        #expect(sums.allSatisfy { abs($0) / (96 * 64) <= 4 }, "\(sums)")
    }

    @Test("sizes that are no multiple of six, and one pixel, are whole")
    func oddSixels() throws {
        for (width, height) in [(1, 1), (7, 5), (13, 13), (3, 19)] {
            var screen = CellScreen(columns: 4, rows: 4)
            screen.show(SixelEncoder.bytes(of: DrawnPicture.picture(width, height)))
            let shown = try SixelReader(try #require(screen.sixels.first))
            #expect(shown.pixels.allSatisfy { $0 != nil }, "\(width)x\(height)")
        }
    }

    @Test("kitty gets every byte, in sequences of 4096 at most")
    func kitty() throws {
        let picture = DrawnPicture.picture(80, 45)
        var screen = CellScreen(columns: 10, rows: 4)
        screen.show(KittyEncoder.bytes(of: picture, number: 2, columns: 20, rows: 6))
        #expect(!screen.isInsideSequence && screen.kitty.count > 1)
        var text = ""
        for (place, body) in screen.kitty.enumerated() {
            let parts = body.split(separator: ";", maxSplits: 1)
            let isLast = place == screen.kitty.count - 1
            #expect(parts[0].contains("m=\(isLast ? 0 : 1)"))
            #expect(parts[1].count <= 4096)
            text += parts[1]
        }
        #expect(screen.kitty[0].hasPrefix("Ga=T,f=24,s=80,v=45,i=2,p=1,c=20,r=6,C=1,q=2"))
        #expect(try #require(Data(base64Encoded: text)) == Data(picture.bytes))
    }

    @Test("base64 ends as Foundation's does")
    func base64() {
        for count in 0..<8 {
            let bytes = (0..<count).map { UInt8(($0 * 37 + 200) % 256) }
            let text = String(decoding: KittyEncoder.base64(bytes), as: UTF8.self)
            #expect(text == Data(bytes).base64EncodedString())
        }
    }
}

/// Reads sixels as a terminal does; shares no code with what writes them.
private struct SixelReader {
    struct Malformed: Error {
        let place: Substring
    }

    private(set) var width = 0
    private(set) var height = 0
    private(set) var pixels: [[UInt8]?] = []

    init(_ body: String) throws {
        guard let start = body.firstIndex(of: "q") else { throw Malformed(place: body[...]) }
        var rest = body[body.index(after: start)...]
        var colors: [Int: [UInt8]] = [:]
        var (x, top, color) = (0, 0, 0)
        func numbers(_ rest: inout Substring) -> [Int] {
            let text = rest.prefix { $0.isNumber || $0 == ";" }
            rest = rest.dropFirst(text.count)
            return text.split(separator: ";").compactMap { Int($0) }
        }
        while let character = rest.popFirst() {
            switch character {
            case "\"":
                let raster = numbers(&rest)
                (width, height) = (raster[2], raster[3])
                pixels = Array(repeating: nil, count: width * height)
            case "#":
                let words = numbers(&rest)
                color = words[0]
                if words.count == 5 {
                    colors[color] = words[2...].map { UInt8($0 * 255 / 100) }
                }
            case "$": x = 0
            case "-": (x, top) = (0, top + 6)
            case "!", "?"..."~":
                let count = character == "!" ? numbers(&rest)[0] : 1
                let sixel = character == "!" ? rest.removeFirst() : character
                guard let bits = sixel.asciiValue.map({ Int($0) - 63 }) else {
                    throw Malformed(place: rest)
                }
                for _ in 0..<count {
                    for bit in 0..<6 where bits >> bit & 1 == 1 {
                        guard x < width, top + bit < height else { throw Malformed(place: rest) }
                        pixels[(top + bit) * width + x] = colors[color]
                    }
                    x += 1
                }
            default: throw Malformed(place: rest)
            }
        }
    }
}
