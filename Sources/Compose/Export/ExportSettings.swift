public import Media
public import Movie
internal import Writing

/// What to export and how. `validate()` names the field that is wrong.
public struct ExportSettings: Sendable {
    /// *size, codecs and quality (default highest)*
    public var preset: ExportPreset
    /// *whether frames that nothing touches are copied from clips of the film's codec, H.264 or HEVC, instead of encoded anew (default never)*
    public var copying: FrameCopying
    /// *passes over the frames (1 or 2; default 1). Two spend the preset's bit rate where the frames need it, take up to
    /// twice as long and begin anew when cancelled; h264, hevc and vp9 with a bit rate*
    public var passes: Int
    /// *what of the timeline is exported (inside the film; default the film's own range, else all)*
    public var range: MediaTimeRange?
    /// *what the film says about itself (default nothing)*
    public var metadata: MovieMetadata
    /// *whether an existing regular file is replaced (default no)*
    public var overwrites: Bool
    /// *whether a cancelled export keeps what is finished under its temporary name, so that the same
    /// export continues from there (default yes; MP4 and QuickTime only)*
    public var keepsUnfinished: Bool
    /// *whether players can begin with the film's first bytes, because its index lies in front of its
    /// samples; the finished film is copied once for it (default no; MP4 and QuickTime only)*
    public var isNetworkReady: Bool
    /// *frames a second of the audio (Hz; 8,000…192,000; default 48,000)*
    public var sampleRate: Int
    /// *threads that compose one frame (count; 1…64; default the machine's cores, 4 at most); the
    /// frame does not depend on it*
    public var threads: Int?

    public init(preset: ExportPreset = .highest) {
        self.preset = preset
        copying = .never
        passes = 1
        range = nil
        metadata = MovieMetadata()
        overwrites = false
        keepsUnfinished = true
        isNetworkReady = false
        sampleRate = 48_000
        threads = nil
    }

    /// Which of a film's frames are copied as they are coded.
    public enum FrameCopying: Sendable, Hashable {
        /// None: all are rendered and encoded.
        case never
        /// Those that are frames of a clip, of the film's size, shape and colours, that nothing is drawn over, in whole
        /// groups: only the others are encoded. For frames of H.264 and HEVC that are coded as a preset of
        /// `ExportPreset.all` has them or as good as their codec is usually, in one pass, in MP4, QuickTime and Matroska; others
        /// encode all.
        case whereUntouched
    }

    private func validatePasses() throws(MediaError) {
        guard passes != 1 else { return }
        guard passes == 2 else {
            throw .setting("passes", "A film is made in 1 or 2 passes, not \(passes).")
        }
        guard !preset.isPassthrough, let video = preset.video else {
            throw .setting(
                "passes", "There are no frames to encode in two passes: leave passes out.")
        }
        guard VideoOutputSettings.twoPassCodecs.contains(video.codec) else {
            throw .setting(
                "passes",
                "Two passes are for h264, hevc and vp9, not \(video.codec.rawValue): leave passes out."
            )
        }
        guard case .bitrate = video.rate else {
            throw .setting(
                "passes",
                "Two passes are for a bit rate; a constant quality needs one: give a bit rate, or leave "
                    + "passes out.")
        }
    }

    /// - Throws: `invalid-setting`, naming the field.
    public func validate() throws(MediaError) {
        if let range, range.start < .zero || range.isEmpty {
            throw .setting(
                "range", "The range to export begins before the film or has no length.")
        }
        if let field = preset.video?.pictureFields.first {
            throw .setting(
                "preset",
                "A film's size, shape, rate and colours are its video composition's: leave \(field) "
                    + "out of the preset's frames.")
        }
        if preset.audio.sampleRate != nil || preset.audio.channels != nil
            || preset.audio.layout != nil
        {
            throw .setting(
                "preset",
                "A film's audio is mixed in stereo at the export's sample rate: leave rate, channels "
                    + "and layout out of the preset's audio.")
        }
        if !preset.isPassthrough {
            try preset.video?.validate()
            try preset.audio.validate()
        }
        try validatePasses()
        guard (8000...192_000).contains(sampleRate) else {
            throw .setting(
                "sample rate", "The sample rate \(sampleRate) Hz is outside 8,000 to 192,000.")
        }
        if let threads, !(1...64).contains(threads) {
            throw .setting("threads", "\(threads) threads are outside 1 to 64.")
        }
    }
}
