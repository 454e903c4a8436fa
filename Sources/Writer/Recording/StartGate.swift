/// Decides the session's start: the first frame of the lead video track at or after the moment all
/// sources have delivered; without video, that moment. A source that died or says nothing is not waited
/// for when it is excused; the next camera leads then.
///
/// A pure value. Times are host nanoseconds.
struct StartGate: Sendable {
    private var firstStamps: [Int64?]
    /// The cameras, in their order: the first that is waited for leads.
    private let cameras: [Int]
    private(set) var excused: Set<Int> = []
    /// The session's start, once it is decided.
    private(set) var start: Int64?

    /// - Parameter optional: sources that are never waited for, and never say that they have delivered.
    init(sources: Int, cameras: [Int], optional: Set<Int> = []) {
        excused = optional
        firstStamps = Array(repeating: nil, count: sources)
        self.cameras = cameras
    }

    /// The camera at whose frame the session starts.
    var lead: Int? { cameras.first { !excused.contains($0) } }

    /// Indices of the sources that have not delivered and are waited for.
    var missing: [Int] {
        firstStamps.indices.filter { firstStamps[$0] == nil && !excused.contains($0) }
    }

    /// A source has delivered a sample.
    /// - Returns: the session's start, when this decided it.
    mutating func delivered(_ source: Int, at stamp: Int64) -> Int64? {
        guard start == nil else { return nil }
        excused.remove(source)
        if firstStamps[source] == nil { firstStamps[source] = stamp }
        guard missing.isEmpty, let latest = firstStamps.compactMap(\.self).max() else { return nil }
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

    /// These are waited for no more, unless no other would be left.
    /// - Returns: whether the others can begin without them; the next samples then decide the start.
    mutating func excuse(_ sources: [Int]) -> Bool {
        let others = firstStamps.indices.filter { !sources.contains($0) }
        guard start == nil, others.contains(where: { firstStamps[$0] != nil }) else { return false }
        excused.formUnion(sources)
        return true
    }
}
