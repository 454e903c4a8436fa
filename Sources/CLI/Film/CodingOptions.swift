import Compose
import Media
import Movie
import Writing

/// How a film is coded where its preset's way is not what is wanted, the same for `compose`, `export` and
/// `record --then`.
enum CodingOptions {
    static let codec = Option<String>(
        nil, "codec", .choice(["h264", "hevc", "mjpeg", "ffv1", "prores", "copy"]),
        "coding of the video (prores in mov and mkv, ffv1 in mkv: for films that are worked on further); copy is "
            + "--preset passthrough",
        default: .described("the preset's"))
    static let bitrate = RecordOptions.bitrate
    static let quality = Option<Int>(
        nil, "crf", .integer("N", in: 0...51),
        "constant quality, lower is better; not together with --bitrate",
        default: .described("the preset's; of another codec 20 for h264, 23 for hevc, 3 for mjpeg"))
    static let preset = RecordOptions.preset
    static let keyFrames = ConvertOptions.keyFrames
    static let audioCodec = Option<String>(
        nil, "audio-codec", .choice(["aac", "opus", "mp3", "flac", "alac", "pcm"]),
        "coding of the audio", default: .described("aac; opus in webm"))
    static let audioBitrate = Option<Int>(
        nil, "audio-bitrate", .bitrate, "bit rate of the audio, for aac, opus and mp3 (bit/s)",
        default: .described("256k with the preset highest, else 192k"))

    static let ofVideo = [
        codec.spec, bitrate.spec, quality.spec, preset.spec, keyFrames.spec,
    ]
    static let ofAudio = [audioCodec.spec, audioBitrate.spec]

    static let group = Command.Group(title: "Coding", options: ofVideo + ofAudio)
}

extension ExportPreset {
    /// The preset that is asked for, coded as the other options ask for. What is configured gives way to what is typed
    /// and does not go with it.
    init(_ arguments: Arguments) throws(CommandFailure) {
        let named = try Self.named(arguments)
        guard (CodingOptions.ofVideo + CodingOptions.ofAudio).contains(where: arguments.isSet),
            !named.isPassthrough
        else {
            self = named
            return
        }
        let video = try named.video.map { video throws(CommandFailure) in
            try Self.video(video, arguments)
        }
        let isOther = video?.codec != named.video?.codec
        self.init(
            name: named.name + (isOther ? " with --codec \(video?.codec.rawValue ?? "")" : ""),
            largestSize: named.largestSize, video: video, audio: try named.audio(arguments))
    }

    private static func named(_ arguments: Arguments) throws(CommandFailure) -> ExportPreset {
        let named = try arguments(ExportOptions.preset).flatMap(ExportPreset.named) ?? .highest
        let isTyped = arguments.isTyped(ExportOptions.preset.spec)
        let copies = try arguments(CodingOptions.codec) == "copy"
        let copiesByName = copies && arguments.isTyped(CodingOptions.codec.spec)
        let coding = (CodingOptions.ofVideo + CodingOptions.ofAudio).first {
            arguments.isTyped($0) && !(copies && $0.long == CodingOptions.codec.spec.long)
        }
        if copiesByName, isTyped, !named.isPassthrough {
            throw CommandFailure(
                .usage,
                "--codec copy copies, and --preset \(named.name) encodes; give one of the two")
        }
        if copiesByName || isTyped && named.isPassthrough {
            guard let coding else { return .passthrough }
            throw CommandFailure(
                .usage,
                "\(coding.name) has nothing to encode: "
                    + (copiesByName ? "--codec copy" : "--preset passthrough")
                    + " copies; give one of the two")
        }
        if copies, !isTyped, coding == nil { return .passthrough }
        return named.isPassthrough && coding != nil ? .highest : named
    }

    private static func video(
        _ own: VideoOutputSettings, _ arguments: Arguments
    ) throws(CommandFailure) -> VideoOutputSettings {
        var video = own
        if let codec = try arguments(CodingOptions.codec).flatMap(VideoCodec.init(rawValue:)),
            codec != own.codec
        {
            (video.codec, video.rate) = (codec, nil)
        }
        let (codec, isInter) = (video.codec, video.codec == .h264 || video.codec == .hevc)
        if !isInter { video.preset = nil }
        let quality = try arguments.wish(CodingOptions.quality) { value in
            (isInter || codec == .mjpeg && (1...31).contains(value))
                && !arguments.isTyped(CodingOptions.bitrate.spec)
        }
        let bits = try arguments.wish(CodingOptions.bitrate) { _ in
            isInter && !arguments.isTyped(CodingOptions.quality.spec)
        }
        let preset = try arguments.wish(CodingOptions.preset) { _ in isInter }
        guard bits == nil || quality == nil else {
            throw CommandFailure(.usage, "--crf and --bitrate exclude each other; give one of them")
        }
        try RecordPlan.refuse(bitrate: bits, quality: quality, preset: preset, of: codec)
        video.rate = bits.map { .bitrate($0) } ?? quality.map { .quality(Double($0)) } ?? video.rate
        video.preset = preset ?? video.preset
        let distance = try arguments.wish(CodingOptions.keyFrames) { _ in isInter }
        guard isInter || distance == nil else {
            throw CommandFailure(
                .usage,
                "--gop is for h264 and hevc: every frame of \(codec.rawValue) is a sync sample; leave it out"
            )
        }
        switch distance {
        case .time(let time): video.keyFrameInterval = time
        case .frames(let count): video.keyFrameIntervalFrames = count
        case nil: break
        }
        return video
    }

    private func audio(_ arguments: Arguments) throws(CommandFailure) -> AudioOutputSettings {
        let lossy: Set<AudioCodec> = [.aac, .opus, .mp3]
        let container = try arguments(ExportOptions.output).flatMap(OutputContainer.init(path:))
        func codec(_ name: String) -> AudioCodec {
            name == "pcm" ? .pcm16 : AudioCodec(rawValue: name) ?? self.audio.codec
        }
        var audio = self.audio
        let name = try arguments.wish(CodingOptions.audioCodec) {
            container?.audioCodecs.contains(codec($0)) ?? true
        }
        if let name {
            audio.codec = codec(name)
            do throws(MediaError) { try container?.requireRoom(for: audio.codec) } catch {
                throw CommandFailure(.usage, error.message)
            }
        }
        if !lossy.contains(audio.codec) { audio.bitrate = nil }
        let bits = try arguments.wish(CodingOptions.audioBitrate) { _ in
            lossy.contains(audio.codec)
        }
        guard let bits else { return audio }
        guard lossy.contains(audio.codec) else {
            throw CommandFailure(
                .usage,
                "--audio-bitrate is for aac, opus and mp3; \(audio.codec.rawValue) keeps every sample: leave it out"
            )
        }
        audio.bitrate = bits
        return audio
    }
}

extension Arguments {
    /// A value that is typed, or one that is configured and goes with what is typed; never a default.
    fileprivate func wish<Value>(
        _ option: Option<Value>, _ fits: (Value) -> Bool
    ) throws(CommandFailure) -> Value? {
        guard isSet(option.spec), let value = try self(option) else { return nil }
        return isTyped(option.spec) || fits(value) ? value : nil
    }
}
