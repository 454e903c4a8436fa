internal import Media

/// Decides what belongs together. A pure value that gets the time (host nanoseconds); the synchronizer has the threads.
///
/// ```
///  first source   ●          ●          ●        each frame, and each lost one, is a moment
///  another        │   ●      │ ●        ×        the nearest within half a frame of the first; lost ones count
///  audio          ├──────────┼──────────┼────    from this moment to the next
/// ```
///
/// A moment is decided when every source has come past it, is silent, or its timeout is over.
struct MomentMatcher: Sendable {
    struct Moment: Sendable {
        let time: Int64
        let sources: [SynchronizedSamples]
    }

    private enum Line: Sendable {
        case frames(FrameLine)
        case audio(AudioLine)
    }

    private var lead: FrameLine
    private var others: [Line]
    /// From a moment's arrival, and where there is audio from its end (ns).
    private let timeout: Int64
    private let hasAudio: Bool
    /// Whether a moment was decided.
    private var hasMoment = false

    init(_ formats: [FormatDescription], timeout: Int64) {
        precondition(!formats.isEmpty, "a synchronizer has a first source")
        lead = FrameLine(formats[0])
        others = formats.dropFirst().map {
            $0.audio == nil ? .frames(FrameLine($0)) : .audio(AudioLine($0))
        }
        self.timeout = timeout
        hasAudio = formats.contains { $0.audio != nil }
    }

    /// How long a moment waits (ns).
    private var longest: Int64 { hasAudio ? timeout + lead.interval : timeout }

    /// Whether no moment will come.
    var isOver: Bool { lead.hasEnded && lead.firstArrival == nil }

    /// When the next moment is waited for no longer.
    var deadline: Int64? { lead.firstArrival.map { $0 + longest } }

    /// Frames in memory, of each source (frames, or audio frames).
    var held: [Int] {
        [lead.frameCount]
            + others.map {
                switch $0 {
                case .frames(let line): line.frameCount
                case .audio(let line): line.frameCount
                }
            }
    }

    mutating func take(_ event: SourceEvent, from source: Int, arrival: Int64) {
        if source == 0 { return lead.take(event, arrival: arrival) }
        // the first source may be late by the timeout, and its moments then wait as long
        let age = 2 * timeout + 2 * lead.interval
        switch others[source - 1] {
        case .frames(var line):
            line.take(event, arrival: arrival)
            line.forget(olderThan: age)
            others[source - 1] = .frames(line)
        case .audio(var line):
            line.take(event)
            line.forget(olderThan: age)
            others[source - 1] = .audio(line)
        }
    }

    /// The next moment that is decided.
    mutating func next(at now: Int64) -> Moment? {
        let (longest, reach) = (longest, lead.interval / 2)
        guard let moment = lead.nextMoment(isDue: { now >= $0 + longest }) else { return nil }
        let isDue = now >= moment.arrival + longest
        let end: Int64? =
            lead.momentAfterNext ?? (isDue || lead.isSilent ? moment.time + lead.interval : nil)
        guard isDue || areDecided(moment.time, within: reach, to: end) else { return nil }
        var sources = [lead.takeMoment()]
        for index in others.indices {
            switch others[index] {
            case .frames(var line):
                sources.append(line.takeMatch(for: moment.time, within: reach))
                others[index] = .frames(line)
            case .audio(var line):
                // moments follow each other, but for those that the first source paused between
                let start = hasMoment ? moment.time - lead.interval : moment.time
                sources.append(line.take(from: start, to: end ?? moment.time + lead.interval))
                others[index] = .audio(line)
            }
        }
        hasMoment = true
        return Moment(time: moment.time, sources: sources)
    }

    private func areDecided(_ time: Int64, within reach: Int64, to end: Int64?) -> Bool {
        others.allSatisfy { line in
            switch line {
            case .frames(let line): line.isDecided(for: time, within: reach)
            case .audio(let line): end.map { line.isDecided(to: $0) } ?? false
            }
        }
    }
}
