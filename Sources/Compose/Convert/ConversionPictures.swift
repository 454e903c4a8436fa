internal import Glibc
internal import Media
internal import Writer

/// The pictures of a conversion as the encoder gets them. Thread-bound.
final class ConversionPictures {
    let supply: any PictureSupply
    /// Of the pictures handed out.
    let format: VideoFormat
    /// Bytes of pictures that may wait for the encoder.
    let queueBytes: Int
    private let fitter: PictureFitter?

    init(
        _ conversion: Conversion, _ track: ConversionPlan.Track, range: MediaTimeRange,
        size: PixelSize?, frameRate: FrameRate?
    ) throws(ComposeError) {
        let source = track.source
        let part = MediaTimeRange(start: range.start, duration: track.range.duration)
        let cores = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
        // two cores are the encoder's and ours; with more of them decoding may take two
        let threads = cores > 2 ? 2 : 1
        if let sequence = conversion.sequence {
            // what is cut or stretched may need more of one side
            let isInside = [FitMode.contain, .blurred].contains(conversion.settings.fit)
            supply = try SequencePictures(
                sequence, range: range, fitting: isInside ? size : nil)
        } else if conversion.settings.loops > 1, source.isAnimation, frameRate == nil {
            let length = source.duration
            let once = try SourcePictures(
                conversion.asset, source, range: MediaTimeRange(start: .zero, duration: length),
                threads: 1)
            supply = LoopedPictures(
                once, length: length, loops: conversion.settings.loops, range: part)
        } else if let frameRate {
            supply = try GridPictures(
                conversion.asset, source, range: part, rate: frameRate, threads: threads,
                turn: source.isAnimation ? source.duration : nil)
        } else {
            supply = try SourcePictures(conversion.asset, source, range: part, threads: threads)
        }
        let own = supply.format
        let rate = frameRate ?? conversion.sequence?.rate ?? .usual(of: source)
        let target = Self.target(own, source, size: size, isSequence: conversion.sequence != nil)
        let isPlain = conversion.sequence == nil && (size == nil || size == own.uprightPixelSize)
        if isPlain, own.isEncodedAsItIs {
            var format = own
            format.nominalRate = rate
            self.format = format
            fitter = nil
            queueBytes =
                ExportInputs.queue(
                    PixelSize(width: own.width, height: own.height),
                    bitDepth: own.pixelFormat?.bitDepth ?? 8
                ).bytes
        } else {
            let frame = PixelSize(width: target.width, height: target.height)
            let queue = ExportInputs.queue(frame, bitDepth: target.pixelFormat?.bitDepth ?? 8)
            queueBytes = queue.bytes
            let settings = conversion.settings
            let fitter = try PictureFitter(
                target, fit: settings.fit, natural: size == nil ? own.uprightPixelSize : nil,
                background: settings.background, waiting: queue.pictures)
            self.fitter = fitter
            var format = fitter.target
            format.nominalRate = rate
            self.format = format
        }
    }

    /// The next picture with its time and length; nil at the end.
    func next() throws(ComposeError) -> SampleBuffer? {
        guard var sample = try supply.next() else { return nil }
        guard let fitter, let picture = sample.pixelBuffer, let own = sample.format.video else {
            return sample
        }
        sample.payload = .pixels(try fitter.fitted(picture, own))
        sample.format = .video(format)
        return sample
    }

    /// Upright, even, of square pixels, in the source's colours and depth.
    private static func target(
        _ format: VideoFormat, _ track: AssetTrack, size: PixelSize?, isSequence: Bool
    ) -> VideoFormat {
        let style = FilmStyle(firstClip: format, track: track)
        let isDeep = (format.pixelFormat?.bitDepth ?? 8) == 10
        let own = isSequence ? format.uprightPixelSize.sequenceFrame : style.renderSize
        let size = size ?? own
        return VideoFormat(
            coding: .raw(isDeep ? .yuv420p10le : .yuv420p), width: size.width, height: size.height,
            color: style.color)
    }
}

extension VideoFormat {
    /// Whether encoders take the pictures without being fitted into a frame: YUV without opacity, of even
    /// sides.
    fileprivate var isEncodedAsItIs: Bool {
        guard let pixels = pixelFormat else { return false }
        return !pixels.isRGB && !pixels.hasAlpha && width % 2 == 0 && height % 2 == 0
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
