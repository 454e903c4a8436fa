internal import CFFmpeg
internal import Glibc
package import Media

/// Raw frames in, coded samples out. Thread-bound: one thread at a time, in presentation order.
///
/// Every group of pictures is closed and begins where the settings' interval, `forcesSync` or the first
/// frame asks for it; at a scene cut only without `lowLatency`. Parameter sets are in `format` only and depend on
/// the settings alone. H.264 and HEVC samples are length-prefixed (ISO/IEC 14496-15).
///
/// Sources: libavcodec's libx264, libx265, libsvtav1, libvpx-vp9, mjpeg, ffv1 and prores_ks.
package final class VideoEncoder: @unchecked Sendable {  // because its owner serialises its calls
    // immutable
    /// The coded format, with its configuration.
    package let format: VideoFormat
    /// Equal for two encoders whose samples may share a track.
    package let fingerprint: String
    /// How many frames ahead of being shown samples may have to be decoded (count).
    package let reorder: Int
    private let plan: VideoEncoderPlan
    private let context: CodecContext
    private let frame: FrameBox
    private let packet: PacketBox
    /// What the first pass saw, as long as the encoder lives (VP9).
    private let statistics: FirstPassStatistics?

    // owned by the calling thread
    private var pending: [Pending] = []
    private var lastTicks: Int64?
    private var lastSync: Int64?
    /// Frames since the last sync sample asked for, that one included.
    private var groupLength = 0
    /// Whether frames have come slower than the nominal rate since the last sync sample asked for.
    private var isSlow = false
    private var isFinished = false

    /// A frame inside libavcodec.
    private struct Pending {
        let ticks: Int64
        let presentationTime: MediaTime
        let duration: MediaTime?
        let attachments: SampleAttachments
    }

    /// - Parameter input: raw frames; the encoder takes their size, format, colour, pixel aspect and
    ///   nominal rate from it (30 when there is none).
    /// - Throws: `MediaError` naming the setting or what libavcodec answered.
    package init(settings: VideoEncoderSettings, input: VideoFormat) throws(MediaError) {
        try settings.validate()
        guard let pixelFormat = input.pixelFormat else {
            throw .refused(
                .invalidSetting, settings.codec.rawValue,
                "Cannot encode samples that are coded already; decode them first.")
        }
        plan = VideoEncoderPlan(
            settings, input: input, pixelFormat: pixelFormat,
            cores: max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
        guard let codec = avcodec_find_encoder_by_name(plan.encoderName) else {
            throw .refused(
                .invalidSetting, plan.encoderName,
                "Cannot encode \(settings.codec.rawValue): this libavcodec is built without "
                    + "\(plan.encoderName); install Debian's libavcodec59.")
        }
        try Self.check(plan, codec)
        if settings.codec == .av1 { EncoderMessages.quieten() }
        context = try CodecContext(codec, subject: "the encoder \(plan.encoderName)")
        frame = try FrameBox()
        packet = try PacketBox()
        Self.configure(context.pointer, plan)
        statistics = try settings.pass.map { pass throws(MediaError) in
            try FirstPassStatistics(pass, of: settings.codec)
        }
        statistics?.show(to: context.pointer)
        if settings.codec == .ffv1 {
            // its packets are allocated as large as they could become, of which next to nothing is touched
            LibAVLog.allow(FFV1Slices.packetSize(input.width, input.height))
        }
        try context.open(plan.options)
        var format = input
        format.coding = .coded(settings.codec)
        format.codecConfiguration = try Self.configuration(context, plan)
        self.format = format
        fingerprint = plan.fingerprint(configuration: format.codecConfiguration)
        // libx265 does not say it there
        reorder =
            settings.codec == .hevc
            ? HEVCParameterSets(record: format.codecConfiguration)?.reorder ?? 0
            : Int(context.pointer.pointee.has_b_frames)
    }

    /// Encodes one frame and hands out what is ready.
    /// - Throws: `.outOfOrder` when the frame is not after the one before in ticks of 1/90,000 s;
    ///   `.unsupported` when it is not of the format agreed.
    package func encode(_ sample: SampleBuffer) throws(MediaError) -> [SampleBuffer] {
        guard let picture = sample.pixelBuffer, picture.width == format.width,
            picture.height == format.height, picture.format == plan.pixelFormat
        else {
            throw .refused(
                .invalidSetting, context.subject,
                "Cannot encode a frame of another size or format than the \(format.width)x"
                    + "\(format.height) \(plan.pixelFormat.rawValue) agreed; convert it first.")
        }
        let ticks = try ticks(of: sample.presentationTime)
        try frame.show(picture, as: plan.libavPixelFormat)
        frame.pointer.pointee.pts = ticks
        frame.pointer.pointee.quality = context.pointer.pointee.global_quality
        frame.pointer.pointee.color_range = context.pointer.pointee.color_range
        // prores_ks writes each frame's own
        frame.pointer.pointee.color_primaries = context.pointer.pointee.color_primaries
        frame.pointer.pointee.color_trc = context.pointer.pointee.color_trc
        frame.pointer.pointee.colorspace = context.pointer.pointee.colorspace
        let isSync = needsSync(sample, at: ticks)
        frame.pointer.pointee.pict_type = isSync ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        let result = avcodec_send_frame(context.pointer, frame.pointer)
        av_frame_unref(frame.pointer)
        guard result >= 0 else { throw failure("avcodec_send_frame", result) }
        if isSync { (lastSync, isSlow, groupLength) = (ticks, false, 0) }
        groupLength += 1
        lastTicks = ticks
        if plan.settings.pass?.isFirst != true {
            pending.append(
                Pending(
                    ticks: ticks, presentationTime: sample.presentationTime,
                    duration: sample.duration, attachments: sample.attachments))
        }
        return try receive()
    }

    /// Hands out everything still inside; no frame may follow.
    package func finish() throws(MediaError) -> [SampleBuffer] {
        guard !isFinished else { return [] }
        isFinished = true
        let result = avcodec_send_frame(context.pointer, nil)
        guard result >= 0 else { throw failure("avcodec_send_frame", result) }
        let rest = try receive()
        try statistics?.keep(of: context.pointer)
        return rest
    }

    /// Whether this frame, were it the next one, would be a sync sample. At low latency only: elsewhere the codec
    /// chooses too.
    package func beginsGroup(_ sample: SampleBuffer) throws(MediaError) -> Bool {
        needsSync(sample, at: try ticks(of: sample.presentationTime))
    }

    private func ticks(of time: MediaTime) throws(MediaError) -> Int64 {
        let ticks: Int64
        do {
            ticks = try time.checkedTicks(per: VideoEncoderPlan.timescale, rounding: .nearest)
        } catch {
            throw .refused(
                .invalidSetting, context.subject,
                "Cannot encode a frame at \(time): too far away.")
        }
        if let lastTicks, ticks <= lastTicks {
            throw .refused(
                .outOfOrder, context.subject,
                "Cannot encode a frame at \(time): it is not after the one before.")
        }
        return ticks
    }

    /// A sync sample is due when the next frame, coming at the rate seen last, would be too late.
    private func needsSync(_ sample: SampleBuffer, at ticks: Int64) -> Bool {
        guard let lastSync, let lastTicks, !sample.attachments.forcesSync else { return true }
        isSlow = isSlow || ticks - lastTicks > plan.nominalStep
        if let frames = plan.settings.keyFrameFrames {
            return plan.keyFrameImages == nil && groupLength >= frames
        }
        // at the nominal rate a codec that counts frames keeps the interval by itself
        if plan.keyFrameImages != nil, !isSlow { return false }
        let interval = plan.settings.keyFrameInterval.ticks(
            per: VideoEncoderPlan.timescale, rounding: .down)
        return ticks - lastSync + (ticks - lastTicks) > interval
    }

    private func receive() throws(MediaError) -> [SampleBuffer] {
        var samples: [SampleBuffer] = []
        while true {
            let result = avcodec_receive_packet(context.pointer, packet.pointer)
            if result == vcap_averror_eagain || result == vcap_averror_eof { return samples }
            guard result >= 0 else { throw failure("avcodec_receive_packet", result) }
            if plan.settings.pass?.isFirst != true {
                samples.append(try sample(from: packet.pointer.pointee))
            }
            av_packet_unref(packet.pointer)
        }
    }

    private func sample(from packet: AVPacket) throws(MediaError) -> SampleBuffer {
        guard let index = pending.firstIndex(where: { $0.ticks == packet.pts }) else {
            throw .refused(
                .encoderFailed, context.subject,
                "\(context.subject) made a sample nobody asked for.")
        }
        let origin = pending.remove(at: index)
        let bytes = UnsafeRawBufferPointer(start: packet.data, count: Int(packet.size))
        let block: BlockBuffer
        switch plan.settings.codec {
        case .h264:
            block = NALUnits.lengthPrefixed(bytes) { NALCodec.h264.isOutOfBand($0) }
        case .hevc:
            block = NALUnits.lengthPrefixed(bytes) { NALCodec.hevc.isOutOfBand($0) }
        case .av1:
            block = BlockBuffer(
                UnsafeRawBufferPointer(
                    rebasing: bytes.dropFirst(AV1Configuration.delimiterLength(bytes))))
        default: block = BlockBuffer(bytes)
        }
        // frames of AV1 and VP9 that are shown later come with one that is shown now
        let isInOrder = plan.settings.codec == .av1 || plan.settings.codec == .vp9
        let decodeTime =
            packet.dts == packet.pts || packet.dts == vcap_no_pts || isInOrder
            ? nil : MediaTime(value: packet.dts, timescale: VideoEncoderPlan.timescale)
        return SampleBuffer(
            payload: .coded(block), format: .video(format),
            presentationTime: origin.presentationTime, decodeTime: decodeTime,
            duration: origin.duration, isSync: packet.flags & AV_PKT_FLAG_KEY != 0,
            attachments: origin.attachments)
    }

    private func failure(_ function: String, _ number: Int32) -> MediaError {
        .call(
            function, number, code: .encoderFailed, subject: context.subject,
            attempt: "Cannot encode a frame with \(context.subject)")
    }
}

// What happens once, before the first frame.
extension VideoEncoder {
    private static func check(
        _ plan: VideoEncoderPlan, _ encoder: UnsafePointer<AVCodec>
    ) throws(MediaError) {
        guard plan.input.width > 0, plan.input.height > 0,
            plan.input.width <= 16_384, plan.input.height <= 16_384
        else {
            throw .refused(
                .encoderFailed, plan.encoderName,
                "Cannot encode frames of \(plan.input.width)x\(plan.input.height); use 1…16384.")
        }
        let (codec, least) = (plan.settings.codec, plan.settings.codec.leastSide)
        guard min(plan.input.width, plan.input.height) >= least else {
            throw .refused(
                .invalidSetting, plan.encoderName,
                "Cannot encode \(plan.input.width)x\(plan.input.height) in \(codec.rawValue): its encoder "
                    + "takes \(least)x\(least) and more; choose a larger size or another codec.")
        }
        var names: [String] = []
        var list = encoder.pointee.pix_fmts
        while let entry = list, entry.pointee != AV_PIX_FMT_NONE {
            if entry.pointee == plan.libavPixelFormat { return }
            if let known = PixelFormat(entry.pointee), !names.contains(known.rawValue) {
                names.append(known.rawValue)
            }
            list = entry + 1
        }
        throw .refused(
            .invalidSetting, plan.encoderName,
            "Cannot encode \(plan.pixelFormat.rawValue) frames with \(plan.encoderName); convert "
                + "them to \(names.joined(separator: ", ")).")
    }

    private static func configure(
        _ context: UnsafeMutablePointer<AVCodecContext>, _ plan: VideoEncoderPlan
    ) {
        context.pointee.width = Int32(plan.input.width)
        context.pointee.height = Int32(plan.input.height)
        context.pointee.pix_fmt = plan.libavPixelFormat
        context.pointee.time_base = AVRational(1, VideoEncoderPlan.timescale)
        context.pointee.framerate = AVRational(plan.rate.numerator, plan.rate.denominator)
        context.pointee.sample_aspect_ratio = AVRational(
            plan.input.pixelAspect.horizontal, plan.input.pixelAspect.vertical)
        let color = plan.input.color
        context.pointee.color_primaries = color.libavPrimaries
        context.pointee.color_trc = color.libavTransfer
        context.pointee.colorspace = color.libavMatrix
        context.pointee.color_range = plan.isFullRange ? AVCOL_RANGE_JPEG : color.range.libav
        context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        context.pointee.thread_count = Int32(plan.threads)
        context.pointee.thread_type = plan.hasFrameThreads ? FF_THREAD_FRAME : FF_THREAD_SLICE
        if plan.settings.codec == .vp9 {
            // libvpx takes a frame to be this long (libavcodec 59)
            context.pointee.ticks_per_frame = Int32(clamping: max(1, plan.nominalStep))
        }
        if plan.settings.codec == .mjpeg, case .quality(let quantiser) = plan.settings.rateControl {
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = Int32((quantiser * Double(FF_QP2LAMBDA)).rounded())
        }
    }

    /// The codec's configuration in MP4's form.
    private static func configuration(
        _ context: CodecContext, _ plan: VideoEncoderPlan
    ) throws(MediaError) -> [UInt8] {
        let made: [UInt8]?
        switch plan.settings.codec {
        case .h264: made = AVCConfiguration.record(fromAnnexB: context.extradata)
        case .hevc: made = HEVCConfiguration.record(fromAnnexB: context.extradata)
        case .ffv1: made = context.extradata
        case .prores: made = ProResKind(hasAlpha: plan.pixelFormat.hasAlpha).configuration
        case .av1: made = AV1Configuration.record(from: context.extradata)
        case .vp9: made = VP9Configuration.record(of: plan.input, plan.pixelFormat)
        default: made = []
        }
        guard let made else {
            throw .refused(
                .encoderFailed, context.subject, "\(context.subject) gave no usable parameter sets."
            )
        }
        return made
    }
}
