internal import CFFmpeg
package import Media

/// Interleaved PCM in blocks of any size in, coded samples out. Thread-bound: one thread at a time.
///
/// Samples are stamped by counting audio frames from the first block's presentation time (rounded to
/// one frame); later blocks' stamps are not looked at. The first coded sample lies
/// `format.primingFrames` earlier and says so in `leadingTrim`; the last one says in `trailingTrim` how
/// many of its frames are padding. Every sample lasts its full count of frames.
///
/// Sources: libavcodec's aac, libopus, libmp3lame, flac, alac and pcm encoders.
package final class AudioEncoder: @unchecked Sendable {  // because its owner serialises its calls
    /// The coded format. FLAC's configuration is complete (sizes, checksum) after `finish`.
    package private(set) var format: AudioFormat

    // immutable
    private let input: AudioFormat
    private let context: CodecContext
    private let converter: SwrBox
    private let packet: PacketBox
    /// Frames sent at once: what libavcodec wants, or 20 ms for PCM, whose encoders take any number.
    private let frameSize: Int

    // owned by the calling thread
    private var queue: [UInt8] = []
    private var queueStart = 0
    private var base: MediaTime?
    private var framesIn = 0
    private var framesSent = 0
    private var framesOut = 0
    private var leftToTrim: Int
    private var isFinished = false

    /// - Parameter input: raw audio; the encoder takes its sample rate and channels from it.
    /// - Throws: `MediaError` naming the setting, the rates the codec knows or libavcodec's answer.
    package init(settings: AudioEncoderSettings, input: AudioFormat) throws(MediaError) {
        try settings.validate(channels: input.channels)
        guard let sampleFormat = input.sampleFormat, input.channels > 0, input.sampleRate > 0 else {
            throw .refused(
                .invalidSetting, settings.codec.rawValue,
                "Cannot encode samples that are coded already; decode them first.")
        }
        let codec = try Self.find(settings.codec)
        context = try CodecContext(codec, subject: "the audio encoder \(settings.codec.rawValue)")
        try Self.check(codec, input)
        let encoderFormat = Self.encoderFormat(codec, sampleFormat)
        Self.configure(context.pointer, settings, input, encoderFormat)
        try context.open(settings.codec == .opus ? [("frame_duration", "20")] : [])
        converter = try SwrBox(
            from: (sampleFormat.libav, input.sampleRate, input.channels),
            to: (encoderFormat, input.sampleRate, input.channels))
        packet = try PacketBox()
        let wanted = Int(context.pointer.pointee.frame_size)
        frameSize = wanted > 0 ? wanted : max(1, input.sampleRate / 50)
        self.input = input
        let priming = Int(context.pointer.pointee.initial_padding)
        leftToTrim = priming
        format = AudioFormat(
            coding: .coded(settings.codec), sampleRate: input.sampleRate, channels: input.channels,
            codecConfiguration: Self.configuration(settings.codec, context.extradata),
            primingFrames: priming, framesPerPacket: wanted > 0 ? wanted : nil)
    }

    /// Encodes a block and hands out what is ready.
    package func encode(_ sample: SampleBuffer) throws(MediaError) -> [SampleBuffer] {
        guard case .audio(let block) = sample.payload, let audio = sample.format.audio,
            audio.coding == input.coding, audio.channels == input.channels,
            audio.sampleRate == input.sampleRate
        else {
            throw .refused(
                .invalidSetting, context.subject,
                "Cannot encode audio of another format than agreed; convert it first.")
        }
        if base == nil { base = try start(at: sample.presentationTime) }
        framesIn += block.count / input.bytesPerFrame
        block.withUnsafeBytes { queue.append(contentsOf: $0) }
        var samples: [SampleBuffer] = []
        while let count = nextCount(draining: false) { samples += try send(count) }
        compact()
        return samples
    }

    /// Hands out everything still inside; no block may follow.
    package func finish() throws(MediaError) -> [SampleBuffer] {
        guard !isFinished else { return [] }
        isFinished = true
        var samples: [SampleBuffer] = []
        while let count = nextCount(draining: true) { samples += try send(count) }
        let result = avcodec_send_frame(context.pointer, nil)
        guard result >= 0 else { throw failure("avcodec_send_frame", result) }
        samples += try receive()
        return trimmed(samples)
    }

    private func start(at time: MediaTime) throws(MediaError) -> MediaTime {
        let rate = Int32(input.sampleRate)
        do {
            return MediaTime(
                value: try time.checkedTicks(per: rate, rounding: .nearest), timescale: rate)
        } catch {
            throw .refused(
                .invalidSetting, context.subject, "Cannot encode audio at \(time): too far away.")
        }
    }

    /// Frames to send next, `nil` when more input must come first.
    private func nextCount(draining: Bool) -> Int? {
        let queued = (queue.count - queueStart) / input.bytesPerFrame
        guard queued > 0 else { return nil }
        return queued >= frameSize ? frameSize : draining ? queued : nil
    }

    private func compact() {
        queue.removeFirst(queueStart)
        queueStart = 0
    }

    private func send(_ count: Int) throws(MediaError) -> [SampleBuffer] {
        let frame = try FrameBox()
        frame.pointer.pointee.nb_samples = Int32(count)
        frame.pointer.pointee.format = context.pointer.pointee.sample_fmt.rawValue
        frame.pointer.pointee.sample_rate = context.pointer.pointee.sample_rate
        av_channel_layout_copy(&frame.pointer.pointee.ch_layout, &context.pointer.pointee.ch_layout)
        guard av_frame_get_buffer(frame.pointer, 0) >= 0 else {
            throw .memory("av_frame_get_buffer", context.subject, code: .encoderFailed)
        }
        let offset = queueStart
        let converted = queue.withUnsafeBytes { bytes in
            var source: UnsafePointer<UInt8>? = bytes.bindMemory(to: UInt8.self).baseAddress?
                .advanced(by: offset)
            return swr_convert(
                converter.pointer, frame.pointer.pointee.extended_data, Int32(count), &source,
                Int32(count))
        }
        guard converted == Int32(count) else { throw SwrBox.failure("swr_convert", converted) }
        queueStart += count * input.bytesPerFrame
        frame.pointer.pointee.pts = Int64(framesSent)
        framesSent += count
        let result = avcodec_send_frame(context.pointer, frame.pointer)
        guard result >= 0 else { throw failure("avcodec_send_frame", result) }
        return try receive()
    }

    private func receive() throws(MediaError) -> [SampleBuffer] {
        var samples: [SampleBuffer] = []
        while true {
            let result = avcodec_receive_packet(context.pointer, packet.pointer)
            if result == vcap_averror_eagain || result == vcap_averror_eof { return samples }
            guard result >= 0 else { throw failure("avcodec_receive_packet", result) }
            if let data = packet.sideData(AV_PKT_DATA_NEW_EXTRADATA), format.codec == .flac {
                format.codecConfiguration = Array(data)
            }
            if packet.pointer.pointee.size > 0 { samples.append(nextSample()) }
            av_packet_unref(packet.pointer)
        }
    }

    /// The packet as a sample, stamped by counting.
    private func nextSample() -> SampleBuffer {
        let rate = Int32(input.sampleRate)
        let start = (base?.value ?? 0) + Int64(framesOut - format.primingFrames)
        let count = frameCount()
        let leading = min(leftToTrim, count)
        leftToTrim -= leading
        framesOut += count
        return SampleBuffer(
            payload: .coded(BlockBuffer(packet.bytes)), format: .audio(format),
            presentationTime: MediaTime(value: start, timescale: rate),
            duration: MediaTime(value: Int64(count), timescale: rate),
            attachments: SampleAttachments(leadingTrim: leading))
    }

    private func frameCount() -> Int {
        guard let codec = format.codec else { return frameSize }
        if let bytes = codec.bytesPerPCMSample {
            return Int(packet.pointer.pointee.size) / (bytes * input.channels)
        }
        // the last sample of FLAC and ALAC is shorter, not padded
        return codec == .flac || codec == .alac ? Int(packet.pointer.pointee.duration) : frameSize
    }

    /// Marks how much of the last sample is padding; samples of padding only are left out.
    private func trimmed(_ samples: [SampleBuffer]) -> [SampleBuffer] {
        var samples = samples
        var excess = framesOut - format.primingFrames - framesIn
        while excess > 0, let last = samples.last {
            let count = Int(last.duration?.value ?? 0)
            if excess >= count {
                samples.removeLast()
                excess -= count
            } else {
                samples[samples.count - 1].attachments.trailingTrim = excess
                excess = 0
            }
        }
        return samples
    }

    private func failure(_ function: String, _ number: Int32) -> MediaError {
        .call(
            function, number, code: .encoderFailed, subject: context.subject,
            attempt: "Cannot encode audio with \(context.subject)")
    }
}
