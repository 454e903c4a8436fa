public import Media

/// What the film is like. What is nil is taken from the first clip with frames.
public struct TimelineSettings: Sendable, Hashable {
    /// Pixels (even).
    public var renderSize: PixelSize?
    public var frameRate: FrameRate?
    /// The time code of the film's first frame (default none).
    public var startTimeCode: TimeCodeText?
    public var color: ColorDescription?
    /// `yuv420p` or `yuv420p10le`.
    public var pixelFormat: PixelFormat?
    /// Behind everything, and what bars are made of (default black).
    public var background: Color
    /// For clips that do not say (default contain).
    public var fit: FitMode
    /// What becomes of the clips' pitch where they play faster or slower (default kept).
    public var pitch: PitchPolicy
    /// How long still pictures show that are not given an end (seconds; positive; default 4).
    public var stillDuration: MediaTime
    /// Slow pan and zoom over still pictures that do not say (default none).
    public var stillMotion: ClipMotion
    /// How loud the whole film is made (default: as the volumes say).
    public var loudness: LoudnessTarget?
    /// Fonts and colours of the titles (default plain).
    public var theme: TitleTheme
    /// The film's name for players.
    public var title: String?

    public init(
        renderSize: PixelSize? = nil, frameRate: FrameRate? = nil, color: ColorDescription? = nil,
        pixelFormat: PixelFormat? = nil, background: Color = .black, fit: FitMode = .contain,
        pitch: PitchPolicy = .kept,
        stillDuration: MediaTime = Composition.stillDuration, stillMotion: ClipMotion = .none,
        loudness: LoudnessTarget? = nil,
        title: String? = nil, theme: TitleTheme = .plain
    ) {
        self.renderSize = renderSize
        self.frameRate = frameRate
        self.color = color
        self.pixelFormat = pixelFormat
        self.background = background
        self.fit = fit
        self.pitch = pitch
        self.stillDuration = stillDuration
        self.stillMotion = stillMotion
        self.loudness = loudness
        self.title = title
        self.theme = theme
    }
}
