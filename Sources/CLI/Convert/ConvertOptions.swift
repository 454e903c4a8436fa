import Compose
import Media
import Movie
import Writing

/// The options of `vcap convert`, as declared.
enum ConvertOptions {
    static let output = Option<String>(
        "o", "output", .path(),
        "what to make; its ending chooses the kind (mp4, mov, mkv, webm, ts; audio only: m4a, mka, wav, flac, "
            + "ogg, opus, mp3; gif, or png and jpg numbered by %06d); %n is the input's name without its ending, %v a counter, strftime "
            + "patterns are replaced, folders made")
    static let overwrite = Switch("y", "overwrite", "replace existing files")
    static let range = Option<TimeSpan>(
        nil, "range", .timeSpan, "only this part of the input", default: .described("all of it"))
    static let duration = Option<MediaTime>(
        "t", "duration", .duration,
        "how long a still picture shows, and each of a sequence without --fps; of a movie at most this "
            + "much")

    static let still = Switch(
        nil, "still", "write the photo of a live photo instead of its film (.jpg, .heic)")

    static let size = Option<PictureSize>(
        "s", "size", .size, "of the frames (pixels)", default: .described("the input's"))
    static let fit = Option<String>(
        nil, "fit", .choice(ComposeOptions.fits.map(\.name)),
        "how a picture of another shape comes into that size", default: .value("contain"))
    static let background = Option<WantedBackground>(
        nil, "background", .background,
        "behind transparent pictures and where they do not reach; none keeps them transparent (prores "
            + "in mov, ffv1 in mkv)",
        default: .described("none where prores or ffv1 is asked for, else black"))
    static let rate = Option<WantedRate>(
        "r", "fps", .rate, "frames on an even grid (frames per second)",
        default: .described("the input's own times, however uneven"))
    static let motion = Option<PictureMotion>(
        nil, "motion", .motion,
        "slow pan and zoom over a still picture, which then covers the frame: a direction, or from one "
            + "view to another (zoom, and what is in the middle in per cent)",
        default: .described("none"))
    static let loops = Option<LoopCount>(
        nil, "loops", .loopCount, "how often an animation is shown; file is as often as it says",
        default: .value("1"))
    static let leastDelay = Option<MediaTime>(
        nil, "min-delay", .duration, "an animation's frames show for at least this long",
        default: .described("10 ms or less count as 100 ms, as in browsers"))
    static let gaps = Option<String>(
        nil, "gaps", .choice(SequenceGaps.allCases.map(\.rawValue)),
        "where numbers of a sequence are missing: refuse, hold the picture before, show the "
            + "background, or continue",
        default: .value(SequenceGaps.error.rawValue))
    static let timing = Option<WantedTiming>(
        nil, "timing", .timing,
        "how long each picture of a sequence shows: exif, until the next one was taken; or a text "
            + "file with a name and a length a line",
        default: .described("--fps or -t"))
    static let noVideo = Switch(nil, "no-video", "leave the video out")
    static let noAudio = Switch(nil, "no-audio", "leave the audio out")

    static let codec = Option<String>(
        nil, "codec", .choice(VideoCodec.encodable.map(\.rawValue) + ["copy"]),
        "coding of the video (prores and ffv1 keep transparency, in mov and mkv); copy refuses whatever "
            + "would have to be encoded, audio too",
        default: .described("as they are where the container takes it, else h264; vp9 in webm"))
    static let quality = Option<Int>(
        nil, "crf", CodingOptions.quality.kind, CodingOptions.quality.spec.summary,
        default: .described(CodingOptions.usualQualities))
    static let encoderPreset = CodingOptions.preset
    static let audioCodec = Option<String>(
        nil, "audio-codec", .choice(["aac", "opus", "mp3", "flac", "alac", "pcm"]),
        "coding of the audio",
        default: .described(
            "as it is where the container takes it, else aac; opus in webm and ogg, pcm in wav"))
    static let networkReady = ExportOptions.networkReady

    static let groups = [
        Command.Group(
            title: "Input and output",
            options: [output.spec, overwrite.spec, range.spec, duration.spec, still.spec]),
        Command.Group(
            title: "Video",
            options: [
                size.spec, fit.spec, background.spec, motion.spec, rate.spec, timing.spec,
                gaps.spec, loops.spec,
                leastDelay.spec, noVideo.spec, noAudio.spec,
            ]),
        Command.Group(
            title: "Filters", options: FilterOptions.specs + [thorough.spec]),
        Command.Group(
            title: "Coding",
            options: [
                codec.spec, RecordOptions.bitrate.spec, quality.spec, encoderPreset.spec,
                keyFrames.spec, audioCodec.spec, networkReady.spec,
            ]),
        Command.Group(
            title: "Reporting",
            options: [
                ExportOptions.plan.spec, ExportOptions.progress.spec,
                ExportOptions.progressFormat.spec, StandardOptions.json.spec,
            ] + StandardOptions.messages),
    ]

    static let thorough = Switch(
        nil, "thorough",
        "look closer for the faces of --filter: for smaller and tilted ones, up to twenty times slower"
    )

    static let keyFrames = Option<KeyFrameDistance>(
        "g", "gop", .keyFrameDistance, "sync samples at most this far apart (time, or frames)",
        default: .value("2s"))
}

extension ConversionSettings {
    /// What the options say; an input may still have to be known for the range.
    init(_ arguments: Arguments) throws(CommandFailure) {
        self.init()
        if let size = try arguments(ConvertOptions.size) {
            self.size = PixelSize(width: size.width, height: size.height)
        }
        if let name = try arguments(ConvertOptions.fit) {
            fit = ComposeOptions.fits.first { $0.name == name }?.fit ?? fit
        }
        switch try arguments(ConvertOptions.background) {
        case .color(let color): (background, transparency) = (color, .composed)
        case WantedBackground.none?: transparency = .kept
        case nil: break
        }
        if let rate = try arguments(ConvertOptions.rate) {
            guard case .exactly(let exact) = rate else {
                throw CommandFailure(
                    .usage, "--fps max is for cameras; give a movie a rate such as 30")
            }
            frameRate = exact
        }
        duration = try arguments(ConvertOptions.duration)
        motion = try arguments(ConvertOptions.motion)
        try readKeyFrames(arguments)
        preset = try arguments(ConvertOptions.encoderPreset)
        overwrites = arguments.isOn(ConvertOptions.overwrite)
        isNetworkReady = arguments.isOn(ConvertOptions.networkReady)
        software = "vcap \(Verbs.versionNumber)"
        try readCodecs(arguments)
        if let output = try arguments(ConvertOptions.output), ConvertOutputs.isAudio(output),
            OutputContainer(path: output)?.isAudioOnly == false
        {
            video = .leaveOut
        }
        try readRate(arguments)
    }

    private mutating func readCodecs(_ arguments: Arguments) throws(CommandFailure) {
        switch try arguments(ConvertOptions.codec) {
        case nil: break
        case "copy": (video, audio) = (.copy, .copy)
        case let name?: video = VideoCodec(rawValue: name).map { .codec($0) } ?? .automatic
        }
        switch try arguments(ConvertOptions.audioCodec) {
        case nil: break
        case "pcm": audio = .codec(.pcm16)
        case let name?: audio = AudioCodec(rawValue: name).map { .codec($0) } ?? .automatic
        }
        if arguments.isOn(ConvertOptions.noVideo) { video = .leaveOut }
        if arguments.isOn(ConvertOptions.noAudio) { audio = .leaveOut }
        if video == .leaveOut, audio == .leaveOut {
            throw CommandFailure(.usage, "--no-video and --no-audio together leave nothing")
        }
        try refuseIdle(arguments)
    }

    /// Words about what is left out.
    private func refuseIdle(_ arguments: Arguments) throws(CommandFailure) {
        var (idle, left): ([OptionSpec], String) = ([], "")
        if video == .leaveOut {
            left = "--no-video leaves the video out"
            idle = [
                ConvertOptions.size.spec, ConvertOptions.fit.spec, ConvertOptions.background.spec,
                ConvertOptions.motion.spec, ConvertOptions.rate.spec, RecordOptions.bitrate.spec,
                ConvertOptions.quality.spec, ConvertOptions.encoderPreset.spec,
                ConvertOptions.keyFrames.spec, FilterOptions.filter.spec,
                FilterOptions.behind.spec,
            ]
            // copying is asked of the sound, too
            if audio != .copy { idle.append(ConvertOptions.codec.spec) }
        } else if audio == .leaveOut {
            left = "--no-audio leaves the audio out"
            idle = [ConvertOptions.audioCodec.spec]
        }
        guard let option = idle.first(where: arguments.isTyped) else { return }
        throw CommandFailure(
            .usage, "\(option.name) has nothing to act on: \(left); give one of the two")
    }

    private mutating func readKeyFrames(_ arguments: Arguments) throws(CommandFailure) {
        // what nobody asked for is no reason to encode what can be copied
        guard arguments.isSet(ConvertOptions.keyFrames.spec) else { return }
        switch try arguments(ConvertOptions.keyFrames) {
        case .time(let time): keyFrameInterval = time
        case .frames(let count):
            guard let frameRate else {
                throw CommandFailure(
                    .usage, "--gop in frames needs --fps with a number: give --gop as a time")
            }
            keyFrameInterval = frameRate.frameDuration * Int64(count)
        case nil: break
        }
    }

    private mutating func readRate(_ arguments: Arguments) throws(CommandFailure) {
        let quality = try arguments(ConvertOptions.quality)
        let bits = try arguments(RecordOptions.bitrate)
        guard quality == nil || bits == nil else {
            throw CommandFailure(.usage, "--crf and --bitrate exclude each other; give one of them")
        }
        if case .codec(let codec) = video {
            try RecordPlan.refuse(bitrate: bits, quality: quality, preset: preset, of: codec)
        }
        rate = quality.map { .quality(Double($0)) } ?? bits.map { .bitrate($0) }
    }
}
