public import Media

/// A voice or a piece of music over the film.
public struct AudioItem: Sendable, Hashable {
    /// The file; its first audio track is used.
    public var path: String
    /// For messages and other programs.
    public var name: String?
    /// When it begins (seconds of the film; default 0).
    public var at: MediaTime
    /// Movie time of the source, where it begins (seconds; default 0).
    public var start: MediaTime
    /// Movie time of the source, where it ends (seconds; nil: the source's end).
    public var end: MediaTime?
    /// Gain (factor; 0…16; default 1).
    public var volume: Double
    /// Left to right (−1…1; default 0).
    public var pan: Double
    /// What is done to it besides (default nothing).
    public var treatment = AudioTreatment()
    /// What changes of volume and pan while it is heard, in order of time (default nothing).
    public var keyframes: [AudioKeyframe]
    /// Length of the fade at its beginning and end (seconds; default 0).
    public var fadeIn: MediaTime
    public var fadeOut: MediaTime
    /// Whether it begins again until the film ends (default no).
    public var loops: Bool

    public init(
        _ path: String, name: String? = nil, at: MediaTime = .zero, start: MediaTime = .zero,
        end: MediaTime? = nil, volume: Double = 1, pan: Double = 0,
        keyframes: [AudioKeyframe] = [], fadeIn: MediaTime = .zero, fadeOut: MediaTime = .zero,
        loops: Bool = false
    ) {
        self.path = path
        self.name = name
        self.at = at
        self.start = start
        self.end = end
        self.volume = volume
        self.pan = pan
        self.keyframes = keyframes
        self.fadeIn = fadeIn
        self.fadeOut = fadeOut
        self.loops = loops
    }
}
