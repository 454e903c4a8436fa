public import Media
public import Reading

/// What a frame of a recording shows of a running clock.
public struct ClockReading: Sendable, Hashable {
    /// When the frame begins (movie time).
    public var time: MediaTime
    /// Which clock it is.
    public var clock: String
    /// What it shows (milliseconds).
    public var milliseconds: Int64
    /// For how long it shows that (milliseconds; positive).
    public var step: Int64

    /// - Parameters:
    ///   - time: when the frame begins (movie time).
    ///   - clock: which clock it is.
    ///   - milliseconds: what it shows.
    ///   - step: for how long it shows that (milliseconds; positive).
    public init(time: MediaTime, clock: String, milliseconds: Int64, step: Int64) {
        self.time = time
        self.clock = clock
        self.milliseconds = milliseconds
        self.step = step
    }
}

/// By what recordings are aligned.
public enum AlignmentMethod: String, Sendable, Hashable, CaseIterable {
    /// By their audio; where that cannot be, by a running clock that both have seen.
    case automatic = "auto"
    /// By their audio alone.
    case sound
    /// By running clocks alone.
    case slate
}

/// Finds what a recording's frames show of running clocks, in any order. Called on the aligner's thread; it calls the
/// closure that it is given now and then with the movie time it has come to, and gives up with what that throws.
public typealias ClockReader =
    @Sendable (Asset, (MediaTime) throws(MediaError) -> Void) throws(MediaError) -> [ClockReading]
