import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Curves of transitions")
struct TransitionCurveTests {
    private let stage = TransitionStage()
    private static let kinds: [Transition.Kind] = [
        .dissolve, .push(.left), .wipe(.down, softness: 0.1), .fade(through: .white),
        .zoom(ZoomTransition(.inward)), .zoom(ZoomTransition(.outward)),
        .iris(IrisTransition(.opening, softness: 0.1)), .iris(IrisTransition(.closing)),
    ]

    @Test(
        "a frame is that of the linear transition at the curve's progress", arguments: kinds,
        [TimingCurve.easeIn, .easeInOut, .cubicBezier(0.1, 0.9, 0.2, 1)])
    func eased(_ kind: Transition.Kind, _ curve: TimingCurve) throws {
        for time in [0, 0.2, 0.5, 0.9] {
            let eased = try stage.codes(
                Transition(kind, duration: .seconds(2), curve: curve), at: time)
            // the nearest instant in whole milliseconds
            let progress = curve.value(at: time)
            let linear = try stage.codes(Transition(kind, duration: .seconds(2)), at: progress)
            let fidelity = stage.fidelity(eased, linear.map { $0.map { Double($0) } })
            #expect(fidelity >= 42, "at \(time): \(fidelity) dB")
        }
    }

    @Test(
        "a curve far beyond its ends shows the ends, and what moves the background",
        arguments: kinds, [TimingCurve.cubicBezier(0, 100, 1, 100), .cubicBezier(0, -100, 1, -100)])
    func overshooting(_ kind: Transition.Kind, _ curve: TimingCurve) throws {
        let transition = Transition(kind, duration: .seconds(2), curve: curve)
        try transition.validate("it")
        for layer in stage.instruction(transition).layers { try layer.validate() }
        let isAbove = curve.y1 > 0
        let codes = try stage.codes(transition, at: 0.5)
        var expected = stage.alone(isAbove ? stage.new : stage.old, at: 0.5)
        if case .push = kind {
            // both are out of the frame
            expected = ReferenceCompositor(target: stage.target).compose(
                Scene(background: stage.background))
        }
        #expect(stage.fidelity(codes, expected) >= 45)
    }

    @Test("clips that dissolve in a place of their own follow it too, and no audio does")
    func placed() throws {
        let assets = [SampleAsset.clip("a.mp4", seconds: 4), SampleAsset.clip("b.mp4", seconds: 4)]
        func film(_ curve: TimingCurve, at place: ClipPlace?) throws -> Film {
            var videos = [
                VideoItem("a.mp4"),
                VideoItem(
                    "b.mp4", transition: Transition(.dissolve, duration: .seconds(2), curve: curve)),
            ]
            for index in videos.indices { videos[index].place = place }
            return try TimelineBuilder(Timeline(videos: videos), assets: assets).film()
        }
        for place in [nil, ClipPlace(.topLeft, width: 0.5)] {
            let (eased, plain) = (try film(.easeIn, at: place), try film(.linear, at: place))
            func opacity(_ film: Film) -> Double? {
                film.videoComposition?.instruction(at: .seconds(3))?.layers.first?
                    .opacity(at: .seconds(3))
            }
            let wanted = 1 - TimingCurve.easeIn.value(at: 0.5)
            #expect(((opacity(eased) ?? 0) - wanted).magnitude < 0.001)
            #expect(opacity(plain) == 0.5)
            #expect(String(reflecting: eased.audioMix) == String(reflecting: plain.audioMix))
        }
    }

    @Test("a cut has no curve, and none is beyond all sense")
    func refused() {
        func refusal(_ transition: Transition) -> String {
            do throws(MediaError) { try transition.validate("the transition") } catch {
                return error.message
            }
            return ""
        }
        #expect(
            refusal(Transition(.cut, duration: .zero, curve: .easeIn))
                == "the transition is a cut, so it has no curve; leave it out or choose dissolve")
        let curve = TimingCurve.cubicBezier(0, .infinity, 1, 1)
        #expect(
            refusal(Transition(.dissolve, duration: .seconds(1), curve: curve)).contains("curve"))
        #expect(refusal(.iris(.opening, softness: 1.5, .seconds(1))).contains("softness"))
        #expect(
            refusal(.iris(.opening, center: Point(x: 0.5, y: 2), .seconds(1)))
                == "the middle of the transition is at 0.5, 2.0; each can be 0 to 1")
        #expect(refusal(.luma("a.png", softness: -1, .seconds(1))).contains("softness"))
        #expect(refusal(.luma("", .seconds(1))).contains("name its file"))
        #expect(refusal(.zoom(.inward, .zero)).contains("more than nothing"))
    }
}
