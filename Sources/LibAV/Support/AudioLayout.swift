internal import CFFmpeg
internal import Media

extension AudioSampleFormat {
    var libav: AVSampleFormat {
        switch self {
        case .int16: AV_SAMPLE_FMT_S16
        case .int32: AV_SAMPLE_FMT_S32
        case .float32: AV_SAMPLE_FMT_FLT
        }
    }

    /// The interleaved format that holds a libav format without loss.
    init(holding format: AVSampleFormat) {
        switch av_get_packed_sample_fmt(format) {
        case AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_S16: self = .int16
        case AV_SAMPLE_FMT_S32: self = .int32
        default: self = .float32
        }
    }
}

/// Owns one `SwrContext`: changes sample format, rate and channel count. Thread-bound.
final class SwrBox {
    let pointer: OpaquePointer

    init(
        from input: (format: AVSampleFormat, rate: Int, channels: Int),
        to output: (format: AVSampleFormat, rate: Int, channels: Int),
        options: [(name: String, value: String)] = []
    ) throws(MediaError) {
        LibAVLog.prepare()
        LibAVLog.clear()
        var source = AVChannelLayout()
        var target = AVChannelLayout()
        av_channel_layout_default(&source, Int32(input.channels))
        av_channel_layout_default(&target, Int32(output.channels))
        var context: OpaquePointer?
        let result = swr_alloc_set_opts2(
            &context, &target, output.format, Int32(output.rate), &source, input.format,
            Int32(input.rate), 0, nil)
        guard result >= 0, let context else { throw .memory("swr_alloc_set_opts2", "a resampler") }
        pointer = context
        // of whole numbers it would lower each channel so far that no sum can be too loud; one level for all
        let isMixed = input.channels != output.channels
        let mixing = [("internal_sample_fmt", "fltp"), ("rematrix_maxval", "1000")]
        for (name, value) in options + (isMixed ? mixing : []) {
            let set = av_opt_set(UnsafeMutableRawPointer(context), name, value, 0)
            guard set >= 0 else { throw Self.failure("av_opt_set", set) }
        }
        let opened = swr_init(context)
        guard opened >= 0 else { throw Self.failure("swr_init", opened) }
    }

    deinit {
        var context: OpaquePointer? = pointer
        swr_free(&context)
    }

    static func failure(_ function: String, _ number: Int32) -> MediaError {
        .call(
            function, number, code: .conversionFailed, subject: "the audio resampler",
            attempt: "Cannot convert audio")
    }
}
