/// Takes the steps of a policy and takes them back, as a pure value.
///
/// ```
///              the first step that is called for, can be followed and is not taken;
///              the `timeout` of the one before is over
///   at the foot ──────────────▶ one step up ──────────────▶ … ──────▶ the top
///        ◀──────────────────────────◀────────────────────────────◀──────
///              the last step taken, when nothing has called for it for `calm`;
///              the next one `calm` later
/// ```
///
/// A step that must be taken again within a minute was taken back too early: its calm doubles, up to ten minutes,
/// so that a machine that is simply too slow does not swing.
public struct PressureLadder: Sendable, Equatable {
    /// Within this time a step is taken "again" (ns).
    private static let relapse: Int64 = 60_000_000_000
    /// Longest calm that is asked for (ns).
    private static let longestCalm: Int64 = 600_000_000_000

    private struct Rung: Sendable, Equatable {
        var isTaken = false
        /// Since when nothing has called for it (ns).
        var calmSince: Int64?
        /// When it was taken back (ns).
        var leftAt: Int64?
        /// How long it must not have been called for (ns).
        var calm: Int64
    }

    public let policy: PressurePolicy
    private var rungs: [Rung]
    private var lastStep: Int64?
    /// Until then the step taken last may show that it helps (ns).
    private var waitsUntil = Int64.min

    public init(_ policy: PressurePolicy) {
        self.policy = policy
        rungs = policy.steps.map { _ in Rung(calm: policy.calm.nanoseconds()) }
    }

    /// What is given up now.
    public var relief: PressureRelief {
        PressureRelief(zip(policy.steps, rungs).filter(\.1.isTaken).map(\.0.measure))
    }

    /// Takes at most one step for the state of this moment.
    /// - Parameters:
    ///   - state: how pressed the machine is.
    ///   - time: of this moment, on the clock of all calls.
    ///   - canFollow: whether there is anybody who would follow a measure.
    public mutating func take(
        _ state: PressureState, at time: MediaTime, canFollow: (PressureMeasure) -> Bool
    ) -> PressureStep? {
        let now = time.nanoseconds()
        for (index, step) in policy.steps.enumerated() {
            if step.isCalledFor(by: state) {
                rungs[index].calmSince = nil
            } else if rungs[index].calmSince == nil {
                rungs[index].calmSince = now
            }
        }
        guard let index = climb(state, now, canFollow) ?? descend(now) else { return nil }
        lastStep = now
        return PressureStep(
            measure: policy.steps[index].measure, isTaken: rungs[index].isTaken, time: time,
            state: state, relief: relief)
    }

    private mutating func climb(
        _ state: PressureState, _ now: Int64, _ canFollow: (PressureMeasure) -> Bool
    ) -> Int? {
        let next = policy.steps.indices.first { index in
            !rungs[index].isTaken && policy.steps[index].isCalledFor(by: state)
                && canFollow(policy.steps[index].measure)
        }
        guard let next, now >= waitsUntil else { return nil }
        rungs[next].isTaken = true
        waitsUntil = now + policy.steps[next].timeout.nanoseconds()
        let isRelapse = rungs[next].leftAt.map { now - $0 < Self.relapse } ?? false
        rungs[next].calm =
            isRelapse
            ? min(rungs[next].calm * 2, max(Self.longestCalm, policy.calm.nanoseconds()))
            : policy.calm.nanoseconds()
        return next
    }

    private mutating func descend(_ now: Int64) -> Int? {
        guard let top = rungs.indices.last(where: { rungs[$0].isTaken }),
            let since = rungs[top].calmSince
        else { return nil }
        // a step that was taken back says how the rest does: it gets its own calm
        guard now - max(since, lastStep ?? since) >= rungs[top].calm else { return nil }
        rungs[top].isTaken = false
        rungs[top].leftAt = now
        return top
    }
}
