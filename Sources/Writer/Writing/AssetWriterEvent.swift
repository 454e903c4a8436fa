public import Media

/// What a writer reports while it writes. Called in order, on a thread of the writer's own; a handler that
/// takes long holds up the events behind it, not the writer. Source times are on the host clock.
public enum AssetWriterEvent: Sendable {
    /// Samples of a track that will never be in the movie.
    case dropped(track: Int, SampleDrop)
    /// The movie has ended for now: `pause.movieTime` is where, `pause.cutTime` the source's time.
    case paused(MoviePause)
    /// The movie continues; `pause.resumeTime` is the source's time of the first instant.
    case resumed(MoviePause)
    /// The movie has its maximum length: nothing from this source time on is in it.
    case reachedMaximum(at: MediaTime)
    /// A marker found its place in the movie.
    case marked(MovieMarker)
    /// From this movie time on a track is encoded with another preset (see `setEncodingSpeed`).
    case presetChanged(track: Int, String, at: MediaTime)
    /// A track of frames that need others begins at its first sync sample, at this movie time: so many frames from the
    /// session's start on are left out, because the sync sample that they need was not appended, or because the
    /// container (Matroska, WebM, MPEG-TS) cannot hide it.
    case beganLate(track: Int, at: MediaTime, leftOut: Int)
    /// So many frames of a copied track from this movie time on are left out, because one that they need in order to be
    /// decoded lies outside the movie, and the container (Matroska, WebM, MPEG-TS) cannot hide it: before the
    /// session's end, where a frame behind it is decoded first, or before the first sync sample.
    case leftOutUndecodable(track: Int, at: MediaTime, count: Int)
    /// The movie ends later than `endSession` asked for (source times): samples from behind that are written already,
    /// and the container (all but MP4, QuickTime and M4A) cannot hide them.
    case endMoved(from: MediaTime, to: MediaTime)
    /// A pause cut nothing: between it and the resume (the source times asked for) the first video track has no frame at
    /// which the movie can be cut. Copied frames that are reordered can be cut at sync samples only.
    case pauseWithoutEffect(at: MediaTime, until: MediaTime)
    /// The caller broke a rule (a hole in audio, for example); what was done instead is in the text.
    case misused(track: Int, message: String)
    /// Writing has ended by a failure; reported once. What was written stays playable.
    case failed(MediaError)
}

/// A span cut out of the movie.
public struct MoviePause: Sendable, Hashable {
    /// Where the cut is in the movie (movie time, ns).
    public var movieTime: MediaTime
    /// First instant that is missing (source time, ns).
    public var cutTime: MediaTime
    /// First instant that is there again (source time, ns); `nil` when the movie ended in the pause.
    public var resumeTime: MediaTime?

    public init(movieTime: MediaTime, cutTime: MediaTime, resumeTime: MediaTime? = nil) {
        self.movieTime = movieTime
        self.cutTime = cutTime
        self.resumeTime = resumeTime
    }
}

/// An instant with a text, set by the user.
public struct MovieMarker: Sendable, Hashable {
    public var text: String
    /// Where it is in the movie (movie time, ns); a marker set in a pause is at the cut.
    public var movieTime: MediaTime

    public init(text: String, movieTime: MediaTime) {
        self.text = text
        self.movieTime = movieTime
    }
}
