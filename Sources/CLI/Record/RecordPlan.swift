import Capture
import Media
import Movie
import Recording
import Writing

/// What a recording is to be, read from the options and checked as far as that needs no device.
struct RecordPlan: Sendable {
    /// How a device is chosen.
    enum Choice: Sendable, Equatable {
        /// The first real camera; the default microphone if there is one.
        case automatic
        case selector(String)

        /// As typed; nil: nothing was.
        var selector: String? { if case .selector(let text) = self { text } else { nil } }
    }

    var cameras: [Choice]
    var microphones: [Choice]
    /// Whether the microphones share a track.
    var mixes: Bool
    var cameraSettings: VideoInputSettings
    /// What cameras are set to besides; `nil`: nothing.
    var profile: CameraProfile?
    var connection: CaptureConnection
    var output: String?
    var replacesExisting: Bool
    var duration: MediaTime?
    var syncPolicy: SyncPolicy
    /// The movie's title, as typed.
    var title: String?
    /// The time code of its frames.
    var timeCode: TakeTimeCode?
    /// Space that is left free on the movie's disk (bytes).
    var diskReserve: Int64
    /// What is looked for in frames and audio.
    var watched: Set<TrackCondition>
    var video: RecordingSettings.VideoTrackOutput
    /// Names of the options of coding that were typed.
    var codingOptions: [String]
    /// What is to be found in the frames; `nil`: nothing.
    var detection: DetectionWish?
    /// What is done to depth; `nil`: nothing.
    var depthFilter: DepthFilter.Settings?
    /// What depth the first two cameras make together; `nil`: none.
    var stereo: StereoWish?
    /// What changes the frames; `nil`: nothing.
    var filters: FilterPlan?
    /// Whether the recording gives way when the machine is pressed.
    var followsPressure: Bool
    /// The form of live photos that keys and commands ask for; `nil`: none can be taken.
    var live: LivePhotoForm?
    /// `nil`: what suits the container.
    var audioCodec: AudioCodec?
    /// What selectors stand for.
    private let aliases: [String: String]

    init(_ arguments: Arguments) throws(CommandFailure) {
        aliases = arguments.aliases
        cameras = try RecordPlan.choices(arguments, RecordOptions.camera)
        microphones = try RecordPlan.choices(arguments, RecordOptions.microphone)
        if cameras.isEmpty, microphones.isEmpty {
            throw CommandFailure(
                .usage, "nothing is left to record: both -c none and -a none were given")
        }
        mixes = arguments.isOn(RecordOptions.mix)
        if mixes, microphones.isEmpty {
            throw CommandFailure(.usage, "--mix has nothing to mix: -a none was given")
        }
        live = try arguments(LivePhotoForm.arming).flatMap(LivePhotoForm.init(rawValue:))
        if live != nil, cameras.isEmpty {
            throw CommandFailure(.usage, "--live needs a camera: -c none was given")
        }
        output = try arguments(RecordOptions.output)
        replacesExisting = arguments.isOn(RecordOptions.replace)
        duration = try arguments(RecordOptions.duration)
        title = try arguments(RecordOptions.title)
        timeCode = try arguments(RecordOptions.timeCode)
        syncPolicy = try arguments(RecordOptions.sync) ?? .standard
        watched = try arguments(RecordOptions.watch) ?? Set(TrackCondition.allCases)
        followsPressure = try arguments(RecordOptions.pressure) != "off"
        diskReserve = try arguments(RecordOptions.minimumFree) ?? RecordOptions.standardReserve
        let codec = try arguments(RecordOptions.codec) ?? "h264"
        cameraSettings = try RecordPlan.cameraSettings(arguments, copies: codec == "copy")
        profile = cameras.isEmpty ? nil : try CameraProfiles.wanted(arguments)
        connection = try RecordPlan.connection(arguments)
        video = try RecordPlan.video(arguments, codec)
        codingOptions = [
            RecordOptions.codec.spec, RecordOptions.bitrate.spec, RecordOptions.quality.spec,
            RecordOptions.preset.spec, RecordOptions.keyFrames.spec,
        ].filter(arguments.isTyped).map(\.name)
        audioCodec = try arguments(RecordOptions.audioCodec).flatMap { name in
            name == "pcm" ? .pcm16 : AudioCodec(rawValue: name)
        }
        depthFilter = try arguments(RecordOptions.depthFilter)
        detection = try DetectionWish(arguments, hasCamera: !cameras.isEmpty, output: output)
        stereo = try arguments(RecordOptions.stereo)
        filters = try FilterPlan(arguments, isLive: true)
        try refuseFilters()
        try refuseRotatedCopy()
        try refuseIdlePair()
    }

    /// What a stereo pair cannot be, as far as that needs no device.
    private func refuseIdlePair() throws(CommandFailure) {
        guard stereo != nil else { return }
        guard cameras.count >= 2 else {
            throw CommandFailure(
                .usage, "--stereo is of two cameras: name them with -c LEFT -c RIGHT")
        }
        guard output.flatMap(OutputContainer.init(path:))?.holdsDepth == true else {
            throw CommandFailure(
                .usage,
                "a depth track is kept in .mkv, losslessly: name the movie of --stereo with -o NAME.mkv"
            )
        }
        guard !connection.isMirrored else {
            throw CommandFailure(
                .usage,
                "in mirrored frames left and right have changed places: --hflip and --vflip cannot stand beside "
                    + "--stereo; --rotate can")
        }
    }

    /// Before any device is opened: what filters cannot be had with.
    private func refuseFilters() throws(CommandFailure) {
        guard filters != nil else { return }
        if cameras.isEmpty {
            throw CommandFailure(.usage, "--filter has no frames to change: -c none was given")
        }
        if case .copied = video {
            throw CommandFailure(
                .usage,
                "--codec copy keeps the camera's own samples, which no filter changes: choose another --codec, "
                    + "or leave --filter out")
        }
        if live != nil {
            throw CommandFailure(
                .usage,
                "live photos would show what --filter hides: leave --live or --filter out")
        }
    }

    static func choices(
        _ arguments: Arguments, _ option: Option<String>
    ) throws(CommandFailure) -> [Choice] {
        let selectors = try arguments.all(option)
        if selectors.isEmpty { return [.automatic] }
        if selectors == ["none"] { return [] }
        if selectors.contains("none") {
            throw CommandFailure(
                .usage, "\(option.spec.name) none cannot stand beside other devices")
        }
        // built-in devices and clips may be had more than once
        let real = selectors.filter { !$0.hasPrefix("test:") && !$0.hasPrefix("file:") }
        if let twice = real.first(where: { word in real.count { $0 == word } > 1 }) {
            throw .sameDeviceTwice(twice, option.spec.name)
        }
        return selectors.map(Choice.selector)
    }

    static func cameraSettings(
        _ arguments: Arguments, copies: Bool
    ) throws(CommandFailure) -> VideoInputSettings {
        var settings = VideoInputSettings()
        settings.size = try arguments(RecordOptions.size).map { PixelSize($0.width, $0.height) }
        switch try arguments(RecordOptions.rate) {
        case .exactly(let rate): settings.rate = .exactly(rate)
        case .max: settings.rate = .maximum
        case nil: break
        }
        let format = try arguments(RecordOptions.inputFormat) ?? "auto"
        settings.inputFormat = format != "auto" ? .named(format) : copies ? .coded : .automatic
        settings.cameraSettings = try arguments.all(RecordOptions.controls)
        settings.depth = try arguments(RecordOptions.depth)
        return settings
    }

    /// What one of the cameras is asked for.
    func cameraSettings(of device: CaptureDevice) -> VideoInputSettings {
        var settings = cameraSettings.following(profile, of: device)
        guard settings.inputFormat == .coded else { return settings }
        // depth is kept exactly without being copied, and no camera compresses it
        var own = settings
        own.inputFormat = .automatic
        if device.depth(with: own) != nil { settings = own }
        return settings
    }

    /// Mirrored first, then rotated; a flip top to bottom is both. What the camera says of itself comes
    /// before either, unless a number was given.
    static func connection(
        _ arguments: Arguments
    ) throws(CommandFailure) -> CaptureConnection {
        var orientation = VideoOrientation.upright
        if arguments.isOn(RecordOptions.horizontalFlip) {
            orientation = orientation.followed(by: VideoOrientation(isMirrored: true))
        }
        if arguments.isOn(RecordOptions.verticalFlip) {
            orientation = orientation.followed(
                by: VideoOrientation(rotation: .half, isMirrored: true))
        }
        var followsDevice = true
        if case .exactly(let rotation) = try arguments(RecordOptions.rotation) {
            orientation = orientation.followed(by: VideoOrientation(rotation: rotation))
            followsDevice = false
        }
        return CaptureConnection(
            rotation: orientation.rotation, isMirrored: orientation.isMirrored,
            followsDevice: followsDevice)
    }

    /// Before any device is opened: frames that are copied cannot be rotated, only be said to be.
    private func refuseRotatedCopy() throws(CommandFailure) {
        guard case .copied = video, !cameras.isEmpty,
            connection.rotation != .none || connection.isMirrored,
            let container = output.flatMap(OutputContainer.init(path:)),
            !container.holdsOrientation
        else { return }
        throw CommandFailure(
            .usage,
            "--codec copy cannot rotate frames, and a .\(container.rawValue) file cannot say how they "
                + "lie: record into .mp4 or .mov, choose another --codec, or leave out --rotate, "
                + "--hflip and --vflip")
    }

    private static func video(
        _ arguments: Arguments, _ name: String
    ) throws(CommandFailure) -> RecordingSettings.VideoTrackOutput {
        let bitrate = try arguments(RecordOptions.bitrate)
        let quality = try arguments(RecordOptions.quality)
        let preset = try arguments(RecordOptions.preset)
        if bitrate != nil, quality != nil {
            throw CommandFailure(.usage, "--bitrate and --crf exclude each other: give one")
        }
        guard let codec = VideoCodec(rawValue: name) else {
            if bitrate != nil || quality != nil || preset != nil {
                throw CommandFailure(
                    .usage,
                    "--codec copy encodes nothing: leave out --bitrate, --crf and "
                        + "--encoder-preset")
            }
            return .copied
        }
        try refuse(bitrate: bitrate, quality: quality, preset: preset, of: codec)
        return .encoded(
            VideoOutputSettings(
                codec: codec,
                rate: bitrate.map { .bitrate($0) } ?? quality.map { .quality(Double($0)) },
                preset: preset, keyFrameInterval: try keyFrameInterval(arguments)))
    }

    /// Before anything is opened: what a codec's encoder cannot be asked for.
    static func refuse(
        bitrate: Int?, quality: Int?, preset: String?, of codec: VideoCodec
    ) throws(CommandFailure) {
        if preset != nil, !codec.isPredictive {
            throw CommandFailure(
                .usage, "\(codec.rawValue) has no presets: leave --encoder-preset out")
        }
        if bitrate != nil, !codec.isPredictive {
            throw CommandFailure(
                .usage,
                "\(codec.rawValue) has no bit rate to choose: "
                    + (codec == .mjpeg ? "give --crf instead" : "leave --bitrate out"))
        }
        guard let quality else { return }
        guard let range = codec.qualities else {
            throw CommandFailure(
                .usage,
                "\(codec.rawValue) "
                    + (codec == .ffv1 ? "keeps every frame exactly" : "has one quality")
                    + ": leave --crf out")
        }
        guard range.contains(Double(quality)) else {
            throw CommandFailure(
                .usage,
                "--crf \(quality) is none of \(codec.rawValue), which has "
                    + "\(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
    }

    /// A number of frames counts at the rate asked for.
    private static func keyFrameInterval(
        _ arguments: Arguments
    ) throws(CommandFailure) -> MediaTime {
        switch try arguments(RecordOptions.keyFrames) {
        case .time(let time): return time
        case .frames(let count):
            guard case .exactly(let rate) = try arguments(RecordOptions.rate) else {
                throw CommandFailure(
                    .usage, "--gop in frames needs --fps with a number: give --gop as a time")
            }
            return rate.frameDuration * Int64(count)
        case nil: return .seconds(1)
        }
    }

    /// Raw frames the encoder takes; `nil` when the camera's own samples are copied.
    var wantedPixels: PixelFormat? {
        guard case .encoded(let settings) = video else { return nil }
        if filters != nil { return .yuv420p }
        return settings.codec == .mjpeg ? .yuv422p : .yuv420p
    }

    /// Where frames that are not upright are rotated. Containers that cannot say how frames lie get them upright,
    /// from the output, which rotates them as it converts them; 4:2:2, which cannot be rotated by a quarter, the
    /// encoder makes 4:2:0 first.
    var rotationPolicy: VideoDataOutput.RotationPolicy {
        // a filter sees frames as people do
        if filters != nil { return .pixels }
        guard wantedPixels == .yuv420p,
            let container = output.flatMap(OutputContainer.init(path:)),
            !container.holdsOrientation
        else { return .format }
        return .pixels
    }

    /// What the recorder is asked for.
    func settings(outputPath: String) -> RecordingSettings {
        var settings = RecordingSettings(outputPath: outputPath)
        settings.replacesExisting = replacesExisting
        // without a camera no coding of frames has to fit the container
        settings.video = cameras.isEmpty ? .copied : video
        let suited: AudioCodec = settings.container == .webm ? .opus : .aac
        settings.audio = AudioOutputSettings(codec: audioCodec ?? suited)
        settings.microphones = mixes ? .mixed : .separate
        settings.duration = duration
        settings.syncPolicy = syncPolicy
        settings.diskReserve = diskReserve
        settings.watchedConditions = watched
        settings.metadata.title = title
        settings.timeCode = cameras.isEmpty ? nil : timeCode
        settings.metadata.software = "vcap \(Verbs.versionNumber)"
        return settings
    }

    /// Finds the movie's path.
    func path(_ folders: UserFolders) -> OutputPath {
        var output = OutputPath(
            replacesExisting: replacesExisting, inputs: inputFiles, folders: folders)
        output.approve = { path throws(CommandFailure) in
            do throws(MediaError) { try settings(outputPath: path).requireFreeSpace() } catch {
                throw CommandFailure(error, while: .writing)
            }
        }
        output.isTaken = { path in
            OutputPath.exists(path) || OutputPath.exists(settings(outputPath: path).reportPath)
        }
        return output
    }

    /// Looks whether the take's report can have its name. Where names count, one that another recorder has taken since
    /// it was chosen is none: the recording goes past it when it begins.
    func requireFreeReport(_ path: String, _ output: OutputPath) throws(CommandFailure) {
        do throws(MediaError) {
            try settings(outputPath: path).requireFreeReport()
        } catch {
            let isLate = error.code == .alreadyExists && output.counts(self.output)
            guard isLate, !replacesExisting else { throw CommandFailure(error, while: .writing) }
        }
    }

    /// Movies that are played as inputs.
    var inputFiles: [String] {
        DeviceChoice.files((cameras + microphones).map(\.selector), aliases: aliases)
    }
}

extension CommandFailure {
    /// - Parameter words: what was said of the device, in one word or several.
    static func sameDeviceTwice(_ words: String, _ option: String) -> CommandFailure {
        CommandFailure(
            .usage, "\(option) names one device twice (\(words)): give each device once")
    }
}
