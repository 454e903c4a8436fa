/// Which coded samples of a track from outside the movie are in its file all the same, because decoding needs them.
enum HiddenSampleRule: Sendable, Hashable {
    /// None: samples that need no others, and containers that cannot hide any.
    case none
    /// Frames from the last sync sample on, up to so many bytes; at the movie's end those that frames before it need.
    case groups(limit: Int)
    /// Packets up to so long before the movie's start (ns).
    case packets(Int64)
}

/// Coded samples of one track from outside the movie that may be needed inside: before its start, and, where
/// frames are decoded in another order than shown, behind its end. A pure value.
struct HiddenSamples<Sample: Sendable>: Sendable {
    struct Entry: Sendable {
        let sample: Sample
        let time: Int64
        let isSync: Bool
        let weight: Int
        /// How long it lasts (ns; 0: unknown).
        var length: Int64 = 0
        /// Whether the source says that it is not shown.
        var isHidden = false
    }

    /// Most frames that are decoded before one that is shown before all of them (H.264 and HEVC: 16).
    private static var longestReordering: Int { 16 }

    let rule: HiddenSampleRule
    private(set) var waiting: [Entry] = []
    private var weight = 0
    /// Whether it is known that no frame before the movie's end follows.
    private var isOver = false

    init(_ rule: HiddenSampleRule) { self.rule = rule }

    /// Takes a sample from before the movie's start.
    mutating func holdBefore(_ entry: Entry, start: Int64) {
        switch rule {
        case .none: break
        case .packets(let length):
            append(entry)
            while let first = waiting.first, first.time < start - length { removeFirst() }
        case .groups(let limit):
            if entry.isSync { clear() }
            // what is shown before its sync sample needs the group before, and is needed by none behind it
            guard let first = waiting.first ?? (entry.isSync ? entry : nil),
                entry.time >= first.time
            else { return }
            append(entry)
            if weight > limit { clear() }
        }
    }

    /// Takes a frame from behind the movie's end, or from before its start when frames of it are in already.
    mutating func holdReordered(_ entry: Entry) {
        guard case .groups(let limit) = rule, !isOver else { return }
        append(entry)
        guard waiting.count > Self.longestReordering || weight > limit else { return }
        isOver = true
        clear()
    }

    /// What the next frame of the movie needs, in order of decoding.
    mutating func take() -> [Entry] {
        defer { clear() }
        return waiting
    }

    mutating func clear() {
        waiting = []
        weight = 0
    }

    private mutating func append(_ entry: Entry) {
        waiting.append(entry)
        weight += entry.weight
    }

    private mutating func removeFirst() { weight -= waiting.removeFirst().weight }
}
