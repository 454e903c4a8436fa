internal import Media
internal import Writer

/// The pictures of a conversion as the encoder gets them. Thread-bound.
final class ConversionPictures {
    let supply: any PictureSupply
    /// Of the pictures handed out.
    let format: VideoFormat
    /// Bytes of pictures that may wait for the encoder.
    let queueBytes: Int
    private let fitter: (any PictureFitting)?
    /// Of all of them together (seconds).
    private let length: MediaTime

    init(
        _ conversion: Conversion, _ track: ConversionPlan.Track, range: MediaTimeRange,
        size: PixelSize?, frameRate: FrameRate?
    ) throws(ComposeError) {
        let source = track.source
        length = track.range.duration
        supply = try conversion.pictures(
            of: source, in: range, length: length, size: size, frameRate: frameRate)
        let own = supply.format
        let rate = frameRate ?? conversion.sequence?.rate ?? .usual(of: source)
        let settings = conversion.settings
        let isPlain =
            conversion.sequence == nil && settings.motion == nil
            && (size == nil || size == own.uprightPixelSize)
        if isPlain, own.isTaken(by: track.videoCodec, transparent: track.keepsTransparency) {
            var format = own
            format.nominalRate = rate
            self.format = format
            fitter = nil
            queueBytes = ExportInputs.queue(own).bytes
            return
        }
        let target = Self.target(
            own, track, size: size, isSequence: conversion.sequence != nil)
        let queue = ExportInputs.queue(target)
        queueBytes = queue.bytes
        let fitter = try Self.fitter(
            target, settings, track, natural: size == nil ? own.uprightPixelSize : nil,
            waiting: queue.pictures)
        self.fitter = fitter
        var format = fitter.target
        format.nominalRate = rate
        self.format = format
    }

    private static func fitter(
        _ target: VideoFormat, _ settings: ConversionSettings, _ track: ConversionPlan.Track,
        natural: PixelSize?, waiting: Int
    ) throws(ComposeError) -> any PictureFitting {
        guard !track.keepsTransparency else {
            return TransparentFitter(target, fit: settings.fit, natural: natural, waiting: waiting)
        }
        return try PictureFitter(
            target, fit: settings.fit, natural: natural, background: settings.background,
            motion: settings.motion, waiting: waiting)
    }

    /// The next picture with its time and length; nil at the end.
    func next() throws(ComposeError) -> SampleBuffer? {
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

    /// Upright, of square pixels, in the source's colours and depth; even where the codec needs that.
    private static func target(
        _ format: VideoFormat, _ track: ConversionPlan.Track, size: PixelSize?, isSequence: Bool
    ) -> VideoFormat {
        let style = FilmStyle(firstClip: format, track: track.source)
        let codec = track.videoCodec
        let natural = format.uprightPixelSize
        var own = isSequence ? natural.sequenceFrame : style.renderSize
        let isOwn =
            abs(own.width - natural.width) <= 1 && abs(own.height - natural.height) <= 1
        if codec.takesOddSides, isOwn { own = natural }
        let size = size ?? own
        var color = style.color
        // what has no matrix of its own gets that of films
        if codec == .prores, [0, 2].contains(format.color.matrix) { color = .bt709 }
        let pixels = pixels(for: format, codec, size, isTransparent: track.keepsTransparency)
        if pixels.isRGB { color = format.color }
        return VideoFormat(
            coding: .raw(pixels), width: size.width, height: size.height, color: color)
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
        if case .encodeVideo(let settings, _, _) = treatment { settings.codec } else { .h264 }
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

extension PixelSize {
    /// The frame of a sequence of pictures of this size: even, and no larger than what players decode.
    fileprivate var sequenceFrame: PixelSize {
        let scale = min(1, 4096 / Double(max(width, height)))
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
