import Media
import TestSupport

@testable import Detect

/// A code as another program (zint) makes it: its modules, row by row.
struct PrintedCode: Sendable {
    let type: MetadataObjectType
    /// What a reader is to say.
    let text: String
    /// Dark modules.
    let rows: [[Bool]]
    let columns: Int
    /// Height of a row (modules).
    let rowHeight: Int

    var height: Int { rows.count * rowHeight }

    /// One that lies on a line.
    var isLinear: Bool { rows.count == 1 }

    private struct Recipe {
        let type: MetadataObjectType
        /// zint's number of the symbology.
        let number: Int
        let data: String
        let text: String
        var rowHeight = 1
        var options: [String] = []
    }

    private static let recipes = [
        Recipe(
            type: .qr, number: 58, data: "https://example.org/a?b=1",
            text: "https://example.org/a?b=1"),
        Recipe(type: .aztec, number: 92, data: "Aztec 123", text: "Aztec 123"),
        Recipe(
            type: .dataMatrix, number: 71, data: "DM-4711 abc", text: "DM-4711 abc",
            options: ["--square"]),
        Recipe(type: .pdf417, number: 55, data: "PDF417 text", text: "PDF417 text", rowHeight: 3),
        Recipe(type: .code128, number: 20, data: "Vcap-128", text: "Vcap-128", rowHeight: 24),
        Recipe(type: .code39, number: 8, data: "VCAP39", text: "VCAP39", rowHeight: 24),
        Recipe(type: .code93, number: 25, data: "VCAP93", text: "VCAP93", rowHeight: 24),
        Recipe(type: .codabar, number: 18, data: "A12345B", text: "A12345B", rowHeight: 24),
        Recipe(type: .itf, number: 3, data: "12345678", text: "12345678", rowHeight: 24),
        Recipe(
            type: .ean13, number: 13, data: "400638133393", text: "4006381333931", rowHeight: 24),
        Recipe(type: .ean8, number: 13, data: "9638507", text: "96385074", rowHeight: 24),
        Recipe(type: .upca, number: 34, data: "03600029145", text: "036000291452", rowHeight: 24),
        Recipe(type: .upce, number: 37, data: "123456", text: "01234565", rowHeight: 24),
    ]

    /// One of every symbology that can be looked for.
    static func all(_ zint: Program) throws -> [PrintedCode] {
        try recipes.map { try made($0, zint) }
    }

    private static func made(_ recipe: Recipe, _ zint: Program) throws -> PrintedCode {
        let dump = try zint.run(
            [
                "--barcode=\(recipe.number)", "--data=\(recipe.data)", "--dump",
            ] + recipe.options)
        return PrintedCode(recipe, dump.outputText)
    }

    /// A QR of any text; of zint's escapes (`\\t`) the characters.
    static func qr(_ text: String, escaped: String? = nil, _ zint: Program) throws -> PrintedCode {
        try made(
            Recipe(
                type: .qr, number: 58, data: escaped ?? text, text: text,
                options: escaped == nil ? [] : ["--esc"]), zint)
    }

    /// PDF417 without its right guard.
    static func compactPDF417(_ zint: Program) throws -> PrintedCode {
        try made(
            Recipe(
                type: .pdf417, number: 56, data: "Compact PDF", text: "Compact PDF", rowHeight: 3),
            zint)
    }

    static func one(_ type: MetadataObjectType, _ zint: Program) throws -> PrintedCode? {
        try all(zint).first { $0.type == type }
    }

    private init(_ recipe: Recipe, _ dump: String) {
        (type, text, rowHeight) = (recipe.type, recipe.text, recipe.rowHeight)
        let bits = dump.split(separator: "\n").map { line in
            line.compactMap(\.hexDigitValue).flatMap { digit in
                (0..<4).map { digit >> (3 - $0) & 1 == 1 }
            }
        }
        // a symbol's last column has a dark module; what follows fills a digit
        let width = bits.compactMap { row in row.lastIndex(of: true).map { $0 + 1 } }.max() ?? 0
        rows = bits.map { row in (0..<width).map { $0 < row.count && row[$0] } }
        columns = width
    }
}

/// How a code is seen: size, rotation, sharpness, contrast.
struct CodeView: Sendable, CustomStringConvertible {
    /// Size of a module (pixels).
    var module: Double
    /// Clockwise (degrees).
    var angle: Double
    /// Side of the square over which it is blurred (modules).
    var blur: Double
    /// Luma of dark and light.
    var luma: ClosedRange<Int>

    var description: String {
        "\(module) px, \(angle) degrees, blur \(blur), luma \(luma.lowerBound) to \(luma.upperBound)"
    }
}

/// A frame that shows a code, and where its corners are.
struct CodeFrame {
    let width: Int
    let height: Int
    let luma: [UInt8]
    /// The code's own top left, top right, bottom right and bottom left corner (pixels).
    let corners: [(x: Double, y: Double)]

    /// Light around the code (modules).
    private static let quiet = 10.0

    init(_ code: PrintedCode, _ view: CodeView) {
        let (across, down) = (Double(code.columns), Double(code.height))
        let (sine, cosine) = (CodeMath.sine(view.angle), CodeMath.cosine(view.angle))
        let (wide, high) = (across + 2 * Self.quiet, down + 2 * Self.quiet)
        let (width, height) = (
            Int((wide * abs(cosine) + high * abs(sine)) * view.module) + 8,
            Int((wide * abs(sine) + high * abs(cosine)) * view.module) + 8
        )
        (self.width, self.height) = (width, height)
        let (middleX, middleY) = (Double(width) / 2 + 0.3, Double(height) / 2 - 0.2)
        corners = [(0, 0), (across, 0), (across, down), (0, down)].map { x, y in
            let (dx, dy) = ((x - across / 2) * view.module, (y - down / 2) * view.module)
            return (middleX + dx * cosine - dy * sine, middleY + dx * sine + dy * cosine)
        }
        // how much of each pixel is dark, by points in it; of a blurred one by points as far apart as it is wide
        let spread = max(1, view.blur * view.module)
        let steps = view.blur == 0 ? [-0.25, 0.25] : [-0.375, -0.125, 0.125, 0.375]
        let weight = 1 / Double(steps.count * steps.count)
        let points = steps.flatMap { x in steps.map { (x, $0) } }
        let dark = code.rows.flatMap { $0 }
        let (light, depth) = (
            Double(view.luma.upperBound), Double(view.luma.upperBound - view.luma.lowerBound)
        )
        luma = [UInt8](unsafeUninitializedCapacity: width * height) { pixels, count in
            dark.withUnsafeBufferPointer { dark in
                var place = 0
                while place < width * height {
                    var share = 0.0
                    for (x, y) in points {
                        let dx = Double(place % width) + 0.5 + x * spread - middleX
                        let dy = Double(place / width) + 0.5 + y * spread - middleY
                        let u = (dx * cosine + dy * sine) / view.module + across / 2
                        let v = (dy * cosine - dx * sine) / view.module + down / 2
                        guard u >= 0, v >= 0, u < across, v < down else { continue }
                        if dark[Int(v) / code.rowHeight * code.columns + Int(u)] { share += weight }
                    }
                    pixels[place] = UInt8(light - depth * share)
                    place += 1
                }
            }
            count = width * height
        }
    }

    var sample: SampleBuffer { CodeMath.sample(luma, width: width, height: height) }

    /// As a file that other readers take.
    var pgm: [UInt8] { Array("P5 \(width) \(height) 255\n".utf8) + luma }
}

enum CodeMath {
    static func sample(
        _ luma: [UInt8], width: Int, height: Int, orientation: VideoOrientation = .upright
    ) -> SampleBuffer {
        var frame = PixelBuffer(width: width, height: height, format: .gray)
        frame.withMutablePlanes { planes in
            luma.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                for row in 0..<height {
                    planes[0].row(row).update(
                        from: base.advanced(by: row * width).assumingMemoryBound(to: UInt8.self),
                        count: width)
                }
            }
        }
        var format = VideoFormat(coding: .raw(.gray), width: width, height: height)
        format.orientation = orientation
        return SampleBuffer(
            payload: .pixels(frame), format: .video(format), presentationTime: .seconds(3),
            duration: nil)
    }

    static func sine(_ degrees: Double) -> Double { cosine(degrees - 90) }

    /// By its series, which needs no other library.
    static func cosine(_ degrees: Double) -> Double {
        var angle = degrees.truncatingRemainder(dividingBy: 360) * .pi / 180
        if angle > .pi { angle -= 2 * .pi }
        if angle < -.pi { angle += 2 * .pi }
        var (sum, term) = (0.0, 1.0)
        for step in 1...16 {
            sum += term
            term *= -angle * angle / Double((2 * step - 1) * 2 * step)
        }
        return sum
    }
}
