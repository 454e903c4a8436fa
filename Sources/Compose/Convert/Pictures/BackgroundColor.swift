internal import Media

/// Lays straight pictures over a colour, which makes them opaque.
struct BackgroundColor {
    private let blue: Int
    private let green: Int
    private let red: Int

    init(_ color: Color) {
        func code(_ value: Double) -> Int { Int((min(1, max(0, value)) * 255).rounded()) }
        (red, green, blue) = (code(color.red), code(color.green), code(color.blue))
    }

    /// - Parameter picture: bgra.
    func under(_ picture: PixelBuffer) -> PixelBuffer {
        let (width, height) = (picture.width, picture.height)
        var result = PixelBuffer(width: width, height: height, format: .bgra)
        result.withMutablePlanes { targets in
            picture.withPlanes { sources in
                for y in 0..<height { blend(sources[0].row(y), on: targets[0].row(y), width) }
            }
        }
        return result
    }

    private func blend(
        _ source: UnsafePointer<UInt8>, on target: UnsafeMutablePointer<UInt8>, _ width: Int
    ) {
        target.update(from: source, count: 4 * width)
        for x in stride(from: 0, to: 4 * width, by: 4) where source[x + 3] != 255 {
            let alpha = Int(source[x + 3])
            target[x] = Self.mixed(Int(source[x]), blue, alpha)
            target[x + 1] = Self.mixed(Int(source[x + 1]), green, alpha)
            target[x + 2] = Self.mixed(Int(source[x + 2]), red, alpha)
            target[x + 3] = 255
        }
    }

    private static func mixed(_ front: Int, _ back: Int, _ alpha: Int) -> UInt8 {
        UInt8((front * alpha + back * (255 - alpha) + 127) / 255)
    }
}
