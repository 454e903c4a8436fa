internal import Media

/// What the images of a generator are made of. Thread-bound; blocks.
protocol ImageSource: AnyObject {
    /// - Throws: `invalid-setting` for a time at which there is nothing; what the file answered.
    func image(at time: MediaTime) throws(MediaError) -> GeneratedImage
}

/// An image and when it begins to be shown.
struct GeneratedImage: Sendable {
    let image: PixelBuffer
    let actualTime: MediaTime
}

/// Brings decoded or composed pictures to what images are. Thread-bound.
final class ImageFitter {
    /// Codes as screens show them. No range is reported: pictures that do not state theirs would be taken for
    /// full range as well.
    private static let color = ColorDescription(
        primaries: 1, transfer: 13, matrix: 2, range: .unspecified)

    private let settings: ImageGeneratorSettings
    private var fitter: TransparentFitter?

    init(_ settings: ImageGeneratorSettings) { self.settings = settings }

    /// - Parameter format: of the picture.
    func image(
        _ frame: PixelBuffer, _ format: VideoFormat
    ) throws(MediaError) -> PixelBuffer {
        var format = format
        if !settings.appliesPreferredTrackTransform {
            format.orientation = .upright
            format.pixelAspect = .square
        }
        let size = format.uprightPixelSize.fitted(in: settings.maximumSize)
        if let fitter, fitter.target.width == size.width, fitter.target.height == size.height {
            return try fitter.fitted(frame, format)
        }
        let target = VideoFormat(
            coding: .raw(settings.pixelFormat), width: size.width, height: size.height,
            color: Self.color)
        let made = TransparentFitter(target, fit: .stretch, natural: nil, waiting: 0)
        fitter = made
        return try made.fitted(frame, format)
    }
}
