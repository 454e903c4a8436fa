internal import CFFmpeg
package import Media

/// A track of a file, as its header describes it.
package struct DemuxedTrack: Sendable {
    /// Place in the demuxer's `tracks`.
    package let index: Int
    /// Coded format; `primingFrames`, colour, orientation and rate as far as the file states.
    package let format: FormatDescription
    /// Ticks per second of the track's times (1/s).
    package let timescale: Int32
    /// First presentation time (track time); `nil` when the file does not state it.
    package let startTime: MediaTime?
    /// Length (seconds); `nil` when the file does not state it.
    package let duration: MediaTime?
    /// ISO 639-2; `nil` for none.
    package let language: String?
    /// The track's title; `nil` for none.
    package let name: String?
    /// Whether players take it without being asked (Matroska, MP4; other containers have no flag: false).
    package let isDefault: Bool
    /// Whether it is to be shown even where nobody asks for a track of its kind: subtitles of what is spoken in a
    /// foreign language.
    package let isForced: Bool
    /// Whether a second stream of each frame holds its opacity (VP8 and VP9 in Matroska), which is not read.
    package let hasUnreadOpacity: Bool
    /// Dolby Vision's configuration as a box of MP4; empty: the file has none.
    package let dolbyVision: [UInt8]
    /// The time code of the first frame, as the file has it; `nil` for none.
    package let timeCode: String?

    // how samples are made of packets
    let streamIndex: Int32
    let framing: Framing

    /// What must be done to a packet's bytes.
    enum Framing: Sendable {
        case asIs
        /// Annex B to 4-byte lengths.
        case startCodes(NALCodec)
        /// 1…3-byte lengths to 4-byte ones.
        case shortLengths(Int)
        /// AAC with a header before each sample; nil until the first one is read.
        case transportHeaders(ADTSHeader?)
    }

    /// The track as its first sample's header states.
    func stated(by header: ADTSHeader) -> DemuxedTrack {
        guard case .audio(var audio) = format else { return self }
        audio.codecConfiguration = header.audioSpecificConfiguration
        audio.framesPerPacket = 1024 * max(1, audio.sampleRate / header.sampleRate)
        return DemuxedTrack(
            index: index, format: .audio(audio), timescale: timescale, startTime: startTime,
            duration: duration, language: language, name: name, isDefault: isDefault,
            isForced: isForced, hasUnreadOpacity: hasUnreadOpacity, dolbyVision: dolbyVision,
            timeCode: timeCode, streamIndex: streamIndex,
            framing: .transportHeaders(header))
    }

    /// - Returns: `nil` for streams that are no track of ours (pictures of text, data, cover art, unknown
    ///   codecs); see `UnreadTrack`.
    static func make(
        _ stream: UnsafeMutablePointer<AVStream>, index: Int, limits: DemuxerLimits
    ) throws(MediaError) -> DemuxedTrack? {
        guard let parameters = stream.pointee.codecpar,
            !stream.isCover
        else { return nil }
        let described: (FormatDescription, Framing)?
        switch parameters.pointee.codec_type {
        case AVMEDIA_TYPE_VIDEO: described = video(stream, parameters.pointee)
        case AVMEDIA_TYPE_AUDIO: described = audio(parameters.pointee)
        case AVMEDIA_TYPE_SUBTITLE:
            described = TextCodec(parameters.pointee.codec_id)
                .map { (.text(text($0, parameters.pointee)), .asIs) }
        default: described = nil
        }
        guard let (format, framing) = described else { return nil }
        let base = stream.pointee.time_base
        let (start, duration) = try times(stream.pointee, base, limits)
        return DemuxedTrack(
            index: index, format: format, timescale: base.den, startTime: start,
            duration: duration, language: tag("language", stream.pointee.metadata),
            name: tag("title", stream.pointee.metadata),
            isDefault: stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0,
            isForced: stream.pointee.disposition & AV_DISPOSITION_FORCED != 0,
            hasUnreadOpacity: tag("alpha_mode", stream.pointee.metadata) == "1",
            dolbyVision: DolbyVisionBox.bytes(of: stream),
            timeCode: tag("timecode", stream.pointee.metadata), streamIndex: stream.pointee.index,
            framing: framing)
    }

    private static func times(
        _ stream: AVStream, _ base: AVRational, _ limits: DemuxerLimits
    ) throws(MediaError) -> (start: MediaTime?, duration: MediaTime?) {
        do {
            let start = try MediaTime(stamp: stream.start_time, timeBase: base)
            let duration = try MediaTime(stamp: stream.duration, timeBase: base)
            guard let duration, duration > .zero else { return (start, nil) }
            guard duration <= limits.maximumDuration else {
                throw MediaError.refused(
                    .overLimit, "track \(stream.index)",
                    "Cannot read a track of \(duration.wholeSeconds) s: the limit is "
                        + "\(limits.maximumDuration.wholeSeconds) s.")
            }
            return (start, duration)
        } catch let error as MediaError { throw error } catch {
            throw .refused(
                .damagedFile, "track \(stream.index)",
                "Cannot read track \(stream.index): its times are not numbers a clock can have.")
        }
    }

    /// A script of more than 16 MB is none.
    private static func text(_ codec: TextCodec, _ parameters: AVCodecParameters) -> TextFormat {
        let script = codec == .ass ? extradata(parameters) : []
        return TextFormat(
            coding: .coded(codec), codecConfiguration: script.count < 16 << 20 ? script : [])
    }

    private static func video(
        _ stream: UnsafeMutablePointer<AVStream>, _ parameters: AVCodecParameters
    ) -> (FormatDescription, Framing)? {
        guard let codec = VideoCodec(parameters.codec_id), codec != .rawvideo,
            parameters.width > 0, parameters.height > 0
        else { return nil }
        var format = VideoFormat(
            coding: .coded(codec), width: Int(parameters.width), height: Int(parameters.height),
            color: ColorDescription(
                parameters.color_primaries, parameters.color_trc, parameters.color_space,
                parameters.color_range))
        if AVPixelFormat(rawValue: parameters.format).isFullRangeTwin { format.color.range = .full }
        let aspect =
            stream.pointee.sample_aspect_ratio.num > 0
            ? stream.pointee.sample_aspect_ratio : parameters.sample_aspect_ratio
        if aspect.num > 0, aspect.den > 0 {
            format.pixelAspect = PixelAspect(aspect.num, aspect.den)
        }
        format.nominalRate =
            stream.pointee.avg_frame_rate.frameRate ?? stream.pointee.r_frame_rate.frameRate
        format.orientation = orientation(stream)
        format.fieldOrder = FieldOrder(parameters.field_order)
        format.masteringDisplay = LightRecords.masteringDisplay(of: stream)
        format.contentLight = LightRecords.contentLight(of: stream)
        // values of 16 bits without loss, whatever else a stranger's tags are on
        if codec == .ffv1,
            [AV_PIX_FMT_GRAY16LE, AV_PIX_FMT_NONE].contains(
                AVPixelFormat(rawValue: parameters.format))
        {
            format.depth = DepthFormat(tags: { tag($0, stream.pointee.metadata) })
        }
        let framing = frame(codec, extradata(parameters), into: &format.codecConfiguration)
        if codec == .vp9, !VP9Configuration.isRecord(format.codecConfiguration) {
            // Matroska and WebM have none; MP4 needs it, and it says how deep frames are
            let pixels = PixelFormat(AVPixelFormat(rawValue: parameters.format))
            let isKnown = pixels == .yuv420p || pixels == .yuv420p10le
            format.codecConfiguration =
                pixels.flatMap { pixels in
                    isKnown ? VP9Configuration.record(of: format, pixels) : nil
                } ?? []
        }
        if codec == .hevc, let stated = StreamVideoFormat(codec, format.codecConfiguration) {
            format.masteringDisplay = format.masteringDisplay ?? stated.masteringDisplay
            format.contentLight = format.contentLight ?? stated.contentLight
        }
        return (.video(format), framing)
    }

    private static func orientation(_ stream: UnsafeMutablePointer<AVStream>) -> VideoOrientation {
        var size = 0
        guard let data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size),
            size >= 36
        else { return .upright }
        let matrix = data.withMemoryRebound(to: Int32.self, capacity: 9) {
            Array(UnsafeBufferPointer(start: $0, count: 9))
        }
        return VideoOrientation(displayMatrix: matrix)
    }

    /// Brings the configuration into MP4's form with 4-byte lengths and says how samples follow.
    private static func frame(
        _ codec: VideoCodec, _ bytes: [UInt8], into configuration: inout [UInt8]
    ) -> Framing {
        configuration = bytes
        let isHEVC = codec == .hevc
        guard codec == .h264 || isHEVC, !bytes.isEmpty else { return .asIs }
        let lengthAt = isHEVC ? 21 : 4
        if bytes[0] == 1, bytes.count > lengthAt {
            let size = Int(bytes[lengthAt] & 3) + 1
            configuration[lengthAt] |= 3
            return size == 4 ? .asIs : .shortLengths(size)
        }
        let record =
            isHEVC
            ? HEVCConfiguration.record(fromAnnexB: bytes)
            : AVCConfiguration.record(fromAnnexB: bytes)
        configuration = record ?? []
        return record == nil ? .asIs : .startCodes(isHEVC ? .hevc : .h264)
    }

    private static func audio(_ parameters: AVCodecParameters) -> (FormatDescription, Framing)? {
        guard let codec = AudioCodec(parameters.codec_id),
            (1...64).contains(parameters.ch_layout.nb_channels),
            (1...768_000).contains(parameters.sample_rate)
        else { return nil }
        let bytes = extradata(parameters)
        let configuration =
            switch codec {
            case .opus: OpusConfiguration.mp4(fromHead: bytes) ?? []
            case .alac: ALACConfiguration.body(of: bytes)
            default: bytes
            }
        let isADPCM = codec == .adpcmMicrosoft || codec == .adpcmIMA
        let size =
            codec == .alac
            ? ALACConfiguration.framesPerPacket(of: configuration) : Int(parameters.frame_size)
        let format = AudioFormat(
            coding: .coded(codec), sampleRate: Int(parameters.sample_rate),
            channels: Int(parameters.ch_layout.nb_channels), codecConfiguration: configuration,
            primingFrames: max(0, Int(parameters.initial_padding)),
            framesPerPacket: size > 0 && codec.bytesPerPCMSample == nil ? size : nil,
            blocks: isADPCM
                ? AudioFormat.Blocks(
                    bytes: Int(parameters.block_align),
                    sampleBits: Int(parameters.bits_per_coded_sample)) : nil)
        let hasHeaders = codec == .aac && configuration.isEmpty
        return (.audio(format), hasHeaders ? .transportHeaders(nil) : .asIs)
    }

    private static func extradata(_ parameters: AVCodecParameters) -> [UInt8] {
        Array(
            UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size)))
    }

    private static func tag(_ name: String, _ dictionary: OpaquePointer?) -> String? {
        guard let entry = av_dict_get(dictionary, name, nil, 0) else { return nil }
        return String(cString: entry.pointee.value)
    }
}
