import Media
import Testing

@Suite("Orientation")
struct VideoOrientationTests {
    static let all = VideoOrientation.Rotation.allCases.flatMap { rotation in
        [false, true].map { VideoOrientation(rotation: rotation, isMirrored: $0) }
    }

    /// Where the point (1, 2) of a frame with its centre at 0 goes (y down, rotation clockwise).
    private func moved(_ orientation: VideoOrientation, _ point: (Int, Int)) -> (Int, Int) {
        var (x, y) = point
        if orientation.isMirrored { x = -x }
        for _ in 0..<(orientation.rotation.rawValue / 90) { (x, y) = (-y, x) }
        return (x, y)
    }

    @Test("one orientation after another equals doing both to a point", arguments: all, all)
    func composition(first: VideoOrientation, second: VideoOrientation) {
        let step = moved(second, moved(first, (1, 2)))
        let whole = moved(first.followed(by: second), (1, 2))
        #expect(step == whole)
    }

    @Test("only quarter turns swap width and height")
    func axes() {
        #expect(Self.all.filter(\.swapsAxes).count == 4)
    }
}
