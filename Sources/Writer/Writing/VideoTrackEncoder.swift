internal import LibAV
package import Media

/// Encodes raw pictures through LibAV, rotated and converted first where the codec or container needs
/// it. Thread-bound: the track's encoder thread.
// because only the track's encoder thread calls it after init
final class VideoTrackEncoder: TrackEncoder, @unchecked Sendable {
    /// Most converted pictures in use at once; past it they are allocated one by one.
    private static let poolLimit = 32

    // immutable
    let format: FormatDescription
    let fingerprint: String?
    private let coding: VideoEncoderSettings
    /// What the encoder takes.
    private let input: VideoFormat
    private let rotation: PixelRotation?
    /// Where pictures may have to be scaled or get other colours.
    private let transfer: PixelTransferSession?

    // guarded by itself
    private let wantedSpeed = Lock(EncodingSpeed.asSet)

    // owned by the encoder thread
    /// Nil since a pause, until the next picture.
    private var encoder: VideoEncoder?
    private var converter: PixelConverter?
    private var pool: PixelBufferPool?
    private var rotatedPool: PixelBufferPool?
    private var hasEncoded = false
    /// Of the encoder that is open, or was open last.
    private var speed = EncodingSpeed.asSet
    /// Speeds that need other parameter sets.
    private var refused: Set<EncodingSpeed> = []
    private var change: PresetChange?

    /// - Parameters:
    ///   - lowLatency: no B-pictures and little look-ahead (see `VideoEncoderSettings`).
    ///   - rotatesPixels: whether pictures are rotated upright here, because the container cannot say
    ///     how players should.
    init(
        _ settings: VideoOutputSettings, source: VideoFormat, lowLatency: Bool, rotatesPixels: Bool
    ) throws(MediaError) {
        var input = try settings.trackFormat(for: source)
        let mustRotate = rotatesPixels && source.orientation != .upright
        rotation = mustRotate ? PixelRotation(source.orientation) : nil
        if let format = source.pixelFormat {
            let encodable = settings.encodableFormat(for: format)
            let canRotate = rotation?.supports(encodable) ?? true
            input.coding = .raw(
                canRotate ? encodable : settings.codec.rotatableFormat(for: encodable))
        }
        transfer =
            settings.isTransferring
            ? try PixelTransferSession(
                to: input,
                scalingMode: settings.scalingMode == .fit ? .resize : settings.scalingMode)
            : nil
        if mustRotate {
            if source.orientation.swapsAxes {
                swap(&input.width, &input.height)
                let aspect = input.pixelAspect
                input.pixelAspect = PixelAspect(aspect.vertical, aspect.horizontal)
            }
            input.orientation = .upright
        }
        var coding = VideoEncoderSettings(settings, lowLatency: lowLatency)
        coding.ignoresOpacity = source.pixelFormat.map { !$0.hasAlpha } ?? false
        let encoder = try VideoEncoder(settings: coding, input: input)
        (format, fingerprint) = (.video(encoder.format), encoder.fingerprint)
        self.encoder = encoder
        self.input = input
        self.coding = coding
    }

    func encode(_ sample: SampleBuffer) throws(MediaError) -> [SampleBuffer] {
        if case .coded = sample.payload { return [try admit(sample)] }
        hasEncoded = true
        guard let frame = sample.pixelBuffer else { return [] }
        var prepared = sample
        prepared.payload = .pixels(try prepare(frame, sample.format.video))
        let rest = try changeSpeed(before: prepared)
        return try rest + openedEncoder().encode(prepared)
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

    /// No encoder of libavcodec can be emptied and used on: the next picture opens an equal one. With B-pictures
    /// its first decode times would lie before the last ones of this, so those are left inside.
    func drain() throws(MediaError) -> [SampleBuffer] {
        guard coding.lowLatency, hasEncoded else { return [] }
        defer { encoder = nil }
        return try finish()
    }

    /// Takes a sample that an equal encoder made, before the first raw picture.
    private func admit(_ sample: SampleBuffer) throws(MediaError) -> SampleBuffer {
        guard !hasEncoded,
            sample.format.video?.codecConfiguration == format.video?.codecConfiguration
        else {
            throw MediaError(
                code: .unsupported, subject: "coded picture",
                message: "A coded picture can only come before the first raw one, and from an "
                    + "encoder with the same settings; encode it again.")
        }
        var admitted = sample
        admitted.format = format
        return admitted
    }

    /// Converts, then rotates.
    private func prepare(
        _ frame: PixelBuffer, _ format: VideoFormat?
    ) throws(MediaError) -> PixelBuffer {
        if let transfer {
            return try turn(try transfer.transfer(frame, of: format))
        }
        var wanted = input
        if rotation?.orientation.swapsAxes == true { swap(&wanted.width, &wanted.height) }
        let isSame =
            frame.format == wanted.pixelFormat && frame.width == wanted.width
            && frame.height == wanted.height
        return try turn(isSame ? frame : try convert(frame, format, to: wanted))
    }

    private func turn(_ converted: PixelBuffer) throws(MediaError) -> PixelBuffer {
        guard let rotation else { return converted }
        guard var rotated = Self.freshFrame(from: &rotatedPool, input) else {
            return try rotation.apply(converted)
        }
        try rotation.apply(converted, into: &rotated)
        return rotated
    }

    private func convert(
        _ frame: PixelBuffer, _ format: VideoFormat?, to wanted: VideoFormat
    ) throws(MediaError) -> PixelBuffer {
        var source = format ?? wanted
        source.coding = .raw(frame.format)
        source.width = frame.width
        source.height = frame.height
        let converter: PixelConverter
        if let known = self.converter, known.input == source {
            converter = known
        } else {
            converter = try PixelConverter(from: source, to: wanted)
            self.converter = converter
        }
        guard var target = Self.freshFrame(from: &pool, wanted) else {
            return try converter.convert(frame)
        }
        try converter.convert(frame, into: &target)
        return target
    }

    private static func freshFrame(
        from pool: inout PixelBufferPool?, _ format: VideoFormat
    ) -> PixelBuffer? {
        guard let pixels = format.pixelFormat else { return nil }
        let source =
            pool
            ?? PixelBufferPool(
                width: format.width, height: format.height, format: pixels, limit: poolLimit)
        pool = source
        do { return try source.makeBuffer() } catch { return nil }
    }
}

extension VideoCodec {
    /// The pixel format to encode from: the same where the codec takes it, else what loses least of
    /// it (H.264 and HEVC stay with 4:2:0, which every player decodes).
    package func encodableFormat(for source: PixelFormat) -> PixelFormat {
        switch self {
        case .h264: return source == .nv12 ? .nv12 : .yuv420p
        case .hevc: return source.bitDepth > 8 ? .yuv420p10le : .yuv420p
        case .mjpeg: return Self.mjpegFormat(for: source)
        case .prores: return source.hasAlpha ? .yuva444p10le : .yuv444p10le
        default: return Self.losslessFormat(for: source)
        }
    }

    /// The nearest format whose pictures can be rotated by a quarter: their chroma has a square grid.
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
    func encodableFormat(for source: PixelFormat) -> PixelFormat {
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
        threads = settings.threads
        self.lowLatency = lowLatency
    }
}
