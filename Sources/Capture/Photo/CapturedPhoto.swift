internal import LibAV
public import Media

/// A frame that was taken as a photo. Nothing is decoded or encoded before it is asked for.
public struct CapturedPhoto: Sendable {
    /// The moment that was asked for (host clock).
    public let shutterTime: MediaTime
    /// When the camera began the frame (host clock).
    public let presentationTime: MediaTime
    /// The driver's number of the frame, when it counts.
    public let sequence: UInt64?
    /// The camera.
    public let origin: SourceOrigin
    /// The camera's own frame: coded or raw; `orientation` says how its pixels lie.
    public let format: VideoFormat
    /// How it was exposed, where that was set for it (`ExposureBracketing`).
    public internal(set) var exposure: GrantedExposure?

    /// What it takes to decode the frame, which is the last one.
    private let chain: [SampleBuffer]

    /// - Parameter chain: not empty; from a sync sample on.
    init(_ chain: [SampleBuffer], shutter: MediaTime, origin: SourceOrigin) {
        guard let frame = chain.last, let format = frame.format.video else {
            preconditionFailure("a photo is made of at least one frame")
        }
        self.chain = chain
        self.format = format
        self.origin = origin
        shutterTime = shutter
        presentationTime = frame.presentationTime
        sequence = frame.attachments.sequence
    }

    /// The camera's own JPEG; `nil` when it delivers something else.
    public var jpeg: BlockBuffer? { format.codec == .mjpeg ? chain.last?.block : nil }

    /// The decoded frame and what it is; its pixels lie as the camera gave them (`VideoFormat.orientation`). Blocks.
    /// - Throws: `damagedFile` when the camera's frame cannot be decoded.
    public func frame() throws(MediaError) -> (PixelBuffer, VideoFormat) {
        guard let last = chain.last else { throw damaged }
        if let pixels = last.pixelBuffer { return (pixels, format) }
        let decoder = try VideoDecoder(format: format, maximumPixels: Self.mostPixels)
        var decoded: [SampleBuffer] = []
        for sample in chain { decoded += try decoder.decode(sample) }
        decoded += try decoder.finish()
        let found = decoded.last { $0.presentationTime == presentationTime }
        guard let found, let pixels = found.pixelBuffer, var result = found.format.video,
            !found.attachments.isDamaged
        else { throw damaged }
        result.orientation = format.orientation
        return (pixels, result)
    }

    /// Of a still picture, of which one is in memory, and not a film's many (pixels).
    private static let mostPixels = 64 << 20

    private var damaged: MediaError {
        MediaError(
            code: .damagedFile, subject: origin.identifier,
            message: "The frame of \(origin.name) is damaged; take the photo again.")
    }

    /// The bytes of a file. Blocks.
    ///
    /// A JPEG of an MJPEG camera is the camera's own, bit for bit, behind the Exif data and the Huffman tables that such
    /// cameras leave out; how it lies is stated in Exif. All others are encoded, upright.
    /// - Parameters:
    ///   - type: the form of the file.
    ///   - quality: of what is encoded.
    ///   - software: for Exif.
    ///   - contentIdentifier: the name that the photo shares with the movie of a live photo, for the note of Apple's
    ///     cameras (a UUID).
    /// - Throws: `damagedFile`, `encoderFailed`; `invalidSetting` for a HEIC where libavcodec has no libx265.
    public func fileData(
        as type: PhotoFileType, quality: PhotoQuality = .balanced, software: String? = nil,
        contentIdentifier: String? = nil
    ) throws(MediaError) -> [UInt8] {
        let (pixels, raw) = try frame()
        var exif = ExifBlock(
            model: origin.name, software: software,
            taken: ExifBlock.Moment(hostTime: presentationTime))
        exif.contentIdentifier = contentIdentifier
        exif.exposureTime = exposure?.duration
        exif.exposureBias = exposure?.bias
        exif.isBracketed = exposure != nil
        if type == .jpeg, let own = jpeg {
            exif.orientation = format.orientation
            (exif.width, exif.height) = (raw.width, raw.height)
            let file = own.withUnsafeBytes { JPEGFile(Array($0)) }
            guard let file else { throw damaged }
            return file.adding(exif)
        }
        let (upright, shown) = try Self.upright(pixels, raw)
        (exif.width, exif.height) = (shown.width, shown.height)
        switch type {
        case .heic:
            return try HEICEncoder.encode(
                upright, format: shown, effort: quality.effort, exif: exif)
        case .jpeg, .png:
            return try StillEncoder.encode(
                upright, format: shown, as: type == .jpeg ? .jpeg : .png, effort: quality.effort,
                exif: exif)
        }
    }

    private static func upright(
        _ pixels: PixelBuffer, _ format: VideoFormat
    ) throws(MediaError) -> (PixelBuffer, VideoFormat) {
        guard format.orientation != .upright else { return (pixels, format) }
        var target = format
        // whole chroma can be rotated by a quarter, halved columns cannot
        if let pixel = format.pixelFormat, !pixel.canRotate(by: format.orientation) {
            target.coding = .raw(pixel.bitDepth > 8 ? .yuv444p10le : .yuv444p)
        }
        target.rotate(to: .upright)
        return (try PixelConverter(from: format, to: target).convert(pixels), target)
    }
}

/// The form of a photo's file.
public enum PhotoFileType: String, Sendable, Hashable, CaseIterable {
    case jpeg
    /// Lossless, red, green and blue of 8 bits.
    case png
    /// HEVC of 8 bits and 4:2:0: smaller than a JPEG that is as near to the frame, and longer in the making.
    case heic

    /// By a path's ending (`jpg`, `jpeg`, `png`, `heic`, `heif`), without regard to case; `nil` for any other.
    public init?(path: String) {
        switch StillEncoder.Form(path: path) {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case nil:
            let ending = path.split(separator: ".").last?.lowercased()
            guard ending == "heic" || ending == "heif" else { return nil }
            self = .heic
        }
    }
}

/// What matters more about a photo that is encoded.
public enum PhotoQuality: String, Sendable, Hashable, CaseIterable {
    /// Ready soon: a JPEG or HEIC is coarser, a PNG larger.
    case speed
    case balanced
    /// The finest JPEG or HEIC, the smallest PNG.
    case quality

    var effort: StillEncoder.Effort {
        switch self {
        case .speed: .fast
        case .balanced: .usual
        case .quality: .best
        }
    }
}
