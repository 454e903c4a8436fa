internal import CFFmpeg
package import Media

/// Coded audio in, interleaved PCM out. Thread-bound.
///
/// `leadingTrim` and `trailingTrim` of the samples are cut off, and the presentation time moves with
/// the start; nothing else is cut. Times come in ticks of the sample rate.
package final class AudioDecoder: @unchecked Sendable {  // because its owner serialises its calls
    /// Most frames of one coded sample (frames).
    static let maximumFrames: Int64 = 1 << 22

    // immutable
    private let input: AudioFormat
    private let context: CodecContext
    private let packet: PacketBox

    // owned by the calling thread
    private var serial: Int64 = 0
    private var pending: [Int64: SampleBuffer] = [:]
    private var leadingLeft = 0
    private var position: MediaTime?
    private var converter: (box: SwrBox, format: Int32, rate: Int32, channels: Int32)?

    package init(format: AudioFormat) throws(MediaError) {
        guard let codec = format.codec, let decoder = Self.find(codec) else {
            throw .refused(
                .unsupported, format.codec?.rawValue ?? "PCM",
                "Cannot decode \(format.codec?.rawValue ?? "raw audio"): there is no decoder.")
        }
        guard (1...64).contains(format.channels), (1...768_000).contains(format.sampleRate) else {
            throw .refused(
                .overLimit, codec.rawValue,
                "Cannot decode \(format.channels) channels at \(format.sampleRate) Hz.")
        }
        input = format
        context = try CodecContext(decoder, subject: "the \(codec.rawValue) decoder")
        packet = try PacketBox()
        let pointer = context.pointer
        pointer.pointee.sample_rate = Int32(format.sampleRate)
        av_channel_layout_default(&pointer.pointee.ch_layout, Int32(format.channels))
        pointer.pointee.max_samples = Self.maximumFrames
        pointer.pointee.thread_count = 1
        pointer.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
        if codec.bytesPerPCMSample != nil {
            pointer.pointee.bits_per_coded_sample = Int32((codec.bytesPerPCMSample ?? 2) * 8)
        }
        if let blocks = format.blocks {
            pointer.pointee.block_align = Int32(clamping: blocks.bytes)
            pointer.pointee.bits_per_coded_sample = Int32(clamping: blocks.sampleBits)
        }
        try context.setExtradata(Self.extradata(codec, format.codecConfiguration))
        try context.open([])
    }

    private static func find(_ codec: AudioCodec) -> UnsafePointer<AVCodec>? {
        if codec == .opus, let found = avcodec_find_decoder_by_name("libopus") { return found }
        return avcodec_find_decoder(codec.identifier)
    }

    private static func extradata(_ codec: AudioCodec, _ configuration: [UInt8]) -> [UInt8] {
        switch codec {
        case .opus where !configuration.starts(with: Array("OpusHead".utf8)):
            return OpusConfiguration.head(fromMP4: configuration) ?? []
        case .alac: return ALACConfiguration.atom(of: configuration)
        default: return configuration
        }
    }

    /// Decodes one sample and hands out what is ready.
    /// - Throws: `.damagedFile` for a sample that cannot be decoded; the next one may be tried.
    package func decode(_ sample: SampleBuffer) throws(MediaError) -> [SampleBuffer] {
        guard case .coded(let block) = sample.payload else {
            throw .refused(.unsupported, context.subject, "Cannot decode raw audio.")
        }
        LibAVLog.clear()
        try packet.fill(block)
        packet.pointer.pointee.pts = serial
        packet.pointer.pointee.dts = serial
        pending[serial] = sample
        if pending.count > 64 { pending = pending.filter { $0.key > serial - 64 } }
        serial += 1
        let result = avcodec_send_packet(context.pointer, packet.pointer)
        av_packet_unref(packet.pointer)
        guard result >= 0 else { throw failure("avcodec_send_packet", result) }
        return try receive()
    }

    /// Hands out everything still inside; `reset` must come before another sample.
    package func finish() throws(MediaError) -> [SampleBuffer] {
        let result = avcodec_send_packet(context.pointer, nil)
        guard result >= 0 || result == vcap_averror_eof else {
            throw failure("avcodec_send_packet", result)
        }
        return try receive()
    }

    /// Forgets everything inside, as before a jump.
    package func reset() {
        avcodec_flush_buffers(context.pointer)
        pending = [:]
        position = nil
        leadingLeft = 0
    }

    private func receive() throws(MediaError) -> [SampleBuffer] {
        var samples: [SampleBuffer] = []
        while true {
            let frame = try FrameBox()
            let result = avcodec_receive_frame(context.pointer, frame.pointer)
            if result == vcap_averror_eagain || result == vcap_averror_eof { return samples }
            guard result >= 0 else { throw failure("avcodec_receive_frame", result) }
            if let sample = try sample(frame) { samples.append(sample) }
        }
    }

    private func sample(_ frame: FrameBox) throws(MediaError) -> SampleBuffer? {
        let origin = pending.removeValue(forKey: frame.pointer.pointee.pts)
        let rate = frame.pointer.pointee.sample_rate
        guard rate > 0, frame.pointer.pointee.nb_samples > 0 else { return nil }
        if let origin {
            position = origin.presentationTime.scaled(to: rate, rounding: .nearest)
            leadingLeft += origin.attachments.leadingTrim
        }
        let (block, format) = try interleaved(frame)
        let count = block.count / format.bytesPerFrame
        let leading = min(leadingLeft, count)
        leadingLeft -= leading
        let trailing = min(origin?.attachments.trailingTrim ?? 0, count - leading)
        let start = (position ?? .zero) + MediaTime(value: Int64(leading), timescale: rate)
        let kept = count - leading - trailing
        position = start + MediaTime(value: Int64(count - leading), timescale: rate)
        guard kept > 0 else { return nil }
        let bytes = format.bytesPerFrame
        let part = kept == count ? block : block.slice(leading * bytes..<(leading + kept) * bytes)
        return SampleBuffer(
            payload: .audio(part), format: .audio(format), presentationTime: start,
            duration: MediaTime(value: Int64(kept), timescale: rate))
    }

    /// The frame's audio, interleaved.
    private func interleaved(_ frame: FrameBox) throws(MediaError) -> (BlockBuffer, AudioFormat) {
        let raw = frame.pointer.pointee
        let channels = raw.ch_layout.nb_channels
        let source = AVSampleFormat(rawValue: raw.format)
        let target = AudioSampleFormat(holding: source)
        if converter?.format != raw.format || converter?.rate != raw.sample_rate
            || converter?.channels != channels
        {
            let rate = Int(raw.sample_rate)
            let box = try SwrBox(
                from: (source, rate, Int(channels)), to: (target.libav, rate, Int(channels)))
            converter = (box, raw.format, raw.sample_rate, channels)
        }
        let format = AudioFormat(
            coding: .raw(target), sampleRate: Int(raw.sample_rate), channels: Int(channels))
        guard let box = converter?.box else { return (BlockBuffer([]), format) }
        var made: Int32 = 0
        let block = BlockBuffer(count: Int(raw.nb_samples) * format.bytesPerFrame) { memory in
            var output: UnsafeMutablePointer<UInt8>? =
                memory.bindMemory(to: UInt8.self).baseAddress
            frame.pointer.pointee.extended_data.withMemoryRebound(
                to: UnsafePointer<UInt8>?.self, capacity: Int(channels)
            ) { planes in
                made = swr_convert(box.pointer, &output, raw.nb_samples, planes, raw.nb_samples)
            }
        }
        guard made == raw.nb_samples else { throw SwrBox.failure("swr_convert", made) }
        return (block, format)
    }

    private func failure(_ function: String, _ number: Int32) -> MediaError {
        .call(
            function, number, code: .damagedFile, subject: context.subject,
            attempt: "Cannot decode audio with \(context.subject)")
    }
}
