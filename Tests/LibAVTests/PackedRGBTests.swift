import LibAV
import Media
import TestSupport
import Testing

@Suite("Packed RGB of the same size, without zimg")
struct PackedRGBTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var from: PixelFormat
        var to: PixelFormat
        var width: Int
        var height: Int
        var matrix: UInt8
        var range: ColorDescription.Range

        var testDescription: String { "\(from) \(to) \(width)x\(height) \(matrix) \(range)" }
    }

    private static let kinds: [Kind] = [
        Kind(from: .rgba, to: .yuv420p, width: 322, height: 210, matrix: 1, range: .limited),
        Kind(from: .bgra, to: .yuv420p, width: 64, height: 130, matrix: 6, range: .limited),
        Kind(from: .rgb24, to: .yuv420p, width: 130, height: 66, matrix: 9, range: .limited),
        Kind(from: .bgr24, to: .yuv420p, width: 2, height: 2, matrix: 4, range: .full),
        Kind(from: .bgr24, to: .yuv422p, width: 98, height: 33, matrix: 7, range: .full),
        Kind(from: .rgba, to: .yuv422p, width: 2, height: 1, matrix: 1, range: .limited),
        Kind(from: .rgb24, to: .yuv444p, width: 33, height: 17, matrix: 6, range: .full),
        Kind(from: .bgra, to: .yuv444p, width: 1, height: 1, matrix: 1, range: .limited),
        Kind(from: .rgba, to: .yuv420p10le, width: 126, height: 70, matrix: 9, range: .limited),
        Kind(from: .rgb24, to: .yuv422p10le, width: 70, height: 31, matrix: 1, range: .full),
        Kind(from: .bgr24, to: .yuv444p10le, width: 31, height: 9, matrix: 6, range: .limited),
    ]

    /// The same colours in the same order, once packed in bytes and once in 16 bits, which zimg converts.
    private func picture(
        _ kind: Kind, _ codes: [[UInt8]]
    ) -> (packed: PixelBuffer, wide: PixelBuffer) {
        var packed = PixelBuffer(width: kind.width, height: kind.height, format: kind.from)
        var wide = PixelBuffer(width: kind.width, height: kind.height, format: .rgb48le)
        let isReversed = kind.from == .bgra || kind.from == .bgr24
        let step = kind.from.layout.planes[0].bytesPerGroup
        packed.withMutablePlanes { bytes in
            wide.withMutablePlanes { words in
                for place in 0..<(kind.width * kind.height) {
                    let (x, y) = (place % kind.width, place / kind.width)
                    for (component, code) in codes[place].enumerated() {
                        let byte = isReversed ? 2 - component : component
                        bytes[0].row(y)[step * x + byte] = code
                        // 257 times as much
                        words[0].row(y)[6 * x + 2 * component] = code
                        words[0].row(y)[6 * x + 2 * component + 1] = code
                    }
                    if step == 4 { bytes[0].row(y)[4 * x + 3] = 255 }
                }
            }
        }
        return (packed, wide)
    }

    private func samples(_ frame: PixelBuffer) -> [Int] {
        frame.withPlanes { planes in
            zip(planes, frame.format.layout.planes).flatMap { plane, layout in
                (0..<layout.rows(height: frame.height)).flatMap { row -> [Int] in
                    let line = plane.row(row)
                    let bytes = layout.bytesPerRow(width: frame.width)
                    guard frame.format.bitDepth > 8 else {
                        return (0..<bytes).map { Int(line[$0]) }
                    }
                    return stride(from: 0, to: bytes, by: 2).map {
                        Int(line[$0]) | Int(line[$0 + 1]) << 8
                    }
                }
            }
        }
    }

    private func codes(_ kind: Kind, _ frame: PixelBuffer) throws -> [Int] {
        let source = VideoFormat(
            coding: .raw(frame.format), width: kind.width, height: kind.height,
            color: .unspecified)
        var color = ColorDescription.bt709
        (color.matrix, color.range) = (kind.matrix, kind.range)
        let target = VideoFormat(
            coding: .raw(kind.to), width: kind.width, height: kind.height, color: color)
        return samples(try FrameConformer(from: source, to: target).convert(frame).picture)
    }

    @Test("its codes are zimg's, but for some that lie between two", arguments: kinds)
    func sameAsLibrary(_ kind: Kind) throws {
        var random = SplitMix(seed: UInt64(kind.width))
        let count = kind.width * kind.height
        let noise = (0..<count).map { _ in
            (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        // nothing but the outermost colours, between which differences are greatest
        let harsh = (0..<count).map { _ in
            (0..<3).map { _ in Bool.random(using: &random) ? UInt8(255) : 0 }
        }
        let ramp = (0..<count).map { place in
            [
                UInt8(255 * (place % kind.width) / kind.width),
                UInt8(255 * (place / kind.width) / kind.height), UInt8(place & 255),
            ]
        }
        let grey = (0..<count).map { Array(repeating: UInt8($0 & 255), count: 3) }
        for (name, colors) in [("noise", noise), ("harsh", harsh), ("ramp", ramp), ("grey", grey)] {
            let (packed, wide) = picture(kind, colors)
            let (own, library) = (try codes(kind, packed), try codes(kind, wide))
            #expect(own.count == library.count)
            let differences = zip(own, library).map { abs($0 - $1) }
            // where sums are halves the two may round otherwise
            let others = differences.count { $0 > 0 }
            #expect(differences.max() ?? 9 <= 1, "\(name)")
            #expect(others * (name == "harsh" ? 20 : 200) <= own.count, "\(name): \(others)")
            if name == "grey" { #expect(others == 0) }
        }
    }

    @Test("colours that zimg has to convert are left to it, with the same result as before")
    func leftToLibrary() throws {
        // a curve of its own, and a matrix that is no weighted sum
        let kind = Kind(
            from: .rgba, to: .yuv444p, width: 4, height: 1, matrix: 1, range: .limited)
        let (packed, wide) = picture(
            kind, [[255, 0, 0], [0, 255, 0], [0, 0, 255], [128, 128, 128]])
        for (transfer, matrix) in [(UInt8(8), UInt8(1)), (1, 8)] {
            let results = try [packed, wide].map { picture in
                let source = VideoFormat(
                    coding: .raw(picture.format), width: 4, height: 1,
                    color: ColorDescription(primaries: 1, transfer: 13, matrix: 0, range: .full))
                let target = VideoFormat(
                    coding: .raw(.yuv444p), width: 4, height: 1,
                    color: ColorDescription(
                        primaries: 1, transfer: transfer, matrix: matrix, range: .limited))
                return samples(
                    try FrameConformer(from: source, to: target).convert(picture).picture)
            }
            #expect(results[0] == results[1])
            // what the weighted sum would be for grey
            #expect(matrix == 8 || results[0][3] != 126)
        }
    }
}
