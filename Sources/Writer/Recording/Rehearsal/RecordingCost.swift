public import Media

/// What a recording costs the machine, measured by recording (`Rehearsal`).
public struct RecordingCost: Sendable, Hashable {
    /// How much was recorded (movie time).
    public var duration: MediaTime
    /// Processors that there are.
    public var processors: Int
    /// The part of their time that the program took (1: all of it), of which other programs take their own besides.
    public var processorShare: Double
    /// The part of their time that nobody took (`nil`: not known).
    public var idleShare: Double?
    /// How long a frame waited for its encoder at most.
    public var longestQueue: MediaTime
    /// What was written (bytes a second).
    public var bytesPerSecond: Int64
    /// What a report beside the movie would have said.
    public var report: TakeReport

    /// Of the processors' time; what is left is for what other programs begin meanwhile.
    static let mostProcessor = 0.85
    /// A queue that holds two seconds drops.
    static let longestGoodQueue = MediaTime.milliseconds(500)

    /// Whether the machine carries such a recording: `bad` when frames were lost by a late encoder or disk or the recording
    /// failed, `degraded` when something else is to be said.
    public var verdict: TakeReport.Verdict {
        let lost = report.tracks.contains { track in
            Self.causes.contains { track.drops[$0.rawValue, default: 0] > 0 }
        }
        if lost || report.failure != nil || report.verdict == .bad { return .bad }
        return reasons.isEmpty ? .good : .degraded
    }

    private static let causes: [SampleDrop.Cause] = [.encoderBehind, .diskBehind]

    /// Why the verdict is not `good`, one sentence each.
    public var reasons: [String] {
        var reasons = report.reasons
        if processorShare > Self.mostProcessor {
            reasons.append(
                "\(Self.percent(processorShare)) of the processors' time were taken: record smaller frames, fewer of "
                    + "them, or with a faster encoder preset.")
        } else if let idleShare, idleShare < 1 - Self.mostProcessor {
            reasons.append(
                "\(Self.percent(idleShare)) of the processors' time was left, of which the recording took "
                    + "\(Self.percent(processorShare)): end other programs, or record less.")
        }
        if longestQueue > Self.longestGoodQueue {
            let seconds = (longestQueue.approximateSeconds * 10).rounded() / 10
            reasons.append(
                "Frames waited up to \(seconds) s for their encoder, and after 2 s are dropped.")
        }
        if report.pressure?.isEmpty == false {
            reasons.append("The machine was pressed, and what can wait gave way.")
        }
        return reasons
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}
