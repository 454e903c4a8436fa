import Glibc
import Media
import TestSupport
import Testing

@testable import Compose
@testable import LibAV

/// Frames with a grade beside a slow reference, whose formulae are written here once more.
@Suite("Graded frames")
struct GradeFrameTests {
    typealias Change = @Sendable (SIMD3<Double>) -> SIMD3<Double>

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let grade: ColorGrade
        let change: Change
        var testDescription: String { name }

        init(_ name: String, _ edit: (inout ColorGrade) -> Void, _ change: @escaping Change) {
            var grade = ColorGrade()
            edit(&grade)
            (self.name, self.grade, self.change) = (name, grade, change)
        }
    }

    private static func each(
        _ change: @escaping @Sendable (Double) -> Double
    ) -> Change {
        { SIMD3(change($0.x), change($0.y), change($0.z)) }
    }

    /// A power that keeps the sign.
    private static func power(_ base: Double, _ exponent: Double) -> Double {
        base < 0 ? -pow(-base, exponent) : pow(base, exponent)
    }

    static let cases = [
        Case("exposure") {
            $0.exposure = 0.75
        } _: { color in
            let factor = pow(2, 0.75 / 2.4)
            return color * factor
        },
        Case("contrast") {
            $0.contrast = 1.4
        } _: { color in
            let pivot = pow(0.18, 1 / 2.4)
            return (color - pivot) * 1.4 + pivot
        },
        Case("saturation") {
            $0.saturation = 0.3
        } _: { color in
            let gray = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
            return color * 0.3 + gray * 0.7
        },
        Case("black and white") {
            $0.saturation = 0
        } _: { color in
            SIMD3(repeating: 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z)
        },
        Case("lift, gamma and gain") {
            $0.lift = ChannelValues(red: 0.1, green: 0, blue: -0.05)
            $0.gamma = ChannelValues(1.2)
            $0.gain = ChannelValues(red: 0.9, green: 1, blue: 1.1)
        } _: { color in
            let (lift, gain) = (SIMD3(0.1, 0, -0.05), SIMD3(0.9, 1, 1.1))
            let moved = gain * (color + lift * (1 - color))
            return SIMD3(
                power(moved.x, 1 / 1.2), power(moved.y, 1 / 1.2), power(moved.z, 1 / 1.2))
        },
        // through two points a curve is a line
        Case("a curve") {
            $0.curve = ToneCurve([.init(0.1, 0.2), .init(0.9, 0.7)])
        } _: { color in
            each { 0.2 + 0.5 / 0.8 * (min(0.9, max(0.1, $0)) - 0.1) }(color)
        },
        Case("one channel's curve") {
            $0.greenCurve = ToneCurve([.init(0, 1), .init(1, 0)])
        } _: { color in
            SIMD3(color.x, 1 - min(1, max(0, color.y)), color.z)
        },
        Case("several, in order") {
            ($0.saturation, $0.exposure, $0.contrast) = (1.5, -1, 0.8)
        } _: { color in
            let dark = color * pow(2, -1 / 2.4)
            let pivot = pow(0.18, 1 / 2.4)
            let flat = (dark - pivot) * 0.8 + pivot
            let gray = 0.2126 * flat.x + 0.7152 * flat.y + 0.0722 * flat.z
            return flat * 1.5 - gray * 0.5
        },
    ]

    private func graded(
        _ frame: PixelBuffer, _ format: VideoFormat, _ grade: ColorGrade, changing: Bool = false,
        threads: Int = 2
    ) throws -> PixelBuffer {
        try RenderFrames.compositor(format, threads: threads).compose(
            Scene(layers: [
                SceneLayer(
                    picture: frame, format: format, grade: grade, isGradeChanging: changing)
            ]))
    }

    @Test("8 bits are exact but for the rounding of codes", arguments: cases)
    func exact(_ one: Case) throws {
        let format = RenderFrames.format(96, 64)
        let frame = RenderFrames.waves(format)
        let made = try graded(frame, format, one.grade)
        let distance = ReferenceGrade(format: format, change: one.change).distance(
            of: made, from: frame)
        // chroma and luma between samples are rounded as well
        #expect(distance.fidelity > 48 && distance.most < 2, "\(distance)")
        // a control: another grade is far from it
        var other = one.grade
        other.gain.red *= 0.9
        let wrong = try graded(frame, format, other)
        #expect(
            ReferenceGrade(format: format, change: one.change).distance(of: wrong, from: frame)
                .fidelity < 40)
    }

    @Test("10 bits, and grades on their way, are as good as nobody can see", arguments: cases)
    func stepped(_ one: Case) throws {
        let deep = RenderFrames.format(96, 64, .yuv420p10le)
        let frame = RenderFrames.waves(deep)
        let made = try graded(frame, deep, one.grade)
        let distance = ReferenceGrade(format: deep, change: one.change).distance(
            of: made, from: frame)
        #expect(distance.fidelity > 52, "\(distance)")
        let format = RenderFrames.format(96, 64)
        let plain = RenderFrames.waves(format)
        let changing = try graded(plain, format, one.grade, changing: true)
        let other = ReferenceGrade(format: format, change: one.change).distance(
            of: changing, from: plain)
        #expect(other.fidelity > 45, "\(other)")
    }

    @Test("any number of threads makes the same bytes, and without a grade it is the frame itself")
    func same() throws {
        let format = RenderFrames.format(130, 78)
        let frame = RenderFrames.waves(format)
        let one = try graded(frame, format, Self.cases[4].grade, threads: 1)
        let four = try graded(frame, format, Self.cases[4].grade, threads: 4)
        #expect(RenderFrames.allCodes(one) == RenderFrames.allCodes(four))
        #expect(try graded(frame, format, ColorGrade()).sharesPixels(with: frame))
        var idle = ColorGrade()
        (idle.curve, idle.table, idle.tableStrength) = (.identity, "not/there.cube", 0)
        #expect(try graded(frame, format, idle).sharesPixels(with: frame))
    }

    @Test("warmer light is redder and as light, neutral stays neutral, and back again is the same")
    func whiteBalance() throws {
        let space = GradeSpace(FrameLight(.bt709))
        func made(_ temperature: Double, _ tint: Double, _ color: SIMD3<Double>) -> SIMD3<Double> {
            WhiteBalance(temperature: temperature, tint: tint).mapping(in: space)(color)
        }
        let gray = SIMD3(repeating: 0.5)
        let (warm, cold) = (made(60, 0, gray), made(-60, 0, gray))
        #expect(warm.x > 0.52 && warm.z < 0.45 && cold.x < 0.48 && cold.z > 0.53)
        let (magenta, green) = (made(0, 60, gray), made(0, -60, gray))
        #expect(magenta.y < 0.49 && magenta.x > 0.5 && magenta.z > 0.5)
        #expect(green.y > 0.505 && green.x < 0.5 && green.z < 0.5)
        for color in [warm, cold, magenta, green] {
            let light = (space.light(of: color) * space.lumaWeights).sum()
            #expect((light / pow(0.5, 2.4) - 1).magnitude < 2e-3)
        }
        #expect((made(0, 0, gray) - gray).max() < 1e-9)
        // daylight at 5,500 K lies 28 mired beside that at 6,504 K: CIE's series D has x 0.3325 and y 0.3476, black
        // bodies lie a little below
        let white = BlackBody.white(mired: 1e6 / 5500, tint: 0)
        #expect((white.x - 0.3325).magnitude < 0.001 && (white.y - 0.3411).magnitude < 0.001)
    }

    @Test("a stop is twice the light, in PQ and HLG too")
    func stops() throws {
        for transfer in [UInt8(16), 18] {
            let color = ColorDescription(
                primaries: 9, transfer: transfer, matrix: 9, range: .limited)
            let space = GradeSpace(FrameLight(color))
            let made = Exposure(stops: 1).mapping(in: space)(SIMD3(0.3, 0.4, 0.2))
            let codes = [(0.3, made.x), (0.4, made.y), (0.2, made.z)]
            for (before, after) in codes {
                let ratio =
                    transfer == 16
                    ? LightCurve.light(ofPQ: after) / LightCurve.light(ofPQ: before)
                    : LightCurve.scene(ofHLG: after) / LightCurve.scene(ofHLG: before)
                #expect((ratio - 2).magnitude < 1e-6)
            }
        }
    }

    @Test("four grades at once are each made once, and a frame does not depend on the one before")
    func store() throws {
        let format = RenderFrames.format(64, 48)
        let frame = RenderFrames.waves(format)
        func layer(_ saturation: Double, isChanging: Bool) -> SceneLayer {
            var grade = ColorGrade()
            grade.saturation = saturation
            return SceneLayer(
                picture: frame, format: format, transform: .scale(x: 0.5, y: 0.5), opacity: 0.5,
                grade: grade, isGradeChanging: isChanging)
        }
        let still = Scene(layers: [0, 0.5, 1.5, 2].map { layer($0, isChanging: false) })
        let moving = Scene(layers: [0, 0.5, 1.5, 2].map { layer($0, isChanging: true) })
        let running = try RenderFrames.compositor(format)
        for scene in [still, moving, still, moving] {
            let alone = try RenderFrames.compositor(format).compose(scene)
            #expect(
                try RenderFrames.allCodes(running.compose(scene)) == RenderFrames.allCodes(alone))
        }
    }

    @Test("one channel's curve leaves what the others have beyond white")
    func beyond() {
        let curves = ToneCurves(
            red: ToneCurve([.init(0, 0), .init(1, 0.5)]), green: .identity, blue: .identity)
        let made = curves.mapping(in: GradeSpace(FrameLight(.bt709)))(SIMD3(1.1, 1.09, -0.05))
        #expect(made == SIMD3(0.5, 1.09, -0.05))
    }

    @Test("effects of one's own are the last ones, and what is no number changes nothing")
    func own() throws {
        struct Inverted: ColorEffect {
            func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
                { 1 - $0 }
            }
        }
        struct Broken: ColorEffect {
            func mapping(in space: GradeSpace) -> @Sendable (SIMD3<Double>) -> SIMD3<Double> {
                { _ in SIMD3(repeating: .nan) }
            }
        }
        let format = RenderFrames.format(64, 48)
        let frame = RenderFrames.waves(format)
        var grade = ColorGrade()
        grade.gain = ChannelValues(0.5)
        grade.effects = [Inverted()]
        let made = try graded(frame, format, grade)
        let distance = ReferenceGrade(format: format) { 1 - $0 * 0.5 }.distance(
            of: made, from: frame)
        #expect(distance.fidelity > 48, "\(distance)")
        grade = ColorGrade()
        grade.effects = [Broken()]
        #expect(
            try RenderFrames.allCodes(graded(frame, format, grade)) == RenderFrames.allCodes(frame))
        #expect(!grade.isEmpty && grade != ColorGrade())
        var same = ColorGrade()
        same.effects = [Broken()]
        #expect(same == grade && same.hashValue == grade.hashValue)
    }

    @Test(
        "a picture that must be conformed, is turned or transparent, is graded in the film's colours"
    )
    func conformed() throws {
        let target = RenderFrames.format(96, 64)
        var grade = ColorGrade()
        grade.saturation = 0
        let source = RenderFrames.format(
            64, 48, .bgra, orientation: VideoOrientation(rotation: .clockwise90))
        let scene = Scene(layers: [
            SceneLayer(
                picture: RenderFrames.waves(source), format: source,
                transform: Transform2D(a: 1.3, b: 0.2, c: -0.2, d: 1.3, tx: 10, ty: 0),
                grade: grade)
        ])
        let codes = RenderFrames.allCodes(try RenderFrames.compositor(target).compose(scene))
        #expect(codes[1].allSatisfy { $0 == 128 } && codes[2].allSatisfy { $0 == 128 })
        #expect(Set(codes[0]).count > 40)
        // a fill belongs to the layer
        let filled = Scene(layers: [
            SceneLayer(
                picture: RenderFrames.waves(source), format: source, fill: .blurred(radius: 4),
                grade: grade)
        ])
        let others = RenderFrames.allCodes(try RenderFrames.compositor(target).compose(filled))
        #expect(others[1].allSatisfy { $0 == 128 } && others[2].allSatisfy { $0 == 128 })
    }
}
