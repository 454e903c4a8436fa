internal import LibAV
public import Media
internal import Movie

/// The samples of one track.
///
/// Times are movie time, the edit list applied. Decoded frames come in order of presentation, each
/// from when it is first shown to when the next one is, cut to the range. Decoded audio comes as exactly
/// the frames of the range, silence where the track has none. Coded samples come in order of decoding,
/// from the sync sample that the range needs (so that some lie before it) to the last one that may be
/// needed, once for each span of the edit list; frames that are only decoded are marked (`isHidden`; the frame that
/// is on show where the range begins is not, though it begins before), and what
/// a decoder must cut of audio is in the trims. Text comes
/// as the cues that are shown in the range, cut to it, in order of their start; metadata as the samples that
/// hold in it, likewise.
public final class AssetReaderTrackOutput: AssetReaderOutput {
    /// What samples are wanted.
    public enum Settings: Sendable, Hashable {
        /// Decoded frames of a pixel format; `nil` = as the decoder gives them. Orientation and pixel
        /// aspect stay as they are, stated by each sample's format.
        case frames(PixelFormat?)
        /// Decoded audio of a raw format; `nil` = float32 of the track's own rate and channels.
        case audio(AudioFormat?)
        /// Plain text of subtitles, without styles and positions (`SampleBuffer.text`).
        case text
        /// Samples of metadata with what they hold for (`SampleBuffer.metadata`); those that only say that
        /// nothing holds are left out.
        case metadata
    }

    // immutable
    public let asset: Asset
    public let track: AssetTrack
    public let settings: Settings?
    public let slot = AssetReaderSlot()
    private let threads: Int
    private struct State {
        var reading: (any TrackReading)?
        /// Of readings that have ended.
        var damagedSamples = 0
    }

    // guarded by itself
    private let state = Lock(State())

    /// - Parameters:
    ///   - asset: the file that is read.
    ///   - track: of the asset.
    ///   - settings: `nil` gives coded samples as they are.
    ///   - threads: decoding threads of frames (count; 1…16).
    /// - Throws: `invalid-setting` when the settings are not the track's kind, `unsupported` for a
    ///   codec that is not known.
    public init(
        asset: Asset, track: AssetTrack, settings: Settings? = nil, threads: Int = 1
    ) throws(MediaError) {
        guard asset.tracks.contains(track), track.format != nil else {
            throw asset.unreadable(
                track, because: track.reasonUnread)
        }
        let isFitting =
            switch settings {
            case nil: true
            case .frames: track.mediaType == .video
            case .audio(let format):
                track.mediaType == .audio && (format.map { $0.sampleFormat != nil } ?? true)
            case .text: track.mediaType == .text
            case .metadata: track.mediaType == .metadata
            }
        guard isFitting, (1...16).contains(threads) else {
            throw .setting(
                "track output",
                "ask for frames of a video track, raw audio of an audio track, text of a text track "
                    + "or metadata of a metadata track, with 1 to 16 threads.")
        }
        self.asset = asset
        self.track = track
        self.settings = settings
        self.threads = threads
    }

    public var mediaType: MediaType { track.mediaType }

    /// What samples will be, for the writer that gets them; `nil` where only the decoder knows: of frames
    /// without a wanted format.
    public var format: FormatDescription? {
        switch settings {
        case nil: return track.primedFormat
        case .frames(nil): return nil
        case .frames(let wanted?):
            guard let format = track.format?.video else { return nil }
            return (try? FrameTarget(pixelFormat: wanted).format(of: format)).map { .video($0) }
        case .audio(let wanted?): return .audio(wanted)
        case .audio(nil):
            guard let format = track.format?.audio else { return nil }
            return .audio(
                AudioFormat(
                    coding: .raw(.float32), sampleRate: format.sampleRate,
                    channels: format.channels))
        case .text: return .text(TextFormat(coding: .raw))
        case .metadata: return track.format
        }
    }

    /// From movie time zero to the track's end; of a still picture, which has none, its first instant.
    public var timeRange: MediaTimeRange {
        if track.isStill {
            return MediaTimeRange(
                start: .zero, duration: MediaTime(value: 1, timescale: track.timescale))
        }
        return MediaTimeRange(start: .zero, duration: max(.zero, track.duration))
    }

    public func begin(_ range: MediaTimeRange) throws(MediaError) {
        try state.withLock { state throws(MediaError) in
            if state.reading == nil { state.reading = try open() }
            try state.reading?.begin(range)
        }
    }

    /// Coded samples that could not be decoded whole so far (count): of frames what could be shows, or the one before;
    /// of audio there is silence. 0 of samples that are not decoded. Waits for a sample that is being made.
    public var damagedSamples: Int {
        state.withLock { $0.damagedSamples + ($0.reading?.damagedSamples ?? 0) }
    }

    private func open() throws(MediaError) -> any TrackReading {
        switch settings {
        case nil: try CodedReading(asset, track)
        case .frames(let format):
            try FrameReading(asset, track, format: format, threads: threads)
        case .audio(let format): try AudioReading(asset, track, format: format)
        case .text: try TimedReading(text: asset, track)
        case .metadata: try TimedReading(metadata: asset, track)
        }
    }

    public func produce() throws(MediaError) -> SampleBuffer? {
        try state.withLock { state throws(MediaError) in try state.reading?.next() }
    }

    public func end() {
        state.withLock { state in
            state.damagedSamples += state.reading?.damagedSamples ?? 0
            state.reading?.close()
            state.reading = nil
        }
    }
}

extension AssetTrack {
    /// Most frames that an encoder puts in front (frames; AAC of some coders: 2,112).
    private static let longestPriming: Int64 = 8192

    /// The coded format, with the priming that only the edit list states: other containers leave room for it.
    fileprivate var primedFormat: FormatDescription? {
        guard case .audio(var audio) = format, audio.codec != nil, audio.primingFrames == 0,
            let cut = edits.first?.mediaTime, edits.first?.start == .zero
        else { return format }
        let frames = cut.ticks(per: Int32(clamping: audio.sampleRate), rounding: .nearest)
        guard (1...Self.longestPriming).contains(frames) else { return format }
        audio.primingFrames = Int(frames)
        return .audio(audio)
    }
}

/// One way to read a track. Thread-bound.
protocol TrackReading: AnyObject, Sendable {
    func begin(_ range: MediaTimeRange) throws(MediaError)
    func next() throws(MediaError) -> SampleBuffer?
    /// Coded samples that could not be decoded whole so far (count).
    var damagedSamples: Int { get }
    func close()
}

extension TrackReading {
    var damagedSamples: Int { 0 }
}
