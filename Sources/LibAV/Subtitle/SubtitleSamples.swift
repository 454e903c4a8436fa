internal import CFFmpeg
package import Media

/// The samples of a subtitle file's text, as libavformat's demuxers `srt`, `webvtt` and `ass` find them. A value.
package struct SubtitleSamples: Sendable {
    /// A text with its times (milliseconds).
    package struct Sample: Sendable, Hashable {
        package let start: Int64
        /// More than nothing.
        package let duration: Int64
        /// As Matroska stores it.
        package let payload: [UInt8]
    }

    /// Of SubStation: the script without its lines; else empty.
    package let configuration: [UInt8]
    /// In order of their starts.
    package let samples: [Sample]

    /// Most samples of a file (count).
    package static let most = 200_000

    /// - Parameters:
    ///   - text: UTF-8, without a mark of the byte order.
    ///   - name: for messages.
    /// - Throws: `unsupported` for what is no such text, `over-limit`.
    package init(
        _ text: [UInt8], _ codec: TextCodec, name: String
    ) throws(MediaError) {
        LibAVLog.prepare()
        guard let reader = codec.demuxerName, let format = av_find_input_format(reader) else {
            throw .refused(
                .unsupported, name,
                "Cannot read \(name): this libavformat does not read such subtitles.")
        }
        let input = try MemoryInput(text)
        let context = try Self.open(input, format, name)
        defer {
            var context: UnsafeMutablePointer<AVFormatContext>? = context
            avformat_close_input(&context)
        }
        // the files' own ticks are milliseconds, SubStation's hundredths
        guard context.pointee.nb_streams == 1, let stream = context.pointee.streams[0],
            let parameters = stream.pointee.codecpar, stream.pointee.time_base.num == 1,
            case let ticks = Int64(stream.pointee.time_base.den), ticks > 0, 1000 % ticks == 0
        else {
            throw .refused(.unsupported, name, "Cannot read \(name): it has no subtitles.")
        }
        configuration = Array(
            UnsafeBufferPointer(
                start: parameters.pointee.extradata, count: Int(parameters.pointee.extradata_size)))
        var samples: [Sample] = []
        let packet = try PacketBox()
        while av_read_frame(context, packet.pointer) >= 0 {
            defer { av_packet_unref(packet.pointer) }
            let raw = packet.pointer.pointee
            guard raw.pts != vcap_no_pts, abs(raw.pts) < 1 << 40,
                (1..<1 << 40).contains(raw.duration),
                raw.size > 0
            else { continue }
            guard samples.count < Self.most else {
                throw .refused(
                    .overLimit, name,
                    "Cannot read \(name): it has more than \(Self.most) subtitles.")
            }
            samples.append(
                Sample(
                    start: raw.pts * (1000 / ticks), duration: raw.duration * (1000 / ticks),
                    payload: Array(packet.bytes)))
        }
        self.samples = samples.enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }

    private static func open(
        _ input: MemoryInput, _ format: UnsafePointer<AVInputFormat>, _ name: String
    ) throws(MediaError) -> UnsafeMutablePointer<AVFormatContext> {
        guard let context = avformat_alloc_context() else {
            throw .memory("avformat_alloc_context", name)
        }
        context.pointee.pb = input.pointer
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        LibAVLog.clear()
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        let result = avformat_open_input(&opened, nil, format, nil)
        guard result >= 0, let opened else {
            throw .call(
                "avformat_open_input", result, code: .unsupported, subject: name,
                attempt: "Cannot read \(name)", advice: "it holds no such subtitles")
        }
        return opened
    }
}

extension TextCodec {
    /// libavformat's reader of a file of it; nil: there are no such files.
    fileprivate var demuxerName: String? {
        switch self {
        case .subrip: "srt"
        case .webvtt: "webvtt"
        case .ass: "ass"
        case .movText: nil
        }
    }
}
