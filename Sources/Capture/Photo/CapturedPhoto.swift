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
    /// Of a bracket: whether the frame's brightness shows the exposure. Where not, the scene is black or white, its
    /// light changed, the step is under a third of an EV, or the camera ignores the control. `nil` where none was set.
    public internal(set) var isExposureSeen: Bool?

    /// The depth of its moment, or why it has none; `nil` where it was not asked for.
    public internal(set) var depth: PhotoDepth?
    /// The same, where there is one: upright, as its own camera sees the scene.
    public var depthData: DepthData? { depth?.data }

    /// What it takes to decode the frame, which is the last one.
    private let chain: [SampleBuffer]
    /// Of the decoded frame, once one of the copies has decoded it: what a stream says of itself may be more than what
    /// is said of its track.
    private let decodedColor = Lock<ColorDescription?>(nil)

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

    /// What the frame takes of memory (bytes).
    package var byteCount: Int {
        chain.reduce(depthData.map { Self.byteCount($0.map) } ?? 0) { sum, sample in
            sum + (sample.block?.count ?? sample.pixelBuffer.map(Self.byteCount) ?? 0)
        }
    }

    private static func byteCount(_ frame: PixelBuffer) -> Int {
        frame.format.layout.planes.reduce(0) {
            $0 + $1.bytesPerRow(width: frame.width) * $1.rows(height: frame.height)
        }
    }

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
        let color = result.color
        decodedColor.withLock { $0 = color }
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
    /// cameras leave out; how it lies is stated in Exif. All others are encoded, upright. Depth is a PNG of 16-bit grey,
    /// its values as they are; text chunks say what they are (`DEPTH_UNIT`, …).
    /// A DNG holds the values of the camera's sensor, bit for bit; its thumbnail is developed, and its colours are generic:
    /// no driver states those of its sensor.
    ///
    /// The depth of its moment lies behind the JPEG, to the unit and as other programs read it too (Dynamic Depth),
    /// turned as the JPEG's stored picture is.
    /// - Parameters:
    ///   - type: the form of the file.
    ///   - quality: of what is encoded.
    ///   - software: for Exif.
    ///   - contentIdentifier: the name that the photo shares with the movie of a live photo, for the note of Apple's
    ///     cameras (a UUID).
    ///   - embedsDepthData: whether the depth of its moment is in it, where there is one.
    /// - Throws: `damagedFile`, `encoderFailed`; `invalidSetting` for a HEIC where libavcodec has no libx265, for a depth
    ///   camera's photo in anything but PNG, for the depth of a photo's moment in anything but JPEG, and for a DNG of
    ///   anything but a sensor's raw values.
    public func fileData(
        as type: PhotoFileType, quality: PhotoQuality = .balanced, software: String? = nil,
        contentIdentifier: String? = nil, embedsDepthData: Bool = true
    ) throws(MediaError) -> [UInt8] {
        if embedsDepthData, depthData != nil {
            guard type == .jpeg else { throw .noDepthBeside(type.rawValue) }
            let photo = try fileData(
                as: .jpeg, quality: quality, software: software,
                contentIdentifier: contentIdentifier, embedsDepthData: false)
            guard let file = JPEGFile(photo), let depth = try storedDepthData() else {
                throw damaged
            }
            return PhotoContainer(
                file, depth: try PhotoContainer.Depth(depth, effort: quality.effort)
            ).bytes
        }
        var exif = exif(software)
        if type == .dng { return try digitalNegative(exif) }
        let (pixels, raw) = try frame()
        exif.contentIdentifier = contentIdentifier
        if type == .jpeg, let own = jpeg {
            exif.orientation = format.orientation
            (exif.width, exif.height) = (raw.width, raw.height)
            let file = own.withUnsafeBytes { JPEGFile(Array($0)) }
            guard let file else { throw damaged }
            return file.adding(exif)
        }
        let (upright, shown) = try Self.upright(pixels, raw)
        (exif.width, exif.height) = (shown.width, shown.height)
        if let depth = format.depth {
            guard type == .png else { throw Self.noDepth(type) }
            return try StillEncoder.encode(
                DepthData(map: upright, format: depth), effort: quality.effort, exif: exif)
        }
        switch type {
        case .heic:
            return try HEICEncoder.encode(
                upright, format: shown, effort: quality.effort, exif: exif)
        case .jpeg, .png, .dng:
            return try StillEncoder.encode(
                upright, format: shown, as: type == .jpeg ? .jpeg : .png, effort: quality.effort,
                exif: exif)
        }
    }

    /// The depth of its moment as it lies in a JPEG: turned as the stored picture, so that what turns the one upright
    /// turns the other, too. `nil` where there is none.
    /// - Throws: `outOfMemory`.
    public func storedDepthData() throws(MediaError) -> DepthData? {
        guard let depthData else { return nil }
        // what is encoded is upright
        guard jpeg != nil, format.orientation != .upright else { return depthData }
        return try DepthData(
            map: depthData.map.rotated(by: format.orientation.undone), format: depthData.format)
    }

    private func exif(_ software: String?) -> ExifBlock {
        var exif = ExifBlock(
            model: origin.name, software: software,
            taken: ExifBlock.Moment(hostTime: presentationTime))
        exif.exposureTime = exposure?.duration
        exif.exposureBias = exposure?.bias
        exif.isBracketed = exposure != nil
        return exif
    }

    private func digitalNegative(_ exif: ExifBlock) throws(MediaError) -> [UInt8] {
        guard format.bayer != nil, let block = chain.last?.block else {
            throw .noRawPhoto(origin.name, "delivers \(format.codingName)")
        }
        var exif = exif
        exif.orientation = format.orientation
        (exif.width, exif.height) = (format.width, format.height)
        guard DNGFile.holds(width: format.width, height: format.height) else {
            throw MediaError(
                code: .invalidSetting, subject: origin.identifier,
                message: "A DNG holds 4 GB, and a frame of \(format.width)x\(format.height) of "
                    + "\(origin.name) is more: take a smaller size.")
        }
        guard let file = DNGFile(block, format: format, exif: exif, frameNumber: sequence) else {
            throw damaged
        }
        return file.bytes
    }

    private static func noDepth(_ type: PhotoFileType) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: type.rawValue,
            message: "A photo of a depth camera keeps its values of 16 bits in a PNG, not in a "
                + "\(type.rawValue.uppercased()): name it with .png.")
    }

    /// The colours that a file of this form has translated into sRGB, which it is taken for: `PQ (HDR)`, `HLG (HDR)`,
    /// `BT.2020`, `DCI-P3`, `Display P3`; `nil` where nothing is translated, and where the frame is damaged. Blocks as
    /// long as the frame is not decoded yet.
    /// - Parameter type: the form of the file.
    public func translatedColors(as type: PhotoFileType) -> String? {
        let isOwn = type == .jpeg && jpeg != nil || type == .dng
        guard !isOwn, format.depth == nil else { return nil }
        let known = decodedColor.withLock { $0 }
        return (known ?? (try? frame())?.1.color)?.wideName
    }

    /// The frame as it is seen: upright, of square pixels and in sRGB, which files of pictures are taken to have. Depth keeps
    /// its values, and so its pixels.
    private static func upright(
        _ pixels: PixelBuffer, _ format: VideoFormat
    ) throws(MediaError) -> (PixelBuffer, VideoFormat) {
        let (frame, placed) = try placed(pixels, format)
        return try StandardColors.translate(frame, placed)
    }

    private static func placed(
        _ pixels: PixelBuffer, _ format: VideoFormat
    ) throws(MediaError) -> (PixelBuffer, VideoFormat) {
        let seen = format.depth == nil ? format.squared : format
        guard format.orientation != .upright || seen != format else { return (pixels, format) }
        var target = seen
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
    /// Lossless, red, green and blue of 8 bits; depth as grey of 16 bits.
    case png
    /// HEVC of 8 bits and 4:2:0: smaller than a JPEG that is as near to the frame, and longer in the making.
    case heic
    /// The raw values of the camera's sensor, where it hands them out (Bayer formats).
    case dng

    /// By a path's ending (`jpg`, `jpeg`, `png`, `heic`, `heif`, `dng`), without regard to case; `nil` for any other.
    public init?(path: String) {
        switch StillEncoder.Form(path: path) {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case nil:
            let ending = path.split(separator: ".").last?.lowercased()
            switch ending {
            case "heic", "heif": self = .heic
            case "dng": self = .dng
            default: return nil
            }
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

extension MediaError {
    static func noDepthBeside(_ type: String) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: type,
            message: "The depth of a photo's moment lies in a JPEG, not in a \(type.uppercased()): "
                + "name it with .jpg.")
    }

    /// - Parameter what: the camera does or has instead.
    package static func noRawPhoto(_ camera: String, _ what: String) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: camera,
            message:
                "A raw photo (.dng) holds the values of a sensor's mosaic (bayer_…), and \(camera) \(what): "
                + "use .png, which keeps every pixel.")
    }
}

extension VideoFormat {
    /// The word for it in options and listings.
    package var codingName: String {
        switch coding {
        case .raw(let format): depth == nil ? format.rawValue : "depth"
        case .coded(let codec): bayer?.name ?? codec.rawValue
        }
    }
}
