internal import Glibc

/// A map of the plane that keeps lines straight, as perspective does:
/// `x' = (a·x + c·y + tx) / (g·x + h·y + w)`, `y' = (b·x + d·y + ty) / (g·x + h·y + w)`.
struct Homography: Hashable {
    /// Row after row: `a c tx`, `b d ty`, `g h w`.
    private(set) var numbers: [Double]

    init(_ numbers: [Double]) { self.numbers = numbers }

    static let identity = Homography([1, 0, 0, 0, 1, 0, 0, 0, 1])

    static func translation(_ x: Double, _ y: Double) -> Homography {
        Homography([1, 0, x, 0, 1, y, 0, 0, 1])
    }

    static func scale(_ x: Double, _ y: Double) -> Homography {
        Homography([x, 0, 0, 0, y, 0, 0, 0, 1])
    }

    /// What a map of space does to the plane z = 0, seen from before.
    init(flattening map: Transform3D) {
        numbers = [
            map[0, 0], map[1, 0], map[3, 0], map[0, 1], map[1, 1], map[3, 1], map[0, 3], map[1, 3],
            map[3, 3],
        ]
    }

    /// This map followed by another one.
    func followed(by next: Homography) -> Homography {
        var result = [Double](repeating: 0, count: 9)
        for row in 0..<3 {
            for column in 0..<3 {
                for inner in 0..<3 {
                    result[row * 3 + column] +=
                        next.numbers[row * 3 + inner] * numbers[inner * 3 + column]
                }
            }
        }
        return Homography(result)
    }

    /// The divisor at a point: what is not above 0 lies behind the eye.
    func depth(_ point: Point) -> Double {
        numbers[6] * point.x + numbers[7] * point.y + numbers[8]
    }

    func apply(_ point: Point) -> Point {
        let w = depth(point)
        return Point(
            x: (numbers[0] * point.x + numbers[1] * point.y + numbers[2]) / w,
            y: (numbers[3] * point.x + numbers[4] * point.y + numbers[5]) / w)
    }

    private var determinant: Double {
        let n = numbers
        return n[0] * (n[4] * n[8] - n[5] * n[7]) - n[1] * (n[3] * n[8] - n[5] * n[6])
            + n[2] * (n[3] * n[7] - n[4] * n[6])
    }

    /// The map back, or nil where this one loses the plane (seen from its edge, or scaled to nothing).
    var inverse: Homography? {
        let n = numbers
        let determinant = determinant
        guard determinant.magnitude > 1e-9, determinant.isFinite else { return nil }
        let adjugate = [
            n[4] * n[8] - n[5] * n[7], n[2] * n[7] - n[1] * n[8], n[1] * n[5] - n[2] * n[4],
            n[5] * n[6] - n[3] * n[8], n[0] * n[8] - n[2] * n[6], n[2] * n[3] - n[0] * n[5],
            n[3] * n[7] - n[4] * n[6], n[1] * n[6] - n[0] * n[7], n[0] * n[4] - n[1] * n[3],
        ]
        return Homography(adjugate.map { $0 / determinant })
    }

    /// The map without a divisor, where it has none worth a thousandth of a pixel within a rectangle.
    func affine(within area: Rectangle) -> Transform2D? {
        let w = numbers[8]
        guard w > 0 else { return nil }
        let reach = area.corners.map { max($0.x.magnitude, $0.y.magnitude) }.max() ?? 0
        guard (numbers[6].magnitude + numbers[7].magnitude) * max(1, reach) < 1e-7 * w else {
            return nil
        }
        return Transform2D(
            a: numbers[0] / w, b: numbers[3] / w, c: numbers[1] / w, d: numbers[4] / w,
            tx: numbers[2] / w, ty: numbers[5] / w)
    }

    /// How much a short way at a point is lengthened at most (factor).
    func stretch(at point: Point) -> Double {
        let w = depth(point)
        guard w > 1e-6 else { return 0 }
        let to = apply(point)
        let a = (numbers[0] - to.x * numbers[6]) / w
        let c = (numbers[1] - to.x * numbers[7]) / w
        let b = (numbers[3] - to.y * numbers[6]) / w
        let d = (numbers[4] - to.y * numbers[7]) / w
        let sum = a * a + b * b + c * c + d * d
        let product = a * d - b * c
        return ((sum + max(0, sum * sum - 4 * product * product).squareRoot()) / 2).squareRoot()
    }
}

extension Layer {
    /// From the layer's coordinates to its parent's.
    var flatMap: Homography {
        let (x, y) = (bounds.x + anchor.x * bounds.width, bounds.y + anchor.y * bounds.height)
        let map = Transform3D.translation(x: -x, y: -y)
            .followed(by: .scale(x: scale.x, y: scale.y))
            .followed(by: .rotationZ(rotation.z))
            .followed(by: .rotationX(rotation.x))
            .followed(by: .rotationY(rotation.y))
            .followed(by: transform)
            .followed(by: .translation(x: position.x, y: position.y))
        return Homography(flattening: map)
    }
}
