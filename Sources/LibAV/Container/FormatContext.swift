internal import CFFmpeg
internal import Media

/// Owns one `AVFormatContext` opened for reading over a `FileInput`. Thread-bound.
final class FormatContext {
    let pointer: UnsafeMutablePointer<AVFormatContext>
    private let path: String
    /// Must outlive the context.
    private let input: FileInput

    init(_ input: FileInput, _ limits: DemuxerLimits) throws(MediaError) {
        path = input.path
        self.input = input
        guard let context = avformat_alloc_context() else {
            throw .memory("avformat_alloc_context", input.path)
        }
        context.pointee.pb = input.pointer
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        context.pointee.interrupt_callback = input.interrupt
        // no demuxer opens anything else, whatever its file says
        context.pointee.io_open = refuseToOpen
        var options = OptionDictionary([
            ("format_whitelist", DemuxerLimits.formats.joined(separator: ",")),
            ("protocol_whitelist", "file"), ("max_streams", "\(limits.maximumTracks)"),
            ("probesize", "\(max(4096, limits.probeBytes))"), ("analyzeduration", "5000000"),
            ("formatprobesize", "1048576"), ("max_probe_packets", "1000"),
        ])
        LibAVLog.clear()
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        let result = options.lend { avformat_open_input(&opened, "file", nil, $0) }
        guard result >= 0, let opened else {
            throw Self.refusal(result, input)
        }
        pointer = opened
    }

    deinit {
        var context: UnsafeMutablePointer<AVFormatContext>? = pointer
        avformat_close_input(&context)
    }

    var streams: [UnsafeMutablePointer<AVStream>] {
        (0..<Int(pointer.pointee.nb_streams)).compactMap { pointer.pointee.streams[$0] }
    }

    var containerName: String {
        pointer.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? ""
    }

    /// Reads as much as it takes to know the tracks; sizes are checked before and after, because on the
    /// way libavformat decodes.
    func findStreams(_ input: FileInput, _ limits: DemuxerLimits) throws(MediaError) {
        try checkSizes(limits)
        var dictionaries: [OpaquePointer?] = streams.map { stream in
            var dictionary: OpaquePointer?
            let most = limits.maximumPixels(isFFV1: stream.isFFV1)
            av_dict_set(&dictionary, "max_pixels", "\(most)", 0)
            av_dict_set(&dictionary, "threads", "1", 0)
            return dictionary
        }
        defer { for index in dictionaries.indices { av_dict_free(&dictionaries[index]) } }
        LibAVLog.clear()
        let result = avformat_find_stream_info(pointer, &dictionaries)
        guard result >= 0, !input.hasTimedOut else {
            throw failure("avformat_find_stream_info", result, input, "Cannot open \(path)")
        }
        try checkSizes(limits)
    }

    private func checkSizes(_ limits: DemuxerLimits) throws(MediaError) {
        guard streams.count <= limits.maximumTracks else {
            throw .refused(
                .overLimit, path,
                "Cannot open \(path): it has more than \(limits.maximumTracks) tracks.")
        }
        for stream in streams {
            guard let parameters = stream.pointee.codecpar?.pointee,
                parameters.codec_type == AVMEDIA_TYPE_VIDEO
            else { continue }
            let (width, height) = (Int(parameters.width), Int(parameters.height))
            let most = limits.maximumPixels(isFFV1: stream.isFFV1)
            guard width >= 0, height >= 0, width <= 65_535, height <= 65_535,
                width * height <= most
            else {
                throw .refused(
                    .overLimit, path,
                    "Cannot open \(path): its frames of \(width)x\(height) are above the limit "
                        + "of \(most >> 20) megapixels.")
            }
        }
    }

    func duration(_ path: String, _ limits: DemuxerLimits) throws(MediaError) -> MediaTime? {
        let value = pointer.pointee.duration
        guard value != vcap_no_pts, value > 0 else { return nil }
        let duration = MediaTime(value: value, timescale: Int32(vcap_time_base))
        guard duration <= limits.maximumDuration else {
            throw .refused(
                .overLimit, path,
                "Cannot open \(path): it claims to last \(duration.wholeSeconds) s; the "
                    + "limit is \(limits.maximumDuration.wholeSeconds) s.")
        }
        return duration
    }

    /// The error of a call that reads.
    func failure(
        _ function: String, _ number: Int32, _ input: FileInput, _ attempt: String
    ) -> MediaError {
        if input.hasTimedOut {
            return .refused(
                .damagedFile, path,
                "\(attempt): it took longer than allowed; the file may be damaged.")
        }
        return .call(
            function, number, code: .damagedFile, subject: path, attempt: attempt,
            advice: "the file is damaged or incomplete")
    }

    private static func refusal(_ number: Int32, _ input: FileInput) -> MediaError {
        if input.hasTimedOut {
            return .refused(
                .damagedFile, input.path,
                "Cannot open \(input.path): it took longer than allowed; the file may be damaged.")
        }
        let advice =
            "movies and audio are read from mp4, mov, mkv, webm, ts, avi, wav, mp3, ogg, flac, "
            + "aac, ac3, eac3, dts and amr files, pictures from gif, png, jpeg, webp, tiff, heic and avif files"
        // what libavformat knows and we refuse
        guard number != vcap_averror_einval else {
            return .refused(
                .unsupported, input.path,
                "Cannot open \(input.path): it is none of the files that vcap reads; \(advice).")
        }
        guard number != vcap_averror_eof else {
            return .refused(
                .damagedFile, input.path,
                "Cannot open \(input.path): it is cut off before its first track; the file is "
                    + "damaged or incomplete.")
        }
        return .call(
            "avformat_open_input", number, code: .unsupported, subject: input.path,
            attempt: "Cannot open \(input.path)", advice: advice)
    }
}

extension UnsafeMutablePointer<AVStream> {
    fileprivate var isFFV1: Bool { pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_FFV1 }
}

nonisolated private func refuseToOpen(
    _ context: UnsafeMutablePointer<AVFormatContext>?,
    _ opened: UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>?,
    _ name: UnsafePointer<CChar>?, _ flags: Int32,
    _ options: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
    vcap_averror_eacces
}
