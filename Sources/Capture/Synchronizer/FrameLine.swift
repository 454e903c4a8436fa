internal import Media

/// A source's frames and its lost frames on one line of time, oldest first. A pure value; times are host nanoseconds.
///
/// ```
///      ●────────×────────×────────●───────┃─ ─ ─ ─
///    frame    lost     lost     frame   known: nothing will come before it
/// ```
struct FrameLine: Sendable {
    /// Frames lost one after the other, evenly spaced.
    private struct Gap: Sendable {
        let cause: SampleDrop.Cause
        var time: Int64
        var step: Int64
        var count: Int
        let arrival: Int64

        var last: Int64 { time + step * Int64(count - 1) }
        func drop(at time: Int64) -> SampleDrop {
            SampleDrop(cause: cause, count: 1, time: .nanoseconds(time))
        }
    }

    private enum Entry: Sendable {
        case frame(SampleBuffer, at: Int64, arrival: Int64)
        case gap(Gap)

        var time: Int64 {
            switch self {
            case .frame(_, let time, _): time
            case .gap(let gap): gap.time
            }
        }
    }

    private var entries: [Entry] = []
    /// Everything up to here is on the line.
    private var known = Int64.min
    /// Nothing comes until the source resumes: it is interrupted or has ended.
    private(set) var isSilent = false
    private(set) var hasEnded = false
    /// From frame to frame: nominal, else as last seen.
    private(set) var interval: Int64
    private var isNominal: Bool
    private var lastFrame: Int64?
    /// What was before it is not known any more.
    private var forgotten = Int64.min
    /// How long it stays known where frames were that were let go (ns).
    private static let memory: Int64 = 60_000_000_000

    init(_ format: FormatDescription) {
        interval = 33_333_333
        isNominal = false
        follow(format)
    }

    /// Frames in memory.
    var frameCount: Int { entries.count { if case .frame = $0 { true } else { false } } }

    private mutating func follow(_ format: FormatDescription) {
        guard let rate = format.video?.nominalRate else { return }
        (interval, isNominal) = (max(1, rate.frameDuration.nanoseconds()), true)
    }

    // MARK: What the source reports

    mutating func take(_ event: SourceEvent, arrival: Int64) {
        switch event {
        case .sample(let sample): append(sample, arrival)
        case .dropped(let drop):
            let time = drop.time.nanoseconds()
            // one that was lost because its stamp went back has no place of its own
            guard time > known, drop.count > 0 else { return }
            entries.append(
                .gap(
                    Gap(
                        cause: drop.cause, time: time, step: interval, count: drop.count,
                        arrival: arrival)))
            known = time
        case .interrupted: isSilent = true
        case .resumed(let time, let format):
            (isSilent, hasEnded) = (false, false)
            known = max(known, time.nanoseconds() - 1)
            lastFrame = nil
            follow(format)
        case .ended: (isSilent, hasEnded) = (true, true)
        }
    }

    private mutating func append(_ sample: SampleBuffer, _ arrival: Int64) {
        let time = sample.presentationTime.nanoseconds()
        guard time > known else { return }
        (isSilent, hasEnded) = (false, false)
        if case .gap(var gap) = entries.last {
            // where the next frame is says how far apart the lost ones were, unless something else was between
            let step = (time - gap.time) / Int64(gap.count)
            let isLikely = (gap.step / 2...gap.step * 2).contains(step)
            gap.step = max(1, isLikely ? step : min(gap.step, step))
            entries[entries.count - 1] = .gap(gap)
        } else if !isNominal, let lastFrame {
            interval = max(1, time - lastFrame)
        }
        entries.append(.frame(sample, at: time, arrival: arrival))
        (known, lastFrame) = (time, time)
    }

    // MARK: The line of the source that gives the moments

    /// The next moment; none while it may still move.
    /// - Parameter isDue: whether a moment that arrived then is waited for no longer.
    func nextMoment(isDue: (_ arrival: Int64) -> Bool) -> (time: Int64, arrival: Int64)? {
        switch entries.first {
        case nil: nil
        case .frame(_, let time, let arrival): (time, arrival)
        case .gap(let gap) where entries.count == 1 && !isSilent && !isDue(gap.arrival): nil
        case .gap(let gap): (gap.time, gap.arrival)
        }
    }

    /// When the first entry came.
    var firstArrival: Int64? {
        switch entries.first {
        case nil: nil
        case .frame(_, _, let arrival): arrival
        case .gap(let gap): gap.arrival
        }
    }

    /// When the moment behind the first one is.
    var momentAfterNext: Int64? {
        if case .gap(let gap) = entries.first, gap.count > 1 { return gap.time + gap.step }
        return entries.count > 1 ? entries[1].time : nil
    }

    mutating func takeMoment() -> SynchronizedSamples {
        switch entries.first {
        case nil: return SynchronizedSamples(.absent)
        case .frame(let sample, _, _):
            entries.removeFirst()
            return SynchronizedSamples(.delivered, samples: [sample])
        case .gap(let gap):
            let drop = gap.drop(at: gap.time)
            pass(through: gap.time)
            return SynchronizedSamples(.dropped, drops: [drop])
        }
    }

    // MARK: The lines that are matched with it

    /// Whether nothing that comes can change what the line has for the moment.
    func isDecided(for moment: Int64, within reach: Int64) -> Bool {
        if isSilent || known >= moment + reach { return true }
        for case .frame(_, let time, _) in entries.reversed() { return time >= moment }
        return false
    }

    /// What there is for the moment: the nearest frame within reach. What lies before it is for no later moment.
    mutating func takeMatch(for moment: Int64, within reach: Int64) -> SynchronizedSamples {
        if let (sample, time) = nearestFrame(to: moment, within: reach) {
            pass(through: time)
            return SynchronizedSamples(.delivered, samples: [sample])
        }
        let isDecided = isDecided(for: moment, within: reach)
        if let drop = lostFrame(near: moment, within: reach) {
            pass(through: drop.time.nanoseconds())
            return SynchronizedSamples(.dropped, drops: [drop])
        }
        if forgotten > moment - reach {
            let drop = SampleDrop(cause: .late, count: 1, time: .nanoseconds(moment))
            return SynchronizedSamples(.dropped, drops: [drop])
        }
        pass(through: moment - reach - 1)
        return SynchronizedSamples(isDecided ? .absent : .late)
    }

    private func nearestFrame(
        to moment: Int64, within reach: Int64
    ) -> (sample: SampleBuffer, time: Int64)? {
        var nearest: (sample: SampleBuffer, time: Int64)?
        for case .frame(let sample, let time, _) in entries where abs(time - moment) <= reach {
            if let nearest, abs(nearest.time - moment) <= abs(time - moment) { break }
            nearest = (sample, time)
        }
        return nearest
    }

    private func lostFrame(near moment: Int64, within reach: Int64) -> SampleDrop? {
        for case .gap(let gap) in entries {
            let steps = max(0, (moment - gap.time + gap.step / 2) / max(1, gap.step))
            let time = gap.time + min(steps, Int64(gap.count - 1)) * gap.step
            if abs(time - moment) <= reach { return gap.drop(at: time) }
        }
        return nil
    }

    /// Lets go of the frames that are older, because nobody asked for them in time; where they were stays known.
    mutating func forget(olderThan age: Int64) {
        guard known > .min else { return }
        for (index, entry) in entries.enumerated() {
            guard case .frame(_, let time, let arrival) = entry else { continue }
            guard time < known - age else { break }
            entries[index] = .gap(
                Gap(cause: .late, time: time, step: interval, count: 1, arrival: arrival))
        }
        guard let first = entries.first, first.time < known - age - Self.memory else { return }
        forgotten = known - age - Self.memory
        pass(through: forgotten - 1)
    }

    private mutating func pass(through time: Int64) {
        while let first = entries.first, first.time <= time {
            guard case .gap(var gap) = first, gap.last > time else {
                entries.removeFirst()
                continue
            }
            let passed = (time - gap.time) / gap.step + 1
            gap.time += passed * gap.step
            gap.count -= Int(passed)
            entries[0] = .gap(gap)
            return
        }
    }
}
