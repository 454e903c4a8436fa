import Foundation
import Media
import Testing

@testable import Compose

@Suite("Paths")
struct BezierPathTests {
    private let size = PixelSize(width: 100, height: 60)

    private func shape(_ contents: ShapeContents) throws -> TitlePicture {
        let frame = Rectangle(x: 0, y: 0, width: 100, height: 60)
        return try TitlePicture(Layer(contents: .shape(contents), frame: frame), size)
    }

    @Test("lengths are those of geometry")
    func length() {
        let box = Rectangle(x: 5, y: 7, width: 30, height: 40)
        #expect(BezierPath.rectangle(box).length == 140)
        let circle = BezierPath.ellipse(in: Rectangle(x: 0, y: 0, width: 100, height: 100))
        #expect(abs(circle.length - 100 * .pi) < 0.1)
        let round = BezierPath.rectangle(box, cornerRadius: 10)
        #expect(abs(round.length - (140 - 80 + 20 * .pi)) < 0.05)
    }

    @Test("a part of a path begins and ends where its share of the length says")
    func trimmed() {
        let line = BezierPath([.move(Point(x: 0, y: 0)), .line(Point(x: 100, y: 0))])
        #expect(
            line.trimmed(from: 0.25, to: 0.5).elements == [
                .move(Point(x: 25, y: 0)), .line(Point(x: 50, y: 0)),
            ])
        #expect(line.trimmed(from: 0.5, to: 0.5).elements.isEmpty)
        #expect(line.trimmed(from: 0, to: 1) == line)
        let two = BezierPath([
            .move(Point(x: 0, y: 0)), .line(Point(x: 30, y: 0)), .move(Point(x: 0, y: 9)),
            .line(Point(x: 10, y: 9)),
        ])
        let middle = two.trimmed(from: 0.5, to: 0.875)
        #expect(
            middle.elements == [
                .move(Point(x: 20, y: 0)), .line(Point(x: 30, y: 0)), .move(Point(x: 0, y: 9)),
                .line(Point(x: 5, y: 9)),
            ])
        let circle = BezierPath.ellipse(in: Rectangle(x: 0, y: 0, width: 80, height: 80))
        #expect(abs(circle.trimmed(from: 0.1, to: 0.7).length / circle.length - 0.6) < 1e-9)
    }

    @Test("a stroke drawn to a third covers a third, from the path's beginning")
    func strokeEnd() throws {
        let path = BezierPath([.move(Point(x: 5, y: 30)), .line(Point(x: 95, y: 30))])
        let whole = try shape(ShapeContents(path: path, stroke: .white, lineWidth: 6))
        let third = try shape(
            ShapeContents(path: path, stroke: .white, lineWidth: 6, strokeEnd: 1.0 / 3))
        #expect(abs(whole.ink - 540) < 2)
        #expect(abs(third.ink - 180) < 2)
        let box = try #require(third.inkBox)
        #expect(box.left == 5 && box.right == 34 && box.top == 27 && box.bottom == 32)
    }

    @Test("caps, fill rules and ellipses cover what geometry says")
    func areas() throws {
        let path = BezierPath([.move(Point(x: 20, y: 30)), .line(Point(x: 80, y: 30))])
        let round = try shape(
            ShapeContents(path: path, stroke: .white, lineWidth: 10, lineCap: .round))
        #expect(abs(round.ink - (600 + 25 * .pi)) < 3)
        let ellipse = BezierPath.ellipse(in: Rectangle(x: 10, y: 10, width: 80, height: 40))
        let oval = try shape(ShapeContents(path: ellipse, fill: .white))
        #expect(abs(oval.ink - 800 * .pi) < 5)
        let nested = BezierPath(
            BezierPath.rectangle(Rectangle(x: 10, y: 10, width: 40, height: 40)).elements
                + BezierPath.rectangle(Rectangle(x: 20, y: 20, width: 20, height: 20)).elements)
        #expect(try shape(ShapeContents(path: nested, fill: .white)).ink == 1600)
        let hollow = ShapeContents(path: nested, fill: .white, fillRule: .evenOdd)
        #expect(try shape(hollow).ink == 1200)
    }

    @Test("a mitred corner is not cut off")
    func miter() throws {
        let path = BezierPath([
            .move(Point(x: 20, y: 50)), .line(Point(x: 50, y: 20)), .line(Point(x: 80, y: 50)),
        ])
        let sharp = try shape(ShapeContents(path: path, stroke: .white, lineWidth: 10))
        let flat = try shape(
            ShapeContents(path: path, stroke: .white, lineWidth: 10, lineJoin: .bevel))
        // the point of a right-angled corner stands out by half the width times the root of two
        #expect(try #require(sharp.inkBox).top == 13)
        #expect(try #require(flat.inkBox).top > 13)
    }
}
