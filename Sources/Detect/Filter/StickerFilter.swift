public import Media

/// Puts a picture over every face: it follows the face's place and size, and its tilt where the looks are thorough.
/// Thread-safe; of one camera or movie.
///
/// It hides what the picture covers and no more. Where a look fails the frames around it are black.
public final class StickerFilter: FrameProcessor {
    // immutable
    public let name = "sticker"
    private let looks: FaceLooks
    private let picture: PixelBuffer
    /// How wide the picture is (widths of a face).
    private let scale: Double

    /// - Parameters:
    ///   - picture: the sticker, of `bgra` with premultiplied opacity, of at most 4,096 pixels a side.
    ///   - scale: how wide it is (widths of a face; 0.1…10; default 1.4).
    ///   - settings: how faces are found.
    /// - Throws: `invalidSetting` for a picture or settings that none can be; `unsupported` where what detects is not
    ///   installed.
    public convenience init(
        _ picture: PixelBuffer, scale: Double = 1.4, _ settings: FaceFilterSettings = .init()
    ) throws(MediaError) {
        try self.init(picture, scale: scale, looks: settings.looks())
    }

    init(_ picture: PixelBuffer, scale: Double, looks: FaceLooks) throws(MediaError) {
        guard picture.format == .bgra, max(picture.width, picture.height) <= 4096,
            (0.1...10).contains(scale)
        else {
            throw MediaError(
                code: .invalidSetting, subject: "sticker",
                message: "A sticker is a picture of bgra of at most 4096 pixels a side, 0.1 to 10 "
                    + "faces wide.")
        }
        (self.picture, self.scale, self.looks) = (picture, scale, looks)
    }

    public var lookAhead: MediaTime { looks.ahead }

    public var covered: Int { looks.covered }

    public func check(_ format: VideoFormat) throws(MediaError) { try requirePlanar(format) }

    public func look(at frame: SampleBuffer) { looks.look(at: frame) }

    public func process(_ frame: SampleBuffer) throws(MediaError) -> PixelBuffer {
        let pixels = try frame.planarPixels(of: self)
        let places = try looks.places(in: frame)
        guard !places.isEmpty, let video = frame.format.video else { return pixels }
        var result = pixels.copy()
        for place in places {
            PictureOver(picture, codes: ColorCodes(video.color)).draw(
                into: &result, box: box(place.bounds, pixels), roll: place.roll)
        }
        looks.count(places.count)
        return result
    }

    /// Where the picture lies, before it is tilted (pixels): its middle and its sides.
    private func box(
        _ bounds: NormalizedRect, _ frame: PixelBuffer
    ) -> (x: Double, y: Double, width: Double, height: Double) {
        let middle = bounds.middle
        let width = bounds.width * Double(frame.width) * scale
        return (
            middle.x * Double(frame.width), middle.y * Double(frame.height), width,
            width * Double(picture.height) / Double(picture.width)
        )
    }
}
