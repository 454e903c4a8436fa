import Compose
import Media
import Movie
import Writing

/// How a film is coded where its preset's way is not what is wanted, the same for `compose`, `export` and
/// `record --then`.
enum CodingOptions {
    static let codec = Option<String>(
        nil, "codec", .choice(VideoCodec.encodable.map(\.rawValue) + ["copy"]),
        "coding of the video (prores and ffv1, in mov and mkv, for films that are worked on further); copy is "
            + "--preset passthrough",
        default: .described("the preset's; hevc of 10 bits for HDR films; vp9 in webm"))
    static let bitrate = RecordOptions.bitrate
    static let quality = Option<Int>(
        nil, "crf", .integer("N", in: 0...63),
        "constant quality, lower is better (h264 and hevc 0 to 51, av1 1 to 63, vp9 0 to 63, mjpeg 1 to 31); not "
            + "together with --bitrate",
        default: .described("the preset's; of another codec its usual one: \(usualQualities)"))
    static let passes = Option<Int>(
        nil, "passes", .integer("N", in: 1...2),
        "2: look at the whole film first and spend --bitrate where it is needed, up to twice as long (h264, hevc, "
            + "vp9)", default: .value("1"))
    static let preset = Option<String>(
        nil, "encoder-preset", .choice(RecordOptions.presets),
        "speed against size, for h264, hevc, av1 and vp9", default: .described("veryfast"))
    static let profile = Option<String>(
        nil, "encoder-profile", .choice(VideoProfile.allCases.map(\.rawValue)),
        "what players have to know of the codec: baseline, main or high of h264, main or main10 of hevc",
        default: .described("what the frames and the preset take"))
    static let level = Option<VideoLevel>(
        nil, "encoder-level", .videoLevel,
        "how much players have to manage, of h264 and hevc; a film that is too much for it is refused",
        default: .described("what the film takes"))
    static let keyFrames = ConvertOptions.keyFrames
    static let audioCodec = Option<String>(
        nil, "audio-codec", .choice(["aac", "opus", "mp3", "flac", "alac", "pcm"]),
        "coding of the audio", default: .described("aac; opus in webm"))
    static let audioBitrate = Option<Int>(
        nil, "audio-bitrate", .bitrate, "bit rate of the audio, for aac, opus and mp3 (bit/s)",
        default: .described("256k with the preset highest, else 192k"))

    /// How all frames are coded; the codec alone says nothing of how good they are to be.
    static let ofQuality = [
        bitrate.spec, quality.spec, passes.spec, preset.spec, profile.spec, level.spec,
        keyFrames.spec,
    ]
    static let ofVideo = [codec.spec] + ofQuality
    static let ofAudio = [audioCodec.spec, audioBitrate.spec]

    /// Why no frame is copied, whatever the clips are, a half-sentence; nil: some may be.
    static func encodesAll(_ arguments: Arguments) throws(CommandFailure) -> String? {
        if try arguments(ExportOptions.copy) == "never" { return "--copy never encodes all" }
        return ofQuality.first(where: arguments.isSet).map {
            "\($0.name) says how all frames are coded"
        }
    }

    /// Of each codec that has one, such as `20 for h264`.
    static let usualQualities = VideoCodec.encodable.compactMap { codec in
        codec.usualQuality.map { "\(Amounts.decimal($0, 0)) for \(codec.rawValue)" }
    }.joined(separator: ", ")

    static let group = Command.Group(title: "Coding", options: ofVideo + ofAudio)
}

extension ExportPreset {
    /// The preset that is asked for, coded as the other options ask for. What is configured gives way to what is typed
    /// and does not go with it.
    /// - Parameter color: of the film's frames; nil: it has none.
    init(_ arguments: Arguments, for color: ColorDescription?) throws(CommandFailure) {
        let named = try Self.named(arguments)
        guard (CodingOptions.ofVideo + CodingOptions.ofAudio).contains(where: arguments.isSet),
            !named.isPassthrough
        else {
            self = named
            return
        }
        let container = try arguments(ExportOptions.output).flatMap(OutputContainer.init(path:))
        // a profile of H.264 asks for H.264
        let profile = try arguments(CodingOptions.profile).flatMap(VideoProfile.init(rawValue:))
        let isOlder = profile.map { $0 != .main10 } ?? false
        let fitted = named.fitted(to: container, isOlder ? nil : color)
        let video = try fitted.video.map { video throws(CommandFailure) in
            try Self.video(video, named.video, container, arguments)
        }
        let isOther = video?.codec != fitted.video?.codec
        self.init(
            name: arguments.ownPreset
                ?? named.name + (isOther ? " with --codec \(video?.codec.rawValue ?? "")" : ""),
            largestSize: named.largestSize, video: video, audio: try named.audio(arguments))
    }

    private static func named(_ arguments: Arguments) throws(CommandFailure) -> ExportPreset {
        let named = try arguments(ExportOptions.preset).flatMap(ExportPreset.named) ?? .highest
        let isTyped = arguments.isTyped(ExportOptions.preset.spec)
        let copies = try arguments(CodingOptions.codec) == "copy"
        let copiesOnly = try arguments(ExportOptions.copy) == "only"
        let isOnlyTyped = copiesOnly && arguments.isTyped(ExportOptions.copy.spec)
        let copiesByName =
            copies && arguments.isTyped(CodingOptions.codec.spec) || isOnlyTyped
        if isTyped && named.isPassthrough || copies, try arguments(ExportOptions.copy) == "never",
            arguments.isTyped(ExportOptions.copy.spec)
        {
            throw CommandFailure(
                .usage,
                "--copy never encodes all, and --preset passthrough copies; give one of the two")
        }
        let word = isOnlyTyped ? "--copy only" : "--codec copy"
        let coding = (CodingOptions.ofVideo + CodingOptions.ofAudio).first {
            arguments.isTyped($0) && !(copies && $0.long == CodingOptions.codec.spec.long)
        }
        if copiesByName, isTyped, !named.isPassthrough {
            throw CommandFailure(
                .usage,
                "\(word) copies, and --preset \(named.name) encodes; give one of the two")
        }
        if copiesByName || isTyped && named.isPassthrough {
            guard let coding else { return .passthrough }
            throw CommandFailure(
                .usage,
                "\(coding.name) has nothing to encode: "
                    + (copiesByName ? word : "--preset passthrough")
                    + " copies; give one of the two")
        }
        if copies || copiesOnly, !isTyped, coding == nil { return .passthrough }
        return named.isPassthrough && coding != nil ? .highest : named
    }

    private static func video(
        _ own: VideoOutputSettings, _ named: VideoOutputSettings?, _ container: OutputContainer?,
        _ arguments: Arguments
    ) throws(CommandFailure) -> VideoOutputSettings {
        var video = own
        let wanted = try arguments.wish(CodingOptions.codec) { name in
            VideoCodec(rawValue: name).map { container?.videoCodecs.contains($0) ?? true } ?? false
        }
        if let codec = wanted.flatMap(VideoCodec.init(rawValue:)), codec != own.codec {
            if let named, named.codec == codec {
                video = named
            } else {
                (video.codec, video.rate) = (codec, nil)
            }
        }
        let (codec, isInter) = (video.codec, video.codec.isPredictive)
        if let container, !container.isAudioOnly {
            do throws(MediaError) { try container.requireRoom(for: codec) } catch {
                throw CommandFailure(.usage, error.message)
            }
        }
        if !isInter { video.preset = nil }
        // a quality is one of the codec that it was configured for
        let isOwn =
            !arguments.isTyped(CodingOptions.codec.spec)
            && (wanted != nil || !arguments.isSet(CodingOptions.codec.spec))
            && own.codec == (named ?? own).codec
        let quality = try arguments.wish(CodingOptions.quality) { _ in
            isOwn && codec.qualities != nil && !arguments.isTyped(CodingOptions.bitrate.spec)
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
                "--gop has nothing to act on: every frame of \(codec.rawValue) is a sync sample; leave it out"
            )
        }
        try video.readProfile(arguments)
        switch distance {
        case .time(let time): video.keyFrameInterval = time
        case .frames(let count): video.keyFrameIntervalFrames = count
        case nil: break
        }
        return video
    }

    /// Passes over the frames; what is configured for films with a bit rate gives way to one without.
    static func passes(
        _ preset: ExportPreset, _ arguments: Arguments
    ) throws(CommandFailure) -> Int {
        let video = preset.isPassthrough ? nil : preset.video
        var hasRate = false
        if case .bitrate = video?.rate { hasRate = true }
        let isMovie = try arguments(ExportOptions.output).map { OutputPath.ending(of: $0) != "gif" }
        let isPossible =
            isMovie ?? true
            && video.map { VideoOutputSettings.twoPassCodecs.contains($0.codec) } ?? false
        guard let wanted = try arguments.wish(CodingOptions.passes, { _ in hasRate && isPossible }),
            wanted == 2, let video
        else { return 1 }
        guard isPossible else {
            throw CommandFailure(
                .usage,
                "--passes 2 is for h264, hevc and vp9, not \(video.codec.rawValue): leave it out")
        }
        guard hasRate else {
            throw CommandFailure(
                .usage,
                "--passes 2 spends a bit rate, and none is given: give --bitrate, or leave --passes out"
            )
        }
        return 2
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

extension VideoOutputSettings {
    fileprivate mutating func readProfile(_ arguments: Arguments) throws(CommandFailure) {
        let codec = codec
        let own: [VideoProfile] =
            switch codec {
            case .h264: [.baseline, .main, .high]
            case .hevc: [.main, .main10]
            default: []
            }
        let name = try arguments.wish(CodingOptions.profile) { name in
            own.contains { $0.rawValue == name }
        }
        profile = name.flatMap(VideoProfile.init(rawValue:))
        level = try arguments.wish(CodingOptions.level) { $0.limits(of: codec) != nil }
        if let profile, !own.contains(profile) {
            let list = own.map(\.rawValue).joined(separator: ", ")
            throw CommandFailure(
                .usage,
                "--encoder-profile \(profile.rawValue) is none of \(codec.rawValue)"
                    + (own.isEmpty ? ": leave it out" : ", which has \(list)")
                    + (profile == .main10 ? "; --codec hevc has main10" : ""))
        }
        if let level, level.limits(of: codec) == nil {
            let known = VideoLevel.names(of: codec)
            throw CommandFailure(
                .usage,
                "--encoder-level \(level) is none of \(codec.rawValue)"
                    + (known.isEmpty ? ": leave it out" : ", which has \(known)"))
        }
    }
}

extension Arguments {
    /// What a preset of one's own holds is meant as it stands, as long as nothing is typed beside it.
    private func isOfOwnPreset(_ option: OptionSpec) -> Bool {
        guard case .preset = entries[option.long]?.origin else { return false }
        return !(CodingOptions.ofVideo + CodingOptions.ofAudio).contains(where: isTyped)
    }

    /// A value that is typed, or one that is configured and goes with what is typed; never a default.
    fileprivate func wish<Value>(
        _ option: Option<Value>, _ fits: (Value) -> Bool
    ) throws(CommandFailure) -> Value? {
        guard isSet(option.spec), let value = try self(option) else { return nil }
        return isTyped(option.spec) || isOfOwnPreset(option.spec) || fits(value) ? value : nil
    }
}
