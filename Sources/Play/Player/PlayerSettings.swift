public import Capture
public import Media

/// How an item is played.
public struct PlayerSettings: Sendable, Hashable {
    /// The box that frames are made for, keeping their shape (pixels; positive; nil: the film's size). Frames are
    /// not made larger.
    public var wantedSize: PixelSize?
    /// Where audio is heard (default: the sound server's default sink).
    public var speaker: SpeakerSelector
    /// Bytes of frames that are kept around the one on show (default: 192 MiB; frames are 4 at least). Playing
    /// backwards decodes a GOP once where half of it holds the GOP's frames.
    public var cacheBytes: Int
    /// How long before it is to be seen a frame is handed over (seconds; not negative; default 0).
    public var lead: MediaTime
    /// Most frames a second at rates beyond 1 and -1; others are left out (default 60).
    public var maximumRate: Double
    /// Gain of the audio at its beginning (factor; 0…1; default 1).
    public var volume: Double
    /// Where it stands first (of the timeline; nil: the beginning of what is played).
    public var startTime: MediaTime?
    /// libpulse's address of a sound server; nil: the user's.
    package var soundServer: String?

    public init(
        wantedSize: PixelSize? = nil, speaker: SpeakerSelector = .standard,
        cacheBytes: Int = 192 << 20, lead: MediaTime = .zero, maximumRate: Double = 60,
        volume: Double = 1
    ) {
        self.wantedSize = wantedSize
        self.speaker = speaker
        self.cacheBytes = cacheBytes
        self.lead = lead
        self.maximumRate = maximumRate
        self.volume = volume
    }

    /// - Throws: `invalid-setting`, naming the field.
    public func validate() throws(MediaError) {
        func refuse(_ subject: String, _ message: String) -> MediaError {
            MediaError(code: .invalidSetting, subject: subject, message: message)
        }
        if let size = wantedSize, size.width < 2 || size.height < 2 {
            throw refuse("wanted size", "The size \(size) is too small; take 2x2 at least.")
        }
        guard cacheBytes >= 0 else {
            throw refuse("cache", "A cache of \(cacheBytes) bytes is none; take 0 at least.")
        }
        guard lead >= .zero, lead <= .seconds(1) else {
            throw refuse("lead", "Frames are handed over 0 to 1 s before they are to be seen.")
        }
        guard maximumRate >= 1, maximumRate <= 1000 else {
            throw refuse("maximum rate", "The rate \(maximumRate) is outside 1 to 1,000.")
        }
        guard (0...1).contains(volume) else {
            throw refuse("volume", "The volume \(volume) is outside 0 to 1.")
        }
    }
}
