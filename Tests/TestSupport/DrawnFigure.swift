import Foundation

/// A face, a cat's face or a person's body of a few soft ellipses. Detectors that were trained with photographs take it
/// for one: it says where a figure is found, not how well people are.
package struct DrawnFigure: Sendable {
    /// An ellipse; places and sizes are parts of the figure's box, from its middle.
    private struct Ellipse: Sendable {
        var x: Double
        let y: Double
        let across: Double
        let down: Double
        /// Clockwise (degrees).
        var angle: Double
        let luma: Double
        /// How wide its edge is (parts of its radius).
        let softness: Double
    }

    private let ellipses: [Ellipse]
    /// Of the box: its height is its width by this.
    package let proportion: Double

    package static let face = DrawnFigure(
        1,
        [
            (0, -0.12, 0.56, 0.72, 0, 60, 0.1), (0, 0.02, 0.47, 0.62, 0, 190, 0.1),
            (0, -0.36, 0.4, 0.14, 0, 200, 0.4), (0.2, -0.12, 0.17, 0.11, 0, 130, 0.5),
            (0.2, -0.22, 0.14, 0.03, -5, 60, 0.3), (0.2, -0.12, 0.09, 0.05, 0, 50, 0.3),
            (0, -0.02, 0.06, 0.18, 0, 215, 0.6), (0.06, 0.12, 0.05, 0.03, 0, 110, 0.5),
            (0.28, 0.1, 0.12, 0.12, 0, 205, 0.7), (0, 0.3, 0.18, 0.05, 0, 90, 0.4),
            (0, 0.42, 0.14, 0.05, 0, 200, 0.5),
        ])

    package static let cat = DrawnFigure(
        1,
        [
            (0.374, -0.339, 0.209, 0.29, 21.8, 74, 0.12),
            (0.271, -0.324, 0.029, 0.271, 11.9, 82, 0.37),
            (0, 0.066, 0.566, 0.373, 0, 131, 0.09), (0, -0.219, 0.083, 0.178, 0, 53, 0.88),
            (0.229, 0.022, 0.141, 0.1, -16.4, 167, 0.18),
            (0.179, -0.094, 0.052, 0.074, -13.9, 32, 0.15),
            (0, 0.218, 0.135, 0.205, 0, 110, 0.58), (0.198, 0.261, 0.145, 0.118, 5.9, 201, 0.52),
            (0, 0.177, 0.051, 0.025, 0, 100, 0.2), (0.077, 0.322, 0.104, 0.018, 33.7, 149, 0.24),
        ])

    package static let body = DrawnFigure(
        2.5,
        [
            (0, -0.399, 0.202, 0.074, 0, 10, 0.11), (0, -0.309, 0.094, 0.043, 0, 95, 0.22),
            (0, -0.107, 0.307, 0.25, 0, 74, 0.08), (0.352, -0.119, 0.109, 0.204, -16.2, 74, 0.21),
            (0.164, 0.284, 0.149, 0.249, 5.4, 36, 0.12),
        ])

    /// - Parameter half: its right half, and what lies in the middle: x, y, radius across, radius down, angle, luma,
    ///   softness.
    private init(
        _ proportion: Double,
        _ half: [(Double, Double, Double, Double, Double, Double, Double)]
    ) {
        self.proportion = proportion
        ellipses = half.flatMap { entry -> [Ellipse] in
            let one = Ellipse(
                x: entry.0, y: entry.1, across: entry.2, down: entry.3, angle: entry.4,
                luma: entry.5, softness: entry.6)
            var other = one
            (other.x, other.angle) = (-one.x, -one.angle)
            return one.x == 0 ? [one] : [one, other]
        }
    }

    /// Draws it over what is there.
    /// - Parameters:
    ///   - tone: what luma is multiplied with, so that two differ.
    ///   - roll: how far it is tilted, clockwise (degrees).
    fileprivate func draw(
        into canvas: inout LumaCanvas, x: Double, y: Double, width: Double, tone: Double,
        roll: Double
    ) {
        let (sine, cosine) = (sin(roll * .pi / 180), cos(roll * .pi / 180))
        for ellipse in ellipses {
            let (alongX, alongY) = (ellipse.x * width, ellipse.y * width * proportion)
            canvas.blend(
                x: x + alongX * cosine - alongY * sine, y: y + alongX * sine + alongY * cosine,
                across: ellipse.across * width, down: ellipse.down * width * proportion,
                angle: ellipse.angle + roll, luma: min(ellipse.luma * tone, 255),
                softness: ellipse.softness)
        }
    }
}

/// A frame of luma that figures are drawn into.
package struct LumaCanvas: Sendable {
    package let width: Int
    package let height: Int
    package private(set) var luma: [UInt8]

    /// A background that is not quite even.
    package init(width: Int, height: Int, background: Double = 128) {
        (self.width, self.height) = (width, height)
        luma = (0..<width * height).map { place in
            let wave = sin(Double(place % width) * 0.05 + Double(place / width) * 0.03)
            return UInt8(min(max(background + 10 * wave, 0), 255))
        }
    }

    /// - Parameters:
    ///   - x: of its middle (pixels).
    ///   - y: of its middle (pixels).
    ///   - width: of its box (pixels).
    package mutating func draw(
        _ figure: DrawnFigure, x: Double, y: Double, width: Double, tone: Double = 1,
        roll: Double = 0
    ) {
        figure.draw(into: &self, x: x, y: y, width: width, tone: tone, roll: roll)
    }

    fileprivate mutating func blend(
        x: Double, y: Double, across: Double, down: Double, angle: Double, luma target: Double,
        softness: Double
    ) {
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        let reach = max(across, down) * 1.5 + 3
        let edge = max(softness, 1.5 / min(across, down))
        let columns = max(0, Int(x - reach))..<max(0, min(width, Int(x + reach) + 1))
        for row in max(0, Int(y - reach))..<max(0, min(height, Int(y + reach) + 1)) {
            guard max(0, Int(x - reach)) < columns.upperBound else { return }
            for column in columns {
                let (dx, dy) = (Double(column) + 0.5 - x, Double(row) + 0.5 - y)
                let (u, v) = ((dx * cosine + dy * sine) / across, (dy * cosine - dx * sine) / down)
                let share = min(max((1 - (u * u + v * v).squareRoot()) / edge + 0.5, 0), 1)
                guard share > 0 else { continue }
                let place = row * width + column
                luma[place] = UInt8(
                    (Double(luma[place]) + (target - Double(luma[place])) * share).rounded())
            }
        }
    }

    /// As a file that ffmpeg reads.
    package var pgm: [UInt8] { Array("P5 \(width) \(height) 255\n".utf8) + luma }
}
