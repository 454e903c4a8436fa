public import Media

/// What the mixer had to do.
public struct MixReport: Sendable, Hashable {
    /// Frames that passed the ceiling before the limiter lowered them (count).
    public internal(set) var limitedFrames: Int64 = 0
    /// The first of them, on the timeline; nil: none.
    public internal(set) var firstLimited: MediaTime?
    /// The highest sample before limiting (amplitude; 1 = full scale).
    public internal(set) var peak: Double = 0
    /// How far down the limiter went (dB; 0 = never).
    public internal(set) var reduction: Double = 0
    /// Nil: the mix has no loudness target.
    public internal(set) var loudness: LoudnessReport?
    /// Of each of the mix's rules.
    public internal(set) var levels: [LevelReport] = []
}

/// Adds up what blocks needed; a block counts once.
struct LimiterLedger {
    private(set) var report = MixReport()
    /// Blocks that have been limited; one of 4,096 frames is an entry, so a day of them is small.
    private var counted: Set<Int64> = []

    mutating func add(
        _ outcome: PeakLimiter.Outcome, block: Int64, firstFrame: Int64, sampleRate: Int
    ) {
        report.peak = max(report.peak, Double(outcome.peak))
        report.reduction = max(report.reduction, -Decibel.level(Double(outcome.gain)))
        guard let first = outcome.firstFrame, counted.insert(block).inserted else { return }
        report.limitedFrames += Int64(outcome.frames)
        let time = MediaTime(value: firstFrame + Int64(first), timescale: Int32(sampleRate))
        report.firstLimited = min(report.firstLimited ?? time, time)
    }
}
