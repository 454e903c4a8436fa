/// Decides the session's start: the first frame of the lead video track at or after the moment all
/// sources have delivered; without video, that moment.
///
/// A pure value. Times are host nanoseconds.
struct StartGate: Sendable {
    private var firstStamps: [Int64?]
    private let lead: Int?
    /// The session's start, once it is decided.
    private(set) var start: Int64?

    init(sources: Int, lead: Int?) {
        firstStamps = Array(repeating: nil, count: sources)
        self.lead = lead
    }

    /// Indices of the sources that have not delivered.
    var missing: [Int] { firstStamps.indices.filter { firstStamps[$0] == nil } }

    /// A source has delivered a sample.
    /// - Returns: the session's start, when this decided it.
    mutating func delivered(_ source: Int, at stamp: Int64) -> Int64? {
        guard start == nil else { return nil }
        if firstStamps[source] == nil { firstStamps[source] = stamp }
        let known = firstStamps.compactMap { $0 }
        guard known.count == firstStamps.count, let latest = known.max() else { return nil }
        if let lead {
            guard source == lead, stamp >= latest else { return nil }
            start = stamp
        } else {
            start = latest
        }
        return start
    }

    /// A source went away before the start: it must deliver again.
    mutating func lost(_ source: Int) {
        if start == nil { firstStamps[source] = nil }
    }
}
