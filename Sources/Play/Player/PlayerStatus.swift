public import Media

/// Whether a player can play.
public enum PlayerStatus: Sendable, Equatable {
    /// Its sources are being opened. It takes all commands and follows them when it is ready.
    case loading
    /// The first frame was handed over.
    case ready
    /// It cannot play, or no more.
    case failed(MediaError)

    public static func == (one: PlayerStatus, other: PlayerStatus) -> Bool {
        switch (one, other) {
        case (.loading, .loading), (.ready, .ready): true
        case (.failed(let first), .failed(let second)): first.message == second.message
        default: false
        }
    }
}

/// How large frames are made while it plays.
public enum PlayerQuality: Int, Sendable, Comparable, CaseIterable {
    /// A quarter of the width and the height.
    case quarter
    /// Half of the width and the height.
    case half
    /// As asked for.
    case full

    public static func < (one: PlayerQuality, other: PlayerQuality) -> Bool {
        one.rawValue < other.rawValue
    }

    /// By what width and height are divided.
    var divisor: Int {
        switch self {
        case .full: 1
        case .half: 2
        case .quarter: 4
        }
    }

    var lower: PlayerQuality? { PlayerQuality(rawValue: rawValue - 1) }
}

/// What a player reports.
public enum PlayerEvent: Sendable, Equatable {
    case status(PlayerStatus)
    /// It plays at another rate now (0: it is paused).
    case rate(Double)
    /// The end was reached, backwards the beginning; it is paused.
    case ended
    /// Nothing could be shown for half a second; backwards: the next frame was waited for.
    case stalled
    case resumed
    /// Frames are made in another size.
    case quality(PlayerQuality)
    /// Nothing is heard (any more), because of this; frames are shown by the host clock.
    case audioLost(String)
    /// A source is damaged, in one sentence; once for each file.
    case damaged(String)
}

/// What has become of the frames of a player so far.
public struct PlayerCounts: Sendable, Equatable {
    /// Frames handed over.
    public var shown = 0
    /// Frames whose time was over before they could be handed over.
    public var dropped = 0
    /// Times at which playing stood, or nothing was shown for half a second.
    public var stalls = 0
    /// Times at which the audio device had nothing to play.
    public var audioGaps = 0
    /// Coded frames and pieces of audio of the sources that could not be decoded whole.
    public var damaged = 0
    /// Frames that were composed, shown or not.
    public var rendered = 0

    public init() {}
}

/// A frame at the instant at which it is to be seen.
public struct PlayedFrame: Sendable {
    /// When it begins on the timeline (seconds).
    public let time: MediaTime
    /// Of the range that is played (count; from 0).
    public let number: Int64
    /// When it is to be seen (host clock).
    public let hostTime: MediaTime
    /// 8 bits (`yuv420p`), upright, square pixels.
    public let pixels: PixelBuffer
    /// Size, colours and rate of the pixels.
    public let format: VideoFormat
    public let quality: PlayerQuality
}
