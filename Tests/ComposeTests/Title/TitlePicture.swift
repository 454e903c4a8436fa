import Media
import Testing

@testable import Compose

/// A frame's tiles drawn over nothing: what a title looks like, to be looked at pixel by pixel.
struct TitlePicture: Equatable, CustomTestStringConvertible {
    let width: Int
    let height: Int
    /// Blue, green, red, alpha of each pixel, premultiplied.
    private(set) var bytes: [UInt8]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        bytes = [UInt8](repeating: 0, count: width * height * 4)
    }

    init(_ tiles: [OverlayTile], _ size: PixelSize) {
        self.init(width: size.width, height: size.height)
        for tile in tiles { draw(tile) }
    }

    /// A layer as it is drawn at an instant.
    init(
        _ layer: Layer, _ size: PixelSize, at time: MediaTime = .zero
    ) throws {
        let renderer = try LayerRenderer(layer, renderSize: size)
        self.init(try renderer.tiles(at: time), size)
    }

    /// A text in the middle of a frame.
    init(
        text: String, family: String = "Noto Sans", size: Double = 60,
        alignment: TextContents.Alignment = .center, language: String? = nil,
        in frame: PixelSize = PixelSize(width: 400, height: 120)
    ) throws {
        let contents = TextContents(
            text, font: TitleFont(family: family, size: size), alignment: alignment,
            language: language)
        try self.init(
            Layer(
                contents: .text(contents),
                frame: Rectangle(
                    x: 0, y: 0, width: Double(frame.width), height: Double(frame.height))), frame)
    }

    private mutating func draw(_ tile: OverlayTile) {
        tile.image.withPlane(0) { plane in
            for row in 0..<tile.image.height where (0..<height).contains(tile.y + row) {
                for column in 0..<tile.image.width where (0..<width).contains(tile.x + column) {
                    let source = plane.row(row) + 4 * column
                    let target = ((tile.y + row) * width + tile.x + column) * 4
                    let cover = Double(source[3]) * tile.opacity / 255
                    for channel in 0..<4 {
                        let under = Double(bytes[target + channel]) * (1 - cover)
                        bytes[target + channel] = UInt8(
                            min(255, (under + Double(source[channel]) * tile.opacity).rounded()))
                    }
                }
            }
        }
    }

    var testDescription: String { "a picture of \(width)x\(height)" }

    func alpha(_ x: Int, _ y: Int) -> Int { Int(bytes[(y * width + x) * 4 + 3]) }

    /// Red, green, blue.
    func color(_ x: Int, _ y: Int) -> [Int] {
        let at = (y * width + x) * 4
        return [Int(bytes[at + 2]), Int(bytes[at + 1]), Int(bytes[at])]
    }

    /// Area covered (pixels).
    var ink: Double {
        stride(from: 3, to: bytes.count, by: 4).reduce(0) { $0 + Double(bytes[$1]) } / 255
    }

    /// The smallest box with all that is at least faintly visible.
    var inkBox: (left: Int, top: Int, right: Int, bottom: Int)? {
        var box: (left: Int, top: Int, right: Int, bottom: Int)?
        for y in 0..<height {
            for x in 0..<width where alpha(x, y) > 24 {
                let old = box ?? (x, y, x, y)
                box = (min(old.left, x), min(old.top, y), max(old.right, x), max(old.bottom, y))
            }
        }
        return box
    }

    /// Runs of columns that have ink, from left to right.
    var columnRuns: [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        var start: Int?
        for x in 0...width {
            let hasInk = x < width && (0..<height).contains { alpha(x, $0) > 24 }
            if hasInk, start == nil { start = x }
            if !hasInk, let from = start {
                runs.append(from...(x - 1))
                start = nil
            }
        }
        return runs
    }

    /// Share of the coloured pixels among those with ink (0…1).
    var colorfulness: Double {
        var (colored, inked) = (0, 0)
        for y in 0..<height {
            for x in 0..<width where alpha(x, y) > 128 {
                inked += 1
                let color = color(x, y)
                if (color.max() ?? 0) - (color.min() ?? 0) > 40 { colored += 1 }
            }
        }
        return inked == 0 ? 0 : Double(colored) / Double(inked)
    }

    /// How unlike the ink within two boxes is, moved onto each other (0: equal … 1: nothing in common).
    func difference(
        _ own: (x: Int, y: Int), _ other: TitlePicture, _ their: (x: Int, y: Int),
        width: Int, height: Int
    ) -> Double {
        var (apart, together) = (0, 0)
        for y in 0..<height {
            for x in 0..<width {
                let first = has(own.x + x, own.y + y) ? alpha(own.x + x, own.y + y) : 0
                let second =
                    other.has(their.x + x, their.y + y) ? other.alpha(their.x + x, their.y + y) : 0
                apart += abs(first - second)
                together += max(first, second)
            }
        }
        return together == 0 ? 0 : Double(apart) / Double(together)
    }

    private func has(_ x: Int, _ y: Int) -> Bool {
        (0..<width).contains(x) && (0..<height).contains(y)
    }

    /// A number for all pixels (FNV-1a).
    var digest: UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
