import Media
import Testing

@testable import Play

@Suite("Depth in colours")
struct DepthColorsTests {
    /// Columns of growing steps, the first of which is unknown.
    private func ramp(_ format: DepthFormat, _ values: [UInt16]) throws -> DepthData {
        try DepthData(
            map: PixelBuffer(
                steps: (0..<8).flatMap { _ in values }, width: values.count, height: 8),
            format: format)
    }

    private func lumas(_ picture: PixelBuffer) -> [UInt8] {
        picture.withPlane(0) { plane in (0..<picture.width).map { plane.row(3)[$0] } }
    }

    @Test("what is nearer is brighter, of depth and of disparity, and what is unknown is black")
    func order() throws {
        let values: [UInt16] = [0] + (1...63).map { UInt16($0 * 100) }
        for (unit, isNearFirst) in [
            (DepthUnit.metres(0.001), true), (.inverseMetres(0.001), false), (.pixels(1), false),
        ] {
            var colors = DepthColors()
            let found = lumas(
                colors.picture(of: try ramp(DepthFormat(unit: unit), values), in: nil))
            #expect(found.count == 64 && found[0] == 16)
            let known = isNearFirst ? Array(found.dropFirst()) : found.dropFirst().reversed()
            #expect(zip(known, known.dropFirst()).allSatisfy { $0 >= $1 }, "\(unit) \(known)")
            #expect((known.first ?? 0) > 200 && (known.last ?? 255) < 60)
        }
    }

    @Test("the colours span the scene, whose ends are said in metres, and follow it slowly")
    func span() throws {
        var colors = DepthColors()
        #expect(colors.distances == nil)
        let near = try ramp(.millimetres, (500...563).map { UInt16($0) })
        _ = colors.picture(of: near, in: nil)
        let first = try #require(colors.distances)
        #expect(
            (0.5...0.503).contains(first.lowerBound) && (0.56...0.563).contains(first.upperBound))
        let far = try ramp(.millimetres, (5000...5063).map { UInt16($0) })
        _ = colors.picture(of: far, in: nil)
        let moved = try #require(colors.distances)
        #expect((0.6...2).contains(moved.lowerBound), "\(moved)")
        for _ in 0..<40 { _ = colors.picture(of: far, in: nil) }
        #expect(try #require(colors.distances).lowerBound > 4.9)
        // one that knows nothing changes nothing
        _ = colors.picture(of: try ramp(.millimetres, Array(repeating: 0, count: 64)), in: nil)
        #expect(try #require(colors.distances).lowerBound > 4.9)
        // no metres
        _ = colors.picture(of: try ramp(DepthFormat(accuracy: .relative), [1, 2, 3, 4]), in: nil)
        #expect(colors.distances == nil)
    }

    @Test("one distance everywhere, odd sides and a small box are no trouble")
    func sizes() throws {
        var colors = DepthColors()
        let flat = try ramp(.millimetres, Array(repeating: 700, count: 33))
        let picture = colors.picture(of: flat, in: nil)
        #expect((picture.width, picture.height) == (32, 8))
        #expect(Set(lumas(picture)).count == 1)
        let small = colors.picture(of: flat, in: PixelSize(9, 9))
        #expect(small.width <= 9 && small.height <= 9 && small.width.isMultiple(of: 2))
        let one = try DepthData(
            map: PixelBuffer(steps: [5], width: 1, height: 1), format: .millimetres)
        #expect(colors.picture(of: one, in: nil).width == 2)
    }
}
