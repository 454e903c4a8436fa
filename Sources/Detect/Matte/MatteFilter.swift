public import Media

/// Puts something behind the foreground of frames: a blur, a colour, a picture, a title. Thread-safe; of one camera or
/// movie.
///
/// Where a matte takes longer than frames come, the newest one serves for those between, up to half a second. Where none
/// can be had frames are black if the background is to be hidden, and as they came behind a title.
public final class MatteFilter: FrameProcessor {
    private struct State: Sendable {
        var matte: (values: [UInt8], time: MediaTime)?
        /// The picture for frames of its size.
        var picture: BackgroundPlanes?
        /// How long the last matte took (ns).
        var cost: Int64 = 0
        /// The first frame's time that a matte is made for again.
        var due: MediaTime?
    }

    // immutable
    public let name: String
    /// Says what the foreground is.
    public let generator: any MatteGenerator
    /// What lies behind it.
    public let background: MatteBackground
    /// Whether frames come as they are shown: then mattes are made as often as there is time.
    private let isLive: Bool

    // guarded by itself
    private let state = Lock(State())

    /// - Parameters:
    ///   - generator: of this camera or movie alone.
    ///   - background: what lies behind the foreground.
    ///   - isLive: whether the frames are a camera's: then a slow matte serves for several (default: yes).
    public init(
        _ generator: any MatteGenerator, behind background: MatteBackground, isLive: Bool = true
    ) {
        (self.generator, self.background, self.isLive) = (generator, background, isLive)
        name = "matte=\(generator.name)"
    }

    public var fallback: FrameFallback { background.hides ? .black : .unprocessed }

    public func check(_ format: VideoFormat) throws(MediaError) { try requirePlanar(format) }

    public func process(_ frame: SampleBuffer) throws -> PixelBuffer {
        let pixels = try frame.planarPixels(of: self)
        guard let color = frame.format.video?.color else { return pixels }
        let foreground = try state.withLock { state in try matte(of: frame, &state) }
        let behind = try state.withLock { state in
            try planes(pixels, ColorCodes(color), &state)
        }
        return MatteComposition(foreground: foreground, behind: behind).compose(pixels)
    }

    private func matte(of frame: SampleBuffer, _ state: inout State) throws -> [UInt8] {
        let time = frame.presentationTime
        let count = (frame.pixelBuffer?.width ?? 0) * (frame.pixelBuffer?.height ?? 0)
        if isLive, let known = state.matte, let due = state.due, time < due, time >= known.time,
            known.values.count == count
        {
            return known.values
        }
        let start = HostClock().now().nanoseconds()
        let matte = try generator.matte(of: frame)
        let values = matte.scaled(
            width: frame.pixelBuffer?.width ?? 0, height: frame.pixelBuffer?.height ?? 0)
        state.cost = HostClock().now().nanoseconds() - start
        state.matte = (values, time)
        // as much time for what else is done with frames
        let pause = min(2 * state.cost, 500_000_000)
        state.due = state.cost > 10_000_000 ? time + .nanoseconds(pause) : nil
        return values
    }

    private func planes(
        _ frame: PixelBuffer, _ codes: ColorCodes, _ state: inout State
    ) throws -> BackgroundPlanes {
        switch background {
        case .blur: return BackgroundPlanes(blurred: frame)
        case .color(let red, let green, let blue):
            return BackgroundPlanes(
                codes.codes(red: Double(red), green: Double(green), blue: Double(blue)))
        case .picture(_, let draw):
            if let known = state.picture, known.fits(frame) { return known }
            let made = try BackgroundPlanes(
                draw(PixelSize(frame.width, frame.height)), frame, codes)
            state.picture = made
            return made
        }
    }
}
