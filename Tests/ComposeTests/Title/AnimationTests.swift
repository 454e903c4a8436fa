import Foundation
import Media
import Testing

@testable import Compose

@Suite("Animations of layers")
struct AnimationTests {
    private func at(_ milliseconds: Int64) -> MediaTime { .milliseconds(milliseconds) }

    private func opacity(
        _ timing: AnimationTiming, _ milliseconds: Int64
    ) -> Double? {
        LayerAnimation.basic(.opacity, from: 0.2, to: 0.8, timing: timing)
            .value(of: .opacity, at: at(milliseconds))
    }

    @Test("a linear animation is a straight line in time and holds outside")
    func linear() throws {
        let timing = AnimationTiming(begin: .seconds(2), duration: .seconds(4))
        for (time, expected) in [
            (0, 0.2), (1999, 0.2), (2000, 0.2), (3000, 0.35), (4000, 0.5), (5900, 0.785),
            (6000, 0.8), (99_000, 0.8),
        ] {
            let value = try #require(opacity(timing, Int64(time)))
            #expect(abs(value - expected) < 1e-12, "at \(time) ms")
        }
    }

    @Test("fill decides what shows before and after", arguments: AnimationTiming.Fill.allCases)
    func fill(_ fill: AnimationTiming.Fill) {
        let timing = AnimationTiming(begin: .seconds(1), duration: .seconds(1), fill: fill)
        let before = opacity(timing, 500)
        let after = opacity(timing, 2000)
        #expect(before == (fill == .backwards || fill == .both ? 0.2 : nil))
        #expect(after == (fill == .forwards || fill == .both ? 0.8 : nil))
        #expect(opacity(timing, 1999) != nil)
    }

    @Test("repeats start again and autoreverse runs back")
    func repeats() throws {
        var timing = AnimationTiming(duration: .seconds(1), repeats: .count(3))
        #expect(opacity(timing, 2500) == 0.5)
        #expect(opacity(timing, 3000) == 0.8)
        timing.autoreverses = true
        for (time, expected) in [
            (250, 0.35), (1000, 0.8), (1250, 0.65), (2000, 0.2), (5750, 0.35), (6000, 0.2),
            (9000, 0.2),
        ] {
            let value = try #require(opacity(timing, Int64(time)))
            #expect(abs(value - expected) < 1e-12, "at \(time) ms")
        }
        timing.repeats = .count(0.25)
        #expect(opacity(timing, 700) == 0.5)
        timing.repeats = .duration(.milliseconds(1500))
        #expect(opacity(timing, 20_000) == 0.5)
        timing.repeats = .forever
        let late = try #require(opacity(timing, 1_000_000_250))
        #expect(abs(late - 0.35) < 1e-9)
    }

    @Test("the value at frame n of 29.97 is the formula's, however late the frame")
    func exactTimes() throws {
        let timing = AnimationTiming(
            begin: MediaTime(value: 1001, timescale: 30_000),
            duration: MediaTime(value: 300 * 1001, timescale: 30_000), repeats: .forever)
        let animation = LayerAnimation.basic(.rotationY, from: 0, to: 360, timing: timing)
        for frame in [1, 2, 151, 300, 301, 3_000_000, 3_000_151] {
            let time = MediaTime(value: Int64(frame) * 1001, timescale: 30_000)
            let value = try #require(animation.value(of: .rotationY, at: time))
            #expect(abs(value - Double((frame - 1) % 300) * 1.2) < 1e-9, "frame \(frame)")
        }
    }

    @Test("times of any two timescales can meet")
    func foreignTimescales() throws {
        let timing = AnimationTiming(
            begin: MediaTime(value: 3, timescale: 2_147_483_647),
            duration: MediaTime(value: 2_147_483_629, timescale: 2_147_483_629))
        let value = LayerAnimation.basic(.opacity, from: 0, to: 1, timing: timing)
            .value(of: .opacity, at: MediaTime(value: 352_800_000, timescale: 705_600_000))
        #expect(abs((value ?? 0) - 0.5) < 1e-8)
    }

    @Test(
        "a curve with its control points at thirds of the time is the Bernstein polynomial",
        arguments: [(0.0, 1.0), (1.0, 0.0), (-0.6, 1.6), (0.2, 0.9)])
    func cubicInClosedForm(_ y1: Double, _ y2: Double) {
        // with x1 = 1/3 and x2 = 2/3 the curve's parameter is the time itself
        let curve = TimingCurve.cubicBezier(1.0 / 3, y1, 2.0 / 3, y2)
        for step in 0...20 {
            let t = Double(step) / 20
            let expected = 3 * (1 - t) * (1 - t) * t * y1 + 3 * (1 - t) * t * t * y2 + t * t * t
            #expect(abs(curve.value(at: t) - expected) < 1e-12)
        }
    }

    @Test("the named curves pass through their known points")
    func namedCurves() {
        #expect(TimingCurve.linear.value(at: 0.3) == 0.3)
        #expect(abs(TimingCurve.easeInOut.value(at: 0.5) - 0.5) < 1e-12)
        // parameter 1/2 of (0.42, 0, 1, 1): x = 3/8·1.42 + 1/8, y = 1/2
        #expect(abs(TimingCurve.easeIn.value(at: 0.6575) - 0.5) < 1e-12)
        #expect(abs(TimingCurve.easeOut.value(at: 0.3425) - 0.5) < 1e-12)
        for curve in [TimingCurve.easeIn, .easeOut, .easeInOut] {
            let values = (0...100).map { curve.value(at: Double($0) / 100) }
            #expect(values.first == 0 && values.last == 1)
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
        }
        for step in 0...10 {
            let t = Double(step) / 10
            let mirrored = 1 - TimingCurve.easeOut.value(at: 1 - t)
            #expect(abs(TimingCurve.easeIn.value(at: t) - mirrored) < 1e-12)
        }
    }

    @Test("key frames are reached at their times, each way with its own curve")
    func keyFrames() throws {
        let timing = AnimationTiming(begin: .seconds(1), duration: .seconds(10))
        let animation = LayerAnimation.keyframes(
            .position,
            values: [Point(x: 0, y: 100), Point(x: 10, y: 100), Point(x: 110, y: 0)],
            keyTimes: [0, 0.2, 1], curves: [.linear, .easeIn], timing: timing)
        func position(_ milliseconds: Int64) throws -> Point {
            try #require(animation.value(of: .position, at: at(milliseconds)))
        }
        #expect(try position(2000) == Point(x: 5, y: 100))
        #expect(try position(3000) == Point(x: 10, y: 100))
        #expect(try position(11_000) == Point(x: 110, y: 0))
        let eased = TimingCurve.easeIn.value(at: 0.5)
        let middle = try position(7000)
        #expect(abs(middle.x - (10 + 100 * eased)) < 1e-9)
        #expect(abs(middle.y - (100 - 100 * eased)) < 1e-9)
    }

    @Test("discrete key frames hold until the next one, evenly spread unless times are given")
    func discrete() {
        let timing = AnimationTiming(duration: .seconds(4), repeats: .count(2))
        let animation = LayerAnimation.keyframes(
            .strokeEnd, values: [0.1, 0.2, 0.3, 0.4], interpolation: .discrete, timing: timing)
        let values = [0, 999, 1000, 2500, 3999, 4000, 8000].map {
            animation.value(of: .strokeEnd, at: at($0))
        }
        #expect(values == [0.1, 0.1, 0.2, 0.3, 0.4, 0.1, 0.4])
    }

    @Test("an overshooting curve goes beyond the last value and comes back")
    func overshoot() throws {
        let timing = AnimationTiming(
            duration: .seconds(1), curve: .cubicBezier(1.0 / 3, 0, 2.0 / 3, 2))
        let animation = LayerAnimation.basic(.scaleX, from: 1, to: 3, timing: timing)
        let value = try #require(animation.value(of: .scaleX, at: at(800)))
        // 3·0.2·0.64·2 + 0.512 = 1.28
        #expect(abs(value - (1 + 2 * 1.28)) < 1e-9)
        #expect(animation.value(of: .scaleX, at: at(1000)) == 3)
    }

    @Test("of a fade in and a fade out each rules its own time")
    func fadeInAndOut() {
        var layer = Layer(bounds: Rectangle(x: 0, y: 0, width: 10, height: 10))
        let entering = AnimationTiming(begin: .seconds(1), duration: .seconds(1))
        let leaving = AnimationTiming(begin: .seconds(5), duration: .seconds(1))
        let pair: [LayerAnimation] = [
            .basic(.opacity, from: 0, to: 1, timing: entering),
            .basic(.opacity, from: 1, to: 0, timing: leaving),
        ]
        for animations in [pair, pair.reversed()] {
            layer.animations = animations
            let values = [0, 1500, 3000, 5500, 7000].map { layer.presentation(at: at($0)).opacity }
            #expect(values == [0, 0.5, 1, 0.5, 0])
        }
    }

    @Test("a layer shows its own value where no animation speaks, and parts beside whole points")
    func presentation() {
        var layer = Layer(
            contents: .solid(.black), position: Point(x: 7, y: 8),
            bounds: Rectangle(x: 1, y: 2, width: 30, height: 40))
        let timing = AnimationTiming(begin: .seconds(1), duration: .seconds(2), fill: .none)
        layer.animations = [
            .basic(.positionX, from: 100, to: 200, timing: timing),
            .basic(
                .position, from: Point(x: 0, y: 50), to: Point(x: 0, y: 60), timing: timing),
            .basic(
                .boundsSize, from: Size(width: 10, height: 20), to: Size(width: 20, height: 30),
                timing: timing),
            .basic(.color, from: .black, to: Color(red: 1, green: 0.5, blue: 0), timing: timing),
            .basic(.rotationZ, from: 0, to: 90, timing: timing),
        ]
        #expect(layer.presentation(at: .zero) == layer)
        let now = layer.presentation(at: .seconds(2))
        #expect(now.position == Point(x: 150, y: 55))
        #expect(now.bounds == Rectangle(x: 1, y: 2, width: 15, height: 25))
        #expect(now.contents == .solid(Color(red: 0.5, green: 0.25, blue: 0)))
        #expect(now.rotation.z == 45)
        #expect(layer.presentation(at: .seconds(3)) == layer)
    }

    @Test("a shape's and an outline's own values move; what contents lack changes nothing")
    func contentValues() {
        let timing = AnimationTiming(duration: .seconds(1))
        let animations: [LayerAnimation] = [
            .basic(.strokeStart, from: 0, to: 0.5, timing: timing),
            .basic(.lineWidth, from: 2, to: 4, timing: timing),
            .basic(.strokeColor, from: .white, to: .black, timing: timing),
        ]
        let box = Rectangle(x: 0, y: 0, width: 10, height: 10)
        var shape = Layer(
            contents: .shape(ShapeContents(path: .rectangle(box), stroke: .white)), bounds: box)
        shape.animations = animations
        guard case .shape(let drawn) = shape.presentation(at: .milliseconds(500)).contents else {
            Issue.record("a shape became something else")
            return
        }
        #expect(drawn.strokeStart == 0.25 && drawn.lineWidth == 3)
        #expect(drawn.stroke == Color(red: 0.5, green: 0.5, blue: 0.5))
        var text = Layer(
            contents: .text(TextContents("a", outline: .init(color: .white, width: 1))), bounds: box
        )
        text.animations = animations
        guard case .text(let words) = text.presentation(at: .seconds(1)).contents else {
            Issue.record("a text became something else")
            return
        }
        #expect(words.outline == .init(color: .black, width: 4))
        var solid = Layer(contents: .solid(.white), bounds: box)
        solid.animations = animations
        #expect(solid.presentation(at: .seconds(1)) == solid)
    }
}
