internal import Glibc
internal import Media

/// Makes codes to be seen of a sensor's raw values, which are light: black is taken off, red and blue are brought to
/// green as far as a frame is grey on average (at most four times), and sRGB's curve is laid over them. What is left
/// is a mosaic of 16 bits a pixel, which libswscale interpolates. Thread-bound.
///
/// White balance follows the frames slowly, so that it does not jump where something of a strong colour comes into
/// view; of a single frame (a photo) it is that frame's.
struct BayerDevelopment {
    /// Part of the way that the balance goes from one frame to the next.
    private static let pace = 1.0 / 16
    /// sRGB's curve, of light in 16 bits.
    private static let curve: [UInt16] = (0...65_535).map { value in
        UInt16((share(ofLight: Double(value) / 65_535) * 65_535).rounded())
    }

    /// By sRGB's curve (0…1).
    private static func share(ofLight light: Double) -> Double {
        light <= 0.003_130_8 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
    }

    /// Of 8 bits.
    /// - Parameter light: 0…1.
    static func code(ofLight light: Double) -> UInt8 {
        UInt8((share(ofLight: light) * 255).rounded())
    }

    // immutable
    let bayer: BayerFormat
    let width: Int
    let height: Int
    // owned by the calling thread
    private var gains: [Double]?

    init(_ bayer: BayerFormat, width: Int, height: Int) {
        (self.bayer, self.width, self.height) = (bayer, width, height)
    }

    /// libav's name of what comes out.
    var pixelFormatName: String { "bayer_\(bayer.pattern.rawValue)16le" }

    /// - Returns: rows of 16-bit codes without padding; `nil` where the block holds less than a frame.
    mutating func develop(_ block: BlockBuffer) -> BlockBuffer? {
        let found = block.withUnsafeBytes { bayer.values(in: $0, width: width, height: height) }
        guard let values = found else { return nil }
        let wanted = BayerStatistics(values, width: width, bayer).gains
        let gains = gains.map { zip($0, wanted).map { $0 + ($1 - $0) * Self.pace } } ?? wanted
        self.gains = gains
        return Self.codes(values, width, bayer, gains)
    }

    /// - Parameter gains: of red, green and blue.
    private static func codes(
        _ values: [UInt16], _ width: Int, _ bayer: BayerFormat, _ gains: [Double]
    ) -> BlockBuffer {
        let colors = bayer.pattern.colors
        let full = Double(max(1, bayer.whiteLevel - bayer.blackLevel))
        // 16 bits behind the point
        let factors = gains.map { Int($0 * 65_535 / full * 65_536) }
        return BlockBuffer(count: 2 * values.count) { target in
            let codes = target.bindMemory(to: UInt16.self)
            curve.withUnsafeBufferPointer { curve in
                values.withUnsafeBufferPointer { values in
                    for row in 0..<(values.count / width) {
                        let pair = [
                            factors[colors[row % 2 * 2]], factors[colors[row % 2 * 2 + 1]],
                        ]
                        for (parity, factor) in pair.enumerated() {
                            for x in stride(
                                from: row * width + parity, to: (row + 1) * width, by: 2)
                            {
                                let light = max(0, Int(values[x]) - bayer.blackLevel)
                                codes[x] = curve[min(65_535, (light * factor) >> 16)].littleEndian
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What a sensor's frame has of each colour on average.
struct BayerStatistics {
    /// Red, green and blue above black (0…1).
    let means: [Double]

    /// - Parameter values: row by row; of larger frames only some are looked at.
    init(_ values: [UInt16], width: Int, _ bayer: BayerFormat) {
        let height = values.count / width
        // some 256 of each side
        let (across, down) = (max(1, width / 512) * 2, max(1, height / 512) * 2)
        var sums = [0, 0, 0]
        var counts = [0, 0, 0]
        for y in stride(from: 0, to: height - 1, by: down) {
            for x in stride(from: 0, to: width - 1, by: across) {
                for (index, color) in bayer.pattern.colors.enumerated() {
                    let value = values[(y + index / 2) * width + x + index % 2]
                    sums[color] += max(0, Int(value) - bayer.blackLevel)
                    counts[color] += 1
                }
            }
        }
        let full = Double(max(1, bayer.whiteLevel - bayer.blackLevel))
        means = zip(sums, counts).map { $1 > 0 ? Double($0) / Double($1) / full : 0 }
    }

    /// What a grey surface gives, green being 1, as the frame is taken to be on average; 1 of a frame that is too dark
    /// to say.
    var neutral: [Double] {
        guard means.allSatisfy({ $0 > 0.001 }) else { return [1, 1, 1] }
        return means.map { min(4, max(0.25, $0 / means[1])) }
    }

    /// What makes it grey: at least 1, so that white stays white.
    var gains: [Double] {
        let most = neutral.max() ?? 1
        return neutral.map { min(4, most / $0) }
    }
}
