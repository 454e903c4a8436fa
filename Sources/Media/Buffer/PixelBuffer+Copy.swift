extension PixelBuffer {
    /// The same pixels in memory of their own.
    package func copy() -> PixelBuffer {
        var copy = PixelBuffer(width: width, height: height, format: format)
        copy.copyPixels(from: self)
        return copy
    }

    /// Copies the pixels of a frame, row by row.
    /// - Precondition: size and format are the same, and this one is uniquely held.
    package mutating func copyPixels(from source: PixelBuffer) {
        let layout = format.layout.planes
        let width = width
        source.withPlanes { sources in
            withMutablePlanes { targets in
                for (index, plane) in layout.enumerated() {
                    let bytes = plane.bytesPerRow(width: width)
                    for row in 0..<min(sources[index].rows, targets[index].rows) {
                        targets[index].row(row).update(from: sources[index].row(row), count: bytes)
                    }
                }
            }
        }
    }
}
