/// A picture in the red, green and blue of a display, 8 bits each (sRGB, or what the display takes for it).
package struct PreviewPicture: Sendable, Equatable {
    package let width: Int
    package let height: Int
    /// Three a pixel, row by row.
    package var bytes: [UInt8]

    /// - Precondition: there are three bytes for each pixel.
    package init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(bytes.count == width * height * 3, "three bytes for each pixel")
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    /// Black.
    package init(width: Int, height: Int) {
        self.init(
            width: width, height: height, bytes: Array(repeating: 0, count: width * height * 3))
    }

    package subscript(x: Int, y: Int) -> RGB {
        let place = (y * width + x) * 3
        return RGB(bytes[place], bytes[place + 1], bytes[place + 2])
    }

    /// The same left to right.
    package var mirrored: PreviewPicture {
        var result = self
        for y in 0..<height {
            for x in 0..<width {
                let (from, to) = ((y * width + x) * 3, (y * width + width - 1 - x) * 3)
                for part in 0..<3 { result.bytes[to + part] = bytes[from + part] }
            }
        }
        return result
    }
}

/// A colour of a display, 8 bits a part.
package struct RGB: Sendable, Hashable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// The largest difference of one of the three.
    package func distance(to other: RGB) -> Int {
        max(
            abs(Int(red) - Int(other.red)), abs(Int(green) - Int(other.green)),
            abs(Int(blue) - Int(other.blue)))
    }
}
