public import Media
public import Reading

/// A clip of the film: frames and their audio, or only one of them. Of a movie, audio, an animation
/// (GIF, shown once) or a still picture; or frames and audio that are generated.
public struct VideoItem: Sendable, Hashable {
    /// The file, or the pattern of a sequence's files; empty where a generator takes its place.
    public var path: String
    /// How the numbered pictures follow each other whose names' pattern the path is, such as `shots/a%04d.png` (nil: it is
    /// a file).
    public var sequence: ImageSequence?
    /// What makes its frames and audio (default nothing: a file has them). It begins at its beginning, plays as fast as
    /// it does, has one video track and, with audio, one of that, and lasts until `end`, or as long as still pictures.
    public var generator: Generator?
    /// For messages and other programs.
    public var name: String?
    /// Movie time of the source, where the clip begins (seconds; default 0).
    public var start: MediaTime
    /// Movie time of the source, where it ends (seconds; nil: the source's end; a still picture's after
    /// `TimelineSettings.stillDuration`).
    public var end: MediaTime?
    /// How fast it plays (default 1).
    public var speed: Speed
    /// Whether it plays from its end to its start, seen and heard (default no).
    public var isReversed = false
    /// Whether its frames are mixed where they are not the film's, because it plays at another speed or has another rate
    /// (default no: each is shown until the next one begins).
    public var blendsFrames = false
    /// How long the frame at `start` stands still, without audio, in the place of playing (seconds of the film; nil: it
    /// plays).
    public var freeze: MediaTime?
    /// Nil: the timeline's.
    public var fit: FitMode?
    /// Gain of its audio (factor; 0…16; default 1).
    public var volume: Double
    /// To which its audio is brought before all volumes, however loud it was recorded (LUFS, gated; −40…−5; nil: it
    /// stays as it is).
    public var loudness: Double?
    /// Of its audio, left to right, on top of its voices' own (−1…1; default 0).
    public var pan = 0.0
    /// What is done to its audio besides (default nothing).
    public var treatment = AudioTreatment()
    /// How long the background shows before it (seconds of the film; default 0).
    public var gap: MediaTime
    /// When it begins in the film, in the gap's place (seconds; nil: when the clip before ends).
    public var at: MediaTime?
    /// How the clip before gives way to this one (default a cut). The first clip has none.
    public var transition: Transition
    /// When the audio of the clip before gives way to this one's (nil: with its frames).
    public var audioCut: AudioCut?
    /// The video track that is shown, by the container's number (default: the first one).
    public var track: Int?
    /// The audio tracks that are heard; empty: none (nil: the first one, of a take of vcap's every microphone's).
    public var voices: [ClipVoice]?
    /// Where in the film's frame it lies (nil: it is fitted into all of it).
    public var place: ClipPlace?
    /// What of its frames is cut off before they are fitted (default nothing).
    public var crop = ClipCrop()
    public var look = ClipLook()
    /// What is transparent in it (default nothing). It cannot be fitted with blurred bars.
    public var key: ChromaKey?
    /// What of its frames shows (default all). It cannot be fitted with blurred bars.
    public var mask: ClipMask?
    /// What is done to areas of its frames, in this order, once they are graded (default nothing).
    public var effects: [ClipEffect] = []
    /// What is done to its colours (default nothing).
    public var grade = ColorGrade()
    /// What of it fills the frame, or its place, where its fit leaves a choice (nil: its middle).
    public var view: PictureMotion.View?
    /// Slow pan and zoom while it is shown (nil: the timeline's for still pictures, none for others).
    public var motion: ClipMotion?
    /// What its view follows (default nothing). Only `LoadedTimeline` can find it, and makes key frames of it; the clip
    /// then covers the frame, or its place, unless its fit says otherwise.
    public var follow: FollowedObject?
    /// What changes while it is shown, in order of time (default nothing).
    public var keyframes: [ClipKeyframe] = []
    /// For how long it comes out of, and goes into, what is behind it, heard as it is seen (seconds of the film;
    /// default 0).
    public var fadeIn = MediaTime.zero
    public var fadeOut = MediaTime.zero

    public init(
        _ path: String, name: String? = nil, start: MediaTime = .zero, end: MediaTime? = nil,
        speed: Speed = .normal, fit: FitMode? = nil, volume: Double = 1,
        gap: MediaTime = .zero, transition: Transition = .cut
    ) {
        self.path = path
        self.name = name
        self.start = start
        self.end = end
        self.speed = speed
        self.fit = fit
        self.volume = volume
        self.gap = gap
        self.transition = transition
    }
}

extension VideoItem {
    /// A clip of what comes of no file.
    /// - Parameters:
    ///   - generator: what makes its frames and audio.
    ///   - duration: how long it shows (seconds; nil: as long as still pictures do).
    ///   - name: for messages and other programs.
    public init(_ generator: Generator, duration: MediaTime? = nil, name: String? = nil) {
        self.init("", name: name, end: duration)
        self.generator = generator
    }

    /// A clip of numbered pictures.
    /// - Parameters:
    ///   - pattern: of their names, such as `shots/a%04d.png`.
    ///   - sequence: how they follow each other.
    ///   - name: for messages and other programs.
    public init(_ pattern: String, as sequence: ImageSequence, name: String? = nil) {
        self.init(pattern, name: name)
        self.sequence = sequence
    }

    /// By which its source is loaded (`Asset.load`): the file, or the address of the sequence.
    public var mediaPath: String { sequence?.address(of: path) ?? path }

    /// What messages call it where it has no name.
    var label: String { generator?.projectText ?? path }

    /// Whether the clip leaves something of its source out: it begins later than its frames (without them its
    /// audio), or ends before they do. A still picture has no length to trim.
    /// - Parameter asset: the clip's source.
    public func isTrimmed(in asset: Asset) -> Bool {
        guard freeze == nil else { return true }
        guard generator == nil else { return false }
        guard let lead = asset.usable(.video) ?? asset.usable(.audio), !lead.isStill else {
            return false
        }
        return start > .zero || end.map { $0 < lead.reach } ?? false
    }
}
