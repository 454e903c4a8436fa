import Glibc
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Frames of transitions against a slow reference")
struct TransitionFrameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let instants = [0, 0.4, 0.975]
    static let names = TransitionStage.stages.map(\.name)

    private func stage(_ name: String) throws -> TransitionStage {
        try #require(TransitionStage.stages.first { $0.name == name }).stage
    }

    /// The new clip's share at a distance from the middle of an iris that opens.
    private func iris(
        _ iris: IrisTransition, _ progress: Double
    ) -> (_ area: Rectangle) -> Double {
        let (x, y) = (iris.center.x * 160, iris.center.y * 96)
        let corners: [(Double, Double)] = [(0, 0), (160, 0), (0, 96), (160, 96)]
        let reach = corners.map { hypot($0.0 - x, $0.1 - y) }.max() ?? 0
        let soft = iris.softness * reach
        let isOpening = iris.direction == .opening
        let radius = (isOpening ? progress : 1 - progress) * (reach + soft)
        func share(_ px: Double, _ py: Double) -> Double {
            let distance = hypot(px - x, py - y)
            if soft == 0 { return distance < radius ? 1 : 0 }
            return max(0, min(1, (radius - distance) / soft))
        }
        return { area in
            var sum = 0.0
            for j in 0..<16 {
                for i in 0..<16 {
                    sum += share(
                        area.x + (Double(i) + 0.5) / 16 * area.width,
                        area.y + (Double(j) + 0.5) / 16 * area.height)
                }
            }
            return isOpening ? sum / 256 : 1 - sum / 256
        }
    }

    @Test("a circle opens or closes, soft or sharp, about any middle", arguments: names)
    func irises(_ name: String) throws {
        let stage = try stage(name)
        for progress in Self.instants {
            let (old, new) = stage.alone(at: progress)
            for effect in [
                IrisTransition(.opening, softness: 0.3),
                IrisTransition(.closing, softness: 0, center: Point(x: 0.25, y: 0.8)),
            ] {
                let codes = try stage.codes(
                    Transition(.iris(effect), duration: .seconds(2)), at: progress)
                let fidelity = stage.fidelity(
                    codes, stage.mixed(old, new, iris(effect, progress)))
                #expect(fidelity >= 45, "\(effect) at \(progress): \(fidelity) dB")
            }
        }
    }

    @Test("a zoom grows one frame and dissolves it into another that settles", arguments: names)
    func zooms(_ name: String) throws {
        let stage = try stage(name)
        func map(_ size: Double) -> Transform2D {
            Transform2D(a: size, b: 0, c: 0, d: size, tx: 80 - 80 * size, ty: 48 - 48 * size)
        }
        for direction in ZoomTransition.Direction.allCases {
            for progress in Self.instants {
                let codes = try stage.codes(.zoom(direction, .seconds(2)), at: progress)
                let isInward = direction == .inward
                let way = isInward ? progress : 1 - progress
                let sizes = (near: map(1 + way), far: map(1.25 - 0.25 * way))
                let reference = stage.mixed(
                    stage.alone(stage.old, at: progress, isInward ? sizes.near : sizes.far),
                    stage.alone(stage.new, at: progress, isInward ? sizes.far : sizes.near)
                ) { _ in progress }
                let fidelity = stage.fidelity(codes, reference)
                #expect(fidelity >= 45, "\(direction) at \(progress): \(fidelity) dB")
            }
        }
    }

    /// By the definition: a place with a luma has this share of the new clip.
    private func luma(
        _ picture: GreyPicture, _ effect: LumaTransition, _ progress: Double
    ) -> (_ area: Rectangle) -> Double {
        { area in
            // the mean of the frame's pixels there, each between the picture's samples
            var (sum, count) = (0.0, 0.0)
            for y in stride(from: area.y, to: min(96, area.y + area.height), by: 1) {
                for x in stride(from: area.x, to: min(160, area.x + area.width), by: 1) {
                    sum += picture.luma(
                        at: (x + 0.5) * Double(picture.width) / 160,
                        (y + 0.5) * Double(picture.height) / 96)
                    count += 1
                }
            }
            let luma = effect.isInverted ? 1 - sum / count : sum / count
            let soft = effect.softness
            if soft == 0 { return luma < progress ? 1 : 0 }
            return max(0, min(1, (progress * (1 + soft) - luma) / soft))
        }
    }

    @Test("each place goes over when a picture says so", arguments: names)
    func lumas(_ name: String) throws {
        let stage = try stage(name)
        let isPlain = name == "full, 8 bits"
        for bits in isPlain ? [8, 16] : [16] {
            // no size or shape of the frame's
            let picture = GreyPicture.hills(70, 61, bits: bits)
            let path = folder.file("hills\(bits).png")
            try picture.write(to: path)
            for progress in Self.instants {
                let (old, new) = stage.alone(at: progress)
                for effect in [
                    LumaTransition(path), LumaTransition(path, softness: 1, isInverted: true),
                ] {
                    let codes = try stage.codes(
                        Transition(.luma(effect), duration: .seconds(2)), at: progress)
                    let reference = stage.mixed(old, new, luma(picture, effect, progress))
                    let fidelity = stage.fidelity(codes, reference)
                    #expect(fidelity >= 45, "\(effect.softness) at \(progress): \(fidelity) dB")
                    if isPlain { #expect(stage.worst(codes, reference) <= 1, "at \(progress)") }
                }
            }
        }
    }

    @Test("without softness a place goes over at once", arguments: [8, 16], [false, true])
    func steps(_ bits: Int, _ isInverted: Bool) throws {
        let stage = TransitionStage()
        let picture = GreyPicture.hills(160, 96, bits: bits)
        let path = folder.file("steps.png")
        try picture.write(to: path)
        let effect = LumaTransition(path, softness: 0, isInverted: isInverted)
        // no luma of a picture is exactly there
        for progress in [0.2505, 0.6015] {
            let codes = try stage.codes(
                Transition(.luma(effect), duration: .seconds(2)), at: progress)
            let reference = stage.mixed(
                stage.alone(stage.old, at: progress), stage.alone(stage.new, at: progress),
                luma(picture, effect, progress))
            // luma alone: the mean of chroma may lie at the step
            #expect(stage.worst([codes[0]], [reference[0]]) <= 1)
        }
    }

    @Test("16 bits of a picture are 16 bits: a slope that 8 bits would make a step is one")
    func depth() throws {
        // all of it within one step of 8 bits
        let picture = GreyPicture(160, 96, bits: 16) { x, _ in
            0.5 + Double(x) / 160 / 255
        }
        let path = folder.file("slope.png")
        try picture.write(to: path)
        let samples = try StillLuma(path: path).samples.map { Int($0) }
        #expect(samples == picture.samples)
        let stage = TransitionStage()
        let transition = Transition.luma(path, softness: 0, .seconds(2))
        let codes = try stage.codes(transition, at: 0.502)[0]
        let (old, new) = (
            RenderFrames.codes(stage.old.picture, 0), RenderFrames.codes(stage.new.picture, 0)
        )
        #expect(codes[0] == new[0] && codes[159] == old[159])
    }

    @Test("8 bits are read as they are, and a picture that shrinks gives its mean")
    func reading() throws {
        let picture = GreyPicture.hills(33, 20, bits: 8)
        let path = folder.file("small.png")
        try picture.write(to: path)
        #expect(
            try StillLuma(path: path).samples.map { Int($0) } == picture.samples.map { $0 * 257 })
        let stripes = StillLuma(
            width: 64, height: 64,
            samples: (0..<64 * 64).map { $0 % 2 == 0 ? 0 : 65_535 })
        let less = stripes.stretched(to: PixelSize(width: 8, height: 8))
        #expect(less.allSatisfy { abs(Int($0) - 32_768) < 1200 })
        let one = StillLuma(width: 1, height: 1, samples: [4711])
        #expect(
            one.stretched(to: PixelSize(width: 5, height: 3))
                == [UInt16](repeating: 4711, count: 15))
    }

    @Test("colours give BT.709's luma, and what is transparent is black")
    func colors() throws {
        let path = folder.file("colors.png")
        try GreyPicture.write(
            colors: [
                [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 51],
                [255, 255, 255, 0],
            ], to: path)
        let lumas = try StillLuma(path: path).samples.map { Double($0) / 65_535 }
        let wanted = [0.2126, 0.7152, 0.0722, 0.2, 0]
        #expect(zip(lumas, wanted).allSatisfy { ($0 - $1).magnitude < 0.0005 }, "\(lumas)")
    }

    @Test("at its beginning all is the old clip, and at its end the new one", arguments: names)
    func ends(_ name: String) throws {
        let stage = try stage(name)
        let path = folder.file("ends.png")
        // black and white among it, which go first and last
        try GreyPicture(16, 10, bits: 8) { x, y in x == 0 ? 0 : x == 15 ? 1 : Double(y) / 10 }
            .write(to: path)
        let (first, second) = (
            stage.alone(stage.old, at: 0), stage.alone(stage.new, at: 1)
        )
        for transition in [
            Transition.iris(.opening, .seconds(2)), .iris(.closing, softness: 0, .seconds(2)),
            .luma(path, .seconds(2)), .luma(path, softness: 0, isInverted: true, .seconds(2)),
            .luma(path, softness: 1, .seconds(2)),
        ] {
            let start = try stage.codes(transition, at: 0)
            #expect(stage.fidelity(start, first) >= 45, "\(transition.kind)")
            // a film has no frame at the end: a value just before it
            var last = stage.instruction(transition)
            last.timeRange = .seconds(4, 3)
            var film = VideoComposition(
                renderSize: TransitionStage.frame, frameDuration: .milliseconds(40),
                color: stage.target.color)
            film.instructions = [last]
            let scene = try SceneBuilder(film).scene(at: .seconds(6)) { track, time in
                let clip = track == 1 ? stage.old : stage.new
                return SampleBuffer(
                    payload: .pixels(clip.picture), format: .video(clip.format),
                    presentationTime: time)
            }
            let end = RenderFrames.allCodes(
                try RenderFrames.compositor(stage.target).compose(scene))
            #expect(stage.fidelity(end, second) >= 45, "\(transition.kind)")
        }
    }

    @Test("a control: the reference of another instant is another picture")
    func control() throws {
        let stage = TransitionStage()
        let effect = IrisTransition(.opening, softness: 0.3)
        let codes = try stage.codes(Transition(.iris(effect), duration: .seconds(2)), at: 0.5)
        let reference = stage.mixed(
            stage.alone(at: 0.5).old, stage.alone(at: 0.5).new, iris(effect, 0.45))
        #expect(stage.fidelity(codes, reference) < 35)
    }

    @Test("a frame of half the size is the same picture")
    func scaled() throws {
        let stage = TransitionStage()
        let path = folder.file("half.png")
        try GreyPicture.hills(320, 192, bits: 16).write(to: path)
        for transition in [
            Transition.iris(.opening, softness: 0.4, .seconds(2)),
            .luma(path, softness: 0.5, .seconds(2)),
            .zoom(.inward, .seconds(2)),
        ] {
            let full = try stage.codes(transition, at: 0.5)[0]
            let half = RenderFrames.format(80, 48)
            let scene = try stage.scene(
                transition, at: 0.5, size: PixelSize(width: 80, height: 48))
            let codes = RenderFrames.codes(
                try RenderFrames.compositor(half).compose(scene), 0)
            let worst =
                (0..<80 * 48).map { place in
                    let (x, y) = (2 * (place % 80), 2 * (place / 80))
                    let mean =
                        full[y * 160 + x] + full[y * 160 + x + 1] + full[(y + 1) * 160 + x]
                        + full[(y + 1) * 160 + x + 1]
                    return (Double(codes[place]) - Double(mean) / 4).magnitude
                }.max() ?? 0
            #expect(worst <= 5, "\(transition.kind)")
        }
    }

    @Test("the picture of a mask is read once for all frames")
    func cached() throws {
        let stage = TransitionStage()
        let path = folder.file("once.png")
        try GreyPicture.hills(40, 30, bits: 8).write(to: path)
        let compositor = try RenderFrames.compositor(stage.target)
        for step in 1..<20 {
            _ = try compositor.compose(
                stage.scene(.luma(path, .seconds(2)), at: Double(step) / 20))
        }
        #expect(compositor.maskConversions == 1)
    }

    @Test("any number of threads makes the same bytes")
    func threads() throws {
        let stage = TransitionStage()
        let path = folder.file("threads.png")
        try GreyPicture.hills(40, 30, bits: 8).write(to: path)
        for transition in [
            Transition.luma(path, .seconds(2)), .iris(.closing, softness: 0.2, .seconds(2)),
        ] {
            let frames = try [1, 3].map {
                RenderFrames.allCodes(
                    try RenderFrames.compositor(stage.target, threads: $0).compose(
                        stage.scene(transition, at: 0.4)))
            }
            #expect(frames[0] == frames[1])
        }
    }
}
