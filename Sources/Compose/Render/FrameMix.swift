internal import Media

/// Frames mixed into one, as they are coded: with their own colours and transfer function, as editors do.
enum FrameMix {
    /// A frame and how much of it (parts of `BlendKernels.one`).
    struct Part {
        let frame: PixelBuffer
        let weight: UInt32
    }

    /// The mean of frames; nil where they are not alike, or their samples share bytes.
    /// - Parameter parts: at least one; their weights make `BlendKernels.one`.
    static func mixed(_ parts: [Part]) -> PixelBuffer? {
        guard let first = parts.first?.frame, first.format != .rgb565le else { return nil }
        let isAlike = parts.allSatisfy {
            $0.frame.format == first.format && $0.frame.width == first.width
                && $0.frame.height == first.height
        }
        guard isAlike else { return nil }
        var result = PixelBuffer(width: first.width, height: first.height, format: first.format)
        result.withMutablePlanes { planes in
            for (index, plane) in first.format.layout.planes.enumerated() {
                let bytes = plane.bytesPerRow(width: first.width)
                let rows = plane.rows(height: first.height)
                if first.format.bitDepth > 8 {
                    mix(parts, plane: index, rows, bytes / 2, into: planes[index], UInt16.self)
                } else {
                    mix(parts, plane: index, rows, bytes, into: planes[index], UInt8.self)
                }
            }
        }
        return result
    }

    /// - Parameters:
    ///   - rows: of the plane (count).
    ///   - count: samples of a row.
    private static func mix<Sample: FixedWidthInteger & UnsignedInteger>(
        _ parts: [Part], plane: Int, _ rows: Int, _ count: Int, into target: MutablePixelPlane,
        _ type: Sample.Type
    ) {
        var sums = [UInt32](repeating: 0, count: count)
        sums.withUnsafeMutableBufferPointer { sums in
            for row in 0..<rows {
                for index in 0..<count { sums[index] = UInt32(BlendKernels.one / 2) }
                for part in parts {
                    part.frame.withPlane(plane) { source in
                        let samples = UnsafeRawPointer(source.row(row))
                            .assumingMemoryBound(to: Sample.self)
                        for index in 0..<count {
                            sums[index] &+=
                                UInt32(truncatingIfNeeded: samples[index]) &* part.weight
                        }
                    }
                }
                let mixed = UnsafeMutableRawPointer(target.row(row))
                    .assumingMemoryBound(to: Sample.self)
                for index in 0..<count {
                    mixed[index] = Sample(truncatingIfNeeded: sums[index] &>> 15)
                }
            }
        }
    }
}
