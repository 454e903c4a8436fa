@testable import Compose

/// A title frame as rows of digits: the mean luma of areas of 4x5 pixels over a gray ground, in sixteen levels
/// (0 black … f white); an area of the bare ground is a dot.
///
/// Two machines' font libraries round outlines differently, by a few codes of a pixel. So a mean may lie beyond its
/// level's border by a quarter of a level (four codes of 255), and only that: a letter that lies one pixel aside
/// moves its edges' areas by two levels.
struct TitleGrid {
    static let columns = 80
    static let rows = 36
    private static let area = (width: 4, height: 5)
    /// The middle of a level, far from both of its borders.
    private static let ground = 136.0
    private static let level = 16.0
    private static let digits = Array("0123456789abcdef")

    /// Of each area, row by row (0…255).
    private(set) var means: [Double] = []

    /// - Parameter picture: of 320x180.
    init(_ frame: TitlePicture) {
        let (width, height) = Self.area
        for row in 0..<Self.rows {
            for column in 0..<Self.columns {
                var sum = 0.0
                for y in (row * height)..<((row + 1) * height) {
                    for x in (column * width)..<((column + 1) * width) {
                        sum += Self.luma(frame, x, y)
                    }
                }
                means.append(sum / Double(width * height))
            }
        }
    }

    private static func luma(_ frame: TitlePicture, _ x: Int, _ y: Int) -> Double {
        let color = frame.color(x, y).map(Double.init)
        let under = ground * Double(255 - frame.alpha(x, y)) / 255
        return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2] + under
    }

    var lines: [String] {
        stride(from: 0, to: means.count, by: Self.columns).map { start in
            String(means[start..<(start + Self.columns)].map(Self.character))
        }
    }

    private static func character(_ mean: Double) -> Character {
        mean == ground ? "." : digits[min(15, Int(mean / level))]
    }

    /// What of the frame is not as known lines say.
    struct Difference {
        /// Areas of another luma, each in words.
        var wrong: [String] = []
        /// Areas that are only just beyond a level's border.
        var rounded: [String] = []
    }

    func difference(from known: [String]) -> Difference {
        var difference = Difference()
        let characters = known.flatMap(Array.init)
        guard known.count == Self.rows, characters.count == means.count else {
            difference.wrong.append("\(known.count) lines of \(characters.count) areas")
            return difference
        }
        for (index, mean) in means.enumerated() where Self.character(mean) != characters[index] {
            let place = "row \(index / Self.columns), column \(index % Self.columns)"
            let words = "\(place): known \(characters[index]), now \(mean)"
            if Self.isNear(mean, characters[index]) {
                difference.rounded.append(words)
            } else {
                difference.wrong.append(words)
            }
        }
        return difference
    }

    private static func isNear(_ mean: Double, _ character: Character) -> Bool {
        let margin = level / 4
        if character == "." { return (mean - ground).magnitude <= margin }
        guard let digit = digits.firstIndex(of: character) else { return false }
        let from = Double(digit) * level
        return (from - margin..<from + level + margin).contains(mean)
    }
}
