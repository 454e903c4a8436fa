package import Media

/// A raw photo: a sensor's values as they are, with what a program that develops them must know. Not compressed.
///
/// ```
///  header │ directory: thumbnail, camera, colours ──▶ Exif's directory
///         │                          └────────────▶ directory: mosaic
///         │ thumbnail (RGB, 8 bits) │ values (8 bits, or 16 bits little-endian)
/// ```
/// Source: Adobe's Digital Negative Specification 1.4.0.0; TIFF 6.0; TIFF/EP (ISO 12234-2).
package struct DNGFile: Sendable {
    /// What no driver states and every reader needs: the camera's colours are taken to be sRGB's primaries in daylight.
    static let colorStatement =
        "ColorMatrix1 is generic (primaries of sRGB, D65): the driver states no colours of the sensor. "
        + "AsShotNeutral is the mean of the frame."

    private let values: [UInt16]
    private let width: Int
    private let height: Int
    private let bayer: BayerFormat
    private let exif: ExifBlock
    private let frameNumber: UInt64?

    /// - Parameters:
    ///   - frame: as the camera delivered it.
    ///   - format: of the frame, with its `bayer`.
    ///   - exif: what the file says of itself; its orientation is the sensor's.
    ///   - frameNumber: the driver's.
    /// - Returns: `nil` where the frame is no mosaic, less than one, or more than a file holds (`holds`).
    package init?(
        _ frame: BlockBuffer, format: VideoFormat, exif: ExifBlock, frameNumber: UInt64?
    ) {
        guard let bayer = format.bayer, Self.holds(width: format.width, height: format.height)
        else { return nil }
        let values = frame.withUnsafeBytes {
            bayer.values(in: $0, width: format.width, height: format.height)
        }
        guard let values else { return nil }
        self.values = values
        self.bayer = bayer
        self.exif = exif
        self.frameNumber = frameNumber
        (width, height) = (format.width, format.height)
    }

    /// Whether a file has places for the values: it counts bytes in 32 bits, of which all else takes less than a MiB.
    /// - Parameters:
    ///   - width: of the frame (pixels).
    ///   - height: of the frame (pixels).
    package static func holds(width: Int, height: Int) -> Bool {
        guard (1...65_535).contains(width), (1...65_535).contains(height) else { return false }
        return 2 * width * height < Int(UInt32.max) - (1 << 20)
    }

    /// The file's bytes.
    package var bytes: [UInt8] {
        let statistics = BayerStatistics(values, width: width, bayer)
        let thumbnail = BayerThumbnail(values, width: width, bayer, gains: statistics.gains)
        func directories(_ places: Places) -> [[UInt8]] {
            [
                TIFFDirectory(main(thumbnail, statistics.neutral, places)).bytes(at: 8),
                TIFFDirectory(exif.details).bytes(at: places.exif),
                TIFFDirectory(mosaic(places)).bytes(at: places.mosaic),
            ]
        }
        let lengths = directories(Places()).map(\.count)
        var places = Places()
        places.exif = 8 + lengths[0]
        places.mosaic = places.exif + lengths[1]
        places.thumbnail = places.mosaic + lengths[2]
        // on a whole word
        places.values = (places.thumbnail + thumbnail.bytes.count + 1) / 2 * 2
        var file = TIFFDirectory.head(first: 8)
        file.reserveCapacity(places.values + valueBytes)
        for directory in directories(places) { file += directory }
        file += thumbnail.bytes
        if file.count < places.values { file.append(0) }
        appendValues(to: &file)
        return file
    }

    /// From the file's beginning (bytes).
    private struct Places {
        var exif = 0
        var mosaic = 0
        var thumbnail = 0
        var values = 0
    }

    private var valueBytes: Int { values.count * (bayer.bits > 8 ? 2 : 1) }

    private func appendValues(to file: inout [UInt8]) {
        if bayer.bits == 8 {
            file += values.lazy.map { UInt8(truncatingIfNeeded: $0) }
        } else {
            values.map(\.littleEndian).withUnsafeBytes { file += $0 }
        }
    }

    private func main(
        _ thumbnail: BayerThumbnail, _ neutral: [Double], _ places: Places
    ) -> [TIFFField] {
        exif.main + [
            .long(0x00FE, 1), .long(0x0100, thumbnail.width), .long(0x0101, thumbnail.height),
            .short(0x0102, 8, 8, 8), .short(0x0103, 1), .short(0x0106, 2),
            .text(0x010E, Self.colorStatement), .text(0x010F, exif.model),
            .long(0x0111, places.thumbnail), .short(0x0115, 3), .long(0x0116, thumbnail.height),
            .long(0x0117, thumbnail.bytes.count), .short(0x011C, 1), .long(0x014A, places.mosaic),
            .long(0x8769, places.exif), .bytes(0xC612, [1, 4, 0, 0]),
            .bytes(0xC613, [1, 1, 0, 0]), .text(0xC614, exif.model),
            // from XYZ of D65 to sRGB's primaries
            .fractions(
                0xC621,
                [32405, -15371, -4985, -9693, 18760, 416, 556, -2040, 10572], 10_000,
                isSigned: true),
            .fractions(
                0xC628, neutral.map { Int(($0 * 100_000).rounded()) }, 100_000, isSigned: false),
            .short(0xC65A, 21),
        ] + (frameNumber.map { [.long(0x9211, Int(truncatingIfNeeded: $0 & 0xFFFF_FFFF))] } ?? [])
    }

    private func mosaic(_ places: Places) -> [TIFFField] {
        [
            .long(0x00FE, 0), .long(0x0100, width), .long(0x0101, height),
            .short(0x0102, bayer.bits > 8 ? 16 : 8), .short(0x0103, 1), .short(0x0106, 32_803),
            .long(0x0111, places.values), .short(0x0115, 1), .long(0x0116, height),
            .long(0x0117, valueBytes), .short(0x011C, 1), .short(0x828D, 2, 2),
            .bytes(0x828E, bayer.pattern.colors.map { UInt8($0) }),
            .bytes(0xC616, [0, 1, 2]), .short(0xC617, 1), .short(0xC619, 1, 1),
            .long(0xC61A, bayer.blackLevel), .long(0xC61D, bayer.whiteLevel),
            .long(0xC61F, 0, 0), .long(0xC620, width, height),
        ]
    }
}

/// A small picture of a sensor's frame: means of whole fours of its pixels, at most 256 a side.
struct BayerThumbnail: Sendable {
    let width: Int
    let height: Int
    /// Red, green and blue of 8 bits.
    let bytes: [UInt8]

    /// - Parameters:
    ///   - values: row by row.
    ///   - gains: of red, green and blue.
    init(_ values: [UInt16], width full: Int, _ bayer: BayerFormat, gains: [Double]) {
        let rows = values.count / full
        let step = max(1, (max(full, rows) + 511) / 512) * 2
        width = max(1, full / step)
        height = max(1, rows / step)
        let codes = (0...255).map { BayerDevelopment.code(ofLight: Double($0) / 255) }
        let range = Double(max(1, bayer.whiteLevel - bayer.blackLevel))
        let colors = bayer.pattern.colors
        var bytes: [UInt8] = []
        bytes.reserveCapacity(3 * width * height)
        for y in 0..<height {
            for x in 0..<width {
                var light = [0.0, 0, 0]
                for (index, color) in colors.enumerated() {
                    // of a frame of a single row or column its last one
                    let row = min(rows - 1, y * step + index / 2)
                    let column = min(full - 1, x * step + index % 2)
                    let value = max(0, Int(values[row * full + column]) - bayer.blackLevel)
                    light[color] += Double(value) / range / (color == 1 ? 2 : 1)
                }
                for color in 0..<3 {
                    bytes.append(codes[Int((min(1, light[color] * gains[color]) * 255).rounded())])
                }
            }
        }
        self.bytes = bytes
    }
}
