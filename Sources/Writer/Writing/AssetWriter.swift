public import Media
internal import Movie

/// Writes one movie: raw or coded samples in, with pause and resume to the frame.
///
/// Life: make the inputs, `start`, `startSession`, append, `endSession`, `finish`. Times are source
/// times: one clock for all tracks (the host clock when recording). Thread-safe; appending in real time
/// never waits for encoder or disk.
///
/// Memory: at most `videoQueueBytes` or `audioQueueBytes` a track, twice `diskQueueBytes`, and what
/// encoders hold; while a pause waits for its frame at most 64 MiB more.
public final class AssetWriter: Sendable {
    /// Most bytes held back while a pause or resume waits for the lead's frame (bytes).
    static let heldLimit = 64 << 20

    // immutable
    public let configuration: AssetWriterConfiguration
    let post: EventPost
    let container: ContainerChoice
    // guarded by itself
    let state = Lock(State())

    struct State: Sendable {
        enum Phase: Sendable {
            case configuring
            case started
            case session
            case finishing
            case ended
        }

        enum EarlyCommand: Sendable {
            case pause(Int64)
            case resume(Int64)
        }

        var phase = Phase.configuring
        var tracks: [TrackInput] = []
        var pools: [PixelBufferPool?] = []
        var gate: SessionGate<SampleBuffer>?
        var early: [EarlyCommand] = []
        var pauses: [MoviePause] = []
        var markers: [MovieMarker] = []
        var pipeline: WritingPipeline?
        var outcome: WritingPipeline.Outcome?
        var movieEnd: Int64 = 0
        var waiting: [CheckedContinuation<Void, Never>] = []

        /// Where the last sample ends (movie time, ns), of metadata only where there is nothing else.
        var lastEnd: Int64 {
            let shown = tracks.filter(\.coding.source.mediaType.setsLength)
            return (shown.isEmpty ? tracks : shown).map(\.end).max() ?? 0
        }
    }

    /// - Parameters:
    ///   - configuration: the file, and what does not belong to one track.
    ///   - onEvent: called in order on a thread of the writer's own; it may call the writer.
    /// - Throws: `invalidSetting` naming the field.
    public convenience init(
        _ configuration: AssetWriterConfiguration,
        onEvent: @escaping @Sendable (AssetWriterEvent) -> Void = { _ in }
    ) throws(MediaError) {
        try self.init(
            configuration, onEvent: onEvent,
            container: ContainerChoice(for: configuration))
    }

    /// - Parameter container: creates the file when the writer starts.
    init(
        _ configuration: AssetWriterConfiguration,
        onEvent: @escaping @Sendable (AssetWriterEvent) -> Void,
        container: ContainerChoice
    ) throws(MediaError) {
        try configuration.validate()
        self.configuration = configuration
        self.container = container
        post = EventPost(onEvent)
    }

    deinit {
        let pipeline = state.withLock { state in
            state.phase == .ended || state.phase == .finishing ? nil : state.pipeline
        }
        pipeline?.cancel()
    }

    // MARK: Inputs

    /// A track of raw pictures, encoded.
    /// - Parameters:
    ///   - settings: how they are coded.
    ///   - sourceFormat: what will be appended; pictures of other formats are converted.
    ///   - name: what a player shows (default none).
    ///   - language: BCP 47 (default undetermined).
    /// - Throws: `invalidSetting` or `unsupported`, naming what is wrong; `invalidState` after `start`.
    public func inputReceiver(
        for settings: VideoOutputSettings, sourceFormat: VideoFormat, name: String? = nil,
        language: String? = nil
    ) throws(MediaError) -> SampleBufferReceiver {
        try settings.validate()
        try configuration.container.requireRoom(for: settings.codec)
        guard sourceFormat.pixelFormat != nil else {
            throw .setting("source format", "it is coded already; pass it through or decode it.")
        }
        if settings.cleanAperture != nil, !configuration.container.holdsCleanAperture {
            throw .setting(
                "clean aperture",
                "vcap writes none into a .\(configuration.container.rawValue) file; write .mp4 or "
                    + ".mov, or crop the pictures.")
        }
        var source = sourceFormat
        if let rate = settings.expectedFrameRate { source.nominalRate = rate }
        _ = try settings.trackFormat(for: source)
        return try addInput(.video(settings, source), name, language)
    }

    /// A track of raw audio, encoded.
    public func inputReceiver(
        for settings: AudioOutputSettings, sourceFormat: AudioFormat, name: String? = nil,
        language: String? = nil
    ) throws(MediaError) -> SampleBufferReceiver {
        try settings.validate()
        try configuration.container.requireRoom(for: settings.codec)
        guard sourceFormat.sampleFormat != nil, sourceFormat.sampleRate > 0 else {
            throw .setting("source format", "it is coded already; pass it through or decode it.")
        }
        return try addInput(.audio(settings, sourceFormat), name, language)
    }

    /// A track of metadata, such as codes that a detector finds: samples made by
    /// `SampleBuffer(_:format:)`, of any distance from each other.
    ///
    /// A sample holds for its duration, or until the next one where it has none; what it holds for is cut by
    /// pauses and by the movie's end, and what begins in a pause is left out. Where nothing holds, an empty sample
    /// says so.
    /// - Parameters:
    ///   - format: the keys that samples may have values for.
    ///   - name: what other programs show (default none).
    ///   - language: of its texts (BCP 47; default undetermined).
    /// - Throws: `unsupported` in containers other than MP4 and QuickTime, `invalidSetting` for keys that no track
    ///   can have, `invalidState` after `start`.
    public func inputReceiver(
        for format: MetadataFormat, name: String? = nil, language: String? = nil
    ) throws(MediaError) -> SampleBufferReceiver {
        try configuration.container.requireRoom(for: format)
        return try addInput(.passThrough(.metadata(format)), name, language)
    }

    /// A track of coded samples, written as they are.
    ///
    /// Cuts keep to what can be decoded: pictures that need others begin at a sync sample, so a resume
    /// is at the lead's first sync sample from then on; coded audio is cut between packets.
    public func inputReceiver(
        passingThrough sourceFormat: FormatDescription, name: String? = nil
    ) throws(MediaError) -> SampleBufferReceiver {
        switch sourceFormat {
        case .video(let format):
            guard let codec = format.codec else {
                throw .setting("source format", "raw pictures must be encoded to be written.")
            }
            try configuration.container.requireRoom(for: codec)
            try configuration.container.requireRoom(for: format.orientation)
        case .audio(let format):
            guard let codec = format.codec else {
                throw .setting("source format", "raw audio must be encoded (or be PCM).")
            }
            try configuration.container.requireRoom(for: codec)
        case .text:
            throw .setting(
                "source format", "text is given whole, as the configuration's text tracks.")
        case .metadata(let format): try configuration.container.requireRoom(for: format)
        }
        return try addInput(.passThrough(sourceFormat), name, nil)
    }

    /// A track of pictures drawn by the caller, with a pool to draw them in.
    /// - Parameters:
    ///   - settings: how they are coded.
    ///   - sourceFormat: what the pool's pictures are.
    ///   - poolLimit: most pictures out at once (pictures; positive; default 8).
    ///   - name: what a player shows (default none).
    public func pixelBufferReceiver(
        for settings: VideoOutputSettings, sourceFormat: VideoFormat, poolLimit: Int = 8,
        name: String? = nil
    ) throws(MediaError) -> PixelBufferReceiver {
        guard poolLimit > 0, let format = sourceFormat.pixelFormat, sourceFormat.width > 0,
            sourceFormat.height > 0
        else {
            throw .setting("pool", "it needs raw pictures of a positive size and a positive limit.")
        }
        let receiver = try inputReceiver(for: settings, sourceFormat: sourceFormat, name: name)
        let pool = PixelBufferPool(
            width: sourceFormat.width, height: sourceFormat.height, format: format,
            limit: poolLimit)
        return PixelBufferReceiver(receiver: receiver, format: sourceFormat, pool: pool)
    }

    private func addInput(
        _ coding: TrackInput.Coding, _ name: String?, _ language: String?
    ) throws(MediaError) -> SampleBufferReceiver {
        let isVideo = coding.source.mediaType == .video
        let bytes = isVideo ? configuration.videoQueueBytes : configuration.audioQueueBytes
        let track = try state.withLock { state throws(MediaError) in
            guard state.phase == .configuring else {
                throw .state("add an input", "the writer has started; make inputs before.")
            }
            state.tracks.append(
                TrackInput(
                    coding: coding, name: name, language: language, queueBytes: bytes,
                    videoTimescale: configuration.container.videoTimescale))
            state.pools.append(nil)
            return state.tracks.count - 1
        }
        return SampleBufferReceiver(track: track, writer: self)
    }
}
