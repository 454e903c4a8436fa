internal import Media

/// Which frame becomes which photo: the one nearest to its shutter. A pure value: times come with the samples.
///
/// ```
///             sample                                   sample
///   shutter ─────────▶ decided: this one, or the one before, whichever is nearer
///      │  no frame behind it within the timeout, or the camera is gone
///      └──────────────────────────────────────────────▶ failed
/// ```
struct PhotoDesk<Ticket: Hashable & Sendable>: Sendable {
    /// What is needed to decode a frame: those it builds on, and it as the last one.
    typealias Chain = [SampleBuffer]

    private struct Shutter: Sendable {
        let ticket: Ticket
        let time: MediaTime
    }

    /// Most that is kept of frames that build on each other (samples, bytes): a sync sample that never comes must
    /// not cost all memory.
    private static var mostSamples: Int { 1000 }
    private static var mostBytes: Int { 64 << 20 }

    /// From the last sync sample on; empty where a reference is lost.
    private var chain: Chain = []
    private var bytes = 0
    private var waiting: [Shutter] = []

    /// Whether nobody waits for a frame.
    var isIdle: Bool { waiting.isEmpty }

    /// A photo is wanted of a moment.
    /// - Parameter frameDuration: nominal, of the camera.
    /// - Returns: the frame, where the newest one is sure to be nearer than the next one.
    mutating func ask(
        _ ticket: Ticket, at time: MediaTime, frameDuration: MediaTime?
    ) -> Chain? {
        if let last = chain.last?.presentationTime, let frameDuration,
            time - last < frameDuration.half
        {
            return chain
        }
        waiting.append(Shutter(ticket: ticket, time: time))
        return nil
    }

    /// - Returns: the photos that are decided by this frame.
    mutating func take(_ sample: SampleBuffer) -> [(Ticket, Chain)] {
        let before = chain
        append(sample)
        guard !chain.isEmpty else { return [] }
        let time = sample.presentationTime
        let decided = waiting.filter { $0.time <= time }
        waiting.removeAll { $0.time <= time }
        return decided.map { shutter in
            guard let last = before.last?.presentationTime, last < time,
                shutter.time - last < time - shutter.time
            else { return (shutter.ticket, chain) }
            return (shutter.ticket, before)
        }
    }

    private mutating func append(_ sample: SampleBuffer) {
        if sample.isSync {
            (chain, bytes) = ([sample], sample.byteCount)
        } else if !chain.isEmpty {
            chain.append(sample)
            bytes += sample.byteCount
            if chain.count > Self.mostSamples || bytes > Self.mostBytes { lose() }
        }
    }

    /// Samples are missing before the next one.
    mutating func lose() { (chain, bytes) = ([], 0) }

    /// Nothing comes any more.
    /// - Returns: who waited.
    mutating func end() -> [Ticket] {
        lose()
        defer { waiting = [] }
        return waiting.map(\.ticket)
    }

    /// - Returns: whether it still waited.
    mutating func cancel(_ ticket: Ticket) -> Bool {
        let count = waiting.count
        waiting.removeAll { $0.ticket == ticket }
        return waiting.count < count
    }
}

extension MediaTime {
    fileprivate var half: MediaTime { .nanoseconds(nanoseconds() / 2) }
}

extension SampleBuffer {
    /// What its memory counts as (bytes); of raw frames nothing: there is one at most.
    fileprivate var byteCount: Int { block?.count ?? 0 }
}
