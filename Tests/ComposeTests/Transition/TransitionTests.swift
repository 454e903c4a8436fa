import Media
import Testing

@testable import Compose

@Suite struct TransitionTests {
    private let frame = PixelSize(width: 160, height: 90)
    private let range = MediaTimeRange.seconds(4, 2)

    private func side(
        _ id: Int, _ width: Int, _ height: Int, _ fit: FitMode = .contain, transparent: Bool = false
    ) -> Transition.Side {
        let format = VideoFormat(coding: .coded(.h264), width: width, height: height)
        return Transition.Side(
            layer: LayerInstruction(
                trackID: id, transforms: [TransformRamp(fit.transform(for: format, in: frame))],
                fill: fit.fill(in: frame)),
            width: Double(width), height: Double(height), mayBeTransparent: transparent)
    }

    private func instruction(
        _ transition: Transition, from old: Transition.Side? = nil, to new: Transition.Side? = nil
    ) -> Instruction {
        transition.instruction(
            from: old ?? side(1, 320, 180), to: new ?? side(2, 320, 180), over: range, frame: frame)
    }

    /// Where a layer's frame-sized crop lies in the frame.
    private func shown(_ layer: LayerInstruction, at time: MediaTime) -> [Double] {
        let map = layer.transform(at: time)
        guard let crop = layer.crop(at: time) else { return [] }
        let rectangle = crop.rectangle
        let (left, top) = map.apply(x: rectangle.x, y: rectangle.y)
        let (right, bottom) = map.apply(
            x: rectangle.x + rectangle.width, y: rectangle.y + rectangle.height)
        return [left, top, right, bottom].map { ($0 * 1000).rounded() / 1000 }
    }

    @Test func aDissolveFadesTheOldFrameOverTheNewOne() {
        let result = instruction(.dissolve(.seconds(2)))
        #expect(result.layers.map(\.trackID) == [1, 2])
        let opacities = [4, 5, 6].map { result.layers[0].opacity(at: .seconds($0)) }
        #expect(opacities == [1, 0.5, 0])
        #expect(result.layers[1].opacity(at: .seconds(5)) == 1)
        #expect(result.layers[0].fill == .none, "a picture that covers the frame needs no bars")
    }

    @Test func aFrameThatDoesNotCoverTheFrameDissolvesWithItsBars() {
        let dissolve = Transition.dissolve(.seconds(2))
        let narrow = instruction(dissolve, from: side(1, 90, 90))
        #expect(narrow.layers[0].fill == .color(.black))
        let blurred = instruction(dissolve, from: side(1, 90, 90, .blurred))
        #expect(blurred.layers[0].fill == .blurred(radius: 4))
        let see = instruction(dissolve, from: side(1, 320, 180, transparent: true))
        #expect(see.layers[0].fill == .color(.black))
    }

    @Test(arguments: [
        (Transition.Direction.left, [-80.0, 0], [80.0, 0]), (.right, [80, 0], [-80, 0]),
        (.up, [0, -45], [0, 45]), (.down, [0, 45], [0, -45]),
    ])
    func aPushMovesBothFramesSideBySide(
        _ direction: Transition.Direction, _ old: [Double], _ new: [Double]
    ) {
        // pictures that stand out of the frame are cut to it
        let result = instruction(
            .push(direction, .seconds(2)), from: side(1, 320, 320, .cover),
            to: side(2, 90, 200, .cover))
        func moved(_ by: [Double]) -> [Double] { [by[0], by[1], 160 + by[0], 90 + by[1]] }
        #expect(shown(result.layers[0], at: .seconds(5)) == moved(old))
        #expect(shown(result.layers[1], at: .seconds(5)) == moved(new))
        #expect(shown(result.layers[0], at: .seconds(4)) == [0, 0, 160, 90])
        #expect(shown(result.layers[1], at: .seconds(6)) == [0, 0, 160, 90])
    }

    @Test(arguments: [
        (Transition.Direction.left, [-16.0, -16, 88, 106]), (.right, [72, -16, 176, 106]),
        (.up, [-9, -9, 169, 49.5]), (.down, [-9, 40.5, 169, 99]),
    ])
    func aWipeMovesOneSoftEdgeAndKeepsTheOthersOutside(
        _ direction: Transition.Direction, _ middle: [Double]
    ) {
        let result = instruction(.wipe(direction, softness: 0.1, .seconds(2)))
        let layer = result.layers[0]
        let half = shown(layer, at: .seconds(5))
        let isAcross = direction == .left || direction == .right
        let soft = isAcross ? 16.0 : 9.0
        #expect(layer.crop(at: .seconds(5))?.softness == soft * 2, "pixels of the picture")
        #expect(half == middle)
        #expect(shown(layer, at: .seconds(4)) == [-soft, -soft, 160 + soft, 90 + soft])
        #expect(result.layers[1].crops.isEmpty)
    }

    @Test(arguments: Transition.Direction.allCases)
    func atItsEndAWipeHasUncoveredAll(_ direction: Transition.Direction) {
        let result = instruction(.wipe(direction, softness: 0.1, .seconds(2)))
        let end = shown(result.layers[0], at: .seconds(6))
        // what is left lies outside the frame, softness and all
        #expect(end[2] <= 0 || end[0] >= 160 || end[3] <= 0 || end[1] >= 90)
    }

    @Test func aFadeGoesThroughItsColour() {
        let result = instruction(.fade(through: .white, .seconds(2)), to: side(2, 90, 90))
        #expect(result.background == .white)
        func opacities(_ time: MediaTime) -> [Double] { result.layers.map { $0.opacity(at: time) } }
        #expect(opacities(.seconds(4)) == [1, 0])
        #expect(opacities(.milliseconds(4500)) == [0.5, 0])
        #expect(opacities(.seconds(5)) == [0, 0])
        #expect(opacities(.milliseconds(5500)) == [0, 0.5])
        #expect(opacities(.seconds(6)) == [0, 1])
        #expect(result.layers.map(\.fill) == [.none, .color(.black)])
    }

    @Test func transitionsAreWrittenForShortAndReadBack() {
        let all: [Transition] = [
            .cut, .dissolve(.seconds(1)), .push(.left, .milliseconds(500)),
            .wipe(.down, MediaTime(value: 1001, timescale: 30_000)), .fade(.seconds(2)),
            .fade(through: .white, .seconds(1)),
            .fade(through: Color(red: 0.2, green: 0.4, blue: 0.6), .seconds(1)),
            .zoom(.inward, .seconds(1)), .zoom(.outward, .seconds(1)), .iris(.opening, .seconds(1)),
            .iris(.closing, .milliseconds(250)), .luma("clouds.png", .seconds(1)),
            .luma("a-b:c/2:1.png", .seconds(3)), .luma("x:ease-in", .seconds(1)),
            Transition(.push(.up), duration: .seconds(1), curve: .easeInOut),
            Transition(.dissolve, duration: MediaTime(value: 1, timescale: 3), curve: .easeIn),
            Transition(
                .luma(LumaTransition("a.png")), duration: .seconds(1),
                curve: .cubicBezier(0.5, 0, 0.25, 1.5)),
        ]
        #expect(
            all.map(\.projectText) == [
                "cut", "dissolve:1s", "push-left:0.5s", "wipe-down:1001/30000", "fade:2s",
                "fade-white:1s", "fade-#336699:1s", "zoom:1s", "zoom-out:1s", "iris:1s",
                "iris-close:0.25s", "luma-clouds.png:1s", "luma-a-b:c/2:1.png:3s",
                "luma-x:ease-in:1s", "push-up:1s:ease-in-out", "dissolve:1/3:ease-in",
                "luma-a.png:1s:cubic-bezier(0.5, 0.0, 0.25, 1.5)",
            ])
        for transition in all {
            #expect(Transition(projectText: transition.projectText ?? "") == transition)
        }
        for text in [
            "", "dissolve", "dissolve:0", "push", "wipe-in:1s", "fade-:1s", "cut:1s",
            "zoom-in:1s", "iris-open:1s", "luma:1s", "luma-:1s", "luma-a.png", "iris:1s:fast",
            "cut:ease-in", "dissolve:ease-in", "iris:1s:ease-in:ease-in",
        ] {
            #expect(Transition(projectText: text) == nil, "\(text)")
        }
    }

    @Test func whatAWordDoesNotSayHasNoShortForm() {
        for transition in [
            Transition.iris(.opening, softness: 0.5, .seconds(1)),
            .iris(.opening, center: Point(x: 0.2, y: 0.5), .seconds(1)),
            .luma("a.png", softness: 0, .seconds(1)), .luma("a.png", isInverted: true, .seconds(1)),
        ] {
            #expect(transition.projectText == nil)
        }
    }
}
