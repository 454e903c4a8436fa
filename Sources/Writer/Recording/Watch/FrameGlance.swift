internal import Media

/// What is kept of a frame to judge it by: a tiny luma, and a digest of its luma plane.
struct FrameGlance: Sendable {
    /// Size of the tiny luma (points).
    static let columns = 64
    static let rows = 36
    /// A point no brighter than this is dark (0 is black, 255 white) …
    private static let dark: UInt8 = 25
    /// … and a frame is black with this share of dark points.
    private static let darkShare = 0.98
    /// Mean distance of points that coding alone can make (of 255).
    private static let codingNoise = 0.255

    /// Points in rows (0 is black, 255 white).
    let luma: [UInt8]
    /// Of every byte of the first plane.
    let digest: UInt64

    /// - Parameter isDepth: whether the values are distances: an unknown one is black, a known one white.
    init(_ frame: PixelBuffer, range: ColorDescription.Range, isDepth: Bool = false) {
        let reader = LumaReader(frame.format, range: range, isDepth: isDepth)
        let (width, height) = (frame.width, frame.height)
        let layout = frame.format.layout.planes[0]
        var luma: [UInt8] = []
        luma.reserveCapacity(Self.columns * Self.rows)
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        frame.withPlane(0) { plane in
            for row in 0..<Self.rows {
                let line = plane.row((2 * row + 1) * height / (2 * Self.rows))
                for column in 0..<Self.columns {
                    luma.append(reader.luma(line, (2 * column + 1) * width / (2 * Self.columns)))
                }
            }
            let length = layout.bytesPerRow(width: width)
            for row in 0..<min(plane.rows, height) {
                Self.mix(plane.row(row), length, into: &digest)
            }
        }
        self.luma = luma
        self.digest = digest
    }

    var isBlack: Bool {
        let count = luma.count { $0 <= Self.dark }
        return Double(count) >= Self.darkShare * Double(luma.count)
    }

    /// - Parameter isRecoded: whether coding may have changed what was the same frame.
    func isSame(as other: FrameGlance, isRecoded: Bool) -> Bool {
        if digest == other.digest { return true }
        guard isRecoded, luma.count == other.luma.count else { return false }
        let distance = zip(luma, other.luma).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(distance) <= Self.codingNoise * Double(luma.count)
    }

    private static func mix(_ bytes: UnsafePointer<UInt8>, _ count: Int, into digest: inout UInt64)
    {
        let raw = UnsafeRawPointer(bytes)
        var value = digest
        var offset = 0
        while offset + 8 <= count {
            value ^= raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            value = (value ^ value >> 32) &* 0x9E37_79B9_7F4A_7C15
            offset += 8
        }
        while offset < count {
            value = (value ^ UInt64(bytes[offset])) &* 0x0000_0100_0000_01B3
            offset += 1
        }
        digest = value
    }
}

/// Reads the luma of single pixels of any format.
private struct LumaReader {
    private enum Kind {
        /// A byte at `offset` of each `step`.
        case byte(offset: Int, step: Int)
        /// Significant bits of a little-endian word, brought to 8.
        case word(shift: Int)
        /// Three components, `size` bytes each, in pixels of `step` bytes; the last byte of each counts.
        case color(size: Int, step: Int)
        case rgb565
        /// A distance, or none.
        case depth
    }

    private let kind: Kind
    private let isLimited: Bool

    init(_ format: PixelFormat, range: ColorDescription.Range, isDepth: Bool) {
        guard !isDepth || format != .gray16le else {
            (kind, isLimited) = (.depth, false)
            return
        }
        kind =
            switch format {
            case .yuv420p, .yuv422p, .yuv444p, .yuva420p, .nv12, .nv21, .nv16, .gray:
                .byte(offset: 0, step: 1)
            case .yuyv422, .yvyu422: .byte(offset: 0, step: 2)
            case .uyvy422: .byte(offset: 1, step: 2)
            case .yuv420p10le, .yuv422p10le, .yuv444p10le, .yuva444p10le, .gray10le: .word(shift: 2)
            case .gray12le: .word(shift: 4)
            case .p010le, .gray16le: .word(shift: 8)
            case .rgb24, .bgr24: .color(size: 1, step: 3)
            case .rgba, .bgra: .color(size: 1, step: 4)
            case .rgb48le: .color(size: 2, step: 6)
            case .rgba64le: .color(size: 2, step: 8)
            case .rgb565le: .rgb565
            }
        isLimited = !format.isRGB && range != .full
    }

    func luma(_ line: UnsafePointer<UInt8>, _ x: Int) -> UInt8 {
        let code: Int
        switch kind {
        case .byte(let offset, let step): code = Int(line[x * step + offset])
        case .word(let shift): code = word(line, x) >> shift
        case .color(let size, let step):
            let pixel = line + x * step + size - 1
            code = (Int(pixel[0]) + 2 * Int(pixel[size]) + Int(pixel[2 * size])) / 4
        case .depth: code = word(line, x) == 0 ? 0 : 255
        case .rgb565:
            let value = word(line, x)
            code = ((value >> 11) * 8 + 2 * (value >> 5 & 63) * 4 + (value & 31) * 8) / 4
        }
        return UInt8(clamping: isLimited ? (code - 16) * 255 / 219 : code)
    }

    private func word(_ line: UnsafePointer<UInt8>, _ x: Int) -> Int {
        Int(line[2 * x]) | Int(line[2 * x + 1]) << 8
    }
}
