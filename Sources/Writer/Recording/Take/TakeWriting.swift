internal import Media
internal import Movie
internal import Writing

/// What a recording needs of the maker of the movie: what it calls of `AssetWriter`, by the same names.
///
/// Times are on the host clock. Called from the sources' threads, the recorder's own thread and
/// those who give commands; nothing here blocks but `append` with waiting allowed.
protocol TakeWriting: AnyObject, Sendable {
    /// Before the session: the movie is made without a track, and its samples are no longer given.
    func leaveOut(track: Int)
    /// Before the session, where one is awaited: the movie's time code.
    func setTimeCode(_ code: MovieTimeCode)
    /// The movie's first instant.
    func startSession(atSourceTime time: MediaTime) throws(MediaError)
    /// - Parameter waits: whether to wait for room instead of answering `false`.
    /// - Returns: whether there was room; a refused sample has been counted by the writer.
    func append(_ sample: SampleBuffer, track: Int, waits: Bool) throws(MediaError) -> Bool
    /// - Returns: whether it changed anything.
    func pause(at time: MediaTime) throws(MediaError) -> Bool
    /// - Returns: whether it changed anything.
    func resume(at time: MediaTime) throws(MediaError) -> Bool
    func mark(_ text: String, at time: MediaTime) throws(MediaError)
    /// From then on the movie says this about itself.
    func describe(_ tags: [String: String], at time: MediaTime) throws(MediaError)
    /// The movie's last instant.
    func endSession(atSourceTime time: MediaTime) throws(MediaError)
    /// Writes what is held and closes the file.
    func close() async throws(MediaError) -> AssetWriterResult
    /// Gives up before the session's start and removes the file.
    func cancel() async
    /// Where the movie stands on the host clock: the one owner of pauses and movie time; `nil` before the
    /// session's start.
    var timeline: PauseGate? { get }
    var status: AssetWriterStatus { get }
    /// Gives up and closes the file as it is.
    func leave() async
    /// Asks for another speed from the next sync samples on.
    func setEncodingSpeed(_ speed: EncodingSpeed)
    /// What follows how full its queues are; `nil` where it is never behind.
    /// - Parameter rates: of each track; `nil` for audio and where it is not known.
    func load(rates: [FrameRate?]) -> WriterLoad?
    /// The movie's file; `nil` where there is none to look at.
    var file: GrowingFile? { get }
    /// How often the disk lost bytes of the movie that were written again.
    var recoveries: Int { get }
}

extension TakeWriting {
    func leaveOut(track: Int) {}
    func setTimeCode(_ code: MovieTimeCode) {}
    func describe(_ tags: [String: String], at time: MediaTime) throws(MediaError) {}
    func leave() async { await cancel() }
    func setEncodingSpeed(_ speed: EncodingSpeed) {}
    func load(rates: [FrameRate?]) -> WriterLoad? { nil }
    var file: GrowingFile? { nil }
    var recoveries: Int { file?.recoveries ?? 0 }
}

/// Makes the writer of a take; the handler gets what it reports.
typealias TakeWriterMaker =
    @Sendable (
        RecordingSettings, [TrackPlan], @escaping @Sendable (AssetWriterEvent) -> Void
    ) throws(MediaError) -> any TakeWriting

/// What one track of a take is made of.
struct TrackPlan: Sendable {
    enum Output: Sendable {
        case video(VideoOutputSettings)
        case audio(AudioOutputSettings)
        case copied
    }

    /// Index in the recorder's list of sources, or of the movie's track.
    var index: Int
    var origin: SourceOrigin
    var format: FormatDescription
    var output: Output

    /// The codec in the movie, in FFmpeg's words.
    var codecName: String {
        switch output {
        case .video(let settings): settings.codec.rawValue
        case .audio(let settings): settings.codec.rawValue
        case .copied:
            format.video?.codec?.rawValue ?? format.audio?.codec?.rawValue
                ?? (format.metadata == nil ? "" : "metadata")
        }
    }
}

extension RecordingSettings {
    /// What each source becomes.
    /// - Throws: `unsupported` where a source's format and the wanted output do not fit.
    func plan(for sources: [any SampleSource]) throws(MediaError) -> TakePlan {
        guard sources.contains(where: \.format.mediaType.setsLength) else {
            throw .setting("sources", "a recording needs at least one camera or microphone.")
        }
        var plans: [TrackPlan] = []
        for (index, source) in sources.enumerated() {
            plans.append(
                TrackPlan(
                    index: index, origin: source.origin, format: source.format,
                    output: try output(for: source, at: index)))
        }
        var plan = TakePlan(plans)
        try requireTimeCode(plan)
        guard microphones == .mixed else { return plan }
        plan.mixMicrophones(audio)
        if let mixed = plan.mix?.sources.first(where: { audioOverrides[$0] != nil }) {
            throw .setting(
                "audioOverrides", "\(plans[mixed].origin.name) is mixed into a track of others.")
        }
        return plan
    }

    private func output(
        for source: any SampleSource, at index: Int
    ) throws(MediaError) -> TrackPlan.Output {
        switch source.format {
        case .audio(let format):
            guard format.sampleFormat != nil else {
                throw refusal(source, "delivers coded audio; raw audio is needed.")
            }
            return .audio(audioOutput(at: index))
        case .metadata(let format):
            try container.requireRoom(for: format)
            return .copied
        case .text: throw refusal(source, "delivers text; video or audio is needed.")
        case .video(let format):
            if format.depth != nil { return try output(forDepth: format, of: source) }
            switch (videoOutput(at: index), format.coding) {
            case (.encoded(let settings), .raw): return .video(settings)
            case (.copied, .coded(let codec)):
                try container.requireRoom(for: codec)
                try container.requireRoom(for: format.orientation)
                return .copied
            case (.copied, .raw):
                throw refusal(
                    source, "delivers raw frames, which cannot be copied: choose a codec.")
            case (.encoded, .coded):
                throw refusal(
                    source, "delivers coded frames: copy them, or have the source decode them.")
            }
        }
    }

    /// Depth is kept to the unit, whatever becomes of frames to be seen, and the file says what its values are.
    private func output(
        forDepth format: VideoFormat, of source: any SampleSource
    ) throws(MediaError) -> TrackPlan.Output {
        guard container.holdsDepth else {
            throw MediaError(
                code: .unsupported, subject: source.origin.name,
                message: "Cannot record the depth of \(source.origin.name) into a "
                    + ".\(container.rawValue) file: a depth track is kept in .mkv, losslessly; name the "
                    + "movie with .mkv.")
        }
        guard format.codec != nil else { return .video(VideoOutputSettings(codec: .ffv1)) }
        guard format.codec == .ffv1 else {
            throw refusal(source, "delivers depth that is coded with loss; take a lossless one.")
        }
        try container.requireRoom(for: format.orientation)
        return .copied
    }

    private func refusal(_ source: any SampleSource, _ reason: String) -> MediaError {
        MediaError(
            code: .unsupported, subject: source.origin.name,
            message: "Cannot record \(source.origin.name): it \(reason)")
    }
}
