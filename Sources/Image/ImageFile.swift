package import Media

/// What is in a picture file or an animation: plain values, read once. Nothing is decoded.
package struct ImageFile: Sendable {
    /// Kinds of files, told by what is in them and not by their names.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case gif, webp, apng
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
    /// How the stored picture must be turned to be upright; decoding does not.
    package internal(set) var orientation = VideoOrientation.upright
    /// Of decoded pictures; opacity is straight (not premultiplied).
    package let pixelFormat: PixelFormat
    /// Of decoded pictures.
    package let color: ColorDescription
    /// Ticks per second of the pictures' times (1/s).
    package let timescale: Int32
    /// In order; at least one.
    package let pictures: [Picture]
    /// How often an animation is to be shown (count; nil = for ever).
    package let loops: Int?
    /// Where what is needed for decoding lies.
    let contents: Contents
    let limits: ImageLimits

    enum Contents: Sendable {
        case gif(GIFStructure)
        case webp(WebPStructure)
        case png(PNGStructure)
    }

    /// Whether it shows one picture and has no length: a still picture, or an animation of one.
    package var isStill: Bool { pictures.count == 1 }

    /// Whether any of its pictures may be transparent in part.
    package var hasAlpha: Bool { pixelFormat.hasAlpha }

    /// How long it is shown once (seconds); zero for a still picture.
    package var duration: MediaTime {
        MediaTime(
            value: pictures.last.map { $0.start + $0.duration } ?? 0, timescale: timescale)
    }

    /// What kind of picture file it is; nil for anything else, a movie for example.
    /// - Throws: `no-such-file`, `not-permitted`, `unsupported`, `io-error`.
    package static func kind(of path: String) throws(ImageError) -> Kind? {
        try kind(FileBytes(path))
    }

    private static func kind(_ file: FileBytes) throws(ImageError) -> Kind? {
        let head = try file.readSome(at: 0, 64)
        if GIFStructure.looksLikeOne(head) { return .gif }
        if WebPStructure.looksLikeOne(head) { return .webp }
        if PNGStructure.looksLikeOne(head) {
            return try PNGStructure.isAnimated(file) ? .apng : nil
        }
        return nil
    }

    /// Reads a file's structure to its end. Blocks.
    /// - Parameter delays: what becomes of an animation's short delays.
    /// - Throws: `damaged-file` for one that is cut off or makes no sense, `over-limit`,
    ///   `unsupported` for no picture file, and what `kind(of:)` throws.
    package init(
        path: String, delays: DelayRule = .browsers, limits: ImageLimits = ImageLimits()
    ) throws(ImageError) {
        let file = try FileBytes(path)
        guard let kind = try Self.kind(file) else {
            throw ImageError(
                code: .unsupported, subject: path,
                message: "Cannot read \(path): it is no picture that is known.")
        }
        switch kind {
        case .gif: try self.init(GIFStructure(file, limits), file, delays, limits)
        case .webp: try self.init(WebPStructure(file, limits), file, delays, limits)
        case .apng: try self.init(PNGStructure(file, limits), file, delays, limits)
        }
    }

    private init(
        _ structure: PNGStructure, _ file: FileBytes, _ rule: DelayRule, _ limits: ImageLimits
    ) throws(ImageError) {
        try self.init(
            file, .apng, .png(structure), structure.pictures.map(\.placement),
            width: structure.width, height: structure.height,
            times: Self.times(structure.delays, 1, rule, limits, file.path),
            loops: structure.loops, limits)
    }

    private init(
        _ structure: GIFStructure, _ file: FileBytes, _ rule: DelayRule, _ limits: ImageLimits
    ) throws(ImageError) {
        let delays = structure.delays.map { MediaTime(value: Int64($0), timescale: 100) }
        try self.init(
            file, .gif, .gif(structure), structure.pictures.map(\.placement),
            width: structure.width, height: structure.height,
            times: Self.times(delays, 100, rule, limits, file.path), loops: structure.loops, limits)
    }

    private init(
        _ structure: WebPStructure, _ file: FileBytes, _ rule: DelayRule, _ limits: ImageLimits
    ) throws(ImageError) {
        let delays = structure.delays.map { MediaTime(value: Int64($0), timescale: 1000) }
        try self.init(
            file, .webp, .webp(structure), structure.pictures.map(\.placement),
            width: structure.width, height: structure.height,
            times: Self.times(delays, 1000, rule, limits, file.path), loops: structure.loops,
            limits)
    }

    /// Nil for a still picture.
    private static func times(
        _ delays: [MediaTime], _ timescale: Int32, _ rule: DelayRule, _ limits: ImageLimits,
        _ path: String
    ) throws(ImageError) -> PictureTimes? {
        guard delays.count > 1 else { return nil }
        return try PictureTimes(
            delays, timescale: timescale, rule: rule, limits: limits, of: path)
    }

    private init(
        _ file: FileBytes, _ kind: Kind, _ contents: Contents, _ placements: [PicturePlacement],
        width: Int, height: Int, times: PictureTimes?, loops: Int?, _ limits: ImageLimits
    ) {
        path = file.path
        self.kind = kind
        byteCount = file.count
        (self.width, self.height) = (width, height)
        pixelFormat = placements.leaveTransparent(width, height) ? .rgba : .rgb24
        color = .pictures
        timescale = times?.timescale ?? 1000
        pictures = times?.pictures ?? [Picture(start: 0, duration: 0)]
        self.loops = times == nil ? 1 : loops
        self.contents = contents
        self.limits = limits
    }
}

extension ColorDescription {
    /// RGB as pictures without a profile mean it.
    static let pictures = ColorDescription(primaries: 2, transfer: 2, matrix: 0, range: .full)
}
