internal import Media
internal import Reading
internal import Writing

/// The pictures of a conversion as the encoder gets them. Thread-bound.
final class ConversionFrames {
    let supply: any FrameSupply
    /// Of the pictures handed out.
    let format: VideoFormat
    /// Bytes of pictures that may wait for the encoder.
    let queueBytes: Int
    /// What is changed of them without being asked for; one sentence.
    private(set) var note: String?
    private let fitter: (any FrameFitting)?
    /// Of all of them together (seconds).
    private let length: MediaTime

    init(
        _ conversion: Conversion, _ track: ConversionPlan.Track, range: MediaTimeRange,
        size: PixelSize?, frameRate: FrameRate?
    ) throws(MediaError) {
        let source = track.source
        length = track.range.duration
        // a photograph has many more pixels than a film
        let frame = Self.stillFrame(track, isSequence: conversion.sequence != nil)
        supply = try conversion.pictures(
            of: source, in: range, length: length, size: size, frameRate: frameRate,
            codec: track.videoCodec, frame: frame)
        let own = supply.format
        // a still picture may have been made smaller while it was read
        let stated = source.isStill ? source.format?.video?.uprightPixelSize : nil
        let natural = stated ?? own.uprightPixelSize
        let rate = frameRate ?? conversion.sequence?.rate ?? .usual(of: source)
        let settings = conversion.settings
        let isPlain =
            conversion.sequence == nil && settings.motion == nil
            && (size ?? frame ?? own.uprightPixelSize) == own.uprightPixelSize
        if isPlain, own.isTaken(by: track.videoCodec, transparent: track.keepsTransparency) {
            var format = own
            format.nominalRate = rate
            self.format = format
            fitter = nil
            queueBytes = ExportInputs.queue(own).bytes
            return
        }
        // who asks for another size wants a picture; nobody who does not
        if own.depth != nil, size == nil { throw Self.noDepth(as: track.videoCodec) }
        let target = Self.target(
            own, track, size: size ?? frame,
            own: conversion.sequence == nil ? nil : natural.sequenceFrame(of: track.videoCodec),
            isStanding: settings.motion == nil)
        let queue = ExportInputs.queue(target)
        queueBytes = queue.bytes
        let fitter = try Self.fitter(
            target, settings, track, natural: size == nil ? own.uprightPixelSize : nil,
            waiting: queue.pictures)
        if size == nil, target.isAlmost(natural) {
            note =
                "The frames of \(conversion.asset.path) become \(target.width)x\(target.height), "
                + "because \(track.videoCodec.rawValue) as players take it has no odd sides, and they "
                + "are \(natural.width)x\(natural.height)."
        }
        self.fitter = fitter
        var format = fitter.target
        format.nominalRate = rate
        self.format = format
    }

    private static func noDepth(as codec: VideoCodec) -> MediaError {
        MediaError(
            code: .unsupported, subject: codec.rawValue,
            message:
                "Depth is kept to the unit as ffv1 in a .mkv file, not as \(codec.rawValue): write ffv1 "
                + "into .mkv.")
    }

    /// Of the source's stored frame, where the frames handed out are as they are stored; nil elsewhere.
    func cleanAperture(of source: AssetTrack) -> CleanAperture? {
        guard fitter == nil, let own = source.format?.video, own.width == format.width,
            own.height == format.height
        else { return nil }
        return own.cleanAperture
    }

    private static func fitter(
        _ target: VideoFormat, _ settings: ConversionSettings, _ track: ConversionPlan.Track,
        natural: PixelSize?, waiting: Int
    ) throws(MediaError) -> any FrameFitting {
        guard !track.keepsTransparency else {
            return TransparentFitter(target, fit: settings.fit, natural: natural, waiting: waiting)
        }
        if target.pixelFormat?.isRGB ?? false {
            return OpaqueFitter(
                target, fit: settings.fit, natural: natural, background: settings.background,
                waiting: waiting)
        }
        return try FrameFitter(
            target, fit: settings.fit, natural: natural, background: settings.background,
            motion: settings.motion, waiting: waiting)
    }

    /// What a movie's pictures are encoded from.
    static func encodedFormat(
        of own: VideoFormat, _ track: ConversionPlan.Track, _ settings: ConversionSettings
    ) -> PixelFormat {
        let codec = track.videoCodec
        var seen = own
        let natural = own.uprightPixelSize
        if settings.motion != nil || (settings.size ?? natural) != natural
            || !own.isTaken(by: codec, transparent: track.keepsTransparency)
        {
            seen = target(
                own, track, size: settings.size, own: nil, isStanding: settings.motion == nil)
        }
        return codec.encodableFormat(for: seen.pixelFormat ?? .yuv420p)
    }

    /// The next picture with its time and length; nil at the end.
    func next() throws(MediaError) -> SampleBuffer? {
        guard var sample = try supply.next() else { return nil }
        guard let fitter, let picture = sample.pixelBuffer, let own = sample.format.video else {
            return sample
        }
        let share =
            sample.presentationTime.approximateSeconds / max(length.approximateSeconds, 1e-9)
        sample.payload = .pixels(try fitter.fitted(picture, own, share: share))
        sample.format = .video(format)
        return sample
    }

    /// What a still picture comes into where no size is asked for; nil for anything else.
    private static func stillFrame(
        _ track: ConversionPlan.Track, isSequence: Bool
    ) -> PixelSize? {
        guard !isSequence, track.source.isStill, let format = track.source.format?.video else {
            return nil
        }
        let natural = format.uprightPixelSize
        let frame = FilmStyle(firstClip: format, track: track.source).renderSize
        return track.videoCodec.takesOddSides && frame.isAlmost(natural) ? natural : frame
    }

    /// Upright, of square pixels, in the source's colours and depth; even where the codec needs that.
    /// - Parameter own: the frame of a sequence (nil: none).
    private static func target(
        _ format: VideoFormat, _ track: ConversionPlan.Track, size: PixelSize?, own: PixelSize?,
        isStanding: Bool
    ) -> VideoFormat {
        let style = FilmStyle(firstClip: format, track: track.source)
        let codec = track.videoCodec
        let natural = format.uprightPixelSize
        var own = own ?? style.renderSize
        if codec.takesOddSides, own.isAlmost(natural) { own = natural }
        let size = size ?? own
        var color = style.color
        // what has no matrix of its own gets that of films
        if codec == .prores, [0, 2].contains(format.color.matrix) { color = .bt709 }
        var pixels = pixels(for: format, codec, size, isTransparent: track.keepsTransparency)
        if codec == .ffv1, isStanding, !track.keepsTransparency,
            let exact = format.pixelFormat?.opaqueRGB
        {
            pixels = exact
        }
        if pixels.isRGB { color = format.color }
        return VideoFormat(
            coding: .raw(pixels), width: size.width, height: size.height, color: color
        ).lit(as: format)
    }

    private static func pixels(
        for format: VideoFormat, _ codec: VideoCodec, _ size: PixelSize, isTransparent: Bool
    ) -> PixelFormat {
        let depth = format.pixelFormat?.bitDepth ?? 8
        let isRGB = format.pixelFormat?.isRGB ?? false
        if isTransparent {
            guard codec == .ffv1, isRGB else { return .yuva444p10le }
            return depth > 8 ? .rgba64le : .bgra
        }
        if codec == .prores { return .yuv444p10le }
        // no chroma is lost without need
        let isOdd = size.width % 2 != 0 || size.height % 2 != 0
        if codec == .ffv1, isRGB || isOdd { return depth > 8 ? .yuv444p10le : .yuv444p }
        return depth == 10 ? .yuv420p10le : .yuv420p
    }
}

extension ConversionPlan.Track {
    fileprivate var videoCodec: VideoCodec {
        switch treatment {
        case .encodeVideo(let settings, _, _), .join(let settings, _, _): settings.codec
        default: .h264
        }
    }
}

extension VideoFormat {
    /// Whether a codec takes the pictures without being fitted into a frame.
    fileprivate func isTaken(by codec: VideoCodec, transparent: Bool) -> Bool {
        guard let pixels = pixelFormat, !pixels.hasAlpha || transparent else { return false }
        switch codec {
        case .ffv1: return true
        case .prores:
            return (pixels == .yuva444p10le || pixels == .yuv444p10le) && color.range == .limited
                && color.matrix != 2
        default: return !pixels.isRGB && width % 2 == 0 && height % 2 == 0
        }
    }
}

extension VideoFormat {
    /// Whether it is of a size that was made even.
    fileprivate func isAlmost(_ size: PixelSize) -> Bool {
        let own = PixelSize(width: width, height: height)
        return own != size && own.isAlmost(size)
    }
}

extension PixelFormat {
    /// In which RGB pictures without opacity are kept as they are; nil for those that are not RGB.
    fileprivate var opaqueRGB: PixelFormat? { isRGB ? (bitDepth > 8 ? .rgb48le : .rgb24) : nil }
}

extension PixelSize {
    /// Whether no side differs by more than a pixel.
    fileprivate func isAlmost(_ other: PixelSize) -> Bool {
        abs(width - other.width) <= 1 && abs(height - other.height) <= 1
    }

    /// The frame of a sequence of pictures of this size: even, and no larger than what players decode.
    func sequenceFrame(of codec: VideoCodec) -> PixelSize {
        let most: Double = codec == .ffv1 ? 8192 : 4096
        let scale = min(1, most / Double(max(width, height)))
        func side(_ length: Int) -> Int { max(2, Int(Double(length) * scale) & ~1) }
        return PixelSize(width: side(width), height: side(height))
    }
}

extension [SequencePicture] {
    /// Pictures a second by the first one's length.
    fileprivate var rate: FrameRate? {
        guard let step = first?.duration.reduced, let per = Int32(exactly: step.value) else {
            return nil
        }
        return FrameRate(step.timescale, per: per)
    }
}
