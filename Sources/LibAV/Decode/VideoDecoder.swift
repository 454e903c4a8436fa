internal import CFFmpeg
package import Media

/// Coded frames in decode order in, raw frames in presentation order out. Thread-bound.
///
/// Frames are handed out in the memory they were decoded into, without a copy, unless their pixel format is
/// none of ours; then they are converted to the closest. Times, durations and attachments are those of
/// the coded samples; frames of which a part could not be decoded are marked (`isDamaged`).
package final class VideoDecoder: @unchecked Sendable {  // because its owner serialises its calls
    /// Largest frame decoded (pixels): as `DemuxerLimits` has them.
    private static func maximumPixels(of codec: VideoCodec?) -> Int {
        DemuxerLimits().maximumPixels(isFFV1: codec == .ffv1)
    }

    // immutable
    private let input: VideoFormat
    /// Whether the format's pixel aspect is more than a default: what the container says goes before the stream.
    private let isAspectKnown: Bool
    private let context: CodecContext
    private let packet: PacketBox
    private let complaints = DecoderComplaints()

    // owned by the calling thread
    private var serial: Int64 = 0
    private var pending: [Int64: SampleBuffer] = [:]
    /// A failure met after good frames, thrown by the next call.
    private var deferred: MediaError?
    private var converter: (box: SwsBox, source: AVPixelFormat, width: Int, height: Int)?
    /// Of a sensor's raw values.
    private var development: BayerDevelopment?

    /// - Parameters:
    ///   - format: coded; H.264 and HEVC length-prefixed when it has a configuration, else Annex B.
    ///   - threads: 1 adds no delay; more decode several frames at once, each holding one back.
    ///   - maximumPixels: larger frames are refused before their memory is allocated; nil: 33 Mi, of FFV1
    ///     64 Mi.
    package init(
        format: VideoFormat, threads: Int = 1, maximumPixels: Int? = nil
    ) throws(MediaError) {
        guard let codec = format.codec, let decoder = avcodec_find_decoder(codec.identifier) else {
            throw .refused(
                .unsupported, format.codec?.rawValue ?? "raw frames",
                "Cannot decode \(format.codec?.rawValue ?? "raw frames"): there is no decoder.")
        }
        let maximumPixels = maximumPixels ?? Self.maximumPixels(of: format.codec)
        try Self.checkSize(format.width, format.height, maximumPixels)
        input = format
        isAspectKnown =
            format.pixelAspect != .square
            || StreamVideoFormat(codec, format.codecConfiguration) != nil
        context = try CodecContext(decoder, subject: "the \(codec.rawValue) decoder")
        packet = try PacketBox()
        let pointer = context.pointer
        pointer.pointee.width = Int32(format.width)
        pointer.pointee.height = Int32(format.height)
        pointer.pointee.max_pixels = Int64(maximumPixels)
        pointer.pointee.thread_count = Int32(max(1, min(threads, 16)))
        pointer.pointee.thread_type = threads > 1 ? FF_THREAD_FRAME | FF_THREAD_SLICE : 0
        if decoder.pointee.capabilities & AV_CODEC_CAP_DR1 != 0 {
            pointer.pointee.get_buffer2 = lendFrameMemory
        }
        context.complain(to: complaints)
        if let bayer = format.bayer {
            let development = BayerDevelopment(bayer, width: format.width, height: format.height)
            try Self.checkMosaic(format)
            pointer.pointee.pix_fmt = av_get_pix_fmt(development.pixelFormatName)
            self.development = development
        }
        try context.setExtradata(format.codecConfiguration)
        try context.open([])
    }

    /// libswscale interpolates whole fours of pixels.
    private static func checkMosaic(_ format: VideoFormat) throws(MediaError) {
        let sides = [format.width, format.height]
        guard sides.allSatisfy({ $0 >= 4 && $0.isMultiple(of: 2) }) else {
            throw .refused(
                .unsupported, "\(format.width)x\(format.height)",
                "Cannot develop a sensor's frame of \(format.width)x\(format.height): its sides must be "
                    + "even and at least 4; take a raw photo (.dng).")
        }
    }

    private static func checkSize(_ width: Int, _ height: Int, _ most: Int) throws(MediaError) {
        // 0 is unknown until the stream states it; then max_pixels guards
        guard width >= 0, height >= 0, width <= 65_535, height <= 65_535, width * height <= most
        else {
            throw .refused(
                .overLimit, "\(width)x\(height)",
                "Cannot decode frames of \(width)x\(height): the limit is \(most) pixels.")
        }
    }

    /// Decodes one sample and hands out what is ready.
    /// - Parameters:
    ///   - sample: coded.
    ///   - isSkippable: nobody wants its frame: it is left out where no other one refers to it.
    /// - Throws: `.damagedFile` for a sample that cannot be decoded; the next one may be tried.
    package func decode(
        _ sample: SampleBuffer, isSkippable: Bool = false
    ) throws(MediaError) -> [SampleBuffer] {
        guard case .coded(let block) = sample.payload else {
            throw .refused(.unsupported, context.subject, "Cannot decode raw frames.")
        }
        LibAVLog.clear()
        try packet.fill(try developed(block))
        packet.pointer.pointee.pts = serial
        packet.pointer.pointee.dts = serial
        context.pointer.pointee.reordered_opaque = serial
        if sample.isSync { packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY }
        pending[serial] = sample
        // frames that were never shown must not gather
        if pending.count > 64 { pending = pending.filter { $0.key > serial - 64 } }
        serial += 1
        context.pointer.pointee.skip_frame = isSkippable ? AVDISCARD_NONREF : AVDISCARD_DEFAULT
        let result = avcodec_send_packet(context.pointer, packet.pointer)
        av_packet_unref(packet.pointer)
        guard result >= 0 else { throw failure("avcodec_send_packet", result) }
        if let deferred {
            self.deferred = nil
            throw deferred
        }
        return try receive()
    }

    private func developed(_ block: BlockBuffer) throws(MediaError) -> BlockBuffer {
        guard development != nil else { return block }
        if let codes = development?.develop(block) { return codes }
        throw .refused(
            .damagedFile, context.subject, "Cannot develop a frame of which a part is missing.")
    }

    /// Hands out everything still inside; `reset` must come before another sample.
    /// - Throws: `.damagedFile`; then it may be called again for the frames after the damaged one.
    package func finish() throws(MediaError) -> [SampleBuffer] {
        let result = avcodec_send_packet(context.pointer, nil)
        guard result >= 0 || result == vcap_averror_eof else {
            throw failure("avcodec_send_packet", result)
        }
        if let deferred {
            self.deferred = nil
            throw deferred
        }
        return try receive()
    }

    /// Forgets everything inside, as before a jump to another sync sample.
    package func reset() {
        avcodec_flush_buffers(context.pointer)
        pending = [:]
        deferred = nil
    }

    private func receive() throws(MediaError) -> [SampleBuffer] {
        var samples: [SampleBuffer] = []
        while true {
            let frame = try FrameBox()
            let result = avcodec_receive_frame(context.pointer, frame.pointer)
            if result == vcap_averror_eagain || result == vcap_averror_eof { return samples }
            guard result >= 0 else {
                let error = failure("avcodec_receive_frame", result)
                if samples.isEmpty { throw error }
                deferred = error
                return samples
            }
            guard let origin = pending.removeValue(forKey: frame.pointer.pointee.pts) else {
                continue
            }
            var sample = try sample(frame, from: origin)
            let isComplained = complaints.take(frame.pointer.pointee.pts)
            sample.attachments.isDamaged = isComplained || frame.isDamaged
            sample.attachments.fieldOrder = fieldOrder(of: frame)
            samples.append(sample)
        }
    }

    /// What the frame does not say the container may, where the codec has no way to say it.
    private func fieldOrder(of frame: FrameBox) -> FieldOrder? {
        // HEVC's fields are frames of their own, of half the height
        guard let codec = input.codec, codec != .hevc else { return nil }
        return frame.fieldOrder ?? (codec.statesFields ? nil : input.fieldOrder)
    }

    private func sample(_ frame: FrameBox, from origin: SampleBuffer) throws(MediaError)
        -> SampleBuffer
    {
        let raw = frame.pointer.pointee
        let libavFormat = AVPixelFormat(rawValue: raw.format)
        var color = ColorDescription(
            raw.color_primaries, raw.color_trc, raw.colorspace, raw.color_range)
        if libavFormat.isFullRangeTwin { color.range = .full }
        let picture: PixelBuffer
        if let format = PixelFormat(libavFormat), let shared = frame.sharedFrame(format) {
            picture = shared
        } else {
            picture = try converted(frame, libavFormat)
        }
        var format = input
        format.coding = .raw(picture.format)
        format.codecConfiguration = []
        (format.bayer, format.fieldOrder) = (nil, nil)
        (format.width, format.height) = (picture.width, picture.height)
        // JPEG has no place for a matrix and its decoder always says BT.601: the track knows better
        format.color =
            input.codec == .mjpeg
            ? input.color.filled(from: color) : color.filled(from: input.color)
        let aspect = raw.sample_aspect_ratio
        if !isAspectKnown, aspect.num > 0, aspect.den > 0 {
            format.pixelAspect = PixelAspect(aspect.num, aspect.den)
        }
        return SampleBuffer(
            payload: .pixels(picture), format: .video(format),
            presentationTime: origin.presentationTime, duration: origin.duration,
            attachments: origin.attachments)
    }

    /// A frame of none of our formats in the closest one.
    private func converted(_ frame: FrameBox, _ source: AVPixelFormat) throws(MediaError)
        -> PixelBuffer
    {
        let (width, height) = (Int(frame.pointer.pointee.width), Int(frame.pointer.pointee.height))
        let target = development == nil ? PixelFormat.closest(to: source) : .rgb48le
        if converter?.source != source || converter?.width != width || converter?.height != height {
            let matrix = UInt8(truncatingIfNeeded: frame.pointer.pointee.colorspace.rawValue)
            let isFull = target.isRGB || frame.pointer.pointee.color_range == AVCOL_RANGE_JPEG
            let box = try SwsBox(
                from: source, to: target.libav, width: width, height: height, matrix: matrix,
                isFullRange: isFull)
            converter = (box, source, width, height)
        }
        var picture = PixelBuffer(width: width, height: height, format: target)
        guard let box = converter?.box else { return picture }
        let data = frame.dataPointers.prefix(4).map { $0.map { UnsafePointer($0) } }
        try picture.withMutablePlanes { planes throws(MediaError) in
            let filler = 4 - planes.count
            try box.run(
                data, Array(frame.strides.prefix(4)),
                planes.map { $0.row(0) } + Array(repeating: nil, count: filler),
                planes.map { Int32($0.bytesPerRow) } + Array(repeating: 0, count: filler))
        }
        return picture
    }

    private func failure(_ function: String, _ number: Int32) -> MediaError {
        .call(
            function, number, code: .damagedFile, subject: context.subject,
            attempt: "Cannot decode a frame with \(context.subject)")
    }
}

extension FrameBox {
    fileprivate var fieldOrder: FieldOrder? {
        guard pointer.pointee.interlaced_frame != 0 else { return nil }
        return pointer.pointee.top_field_first != 0 ? .topFirst : .bottomFirst
    }

    /// The AVFrame's pixels without a copy; this box lives as long as it does. `nil` for frames whose
    /// rows run upwards.
    func sharedFrame(_ format: PixelFormat) -> PixelBuffer? {
        let (width, height) = (Int(pointer.pointee.width), Int(pointer.pointee.height))
        let data = dataPointers
        let strides = strides
        let planes = format.layout.planes.indices.compactMap { index -> PixelPlane? in
            guard let base = data[index], strides[index] > 0 else { return nil }
            return PixelPlane(
                base: base, bytesPerRow: Int(strides[index]),
                rows: format.layout.planes[index].rows(height: height))
        }
        guard planes.count == format.layout.planes.count else { return nil }
        // a frame the decoder still predicts from must not be written to
        let storage = PixelStorage(
            planes: planes, isReadOnly: av_frame_is_writable(pointer) == 0, release: { _ = self })
        return PixelBuffer(width: width, height: height, format: format, storage: storage)
    }
}
