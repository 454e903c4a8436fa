internal import Glibc
internal import Media

/// Draws a picture with opacity over a frame of yuv420p, scaled and tilted.
struct PictureOver {
    private let picture: PixelBuffer
    private let codes: ColorCodes

    /// - Parameter picture: of `bgra`, premultiplied.
    init(_ picture: PixelBuffer, codes: ColorCodes) {
        (self.picture, self.codes) = (picture, codes)
    }

    /// - Parameters:
    ///   - box: the picture's middle and sides (pixels of the frame).
    ///   - roll: how far it is tilted, clockwise (degrees).
    func draw(
        into frame: inout PixelBuffer,
        box: (x: Double, y: Double, width: Double, height: Double), roll: Double
    ) {
        guard box.width > 0, box.height > 0 else { return }
        let (sine, cosine) = Self.turn(roll)
        let reach = (
            x: (box.width * abs(cosine) + box.height * abs(sine)) / 2 + 1,
            y: (box.width * abs(sine) + box.height * abs(cosine)) / 2 + 1
        )
        let scale = (
            x: Double(picture.width) / box.width, y: Double(picture.height) / box.height
        )
        let (width, height) = (frame.width, frame.height)
        picture.withPlane(0) { source in
            frame.withMutablePlanes { planes in
                for (index, plane) in planes.enumerated() {
                    let part = index == 0 ? 1.0 : 2.0
                    let most = (x: index == 0 ? width : (width + 1) / 2, y: plane.rows)
                    let columns = Self.range(box.x, reach.x, part, most.x)
                    for row in Self.range(box.y, reach.y, part, min(most.y, height)) {
                        let line = plane.row(row)
                        for column in columns {
                            let dx = (Double(column) + 0.5) * part - box.x
                            let dy = (Double(row) + 0.5) * part - box.y
                            let x = (dx * cosine + dy * sine) * scale.x + Double(picture.width) / 2
                            let y = (dy * cosine - dx * sine) * scale.y + Double(picture.height) / 2
                            guard let color = sample(source, x, y) else { continue }
                            let made = codes.codes(
                                red: color.red, green: color.green, blue: color.blue,
                                share: color.alpha)
                            let code =
                                index == 0 ? made.luma : index == 1 ? made.blue : made.red
                            let mixed = Double(line[column]) * (1 - color.alpha) + code
                            line[column] = UInt8(min(max(mixed.rounded(), 0), 255))
                        }
                    }
                }
            }
        }
    }

    private static func turn(_ degrees: Double) -> (sine: Double, cosine: Double) {
        let angle = degrees * .pi / 180
        return (sin(angle), cos(angle))
    }

    private static func range(
        _ middle: Double, _ reach: Double, _ part: Double, _ most: Int
    ) -> Range<Int> {
        let first = min(max((middle - reach) / part, 0), Double(most))
        let last = min(max((middle + reach) / part, 0), Double(most))
        return Int(first)..<max(Int(first), Int(last.rounded(.up)))
    }

    /// - Returns: premultiplied; `nil` where the picture is not, or is not to be seen.
    private func sample(
        _ plane: PixelPlane, _ x: Double, _ y: Double
    ) -> (red: Double, green: Double, blue: Double, alpha: Double)? {
        guard x >= 0, y >= 0, x < Double(picture.width), y < Double(picture.height) else {
            return nil
        }
        let pixel = plane.row(Int(y)).advanced(by: Int(x) * 4)
        guard pixel[3] > 0 else { return nil }
        return (Double(pixel[2]), Double(pixel[1]), Double(pixel[0]), Double(pixel[3]) / 255)
    }
}
