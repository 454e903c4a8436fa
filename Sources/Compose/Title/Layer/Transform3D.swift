internal import Glibc

/// A map of space as four rows of four numbers; a point is a row, multiplied from the left:
/// `[x y z 1] · M`, then divided by its fourth number. x right, y down, z towards the viewer, in pixels.
public struct Transform3D: Sendable, Hashable, Codable {
    /// 16 numbers, row after row.
    public private(set) var numbers: [Double]

    /// - Precondition: 16 numbers, row after row.
    public init(_ numbers: [Double]) {
        precondition(numbers.count == 16, "a transform has 16 numbers")
        self.numbers = numbers
    }

    public static let identity = Transform3D([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])

    public subscript(row: Int, column: Int) -> Double {
        get { numbers[row * 4 + column] }
        set { numbers[row * 4 + column] = newValue }
    }

    public static func translation(x: Double, y: Double, z: Double = 0) -> Transform3D {
        Transform3D([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1])
    }

    public static func scale(x: Double, y: Double, z: Double = 1) -> Transform3D {
        Transform3D([x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1])
    }

    /// A turn about the horizontal axis (degrees); positive takes the upper edge away from the viewer.
    public static func rotationX(_ degrees: Double) -> Transform3D {
        let (s, c) = sineAndCosine(degrees)
        return Transform3D([1, 0, 0, 0, 0, c, s, 0, 0, -s, c, 0, 0, 0, 0, 1])
    }

    /// A turn about the vertical axis (degrees); positive takes the right edge away from the viewer.
    public static func rotationY(_ degrees: Double) -> Transform3D {
        let (s, c) = sineAndCosine(degrees)
        return Transform3D([c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, 0, 0, 0, 1])
    }

    /// A turn in the plane (degrees); positive is clockwise.
    public static func rotationZ(_ degrees: Double) -> Transform3D {
        let (s, c) = sineAndCosine(degrees)
        return Transform3D([c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])
    }

    /// What is further away looks smaller, to an eye at a distance before the plane.
    /// - Parameter distance: pixels; positive.
    public static func perspective(distance: Double) -> Transform3D {
        Transform3D([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1 / distance, 0, 0, 0, 1])
    }

    /// This map followed by another one.
    public func followed(by next: Transform3D) -> Transform3D {
        var result = Self.identity
        for row in 0..<4 {
            for column in 0..<4 {
                result[row, column] = (0..<4).reduce(0) {
                    $0 + self[row, $1] * next[$1, column]
                }
            }
        }
        return result
    }

    /// Exact for quarter turns.
    private static func sineAndCosine(_ degrees: Double) -> (Double, Double) {
        let turn = degrees.truncatingRemainder(dividingBy: 360)
        switch turn {
        case 0: return (0, 1)
        case 90, -270: return (1, 0)
        case 180, -180: return (0, -1)
        case 270, -90: return (-1, 0)
        default: return (sin(turn * .pi / 180), cos(turn * .pi / 180))
        }
    }
}
