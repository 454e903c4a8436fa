import Media

/// Keeps what a stream or output says, for a test to look at; frames only when asked to, because
/// they belong to a small pool. Thread-safe.
final class EventCollector: Sendable {
    private let events = BlockingLock<[SourceEvent]>([])

    private let keepsFrames: Bool

    init(keepsFrames: Bool = false) { self.keepsFrames = keepsFrames }

    var handler: @Sendable (SourceEvent) -> Void {
        { [events, keepsFrames] event in
            var kept = event
            if case .sample(var sample) = event, sample.pixelBuffer != nil, !keepsFrames {
                sample.payload = .coded(BlockBuffer([]))
                kept = .sample(sample)
            }
            events.withLock { $0.append(kept) }
        }
    }

    var all: [SourceEvent] { events.withLock { $0 } }

    var samples: [SampleBuffer] {
        all.compactMap { if case .sample(let sample) = $0 { sample } else { nil } }
    }

    var drops: [SampleDrop] {
        all.compactMap { if case .dropped(let drop) = $0 { drop } else { nil } }
    }

    /// Without what was lost behind the last sample.
    var dropsBeforeLastSample: [SampleDrop] {
        let events = all
        let end = events.lastIndex { if case .sample = $0 { true } else { false } } ?? 0
        return events[..<end].compactMap {
            if case .dropped(let drop) = $0 { drop } else { nil }
        }
    }

    /// Whether `isEnough` became true within a minute.
    func wait(_ isEnough: @escaping ([SourceEvent]) -> Bool) -> Bool {
        events.wait(nanoseconds: 60_000_000_000) { isEnough($0) ? true : nil } ?? false
    }

    func wait(samples count: Int) -> Bool {
        wait { events in
            events.count { if case .sample = $0 { true } else { false } } >= count
        }
    }

    func waitForInterruption() -> Bool {
        wait { events in
            events.contains { if case .interrupted = $0 { true } else { false } }
        }
    }
}

extension SourceEvent {
    /// The kind of event; of an interruption its reason.
    var word: String {
        switch self {
        case .sample: "sample"
        case .dropped: "dropped"
        case .interrupted(let news): news.reason.rawValue
        case .resumed: "resumed"
        case .ended: "ended"
        }
    }
}
