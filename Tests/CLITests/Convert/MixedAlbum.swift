import Foundation
import TestSupport
import Testing

/// Pictures of one colour each, of many kinds, as an album of years holds them.
struct MixedAlbum {
    struct Color: Hashable, Sendable {
        var red: Int
        var green: Int
        var blue: Int

        init(_ red: Int, _ green: Int, _ blue: Int) {
            (self.red, self.green, self.blue) = (red, green, blue)
        }

        func distance(to other: Color) -> Int {
            max(abs(red - other.red), abs(green - other.green), abs(blue - other.blue))
        }
    }

    /// How pictures of a kind are made, and what of a colour they show.
    private struct Kind: Sendable {
        var ending: String
        var size: String
        var words: [String]
        /// ImageMagick's name of the coding.
        var coding = ""
        var source: @Sendable (Color) -> String = { "xc:rgb(\($0.red),\($0.green),\($0.blue))" }
        var shown: @Sendable (Color) -> Color = { $0 }
    }

    static let magick = "convert-im6.q16"

    static let colors = [
        Color(200, 60, 40), Color(40, 180, 60), Color(50, 70, 200), Color(220, 220, 60),
        Color(120, 120, 120), Color(30, 30, 30), Color(230, 230, 230), Color(180, 80, 200),
    ]

    private static let kinds: [Kind] = {
        let grey: @Sendable (Color) -> String = { "xc:rgb(\($0.red),\($0.red),\($0.red))" }
        let shownGrey: @Sendable (Color) -> Color = { Color($0.red, $0.red, $0.red) }
        return [
            Kind(ending: "png", size: "64x36", words: [], coding: "PNG24:"),
            Kind(ending: "png", size: "161x121", words: ["-depth", "16"], coding: "PNG48:"),
            Kind(
                ending: "png", size: "64x36", words: ["-define", "png:color-type=0"],
                source: grey, shown: shownGrey),
            Kind(
                ending: "png", size: "33x47", words: ["-define", "png:color-type=4"],
                source: { "xc:rgba(\($0.red),\($0.red),\($0.red),0.5)" },
                // over black
                shown: { Color($0.red / 2, $0.red / 2, $0.red / 2) }),
            Kind(ending: "png", size: "80x45", words: [], coding: "PNG8:"),
            // with Adobe's mark, by which inks are stored the other way round
            Kind(
                ending: "jpg", size: "64x48", words: ["-colorspace", "CMYK", "-quality", "98"]),
            Kind(
                ending: "jpg", size: "64x48", words: ["-quality", "98"],
                source: { "cmyk:\(Self.inks($0))" }, shown: Self.unmarked),
            // red and green have changed places
            Kind(
                ending: "jpg", size: "64x36", words: ["-profile", "odd.icc", "-quality", "98"],
                shown: { Color($0.green, $0.red, $0.blue) }),
            Kind(ending: "jpg", size: "36x64", words: ["-quality", "95"]),
            Kind(ending: "tif", size: "49x51", words: ["-depth", "16", "-compress", "Zip"]),
            Kind(ending: "webp", size: "65x47", words: ["-quality", "95"]),
            Kind(
                ending: "jpg", size: "90x64", words: ["-quality", "95", "-colorspace", "Gray"],
                source: grey, shown: shownGrey),
        ]
    }()

    let folder: TemporaryFolder
    private(set) var shown: [Int: Color] = [:]

    /// Makes each of the kinds in each of the colours, then copies of them under the numbers.
    init(_ numbers: [Int], in folder: TemporaryFolder) throws {
        self.folder = folder
        try write(OddProfile.bytes, "odd.icc")
        for color in Self.colors {
            let inks = [color.red, color.green, color.blue, 255].map { UInt8($0) }
            try write(Array(repeatElement(inks, count: 64 * 48).joined()), Self.inks(color))
        }
        for (index, kind) in Self.kinds.enumerated() { try make(kind, index) }
        try FileManager.default.createDirectory(
            atPath: folder.file("shots"), withIntermediateDirectories: true)
        for (place, number) in numbers.enumerated() {
            let (kind, color) = (place % Self.kinds.count, place / Self.kinds.count % 8)
            let ending = Self.kinds[kind].ending
            try FileManager.default.linkItem(
                atPath: folder.file("base\(kind)-\(color).\(ending)"),
                toPath: folder.file("shots/shot\(number).\(ending)"))
            shown[number] = Self.kinds[kind].shown(Self.colors[color])
        }
    }

    /// Inks as they are stored when the mark is gone: those of three colours are luma and chroma of what
    /// ImageMagick was given.
    @Sendable private static func unmarked(_ color: Color) -> Color {
        let (red, green, blue) = (Double(color.red), Double(color.green), Double(color.blue))
        let luma = 0.299 * red + 0.587 * green + 0.114 * blue
        let (cb, cr) = (128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402)
        // as little light as there is ink
        return Color(Int(255 - luma), Int(255 - cb), Int(255 - cr))
    }

    private static func inks(_ color: Color) -> String {
        "\(color.red)-\(color.green)-\(color.blue).cmyk"
    }

    private func write(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    /// All colours of a kind by one process.
    private func make(_ kind: Kind, _ index: Int) throws {
        let names = Self.colors.indices.map { "base\(index)-\($0).\(kind.ending)" }
        var words: [String] = []
        for (color, name) in zip(Self.colors, names) {
            words += ["-size", kind.size, "-depth", "8", kind.source(color)] + kind.words
            words += ["-write", kind.coding + name, "+delete"]
        }
        let tool = try #require(Program.tool(Self.magick))
        let result = try tool.run(words + ["xc:black", "null:"], in: folder.path)
        try #require(result.status == 0, "\(index): \(result.errorText)")
        guard kind.source(Self.colors[0]).hasPrefix("cmyk:") else { return }
        for name in names { try removeAdobe(name) }
    }

    /// Without the mark inks are as they are stored, and nothing was done to them.
    private func removeAdobe(_ name: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
        let mark: [UInt8] = [0xFF, 0xEE, 0, 14] + Array("Adobe".utf8)
        let place = try #require(bytes.firstRange(of: mark)).lowerBound
        bytes.removeSubrange(place..<(place + 16))
        try write(bytes, name)
    }
}

/// An ICC profile of sRGB's colours with red and green exchanged.
enum OddProfile {
    static var bytes: [UInt8] {
        let red = xyz(0.4360, 0.2225, 0.0139)
        let green = xyz(0.3851, 0.7169, 0.0971)
        // exponent 2.2
        let curve = Array("curv".utf8) + big(0, 4) + big(1, 4) + [0x02, 0x33, 0, 0]
        let tags: [(String, [UInt8])] = [
            ("desc", description), ("cprt", Array("text".utf8) + big(0, 4) + [0x6E, 0x6F, 0, 0]),
            ("wtpt", xyz(0.9642, 1, 0.8249)), ("rXYZ", green), ("gXYZ", red),
            ("bXYZ", xyz(0.1431, 0.0606, 0.7141)), ("rTRC", curve), ("gTRC", curve),
            ("bTRC", curve),
        ]
        var table = big(tags.count, 4)
        var data: [UInt8] = []
        let start = 128 + 4 + 12 * tags.count
        for (name, body) in tags {
            table += Array(name.utf8) + big(start + data.count, 4) + big(body.count, 4)
            data += body
        }
        return header(size: start + data.count) + table + data
    }

    private static func header(size: Int) -> [UInt8] {
        var header = big(size, 4) + Array("lcms".utf8) + big(0x0210_0000, 4)
        header += Array("mntrRGB XYZ ".utf8) + [UInt8](repeating: 0, count: 12)
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        // the connection space's white
        header += xyz(0.9642, 1, 0.8249).dropFirst(8)
        return header + [UInt8](repeating: 0, count: 128 - header.count)
    }

    private static var description: [UInt8] {
        Array("desc".utf8) + big(0, 4) + big(4, 4) + Array("odd\0".utf8)
            + [UInt8](repeating: 0, count: 4 + 4 + 2 + 1 + 67 + 1)
    }

    private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        Array("XYZ ".utf8) + big(0, 4)
            + [x, y, z].flatMap { big(Int(($0 * 65_536).rounded()), 4) }
    }

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> (8 * $0) & 255) }
    }
}
