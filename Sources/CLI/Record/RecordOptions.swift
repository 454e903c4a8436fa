import Capture
import Detect
import Media
import Movie
import Recording

/// The options of `vcap record`, as declared.
enum RecordOptions {
    // MARK: what
    static let camera = Option<String>(
        "c", "camera", .selector,
        "a camera: its number in vcap devices, /dev path, identity, alias or a part of its name; "
            + "test: is built in, file:CLIP plays a movie, none leaves video out",
        default: .described("the first real one"), isRepeatable: true)
    static let microphone = Option<String>(
        "a", "mic", .selector,
        "a microphone, in the same words (alsa:hw:1,0, pulse:NAME, default, test:, file:CLIP, "
            + "none); one track each unless --mix",
        default: .described("the system's default, if there is one"), isRepeatable: true)
    static let mix = Switch(
        nil, "mix",
        "sum the microphones into one track, each at full level; too loud a sum is rounded off")
    static let size = Option<PictureSize>(
        "s", "size", .size, "frame size (pixels)",
        default: .described("the camera's largest up to 1080p"))
    static let rate = Option<WantedRate>(
        "r", "fps", .rate, "frame rate (frames per second)",
        default: .described("the camera's own up to 30"))
    static let inputFormat = Option<String>(
        nil, "input-format", .inputFormat,
        "what the camera is to deliver: auto, or a name that vcap formats lists",
        default: .value("auto"))
    static let controls = Option<CameraSetting>(
        nil, "ctrl", .control,
        "set the camera before recording (exposure=1/60s, white-balance=5200K, focus=auto, …, or a control that "
            + "vcap controls lists)",
        isRepeatable: true)
    static let profile = Option<String>(
        nil, "profile", .profile,
        "set the camera as vcap controls --save-profile saved it under this name; settings given beside it win"
    )
    static let rotation = Option<WantedRotation>(
        nil, "rotate", .rotation,
        "rotate the frames (degrees clockwise); auto as the camera says of itself (a sensor's "
            + "mounting, a movie's display matrix), 0 leaves it as it comes",
        default: .value("auto"))
    static let horizontalFlip = Switch(nil, "hflip", "mirror the frames left to right")
    static let verticalFlip = Switch(nil, "vflip", "mirror the frames top to bottom")

    // MARK: depth
    static let depth = Option<DepthFormat>(
        nil, "depth", .depth,
        "what a step of a depth camera's values is: cameras that have Z16 or Y16 deliver it, and it is kept to the "
            + "unit, as a depth track (mkv) or a photo (png)",
        default: .described("1mm for Z16; Y16 is seen as grey"))
    static let depthFilter = Option<DepthFilter.Settings>(
        nil, "depth-filter", .depthFilter,
        "what is done to depth before it is recorded: holes are filled from around them, temporal lets values follow "
            + "those before",
        default: .described("none: as the camera measured"))

    static let stereo = Option<StereoWish>(
        nil, "stereo", .stereo,
        "compute depth of the first two cameras, left and right, while they are recorded, as a depth track beside theirs "
            + "(mkv): baseline=6cm,focal=700px and, with commas, unit=, max-disparity= and block=, as of vcap depth; "
            + "they must be rectified",
        default: .described("none"))

    // MARK: where and how long
    static let output = Option<String>(
        "o", "output", .path(),
        "the movie; its ending chooses the container (mp4, mov, mkv, ts; webm for audio only); "
            + "strftime patterns and %v, a counter, are replaced, folders made",
        default: .described("a dated mp4 in the folder vcap of your videos"))
    static let replace = Switch(
        "y", "yes", "replace the movie if it is there, once the new one has begun")
    static let duration = Option<MediaTime>(
        "t", "duration", .duration, "stop by itself after this much movie (s, or 1m30s, 00:01:30)")

    static let title = Option<String>(
        nil, "title", .text("TEXT", "a text"),
        "what players show as the movie's title; slates do not change it",
        default: .described("none, or a slate's"))
    static let timeCode = Option<TakeTimeCode>(
        nil, "time-code", .takeTimeCode,
        "time code of the frames (mp4, mov, mkv): clock is the local time of day and free begins at 00:00:00:00, "
            + "and both advance in pauses; a time code begins there and stands still in pauses",
        default: .described("none"))
    static let minimumFree = Option<Int64>(
        nil, "min-free", .byteCount,
        "space that is left free on the movie's disk (bytes; K, M, G, T are powers of 1024): with less the "
            + "recording is refused, and it stops before",
        default: .value("64M"))
    static let standardReserve: Int64 = 64 << 20
    static let watch = Option<Set<TrackCondition>>(
        nil, "watch", .conditions,
        "what is looked for and reported: black and frozen frames, silent microphones; none for a source that is "
            + "meant to stand still",
        default: .value("black,frozen,silent"))
    static let pressure = Option<String>(
        nil, "pressure", .choice(["auto", "off"]),
        "what happens when the encoder is behind or the machine is hot: auto encodes faster, with larger files, "
            + "until that is over; off keeps the preset and drops frames",
        default: .value("auto"))
    static let sync = Option<SyncPolicy>(
        nil, "sync", .syncPolicy,
        "how often the movie is made to survive a power cut: a time, always (each fragment) or "
            + "never",
        default: .value("500ms"))

    // MARK: detection
    static let detect = Option<Set<MetadataObjectType>>(
        nil, "detect", .detected,
        "find codes, faces, bodies or cats in the frames of each camera, into a track of metadata (mp4, mov): "
            + "codes,faces and so on, qr,ean13 for these codes only; vcap detect --recorded lists them"
    )
    static let detectRegion = Option<NormalizedRect>(
        nil, "detect-region", .region,
        "the part of the upright frame that --detect and --slate look at: left edge, upper edge, width, height (parts of it)",
        default: .described("all of it"))
    static let detectRate = Option<FrameRate>(
        nil, "detect-rate", .frameRate, "most frames a second that --detect and --slate look at",
        default: .value("5"))

    static let faceModel = Option<String>(
        nil, "face-model", .path("MODEL"),
        "a YuNet model (.onnx, its form of March 2022) that finds faces for --detect faces",
        default: .described("OpenCV's cascade"))

    static let slate = Switch(
        nil, "slate",
        "slates that a camera is shown (QR codes that vcap slate makes) set title, scene and take of the movie and "
            + "markers at their frames")
    static let slateAllow = Option<Set<SlateAction>>(
        nil, "slate-allow", .slateActions,
        "what a slate may ask for, with commas between; anybody in front of a camera can show one",
        default: .described("nothing"))

    // MARK: coding
    static let codec = Option<String>(
        nil, "codec", .choice(["h264", "hevc", "mjpeg", "ffv1", "copy"]),
        "coding of the video; copy keeps what an MJPEG or H.264 camera delivers",
        default: .value("h264"))
    static let bitrate = Option<Int>(
        "b", "bitrate", .bitrate, "average bit rate of the video (bit/s)")
    static let quality = Option<Int>(
        nil, "crf", .integer("N", in: 0...51),
        "constant quality, lower is better; not together with --bitrate",
        default: .described("20 for h264, 23 for hevc, 3 for mjpeg"))
    static let preset = Option<String>(
        nil, "encoder-preset", .choice(presets), "speed against size, for h264 and hevc",
        default: .described("veryfast"))
    static let keyFrames = Option<KeyFrameDistance>(
        "g", "gop", .keyFrameDistance, "sync samples at most this far apart (time, or frames)",
        default: .value("1s"))
    static let audioCodec = Option<String>(
        nil, "audio-codec", .choice(["aac", "opus", "flac", "pcm"]), "coding of the audio",
        default: .described("aac; opus in webm"))

    // MARK: while recording
    static let pauseKey = Option<Key>(
        nil, "pause-key", .key, "key that pauses and resumes", default: .described("p and space"))
    static let stopKey = Option<Key>(
        nil, "stop-key", .key, "key that stops", default: .described("q"))
    static let keys = Option<String>(
        nil, "keys", .choice(["auto", "none"]),
        "auto reads keys when standard input is a terminal", default: .value("auto"))
    static let preview = Option<PreviewWish>(
        nil, "preview", .preview,
        "show what is recorded, in a window where there is a desktop, else on the terminal; what shows it costs the "
            + "recording no frame, and without a place for it the recording continues without",
        bare: PreviewWish.automatic.rawValue)
    static let session = Option<String>(
        nil, "session", .session, "name for vcap ctl", default: .described("take-PID"))
    static let prepare = Option<String>(
        nil, "prepare", .choice(["auto", "never"]),
        "when the film of --then compose is begun: auto while the take is recorded, beside it in a process of lowest "
            + "priority, where most of its frames can be copied; never when the take has ended",
        default: .value("auto"))

    // MARK: Reports
    static let progress = Option<ProgressTarget>(
        nil, "progress", .progressTarget, "write progress reports each half second")
    static let progressFormat = Option<String>(
        nil, "progress-format", .choice(ProgressReport.Form.allCases.map(\.rawValue)),
        "form of the reports: ffmpeg's key=value blocks, or JSON lines",
        default: .value("key-value"))
    static let strict = Switch(nil, "strict", "exit with code 3 when the take's verdict is bad")

    static let presets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
        "veryslow",
    ]

    static let groups: [Command.Group] = [
        .init(
            title: "Cameras and microphones (the video options apply to every camera)",
            options: [
                camera.spec, microphone.spec, mix.spec, size.spec, rate.spec, inputFormat.spec,
                controls.spec, profile.spec, rotation.spec, horizontalFlip.spec, verticalFlip.spec,
            ]),
        .init(title: "Depth", options: [depth.spec, depthFilter.spec, stereo.spec]),
        .init(title: "Filters", options: FilterOptions.specs),
        .init(
            title: "Output",
            options: [
                output.spec, replace.spec, duration.spec, title.spec, timeCode.spec,
                minimumFree.spec, sync.spec,
                RehearsalCommand.option.spec,
            ]),
        .init(
            title: "Coding",
            options: [
                codec.spec, bitrate.spec, quality.spec, preset.spec, keyFrames.spec,
                pressure.spec, audioCodec.spec,
            ]),
        .init(
            title: "Detection",
            options: [
                detect.spec, slate.spec, slateAllow.spec, detectRegion.spec, detectRate.spec,
                faceModel.spec,
            ]),
        .init(
            title: "While recording",
            options: [
                preview.spec, pauseKey.spec, stopKey.spec, keys.spec, session.spec,
                prepare.spec, LivePhotoForm.arming.spec,
            ]),
        .init(
            title: "Reporting",
            options: [
                progress.spec, progressFormat.spec, watch.spec, strict.spec,
                StandardOptions.json.spec,
            ]
                + StandardOptions.messages),
    ]
}

extension ValueKind where Value == String {
    static var inputFormat: ValueKind {
        ValueKind(
            "FORMAT", expected: "auto or a format such as mjpeg, yuyv, nv12 or h264",
            completion: .words(["auto", "mjpeg", "yuyv", "nv12", "h264"])
        ) { text in
            let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
            return isPlain && (1...32).contains(text.utf8.count) ? text : nil
        }
    }
}

extension ValueKind where Value == Set<TrackCondition> {
    static var conditions: ValueKind {
        ValueKind(
            "WHAT", expected: "none, or some of black, frozen and silent with commas between",
            completion: .words(["none"] + TrackCondition.allCases.map(\.rawValue))
        ) { text in
            if text == "none" { return [] }
            let words = text.split(separator: ",", omittingEmptySubsequences: false)
            let conditions = words.compactMap { TrackCondition(rawValue: String($0)) }
            return conditions.count == words.count ? Set(conditions) : nil
        }
    }
}

extension ValueKind where Value == SyncPolicy {
    static var syncPolicy: ValueKind {
        ValueKind(
            "TIME|always|never", expected: "a time from 100ms to 60s, always or never",
            completion: .words(["500ms", "always", "never"])
        ) { text in
            switch text {
            case "always": return .everyWrite
            case "never": return .never
            default:
                guard let time = ValueKind<MediaTime>.duration.parse(text),
                    time >= .milliseconds(100), time <= .seconds(60)
                else { return nil }
                return .every(time)
            }
        }
    }
}
