internal import CFFmpeg
internal import Media

/// What libavformat gets to know of a track and of chapters.
enum MuxerTrack {
    static func codecName(_ format: FormatDescription) -> String {
        switch format {
        case .video(let video): video.codec?.rawValue ?? "raw frames"
        case .audio(let audio): audio.codec?.rawValue ?? "raw audio"
        case .text(let text): text.codec?.rawValue ?? "raw text"
        case .metadata: "metadata"
        }
    }

    static func describe(
        _ format: FormatDescription, in stream: UnsafeMutablePointer<AVStream>,
        of container: MuxerContainer
    ) throws(MediaError) {
        guard let parameters = stream.pointee.codecpar else { return }
        switch format {
        case .video(let video):
            try describe(video, stream, parameters, container)
        case .audio(let audio):
            try describe(audio, stream, parameters, container)
        case .text(let text):
            parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
            parameters.pointee.codec_id = text.codec?.identifier ?? AV_CODEC_ID_NONE
            stream.pointee.time_base = AVRational(1, 1000)
        case .metadata:
            throw .refused(
                .unsupported, container.rawValue,
                "Cannot put metadata into a .\(container.rawValue) file; choose mp4 or mov.")
        }
    }

    private static func describe(
        _ video: VideoFormat, _ stream: UnsafeMutablePointer<AVStream>,
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ container: MuxerContainer
    ) throws(MediaError) {
        guard video.orientation == .upright else {
            throw .refused(
                .invalidSetting, container.rawValue,
                "Cannot make players of \(container.rawValue) rotate frames; rotate the pixels "
                    + "or choose mp4.")
        }
        parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        parameters.pointee.codec_id = video.codec?.identifier ?? AV_CODEC_ID_NONE
        parameters.pointee.width = Int32(video.width)
        parameters.pointee.height = Int32(video.height)
        parameters.pointee.color_primaries = video.color.libavPrimaries
        parameters.pointee.color_trc = video.color.libavTransfer
        parameters.pointee.color_space = video.color.libavMatrix
        parameters.pointee.color_range = video.color.range.libav
        if let order = video.fieldOrder { parameters.pointee.field_order = order.libav }
        let aspect = AVRational(video.pixelAspect.horizontal, video.pixelAspect.vertical)
        parameters.pointee.sample_aspect_ratio = aspect
        stream.pointee.sample_aspect_ratio = aspect
        if let rate = video.nominalRate {
            stream.pointee.avg_frame_rate = AVRational(rate.numerator, rate.denominator)
        }
        stream.pointee.time_base = AVRational(1, VideoEncoderPlan.timescale)
        // Matroska has a place for the code alone
        let configuration =
            switch video.codec {
            case .prores: Array(video.codecConfiguration.prefix(4))
            // MP4's record of VP9 is nothing that it knows
            case .vp9 where VP9Configuration.isRecord(video.codecConfiguration): [UInt8]()
            default: video.codecConfiguration
            }
        try setExtradata(configuration, parameters)
        try LightRecords.set(video, of: stream)
    }

    private static func describe(
        _ audio: AudioFormat, _ stream: UnsafeMutablePointer<AVStream>,
        _ parameters: UnsafeMutablePointer<AVCodecParameters>, _ container: MuxerContainer
    ) throws(MediaError) {
        parameters.pointee.codec_type = AVMEDIA_TYPE_AUDIO
        parameters.pointee.codec_id = audio.codec?.identifier ?? AV_CODEC_ID_NONE
        parameters.pointee.sample_rate = Int32(audio.sampleRate)
        av_channel_layout_default(&parameters.pointee.ch_layout, Int32(audio.channels))
        // Matroska's muxer writes it for Opus only, and moves no time for it (libavformat 59)
        let statesPriming = audio.codec == .opus || container == .mp3
        parameters.pointee.initial_padding = statesPriming ? Int32(audio.primingFrames) : 0
        parameters.pointee.frame_size = Int32(audio.framesPerPacket ?? 0)
        if let bytes = audio.codec?.bytesPerPCMSample {
            parameters.pointee.bits_per_coded_sample = Int32(bytes * 8)
            parameters.pointee.block_align = Int32(bytes * audio.channels)
        }
        if audio.codec == .opus { parameters.pointee.seek_preroll = 3840 }  // 80 ms, RFC 7845 4.6
        stream.pointee.time_base = AVRational(1, Int32(audio.sampleRate))
        let configuration =
            switch audio.codec {
            case .opus:
                OpusConfiguration.head(fromMP4: audio.codecConfiguration)
                    ?? audio.codecConfiguration
            case .alac: ALACConfiguration.atom(of: audio.codecConfiguration)
            default: audio.codecConfiguration
            }
        try setExtradata(configuration, parameters)
    }

    /// Adds the stream of ID3 tags with times.
    /// - Returns: its number.
    static func addTags(
        to context: UnsafeMutablePointer<AVFormatContext>
    ) throws(MediaError) -> Int32 {
        guard let stream = avformat_new_stream(context, nil),
            let parameters = stream.pointee.codecpar
        else { throw .memory("avformat_new_stream", "the markers", code: .encoderFailed) }
        parameters.pointee.codec_type = AVMEDIA_TYPE_DATA
        parameters.pointee.codec_id = AV_CODEC_ID_TIMED_ID3
        stream.pointee.time_base = AVRational(1, 90_000)
        return stream.pointee.index
    }

    /// Adds a frame that stands for the file, behind the tracks.
    /// - Returns: the number of the stream that is to be given the frame as its only packet; nil: none is.
    static func add(
        _ cover: CoverArt, to context: UnsafeMutablePointer<AVFormatContext>,
        of container: MuxerContainer
    ) throws(MediaError) -> Int32? {
        guard let stream = avformat_new_stream(context, nil),
            let parameters = stream.pointee.codecpar
        else { throw .memory("avformat_new_stream", "the cover art", code: .encoderFailed) }
        let isPNG = cover.kind == .png
        parameters.pointee.codec_id = isPNG ? AV_CODEC_ID_PNG : AV_CODEC_ID_MJPEG
        if container == .matroska {
            parameters.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
            av_dict_set(
                &stream.pointee.metadata, "filename", isPNG ? "cover.png" : "cover.jpg", 0)
            av_dict_set(
                &stream.pointee.metadata, "mimetype", isPNG ? "image/png" : "image/jpeg", 0)
            try setExtradata(cover.bytes, parameters)
            return nil
        }
        parameters.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        parameters.pointee.width = Int32(cover.width)
        parameters.pointee.height = Int32(cover.height)
        stream.pointee.disposition = AV_DISPOSITION_ATTACHED_PIC
        stream.pointee.time_base = AVRational(1, 90_000)
        // players take the first frame that says it is the front
        av_dict_set(&stream.pointee.metadata, "comment", "Cover (front)", 0)
        return stream.pointee.index
    }

    private static func setExtradata(
        _ bytes: [UInt8], _ parameters: UnsafeMutablePointer<AVCodecParameters>
    ) throws(MediaError) {
        guard !bytes.isEmpty else { return }
        let size = bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
        guard let memory = av_mallocz(size) else {
            throw .memory("av_mallocz", "a configuration", code: .encoderFailed)
        }
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        parameters.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        parameters.pointee.extradata_size = Int32(bytes.count)
    }

    /// Puts chapters in place of those the context has. Each begins at least a nanosecond, Matroska's tick, after the
    /// one before: libavformat 59 reads no other.
    /// - Parameters:
    ///   - chapters: in order of time.
    ///   - shift: by how much the container's times are later than the movie's.
    static func set(
        _ chapters: [MuxerChapter], later shift: MediaTime,
        of context: UnsafeMutablePointer<AVFormatContext>
    ) throws(MediaError) {
        clearChapters(of: context)
        guard !chapters.isEmpty else { return }
        let size = MemoryLayout<UnsafeMutablePointer<AVChapter>?>.stride
        guard let list = av_calloc(chapters.count, size) else {
            throw .memory("av_calloc", "the chapters", code: .encoderFailed)
        }
        context.pointee.chapters = list.bindMemory(
            to: UnsafeMutablePointer<AVChapter>?.self, capacity: chapters.count)
        var last: Int64?
        for (index, chapter) in chapters.enumerated() {
            guard let memory = av_mallocz(MemoryLayout<AVChapter>.size) else {
                throw .memory("av_mallocz", "a chapter", code: .encoderFailed)
            }
            let entry = memory.bindMemory(to: AVChapter.self, capacity: 1)
            entry.pointee.id = Int64(index + 1)
            entry.pointee.time_base = AVRational(1, MediaTime.hostTimescale)
            let start = chapter.range.start.nanoseconds() + shift.nanoseconds()
            let end = start + chapter.range.duration.nanoseconds(rounding: .down)
            entry.pointee.start = max(start, last.map { $0 + 1 } ?? start)
            entry.pointee.end = max(entry.pointee.start, end)
            last = entry.pointee.start
            av_dict_set(&entry.pointee.metadata, "title", chapter.title, 0)
            context.pointee.chapters[index] = entry
            context.pointee.nb_chapters = UInt32(index + 1)
        }
    }

    private static func clearChapters(of context: UnsafeMutablePointer<AVFormatContext>) {
        guard let list = context.pointee.chapters else { return }
        for index in 0..<Int(context.pointee.nb_chapters) {
            guard let entry = list[index] else { continue }
            av_dict_free(&entry.pointee.metadata)
            av_free(entry)
        }
        av_free(list)
        context.pointee.chapters = nil
        context.pointee.nb_chapters = 0
    }
}
