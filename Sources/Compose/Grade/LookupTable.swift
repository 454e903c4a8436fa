public import Media

/// What colours become, as a `.cube` file lists it: a curve for each channel, or colours at the points of a cube, or the
/// one and then the other.
///
/// Between the points of a cube a colour is made of those of the tetrahedron it lies in.
///
/// Source: Adobe, Cube LUT Specification 1.0; `LUT_1D_INPUT_RANGE` and `LUT_3D_INPUT_RANGE`, and curves and a cube in
/// one file, as DaVinci Resolve writes them.
public struct LookupTable: ColorEffect {
    /// Of the file, if it gives one.
    public let title: String?
    /// Points along an edge of the cube (0: there is none).
    public let cubeSize: Int
    /// Points of the curves (0: there are none).
    public let curveSize: Int
    private let contents: Contents

    /// Immutable.
    private final class Contents: Sendable {
        let curve: LookupSteps?
        let cube: LookupSteps?
        /// Of everything in it.
        let fingerprint: UInt64

        init(curve: LookupSteps?, cube: LookupSteps?, fingerprint: UInt64) {
            (self.curve, self.cube, self.fingerprint) = (curve, cube, fingerprint)
        }
    }

    /// Reads a file of at most 64 MB, with at most 65,536 points of curves and 129 along a cube's edge. Blocks;
    /// reentrant.
    /// - Throws: `no-such-file`, `not-permitted`, `io-error`; `damaged-file`, naming the line.
    public init(contentsOf path: String) throws(MediaError) {
        try self.init(Self.file.read(path), name: path)
    }

    /// - Parameter name: for messages.
    init(_ bytes: [UInt8], name: String) throws(MediaError) {
        var reader = CubeReader(bytes, name: name)
        try reader.read()
        title = reader.title
        cubeSize = reader.cube?.size ?? 0
        curveSize = reader.curve?.size ?? 0
        contents = Contents(
            curve: reader.curve, cube: reader.cube,
            fingerprint: bytes.reduce(0xCBF2_9CE4_8422_2325) {
                ($0 ^ UInt64($1)) &* 0x100_0000_01B3
            })
    }

    private static let file = FileContents(
        "lookup table", most: 64_000_000, refusal: .damagedFile)

    public func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
        let contents = contents
        return { color in
            var color = color
            if let curve = contents.curve { color = curve.alongEach(color) }
            if let cube = contents.cube { color = cube.within(color) }
            return color
        }
    }

    public static func == (one: LookupTable, other: LookupTable) -> Bool {
        one.contents.fingerprint == other.contents.fingerprint && one.cubeSize == other.cubeSize
            && one.curveSize == other.curveSize
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(contents.fingerprint) }
}

/// Tables of one description make the same colours, also in the digest of a film's plan.
extension LookupTable: CustomDebugStringConvertible {
    public var debugDescription: String {
        "LookupTable(\(curveSize), \(cubeSize), \(String(contents.fingerprint, radix: 16)))"
    }
}

/// Colours at points that lie evenly between two ends.
struct LookupSteps: Sendable {
    /// Points along a side (at least 2).
    let size: Int
    /// Of what goes in.
    let low: SIMD3<Double>
    let high: SIMD3<Double>
    /// Of a cube red first.
    let colors: [SIMD4<Float>]

    /// From 0 to `size - 1`.
    @inline(__always)
    private func place(_ color: SIMD3<Double>) -> SIMD3<Double> {
        let steps = Double(size - 1)
        let place = (color - low) / (high - low) * steps
        return place.clamped(
            lowerBound: .zero, upperBound: SIMD3(repeating: steps))
    }

    /// Each component by its own curve.
    func alongEach(_ color: SIMD3<Double>) -> SIMD3<Double> {
        let place = place(color)
        var result = SIMD3<Double>()
        for channel in 0..<3 {
            let first = min(Int(place[channel]), size - 2)
            let part = place[channel] - Double(first)
            let (from, to) = (colors[first][channel], colors[first + 1][channel])
            result[channel] = Double(from).mixed(Double(to), part)
        }
        return result
    }

    /// What the cube has there.
    func within(_ color: SIMD3<Double>) -> SIMD3<Double> {
        let place = place(color)
        let (x, y, z) = (
            min(Int(place.x), size - 2), min(Int(place.y), size - 2), min(Int(place.z), size - 2)
        )
        // from the corner along the edges, the longest way first, to the opposite one
        var ways: [(part: Double, step: Int)] = [
            (place.x - Double(x), 1), (place.y - Double(y), size),
            (place.z - Double(z), size * size),
        ]
        if ways[0].part < ways[1].part { ways.swapAt(0, 1) }
        if ways[1].part < ways[2].part { ways.swapAt(1, 2) }
        if ways[0].part < ways[1].part { ways.swapAt(0, 1) }
        var index = (z * size + y) * size + x
        var sum = stored(index) * (1 - ways[0].part)
        for number in 0..<3 {
            index += ways[number].step
            let next = number < 2 ? ways[number + 1].part : 0
            sum += stored(index) * (ways[number].part - next)
        }
        return sum
    }

    private func stored(_ index: Int) -> SIMD3<Double> {
        let color = colors[index]
        return SIMD3(Double(color.x), Double(color.y), Double(color.z))
    }
}
