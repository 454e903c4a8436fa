internal import CFFmpeg
internal import Media

// What happens once, before the first block.
extension AudioEncoder {
    static func find(_ codec: AudioCodec) throws(MediaError) -> UnsafePointer<AVCodec> {
        guard let found = encoder(codec) else {
            let name = library(codec) ?? "it"
            throw .refused(
                .invalidSetting, codec.rawValue,
                "Cannot encode \(codec.rawValue): this libavcodec is built without \(name); install "
                    + "Debian's libavcodec59, or choose another codec.")
        }
        return found
    }

    private static func encoder(_ codec: AudioCodec) -> UnsafePointer<AVCodec>? {
        guard let name = library(codec) else { return avcodec_find_encoder(codec.identifier) }
        return avcodec_find_encoder_by_name(name)
    }

    /// The library that encodes a codec inside libavcodec; nil: libavcodec itself.
    private static func library(_ codec: AudioCodec) -> String? {
        switch codec {
        case .opus: "libopus"
        case .mp3: "libmp3lame"
        default: nil
        }
    }

    static func check(
        _ codec: UnsafePointer<AVCodec>, _ input: AudioFormat
    ) throws(MediaError) {
        let name = String(cString: codec.pointee.name)
        guard input.channels <= 8, (8_000...384_000).contains(input.sampleRate) else {
            throw .refused(
                .invalidSetting, name,
                "Cannot encode \(input.channels) channels at \(input.sampleRate) Hz; use up to 8 "
                    + "channels and 8,000…384,000 Hz.")
        }
        guard var rate = codec.pointee.supported_samplerates else { return }
        var known: [Int] = []
        while rate.pointee != 0 {
            known.append(Int(rate.pointee))
            rate += 1
        }
        guard known.contains(input.sampleRate) else {
            let list = known.sorted().map(String.init).joined(separator: ", ")
            throw .refused(
                .invalidSetting, name,
                "Cannot encode audio at \(input.sampleRate) Hz with \(name); resample it to one of "
                    + "\(list) Hz.")
        }
    }

    /// The encoder's sample format nearest to the input's: the same, else the widest.
    static func encoderFormat(
        _ codec: UnsafePointer<AVCodec>, _ input: AudioSampleFormat
    ) -> AVSampleFormat {
        guard var entry = codec.pointee.sample_fmts else { return input.libav }
        var known: [AVSampleFormat] = []
        while entry.pointee != AV_SAMPLE_FMT_NONE {
            known.append(entry.pointee)
            entry += 1
        }
        let same = known.first { av_get_packed_sample_fmt($0) == input.libav }
        let widest = known.max { av_get_bytes_per_sample($0) < av_get_bytes_per_sample($1) }
        return same ?? widest ?? input.libav
    }

    static func configure(
        _ context: UnsafeMutablePointer<AVCodecContext>, _ settings: AudioEncoderSettings,
        _ input: AudioFormat, _ format: AVSampleFormat
    ) {
        context.pointee.sample_fmt = format
        context.pointee.sample_rate = Int32(input.sampleRate)
        context.pointee.time_base = AVRational(1, Int32(input.sampleRate))
        av_channel_layout_default(&context.pointee.ch_layout, Int32(input.channels))
        context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        context.pointee.thread_count = 1
        if let rate = settings.effectiveBitrate(channels: input.channels) {
            context.pointee.bit_rate = Int64(rate)
        }
        // FLAC and ALAC hold 24 of the 32 bits of int32 and float32 input
        if settings.codec == .flac || settings.codec == .alac,
            av_get_packed_sample_fmt(format) == AV_SAMPLE_FMT_S32
        {
            context.pointee.bits_per_raw_sample = 24
        }
    }

    /// The codec's configuration in MP4's form.
    static func configuration(_ codec: AudioCodec, _ extradata: [UInt8]) -> [UInt8] {
        switch codec {
        case .aac, .flac: extradata
        case .opus: OpusConfiguration.mp4(fromHead: extradata) ?? []
        case .alac: ALACConfiguration.body(of: extradata)
        default: []
        }
    }
}
