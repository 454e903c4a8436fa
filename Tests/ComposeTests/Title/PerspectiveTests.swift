import Foundation
import Media
import Testing

@testable import Compose

@Suite("Turned layers")
struct PerspectiveTests {
    private let size = PixelSize(width: 160, height: 120)

    /// 8 x 8 fields of 10 pixels, every other one filled.
    private var board: Layer {
        var elements: [BezierPath.Element] = []
        for y in 0..<8 {
            for x in 0..<8 where (x + y) % 2 == 0 {
                let field = Rectangle(
                    x: Double(x) * 10, y: Double(y) * 10, width: 10, height: 10)
                elements += BezierPath.rectangle(field).elements
            }
        }
        return Layer(
            contents: .shape(ShapeContents(path: BezierPath(elements), fill: .white)),
            position: Point(x: 80, y: 60), bounds: Rectangle(x: 0, y: 0, width: 80, height: 80))
    }

    private func isFilled(_ x: Double, _ y: Double) -> Bool {
        guard x >= 0, y >= 0, x < 80, y < 80 else { return false }
        return (Int(x / 10) + Int(y / 10)) % 2 == 0
    }

    /// Each pixel as the mean of 64 points, each projected back on its own.
    private func reference(_ back: (Double, Double) -> (Double, Double)?) -> [Double] {
        var result: [Double] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                var sum = 0.0
                for step in 0..<64 {
                    let atX = Double(x) + (Double(step % 8) + 0.5) / 8
                    let atY = Double(y) + (Double(step / 8) + 0.5) / 8
                    if let (u, v) = back(atX, atY), isFilled(u, v) { sum += 1 }
                }
                result.append(sum / 64 * 255)
            }
        }
        return result
    }

    private func noise(_ picture: TitlePicture, _ expected: [Double]) -> Double {
        var sum = 0.0
        for index in expected.indices {
            let difference = Double(picture.bytes[index * 4 + 3]) - expected[index]
            sum += difference * difference
        }
        return 10 * log10(255 * 255 * Double(expected.count) / max(sum, 1e-9))
    }

    @Test(
        "a board rotated about y in perspective is the projected board",
        arguments: [-70.0, -35, 20, 50, 80, 150])
    func aboutY(_ degrees: Double) throws {
        var layer = board
        layer.rotation.y = degrees
        layer.transform = .perspective(distance: 200)
        let picture = try TitlePicture(layer, size)
        let (s, c) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        // seen at X = x·c / (1 + x·s/d), Y = y / (1 + x·s/d), about the middle
        let expected = reference { atX, atY in
            let (px, py) = (atX - 80, atY - 60)
            let x = px / (c - px * s / 200)
            let depth = 1 + x * s / 200
            return depth > 0 ? (x + 40, py * depth + 40) : nil
        }
        #expect(noise(picture, expected) > 27)
        #expect(abs(picture.ink - expected.reduce(0, +) / 255) < picture.ink * 0.02 + 4)
    }

    @Test("a positive turn about y takes the right edge away, about x the upper one")
    func senses() throws {
        var layer = Layer(
            contents: .solid(.white), position: Point(x: 80, y: 60),
            bounds: Rectangle(x: 0, y: 0, width: 80, height: 80))
        layer.transform = .perspective(distance: 150)
        layer.rotation.y = 40
        let rotated = try TitlePicture(layer, size)
        let box = try #require(rotated.inkBox)
        func height(_ picture: TitlePicture, _ x: Int) -> Int {
            (0..<size.height).filter { picture.alpha(x, $0) > 128 }.count
        }
        #expect(height(rotated, box.left + 3) > height(rotated, box.right - 3) + 15)
        layer.rotation = Rotation3D(x: 40)
        let tipped = try TitlePicture(layer, size)
        func width(_ y: Int) -> Int {
            (0..<size.width).filter { tipped.alpha($0, y) > 128 }.count
        }
        let upright = try #require(tipped.inkBox)
        #expect(width(upright.bottom - 3) > width(upright.top + 3) + 15)
        // without perspective the far edge is as high as the near one
        layer.transform = .identity
        layer.rotation = Rotation3D(y: 60)
        let flat = try #require(try TitlePicture(layer, size).inkBox)
        #expect(flat.right - flat.left + 1 == 40 && flat.bottom - flat.top + 1 == 80)
    }

    @Test("a layer seen from its edge is nothing, and from behind it is mirrored")
    func edgeAndBack() throws {
        var layer = Layer(
            position: Point(x: 80, y: 60), bounds: Rectangle(x: 0, y: 0, width: 80, height: 80),
            sublayers: [
                Layer(
                    contents: .solid(.white), frame: Rectangle(x: 0, y: 0, width: 20, height: 80))
            ])
        layer.transform = .perspective(distance: 300)
        layer.rotation.y = 90
        #expect(try TitlePicture(layer, size).ink == 0)
        layer.rotation.y = 0
        #expect(try #require(try TitlePicture(layer, size).inkBox).left == 40)
        layer.rotation.y = 180
        let back = try #require(try TitlePicture(layer, size).inkBox)
        #expect(back.left == 100 && back.right == 119)
    }

    @Test("what comes behind the eye does not fold over")
    func behindTheEye() throws {
        var layer = Layer(
            contents: .solid(.white), position: Point(x: 80, y: 60),
            bounds: Rectangle(x: 0, y: 0, width: 400, height: 40))
        layer.transform = .perspective(distance: 100)
        layer.rotation.y = 80
        let picture = try TitlePicture(layer, size)
        // the right part runs to the vanishing point, the left one past the viewer, none to the far right
        #expect(picture.alpha(85, 60) == 255)
        #expect(picture.alpha(40, 60) == 255)
        #expect(picture.alpha(120, 60) == 0)
    }

    @Test("a turn in the plane is clockwise and keeps the area")
    func inPlane() throws {
        var layer = Layer(
            contents: .solid(.white), position: Point(x: 80, y: 60), anchor: Point(x: 0, y: 0.5),
            bounds: Rectangle(x: 0, y: 0, width: 50, height: 10))
        layer.rotation.z = 90
        let box = try #require(try TitlePicture(layer, size).inkBox)
        #expect(box.left == 75 && box.right == 84 && box.top == 60 && box.bottom == 109)
        layer.rotation.z = 33
        let rotated = try TitlePicture(layer, size)
        #expect(abs(rotated.ink - 500) < 3)
    }

    @Test("layers in layers are scaled and rotated with them")
    func nested() throws {
        let inner = Layer(
            contents: .solid(.white), frame: Rectangle(x: 20, y: 0, width: 10, height: 10))
        var outer = Layer(
            position: Point(x: 10, y: 10), anchor: Point(x: 0, y: 0),
            bounds: Rectangle(x: 10, y: 0, width: 40, height: 40), sublayers: [inner])
        outer.scale = Point(x: 3, y: 2)
        let box = try #require(try TitlePicture(outer, size).inkBox)
        // the bounds begin at 10: the inner one lies 10 to the right of the corner, three times as wide
        #expect(box.left == 40 && box.right == 69 && box.top == 10 && box.bottom == 29)
    }
}
