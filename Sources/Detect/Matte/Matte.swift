public import Media

/// How much of each part of a frame belongs to the foreground.
public struct Matte: Sendable {
    /// 255: foreground, 0: background (`gray`; of any size, it is stretched over the frame).
    public let pixels: PixelBuffer

    /// - Parameter pixels: 255 for what belongs to the foreground, 0 for what does not.
    /// - Throws: `invalidSetting` for anything but `gray`.
    public init(_ pixels: PixelBuffer) throws(MediaError) {
        guard pixels.format == .gray else {
            throw MediaError(
                code: .invalidSetting, subject: "matte",
                message: "A matte is a frame of gray, not of \(pixels.format.rawValue).")
        }
        self.pixels = pixels
    }

    /// - Parameter values: 0…255, row after row.
    init(_ values: [UInt8], width: Int, height: Int) {
        var pixels = PixelBuffer(width: width, height: height, format: .gray)
        pixels.withMutablePlanes { planes in
            for row in 0..<height {
                values[(row * width)..<((row + 1) * width)].withUnsafeBufferPointer { line in
                    guard let base = line.baseAddress else { return }
                    planes[0].row(row).update(from: base, count: width)
                }
            }
        }
        self.pixels = pixels
    }

    var values: [UInt8] {
        pixels.withPlane(0) { plane in
            (0..<pixels.height).flatMap { row in
                UnsafeBufferPointer(start: plane.row(row), count: pixels.width)
            }
        }
    }

    /// Stretched over a frame.
    func scaled(width: Int, height: Int) -> [UInt8] {
        let (values, own) = (values, (width: pixels.width, height: pixels.height))
        if own == (width, height) { return values }
        let columns = (0..<width).map { Self.neighbours($0, of: width, among: own.width) }
        // first across: values in 256ths
        var wide = [UInt16](repeating: 0, count: width * own.height)
        values.withUnsafeBufferPointer { values in
            wide.withUnsafeMutableBufferPointer { wide in
                for row in 0..<own.height {
                    let line = row * own.width
                    for (column, (left, right, across)) in columns.enumerated() {
                        let (one, two) = (Int(values[line + left]), Int(values[line + right]))
                        wide[row * width + column] = UInt16(one * (256 - across) + two * across)
                    }
                }
            }
        }
        var result = [UInt8](repeating: 0, count: width * height)
        wide.withUnsafeBufferPointer { wide in
            result.withUnsafeMutableBufferPointer { result in
                for row in 0..<height {
                    let (top, bottom, down) = Self.neighbours(row, of: height, among: own.height)
                    let (above, below) = (top * width, bottom * width)
                    let (one, two) = (UInt32(256 - down), UInt32(down))
                    for column in 0..<width {
                        let sum =
                            UInt32(wide[above + column]) * one + UInt32(wide[below + column]) * two
                        result[row * width + column] = UInt8((sum + 32_768) >> 16)
                    }
                }
            }
        }
        return result
    }

    /// Which two of some places lie around one of others, and how near it is to the second (256ths).
    private static func neighbours(
        _ place: Int, of count: Int, among own: Int
    ) -> (Int, Int, Int) {
        let exact = (Double(place) + 0.5) * Double(own) / Double(count) - 0.5
        let clamped = min(max(exact, 0), Double(own - 1))
        let first = Int(clamped)
        return (first, min(first + 1, own - 1), Int((clamped - Double(first)) * 256))
    }
}

/// Says of each frame what its foreground is: by motion, by depth, by a model. Called for one frame after the other, on
/// one thread at a time.
public protocol MatteGenerator: Sendable {
    /// What the filter is called after it: a word, such as `motion`.
    var name: String { get }

    /// - Parameter frame: upright, of `yuv420p`.
    /// - Throws: where nothing can be said of it.
    func matte(of frame: SampleBuffer) throws -> Matte
}
