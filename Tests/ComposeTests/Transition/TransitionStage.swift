import Glibc
import LibAV
import Media

@testable import Compose

/// Two clips, and the frames between them: as they are rendered, and as a slow reference makes them of the two clips'
/// own frames.
struct TransitionStage {
    struct Clip {
        var format: VideoFormat
        var picture: PixelBuffer
        var transforms: [TransformRamp]

        init(_ format: VideoFormat, seed: Double, _ transforms: [TransformRamp]) {
            self.format = format
            picture = RenderFrames.waves(format, seed: seed)
            self.transforms = transforms
        }

        /// Seen through in some of its rows.
        func transparent() -> Clip {
            var clip = self
            clip.picture = RenderFrames.changed(picture, rows: 20..<50, by: 3, 90)
            return clip
        }
    }

    static let range = MediaTimeRange.seconds(4, 2)
    static let frame = PixelSize(width: 160, height: 96)
    let target: VideoFormat
    var old: Clip
    var new: Clip
    var background = Color(red: 0.2, green: 0.1, blue: 0.5)

    /// Two clips that fill the frame, in its own format.
    init(_ pixels: PixelFormat = .yuv420p) {
        target = RenderFrames.format(160, 96, pixels)
        old = Clip(target, seed: 1, [TransformRamp(.identity)])
        new = Clip(target, seed: 4, [TransformRamp(.identity)])
    }

    /// What can lie on either side.
    static let stages: [(name: String, stage: TransitionStage)] = {
        var all = [("full, 8 bits", TransitionStage()), ("10 bits", TransitionStage(.yuv420p10le))]
        let narrow = RenderFrames.format(60, 96)
        let middle = [TransformRamp(.translation(x: 50, y: 0))]
        var boxed = TransitionStage()
        boxed.old = Clip(narrow, seed: 2, middle)
        all.append(("old with bars", boxed))
        boxed.new = Clip(narrow, seed: 5, middle)
        all.append(("both with bars", boxed))
        var clear = TransitionStage()
        let bgra = RenderFrames.format(160, 96, .bgra)
        clear.old = Clip(bgra, seed: 2, [TransformRamp(.identity)]).transparent()
        all.append(("old transparent", clear))
        clear.new = Clip(bgra, seed: 5, [TransformRamp(.identity)]).transparent()
        all.append(("both transparent", clear))
        var moving = TransitionStage()
        let grown = Transform2D(a: 1.5, b: 0, c: 0, d: 1.5, tx: -60, ty: -20)
        moving.old.transforms = [TransformRamp(timeRange: range, from: .identity, to: grown)]
        moving.new.transforms = [
            TransformRamp(
                timeRange: range, from: grown, to: .scale(x: 1.2, y: 1.2), curve: .linear)
        ]
        all.append(("both moving by key frames", moving))
        return all
    }()

    static func time(_ progress: Double) -> MediaTime {
        .milliseconds(4000 + Int64(progress * 2000))
    }

    private func side(_ clip: Clip, _ id: Int) -> Transition.Side {
        let size = clip.format.uprightSize
        return Transition.Side(
            layer: LayerInstruction(trackID: id, transforms: clip.transforms), width: size.width,
            height: size.height, mayBeTransparent: clip.format.pixelFormat?.hasAlpha ?? false)
    }

    func instruction(_ transition: Transition) -> Instruction {
        transition.instruction(
            from: side(old, 1), to: side(new, 2), over: Self.range, frame: Self.frame,
            background: background)
    }

    func scene(_ transition: Transition, at progress: Double, size: PixelSize? = nil) throws
        -> Scene
    {
        var film = VideoComposition(
            renderSize: Self.frame, frameDuration: .milliseconds(40), color: target.color)
        film.instructions = [instruction(transition)]
        return try SceneBuilder(film, size: size).scene(at: Self.time(progress)) { track, time in
            let clip = track == 1 ? old : new
            return SampleBuffer(
                payload: .pixels(clip.picture), format: .video(clip.format), presentationTime: time)
        }
    }

    /// As it is rendered.
    func codes(_ transition: Transition, at progress: Double) throws -> [[Int]] {
        RenderFrames.allCodes(
            try RenderFrames.compositor(target, threads: 2).compose(
                scene(transition, at: progress)))
    }

    /// A clip's own frame.
    /// - Parameter map: where the whole frame lies.
    func alone(_ clip: Clip, at progress: Double, _ map: Transform2D = .identity) -> [[Double]] {
        let transform = clip.transforms.value(at: Self.time(progress)) ?? .identity
        return ReferenceCompositor(target: target).compose(
            Scene(
                background: background,
                layers: [
                    SceneLayer(
                        picture: clip.picture, format: clip.format,
                        transform: transform.followed(by: map))
                ]))
    }

    /// Both clips' own frames.
    func alone(at progress: Double) -> (old: [[Double]], new: [[Double]]) {
        (alone(old, at: progress), alone(new, at: progress))
    }

    /// The two mixed, sample by sample.
    /// - Parameter share: of the new one, over a rectangle of the frame that a sample covers (pixels).
    func mixed(
        _ old: [[Double]], _ new: [[Double]], _ share: (Rectangle) -> Double
    ) -> [[Double]] {
        let grids = ReferenceCompositor(target: target).grids
        return grids.indices.map { index in
            let grid = grids[index]
            return old[index].indices.map { place in
                let area = Rectangle(
                    x: Double(place % grid.columns) * grid.across,
                    y: Double(place / grid.columns) * grid.down, width: grid.across,
                    height: grid.down)
                let part = share(area)
                return old[index][place] * (1 - part) + new[index][place] * part
            }
        }
    }

    /// The worst plane's peak signal to noise ratio (dB).
    func fidelity(_ codes: [[Int]], _ reference: [[Double]]) -> Double {
        let peak = Double(1 << (target.pixelFormat?.bitDepth ?? 8) - 1)
        return zip(codes, reference).map { codes, reference in
            let sum = zip(codes, reference).reduce(0.0) {
                $0 + (Double($1.0) - $1.1) * (Double($1.0) - $1.1)
            }
            return 10 * log10(peak * peak * Double(codes.count) / max(sum, 1e-9))
        }.min() ?? 0
    }

    /// The largest difference (codes).
    func worst(_ codes: [[Int]], _ reference: [[Double]]) -> Double {
        zip(codes, reference).flatMap { zip($0, $1).map { (Double($0) - $1).magnitude } }.max() ?? 0
    }
}
