internal import LibAV
internal import Media
internal import Reading

/// A picture from a file, upright, with square pixels, premultiplied.
struct StillPicture {
    let image: PixelBuffer
    /// Its size before it was made smaller for the film (pixels).
    let originalSize: Size
    /// Whether a part of it could not be decoded.
    let isDamaged: Bool

    /// Finds out whether a file holds a picture that may be shown, without decoding it.
    static func check(_ path: String) throws(MediaError) { _ = try open(path) }

    /// - Parameter maximumPixels: larger pictures are made smaller to about this (pixels).
    init(path: String, maximumPixels: Int) throws(MediaError) {
        let (picture, format, isDamaged) = try Self.decoded(path)
        try self.init(picture, format, isDamaged, of: path, maximumPixels: maximumPixels)
    }

    /// A picture as it is coded.
    private init(
        _ picture: PixelBuffer, _ format: VideoFormat, _ isDamaged: Bool, of path: String,
        maximumPixels: Int
    ) throws(MediaError) {
        do throws(MediaError) {
            image = try Self.drawable(picture, format, maximumPixels)
        } catch {
            throw error.describing(subject: path)
        }
        self.isDamaged = isDamaged
        let aspect = Double(format.pixelAspect.horizontal) / Double(format.pixelAspect.vertical)
        let size = Size(width: Double(format.width) * aspect, height: Double(format.height))
        originalSize =
            format.orientation.swapsAxes ? Size(width: size.height, height: size.width) : size
    }

    /// A decoded picture of a file.
    init(_ sample: SampleBuffer, of path: String, maximumPixels: Int) throws(MediaError) {
        guard let picture = sample.pixelBuffer, let format = sample.format.video else {
            throw Self.noFrame(path)
        }
        try self.init(
            picture, format, sample.attachments.isDamaged, of: path, maximumPixels: maximumPixels)
    }

    /// The picture as it is coded, not yet upright.
    static func frame(
        _ path: String
    ) throws(MediaError) -> (picture: PixelBuffer, format: VideoFormat) {
        let (picture, format, _) = try decoded(path)
        return (picture, format)
    }

    private static func decoded(
        _ path: String
    ) throws(MediaError) -> (picture: PixelBuffer, format: VideoFormat, isDamaged: Bool) {
        let (asset, track) = try open(path)
        let sample = try decode(asset, track)
        guard let picture = sample.pixelBuffer, let format = sample.format.video else {
            throw noFrame(path)
        }
        return (picture, format, sample.attachments.isDamaged)
    }

    static func open(
        _ path: String
    ) throws(MediaError) -> (asset: Asset, track: AssetTrack) {
        let asset = try Asset.media(path)
        guard let track = asset.tracks.first(where: { $0.format?.video != nil }) else {
            throw noFrame(path)
        }
        return (asset, track)
    }

    private static func decode(
        _ asset: Asset, _ track: AssetTrack
    ) throws(MediaError) -> SampleBuffer {
        let cursor = try FrameCursor(
            asset: asset, track: track, fitting: track.isStill ? .longest : nil)
        defer { cursor.close() }
        return try cursor.picture(at: .zero)
    }

    /// Upright, of a size worth drawing, as premultiplied BGRA.
    private static func drawable(
        _ picture: PixelBuffer, _ format: VideoFormat, _ maximumPixels: Int
    ) throws(MediaError) -> PixelBuffer {
        let pixels = Double(format.width * format.height)
        let factor = min(1, (Double(maximumPixels) / pixels).squareRoot())
        var wanted = VideoFormat(
            coding: .raw(.bgra), width: max(1, Int((Double(format.width) * factor).rounded())),
            height: max(1, Int((Double(format.height) * factor).rounded())))
        wanted.color = ColorDescription(primaries: 1, transfer: 13, matrix: 0, range: .full)
        let (picture, format) = try StandardFrames().standard(
            picture, format, size: PixelSize(wanted.width, wanted.height))
        if format.orientation.swapsAxes { swap(&wanted.width, &wanted.height) }
        var image = try PixelConverter(from: format, to: wanted).convert(picture)
        if picture.format.hasAlpha { premultiply(&image) } else { makeOpaque(&image) }
        return image
    }

    private static func premultiply(_ image: inout PixelBuffer) {
        let width = image.width
        image.withMutablePlanes { planes in
            for y in 0..<planes[0].rows {
                let row = planes[0].row(y)
                for x in 0..<width {
                    let alpha = Int(row[4 * x + 3])
                    for channel in 0..<3 {
                        row[4 * x + channel] = UInt8(
                            (Int(row[4 * x + channel]) * alpha + 127) / 255)
                    }
                }
            }
        }
    }

    private static func makeOpaque(_ image: inout PixelBuffer) {
        let width = image.width
        image.withMutablePlanes { planes in
            for y in 0..<planes[0].rows {
                let row = planes[0].row(y)
                for x in 0..<width { row[4 * x + 3] = 255 }
            }
        }
    }

    private static func noFrame(_ path: String) -> MediaError {
        MediaError(
            code: .unsupported, subject: path,
            message:
                "Cannot show \(path): there is no picture in it; give a PNG, JPEG, WebP or GIF.")
    }
}
