internal import LibAV
package import Media

/// Encodes raw frames through LibAV, converted and rotated first where the codec or container needs it, or where
/// they are not what was agreed. Thread-bound: the track's encoder thread.
// because only the track's encoder thread calls it after init
final class VideoTrackEncoder: TrackEncoder, @unchecked Sendable {
    /// Most converted frames in use at once; past it they are allocated one by one.
    private static let poolLimit = 32

    // immutable
    let format: FormatDescription
    let fingerprint: String?
    private let coding: VideoEncoderSettings
    /// What the encoder takes.
    private let input: VideoFormat
    private let converter: FrameConverter
    /// Where frames may have to be placed between bars or get other primaries, before they are rotated.
    private let transfer: PixelTransferSession?
    /// What it makes of them.
    private let placed: VideoFormat
    /// What frames are as long as their sample does not say otherwise.
    private let source: VideoFormat

    // guarded by itself
    private let wantedSpeed = Lock(EncodingSpeed.asSet)

    // owned by the encoder thread
    /// Nil since a pause, until the next frame.
    private var encoder: VideoEncoder?
    private var hasEncoded = false
    /// Of the encoder that is open, or was open last.
    private var speed = EncodingSpeed.asSet
    /// Speeds that need other parameter sets.
    private var refused: Set<EncodingSpeed> = []
    private var change: PresetChange?
    /// A frame that could not be converted, until it is asked for (movie time).
    private var lost: MediaTime?
    /// A frame was lost that was to be a sync sample: the next one is.
    private var owesSync = false

    /// - Parameters:
    ///   - lowLatency: no B-frames and little look-ahead (see `VideoEncoderSettings`).
    ///   - rotatesPixels: whether frames are rotated upright here, because the container cannot say
    ///     how players should.
    init(
        _ settings: VideoOutputSettings, source: VideoFormat, lowLatency: Bool, rotatesPixels: Bool
    ) throws(MediaError) {
        let track = try settings.trackFormat(for: source)
        let input = try Self.target(settings, track, rotatesPixels: rotatesPixels).format(of: track)
        var made = track
        (made.coding, made.color) = (input.coding, input.color)
        placed = made
        transfer =
            settings.isTransferring(source)
            ? try PixelTransferSession(
                to: made,
                scalingMode: settings.scalingMode == .fit ? .resize : settings.scalingMode)
            : nil
        var coding = VideoEncoderSettings(settings, lowLatency: lowLatency)
        coding.ignoresOpacity = source.pixelFormat.map { !$0.hasAlpha } ?? false
        let encoder = try VideoEncoder(settings: coding, input: input)
        (format, fingerprint) = (.video(encoder.format), encoder.fingerprint)
        self.encoder = encoder
        self.input = input
        self.source = source
        self.coding = coding
        converter = FrameConverter(to: input, limit: Self.poolLimit, exhaustion: .allocates)
    }

    /// What the codec takes of a source's frames.
    private static func target(
        _ settings: VideoOutputSettings, _ source: VideoFormat, rotatesPixels: Bool
    ) -> FrameTarget {
        var target = FrameTarget(orientation: rotatesPixels ? .upright : nil)
        if settings.color != nil { target.color = source.color }
        guard let format = source.pixelFormat else { return target }
        let encodable = settings.encodableFormat(for: format)
        let rotation = source.orientation.rotation(to: target.orientation ?? source.orientation)
        target.pixelFormat =
            encodable.canRotate(by: rotation)
            ? encodable : settings.codec.rotatableFormat(for: encodable)
        return target
    }

    func encode(_ sample: SampleBuffer) throws(MediaError) -> [SampleBuffer] {
        if case .coded = sample.payload { return [try admit(sample)] }
        hasEncoded = true
        guard let frame = sample.pixelBuffer else { return [] }
        var prepared = sample
        do throws(FrameConverter.Failure) {
            prepared.payload = .pixels(try prepare(frame, sample.format.video ?? source))
        } catch {
            // it is missing in the movie, and ends nothing
            owesSync = owesSync || sample.attachments.forcesSync
            lost = sample.presentationTime
            return []
        }
        prepared.attachments.forcesSync = sample.attachments.forcesSync || owesSync
        owesSync = false
        let rest = try changeSpeed(before: prepared)
        return try rest + openedEncoder().encode(prepared)
    }

    /// As the encoder takes it.
    private func prepare(
        _ frame: PixelBuffer, _ format: VideoFormat
    ) throws(FrameConverter.Failure) -> PixelBuffer {
        try requireDepth(frame, format)
        guard let transfer else { return try converter.convert(frame, format) }
        let scaled: PixelBuffer
        do throws(MediaError) { scaled = try transfer.transfer(frame, of: format) } catch {
            throw .unconvertible(error)
        }
        return try converter.convert(scaled, placed)
    }

    /// Of distances nothing is computed: a frame of another size or unit is missing in the movie.
    private func requireDepth(
        _ frame: PixelBuffer, _ format: VideoFormat
    ) throws(FrameConverter.Failure) {
        guard input.depth != nil else { return }
        guard format.depth == source.depth, frame.format == .gray16le,
            frame.width == source.width, frame.height == source.height
        else {
            throw .unconvertible(
                MediaError(
                    code: .unsupported, subject: "depth",
                    message: "A frame of another size or unit than the depth track's is left out."))
        }
    }

    func takeLostFrame() -> MediaTime? {
        defer { lost = nil }
        return lost
    }

    private func openedEncoder() throws(MediaError) -> VideoEncoder {
        if let encoder { return encoder }
        let encoder = try VideoEncoder(settings: coding(at: speed), input: input)
        self.encoder = encoder
        return encoder
    }

    private func coding(at speed: EncodingSpeed) -> VideoEncoderSettings {
        var coding = coding
        coding.speed = speed
        return coding
    }

    func hurry(_ speed: EncodingSpeed) { wantedSpeed.withLock { $0 = speed } }

    func takePresetChange() -> PresetChange? {
        defer { change = nil }
        return change
    }

    /// Goes over to the speed asked for where a group of pictures begins anyway. Its encoder must write the parameter
    /// sets that the movie has already; else the one that is there continues.
    /// - Returns: what the encoder before still held.
    private func changeSpeed(before sample: SampleBuffer) throws(MediaError) -> [SampleBuffer] {
        let wanted = wantedSpeed.withLock { $0 }
        guard wanted != speed, coding.lowLatency, !refused.contains(wanted) else { return [] }
        if let encoder, try !encoder.beginsGroup(sample) { return [] }
        let (old, new) = (coding(at: speed), coding(at: wanted))
        guard new.presetInUse != old.presetInUse else {
            speed = wanted
            return []
        }
        guard let next = fittingEncoder(new) else {
            refused.insert(wanted)
            return []
        }
        let rest = try encoder?.finish() ?? []
        encoder = next
        speed = wanted
        change = PresetChange(preset: new.presetInUse, time: sample.presentationTime)
        return rest
    }

    private func fittingEncoder(_ coding: VideoEncoderSettings) -> VideoEncoder? {
        do throws(MediaError) {
            let encoder = try VideoEncoder(settings: coding, input: input)
            let isFitting =
                encoder.format.codecConfiguration == format.video?.codecConfiguration
            return isFitting ? encoder : nil
        } catch {
            // no memory for a second one, say: the first one stays
            return nil
        }
    }

    func finish() throws(MediaError) -> [SampleBuffer] {
        return try encoder?.finish() ?? []
    }

    func close() { encoder = nil }

    /// Whether an encoder of libavcodec, its memory and threads are there.
    var isOpen: Bool { encoder != nil }

    /// No encoder of libavcodec can be emptied and used on: the next frame opens an equal one. With B-frames
    /// its first decode times would lie before the last ones of this, so those are left inside.
    func drain() throws(MediaError) -> [SampleBuffer] {
        guard coding.lowLatency, hasEncoded else { return [] }
        defer { encoder = nil }
        return try finish()
    }

    /// Takes a sample that an equal encoder made, before the first raw frame.
    private func admit(_ sample: SampleBuffer) throws(MediaError) -> SampleBuffer {
        // each sync sample of VP9, each frame of ProRes says all that decoders need
        let isDescribed = [.vp9, .prores].contains(coding.codec)
        guard !hasEncoded, sample.format.video?.codec == coding.codec,
            isDescribed
                || sample.format.video?.codecConfiguration == format.video?.codecConfiguration
        else {
            throw MediaError(
                code: .unsupported, subject: "coded frame",
                message: "A coded frame can only come before the first raw one, and from an "
                    + "encoder with the same settings; encode it again.")
        }
        var admitted = sample
        admitted.format = format
        return admitted
    }
}

extension VideoCodec {
    /// The pixel format to encode from: the same where the codec takes it, else what loses least of
    /// it (H.264, HEVC, AV1 and VP9 stay with 4:2:0, which every player decodes).
    package func encodableFormat(for source: PixelFormat) -> PixelFormat {
        switch self {
        case .h264: return source == .nv12 ? .nv12 : .yuv420p
        case .hevc, .av1, .vp9: return source.bitDepth > 8 ? .yuv420p10le : .yuv420p
        case .mjpeg: return Self.mjpegFormat(for: source)
        case .prores: return source.hasAlpha ? .yuva444p10le : .yuv444p10le
        default: return Self.losslessFormat(for: source)
        }
    }

    /// The nearest format whose frames can be rotated by a quarter: their chroma has a square grid.
    /// FFV1 keeps every sample, the others give up half the chroma rows.
    func rotatableFormat(for format: PixelFormat) -> PixelFormat {
        if format.bitDepth > 8 { return self == .ffv1 ? .yuv444p10le : .yuv420p10le }
        return self == .ffv1 ? .yuv444p : .yuv420p
    }

    private static func mjpegFormat(for source: PixelFormat) -> PixelFormat {
        switch source {
        case .yuv422p, .yuyv422, .yvyu422, .uyvy422, .nv16, .yuv422p10le: .yuv422p
        case .yuv444p, .yuv444p10le, .yuva444p10le: .yuv444p
        default: .yuv420p
        }
    }

    private static func losslessFormat(for source: PixelFormat) -> PixelFormat {
        switch source {
        case .yuyv422, .yvyu422, .uyvy422, .nv16: .yuv422p
        case .nv12, .nv21: .yuv420p
        case .p010le: .yuv420p10le
        case .rgb24, .bgr24, .rgba, .bgra, .rgb565le: .bgra
        default: source
        }
    }
}

extension VideoOutputSettings {
    /// As the codec's, of the profile asked for.
    package func encodableFormat(for source: PixelFormat) -> PixelFormat {
        switch profile {
        case .main10: .yuv420p10le
        case .main where codec == .hevc: .yuv420p
        default: codec.encodableFormat(for: source)
        }
    }
}

extension VideoEncoderSettings {
    package init(_ settings: VideoOutputSettings, lowLatency: Bool) {
        self.init(codec: settings.codec)
        switch settings.rate {
        case .quality(let value): rateControl = .quality(value)
        case .bitrate(let value): rateControl = .bitrate(value)
        case nil: break
        }
        if let preset = settings.preset { self.preset = preset }
        keyFrameInterval = settings.keyFrameInterval
        keyFrameFrames = settings.keyFrameIntervalFrames
        profile = settings.profile
        level = settings.level
        pass = settings.pass
        threads = settings.threads
        self.lowLatency = lowLatency
    }
}
