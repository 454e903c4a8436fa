import Foundation

/// A grey PNG of 8 or 16 bits, made without a library: what is read of it is known to the last bit.
struct GreyPicture {
    let width: Int
    let height: Int
    let bits: Int
    /// Codes of `bits`.
    let samples: [Int]

    /// - Parameter luma: at a column and row, 0…1.
    init(_ width: Int, _ height: Int, bits: Int, _ luma: (Int, Int) -> Double) {
        (self.width, self.height, self.bits) = (width, height, bits)
        let peak = Double(1 << bits - 1)
        samples = (0..<width * height).map {
            Int((max(0, min(1, luma($0 % width, $0 / width))) * peak).rounded())
        }
    }

    /// Slow hills that begin at black and end at white.
    static func hills(_ width: Int, _ height: Int, bits: Int) -> GreyPicture {
        GreyPicture(width, height, bits: bits) { x, y in
            let (u, v) = (
                Double(x) / Double(max(1, width - 1)), Double(y) / Double(max(1, height - 1))
            )
            return (u + v) / 2 + 0.2 * sin(9 * u) * sin(7 * v)
        }
    }

    /// Of a sample, 0…1.
    func luma(_ x: Int, _ y: Int) -> Double {
        Double(samples[y * width + x]) / Double(1 << bits - 1)
    }

    /// Between samples, 0…1; outside lies the picture's edge.
    func luma(at x: Double, _ y: Double) -> Double {
        let (x, y) = (
            max(0, min(Double(width - 1), x - 0.5)), max(0, min(Double(height - 1), y - 0.5))
        )
        let (left, top) = (min(Int(x), max(0, width - 2)), min(Int(y), max(0, height - 2)))
        let (u, v) = (x - Double(left), y - Double(top))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        return (luma(left, top) * (1 - u) + luma(right, top) * u) * (1 - v)
            + (luma(left, bottom) * (1 - u) + luma(right, bottom) * u) * v
    }

    func write(to path: String) throws {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width {
                let code = samples[y * width + x]
                rows += bits == 16 ? [UInt8(code >> 8), UInt8(code & 255)] : [UInt8(code)]
            }
        }
        try Self.write(rows, width, height, bits: bits, colors: 0, to: path)
    }

    /// Pixels in one row: red, green, blue and opacity, of 8 bits each.
    static func write(colors pixels: [[UInt8]], to path: String) throws {
        try write([0] + pixels.flatMap(\.self), pixels.count, 1, bits: 8, colors: 6, to: path)
    }

    /// - Parameter colors: PNG's number of the kind.
    private static func write(
        _ rows: [UInt8], _ width: Int, _ height: Int, bits: Int, colors: UInt8, to path: String
    ) throws {
        var zlib: [UInt8] = [0x78, 0x01]
        var rest = rows[...]
        while !rest.isEmpty {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 255), UInt8(block.count >> 8))
            zlib += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        }
        var (first, second) = (UInt32(1), UInt32(0))
        for byte in rows {
            first = (first + UInt32(byte)) % 65_521
            second = (second + first) % 65_521
        }
        zlib += bytes(second << 16 | first)
        let head =
            bytes(UInt32(width)) + bytes(UInt32(height)) + [UInt8(bits), colors, 0, 0, 0]
        let file =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head)
            + chunk("IDAT", zlib) + chunk("IEND", [])
        try Data(file).write(to: URL(fileURLWithPath: path))
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(value >> $0 & 255) }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + content
        var crc = UInt32.max
        for byte in checked {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return bytes(UInt32(content.count)) + checked + bytes(~crc)
    }
}
