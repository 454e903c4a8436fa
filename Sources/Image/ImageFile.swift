package import Media

/// What is in a picture file or an animation: plain values, read once. Nothing is decoded.
package struct ImageFile: Sendable {
    /// Kinds of files, recognised by what is in them and not by their names.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case gif, webp, png, apng, jpeg, tiff, avif, heic
    }

    /// When a picture is shown (ticks of the file's timescale).
    package struct Picture: Sendable, Hashable {
        package let start: Int64
        /// 0 for a still picture, which has no length.
        package let duration: Int64
    }

    package let path: String
    package let kind: Kind
    /// Size as stored (bytes).
    package let byteCount: Int64
    /// Of the stored picture (pixels).
    package let width: Int
    package let height: Int
    /// How the stored picture must be rotated to be upright; decoding does not.
    package let orientation: VideoOrientation
    /// Of decoded pictures; opacity is straight (not premultiplied).
    package let pixelFormat: PixelFormat
    /// Of decoded pictures.
    package let color: ColorDescription
    /// Ticks per second of the pictures' times (1/s).
    package let timescale: Int32
    /// In order; at least one.
    package let pictures: [Picture]
    /// How often an animation is to be shown (count; nil = for ever, or not stated).
    package let loops: Int?
    /// When the picture was taken, as the camera recorded it.
    package let captureTime: CaptureTime?
    /// Whether it does not end as files of its kind do: pictures behind the last may be missing.
    package let endsEarly: Bool
    /// Whether more pictures follow the first, which alone is shown (pages of a TIFF).
    package let hasMorePages: Bool
    /// The embedded ICC profile of RGB that is to be applied; empty for none.
    let profile: [UInt8]
    /// Where what is needed for decoding lies.
    let contents: Contents
    let limits: ImageLimits

    enum Contents: Sendable {
        case gif(GIFStructure)
        case webp(WebPStructure)
        case apng(PNGStructure)
        case png(PNGStructure)
        case tiff, avif, heic
        case jpeg(JPEGStructure)
    }

    /// Whether it shows one picture and has no length: a still picture, or an animation of one.
    package var isStill: Bool { pictures.count == 1 }

    /// Where its own data end (bytes): behind a photo there may be a film.
    package var end: Int64 {
        if case .jpeg(let structure) = contents { return structure.end }
        return byteCount
    }

    /// Whether any of its pictures may be transparent in part.
    package var hasAlpha: Bool { pixelFormat.hasAlpha }

    /// How long it is shown once (seconds); zero for a still picture.
    package var duration: MediaTime {
        MediaTime(
            value: pictures.last.map { $0.start + $0.duration } ?? 0, timescale: timescale)
    }

    /// What kind of picture file it is; nil for anything else, a movie for example.
    /// - Throws: `no-such-file`, `not-permitted`, `unsupported`, `io-error`.
    package static func kind(of path: String) throws(MediaError) -> Kind? {
        try kind(FileBytes(path))
    }

    /// Reads a file's structure to its end. Blocks.
    /// - Parameter delays: what becomes of an animation's short delays.
    /// - Throws: `damaged-file` for one that is cut off or makes no sense, `over-limit`,
    ///   `unsupported` for no picture file, and what `kind(of:)` throws.
    package init(
        path: String, delays: DelayRule = .browsers, limits: ImageLimits = ImageLimits()
    ) throws(MediaError) {
        let file = try FileBytes(path)
        guard let kind = try Self.kind(file) else {
            throw MediaError(
                code: .unsupported, subject: path,
                message: "Cannot read \(path): it is no picture that is known.")
        }
        self.init(try Self.outline(file, kind, limits, delays), kind, file, limits)
    }

    private init(
        _ outline: ImageOutline, _ kind: Kind, _ file: FileBytes, _ limits: ImageLimits
    ) {
        path = file.path
        self.kind = kind
        byteCount = file.count
        (width, height) = (outline.width, outline.height)
        orientation = outline.orientation
        pixelFormat = outline.pixelFormat
        color = outline.color
        timescale = outline.times?.timescale ?? 1000
        pictures = outline.times?.pictures ?? [Picture(start: 0, duration: 0)]
        loops = outline.times == nil ? 1 : outline.loops
        captureTime = outline.captureTime
        endsEarly = outline.endsEarly
        hasMorePages = outline.hasMorePages
        profile = outline.profile
        contents = outline.contents
        self.limits = limits
    }
}

extension ColorDescription {
    /// RGB as pictures without a profile mean it.
    static let pictures = ColorDescription(primaries: 2, transfer: 2, matrix: 0, range: .full)

    /// RGB of stated primaries and transfer; what means sRGB is not stated, like everywhere else.
    static func pictures(primaries: UInt8, transfer: UInt8) -> ColorDescription {
        let isUsual = primaries <= 2 && (transfer <= 2 || transfer == 6 || transfer == 13)
        return isUsual
            ? .pictures
            : ColorDescription(
                primaries: primaries, transfer: transfer, matrix: 0, range: .full)
    }
}
