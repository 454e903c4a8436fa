internal import Glibc
internal import Media

/// Brings pictures upright into a frame of a size, over a colour. Thread-bound.
final class FrameFitter: FrameFitting {
    /// Pictures that wait, that the encoder holds, and the one being made.
    private static let busyFrames = 14

    // immutable
    let target: VideoFormat
    private let compositor: FrameCompositor
    private let fit: FitMode
    /// Pictures of this size fill the frame, which is theirs made even.
    private let natural: PixelSize?
    private let background: Color
    private let frame: PixelSize
    private let motion: PictureMotion?

    /// - Parameter target: raw YUV of 8 or 10 bits, upright, square pixels.
    init(
        _ target: VideoFormat, fit: FitMode, natural: PixelSize?, background: Color,
        motion: PictureMotion? = nil, waiting: Int
    ) throws(MediaError) {
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        compositor = try FrameCompositor(
            target: target, threads: min(4, cores),
            pool: PixelBufferPool(
                width: target.width, height: target.height,
                format: target.pixelFormat ?? .yuv420p, limit: waiting + Self.busyFrames))
        self.target = compositor.target
        self.fit = fit
        self.natural = natural
        self.background = background
        self.motion = motion
        frame = PixelSize(width: target.width, height: target.height)
    }

    func fitted(
        _ picture: PixelBuffer, _ format: VideoFormat, share: Double
    ) throws(MediaError) -> PixelBuffer {
        if let motion {
            let transform = motion.transform(for: format, in: frame, at: share)
            return try compositor.compose(
                Scene(
                    background: background,
                    layers: [SceneLayer(picture: picture, format: format, transform: transform)]))
        }
        let fit = format.uprightPixelSize == natural ? .stretch : fit
        return try compositor.compose(
            Scene(
                background: background,
                layers: [
                    SceneLayer(
                        picture: picture, format: format,
                        transform: fit.transform(for: format, in: frame),
                        fill: fit.fill(in: frame))
                ]))
    }
}
