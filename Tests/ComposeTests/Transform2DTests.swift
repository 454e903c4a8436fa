import Compose
import Testing

@Suite("Maps of the plane")
struct Transform2DTests {
    @Test("a map followed by its inverse is the identity")
    func inverse() throws {
        let map = Transform2D(a: 0.8, b: 0.3, c: -0.4, d: 1.7, tx: 12, ty: -5)
        let back = map.followed(by: try #require(map.inverse))
        let point = back.apply(x: 321, y: -77)
        #expect(abs(point.x - 321) < 1e-9 && abs(point.y + 77) < 1e-9)
    }

    @Test("a shift after a scale is not scaled, before it is")
    func order() {
        let shift = Transform2D.translation(x: 10, y: 20)
        let scale = Transform2D.scale(x: 2, y: 3)
        #expect(scale.followed(by: shift).apply(x: 1, y: 1) == (12, 23))
        #expect(shift.followed(by: scale).apply(x: 1, y: 1) == (22, 63))
    }

    @Test("a map that flattens the plane has no inverse")
    func flat() {
        #expect(Transform2D.scale(x: 0, y: 1).inverse == nil)
    }
}
