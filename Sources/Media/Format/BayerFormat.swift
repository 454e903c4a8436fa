/// How the values of a sensor behind a mosaic of colour filters lie in a coded sample (`VideoCodec.rawvideo`): rows of
/// one value a pixel, of which each has one colour.
///
/// Source: the kernel's Documentation/userspace-api/media/v4l, "Raw Bayer Formats".
public struct BayerFormat: Sendable, Hashable {
    /// The colours of two rows of two pixels, red, green and blue.
    public enum Pattern: String, Sendable, Hashable, CaseIterable {
        case rggb, bggr, gbrg, grbg

        /// Of four pixels, row by row: 0 red, 1 green, 2 blue.
        package var colors: [Int] {
            switch self {
            case .rggb: [0, 1, 1, 2]
            case .bggr: [2, 1, 1, 0]
            case .gbrg: [1, 2, 0, 1]
            case .grbg: [1, 0, 2, 1]
            }
        }
    }

    /// How values lie in memory.
    public enum Packing: Sendable, Hashable {
        /// Each in a byte (8 bits), or in the low bits of a little-endian word of 16 bits.
        case words
        /// The high eight bits of some pixels, then all their low ones, as MIPI's CSI-2 has them (10, 12 and 14 bits).
        case mipi
    }

    /// *the colours of the mosaic*
    public var pattern: Pattern
    /// *significant bits of a value (bits; 8, 10, 12, 14 or 16)*
    public var bits: Int
    /// *how values lie in memory (default: words)*
    public var packing: Packing
    /// *from one row to the next (bytes; default `nil`: rows without padding)*
    public var bytesPerRow: Int?
    /// *the value of darkness, where it is known (default 0)*
    public var blackLevel: Int

    /// - Parameters:
    ///   - pattern: the colours of the mosaic.
    ///   - bits: of a value (8, 10, 12, 14 or 16).
    ///   - packing: how values lie in memory.
    ///   - bytesPerRow: from one row to the next (bytes); `nil`: rows without padding.
    ///   - blackLevel: the value of darkness.
    public init(
        _ pattern: Pattern, bits: Int, packing: Packing = .words, bytesPerRow: Int? = nil,
        blackLevel: Int = 0
    ) {
        self.pattern = pattern
        self.bits = bits
        self.packing = packing
        self.bytesPerRow = bytesPerRow
        self.blackLevel = blackLevel
    }

    /// All forms there are, of each pattern.
    package static let forms: [BayerFormat] = Pattern.allCases.flatMap { pattern in
        [8, 10, 12, 14, 16].map { BayerFormat(pattern, bits: $0) }
            + [10, 12, 14].map { BayerFormat(pattern, bits: $0, packing: .mipi) }
    }

    /// The word for it: FFmpeg's where it has one (`bayer_rggb8`, `bayer_rggb16le`), else one like it
    /// (`bayer_rggb10le`, packed `bayer_rggb10p`).
    public var name: String {
        let ending = packing == .mipi ? "p" : bits > 8 ? "le" : ""
        return "bayer_\(pattern.rawValue)\(bits)\(ending)"
    }

    /// `nil` for a word that is none of `forms`.
    package init?(name: String) {
        guard let known = Self.forms.first(where: { $0.name == name }) else { return nil }
        self = known
    }

    /// The largest value.
    public var whiteLevel: Int { 1 << bits - 1 }

    /// Pixels whose bytes belong together, and these bytes (counts).
    package var group: (pixels: Int, bytes: Int) {
        switch (packing, bits) {
        case (.words, 8): (1, 1)
        case (.words, _): (1, 2)
        case (.mipi, 10): (4, 5)
        case (.mipi, 12): (2, 3)
        case (.mipi, _): (4, 7)
        }
    }

    /// Of a row without padding (bytes).
    package func bytes(inRowOf width: Int) -> Int {
        (width + group.pixels - 1) / group.pixels * group.bytes
    }

    /// The values of a frame, row by row; `nil` where the bytes hold less than one.
    /// - Parameters:
    ///   - bytes: as the sensor delivered them.
    ///   - width: of the frame (pixels; 1…65535, else `nil`).
    ///   - height: of the frame (pixels; 1…65535, else `nil`).
    package func values(
        in bytes: UnsafeRawBufferPointer, width: Int, height: Int
    ) -> [UInt16]? {
        guard (1...65_535).contains(width), (1...65_535).contains(height) else { return nil }
        let natural = self.bytes(inRowOf: width)
        let stride = max(bytesPerRow ?? natural, natural)
        // a row that is longer than the memory is not multiplied
        guard height == 1 || stride <= bytes.count,
            (height - 1) * stride + natural <= bytes.count
        else { return nil }
        return [UInt16](unsafeUninitializedCapacity: width * height) { values, count in
            for row in 0..<height {
                let line = UnsafeRawBufferPointer(
                    rebasing: bytes[(row * stride)..<(row * stride + natural)])
                let target = UnsafeMutableBufferPointer(
                    rebasing: values[(row * width)..<((row + 1) * width)])
                unpack(line, into: target)
            }
            count = width * height
        }
    }

    private func unpack(
        _ line: UnsafeRawBufferPointer, into values: UnsafeMutableBufferPointer<UInt16>
    ) {
        switch (packing, bits) {
        case (.words, 8): for x in values.indices { values[x] = UInt16(line[x]) }
        case (.words, _):
            // bits above a sensor's are noise of its bus
            let mask = UInt16(whiteLevel)
            for x in values.indices {
                values[x] =
                    UInt16(
                        littleEndian: line.loadUnaligned(fromByteOffset: 2 * x, as: UInt16.self))
                    & mask
            }
        case (.mipi, _):
            let low = bits - 8
            let (pixels, bytes) = group
            for x in values.indices {
                let place = x / pixels * bytes
                // the low bits of a group are one number, the first pixel's lowest
                let bit = x % pixels * low
                let at = place + pixels + bit / 8
                var rest = Int(line[at])
                if bit % 8 + low > 8 { rest |= Int(line[at + 1]) << 8 }
                let value = Int(line[place + x % pixels]) << low
                values[x] = UInt16(value | rest >> (bit % 8) & (1 << low - 1))
            }
        }
    }
}
