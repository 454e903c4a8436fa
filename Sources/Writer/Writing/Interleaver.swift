/// Brings the coded samples of all tracks into the order of their decode times. A pure value.
///
/// A track that has nothing yet is waited for only until another one is `lagLimit` ahead or
/// `weightLimit` waits, so that a silent camera does not hold back audio. The newest frame of a video track stays until the
/// next one or the end of the track: only then is it known how long the last one lasts.
struct Interleaver<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        var element: Element
        let time: Int64
        let weight: Int
    }

    private struct Track: Sendable {
        let holdsNewest: Bool
        /// Whether nobody waits for it: its samples may be minutes apart.
        let isSparse: Bool
        var isEnded = false
        private(set) var weight = 0
        /// Those before `start` have been handed out: all that follow would have to move for each one.
        private var entries: [Entry?] = []
        private var start = 0

        init(holdsNewest: Bool, isSparse: Bool) {
            (self.holdsNewest, self.isSparse) = (holdsNewest, isSparse)
        }

        var isEmpty: Bool { start == entries.count }
        var available: Int { entries.count - start - (holdsNewest && !isEnded ? 1 : 0) }
        var first: Entry? { isEmpty ? nil : entries[start] }

        mutating func append(_ entry: Entry) {
            entries.append(entry)
            weight += entry.weight
        }

        mutating func removeFirst() {
            weight -= entries[start]?.weight ?? 0
            entries[start] = nil
            start += 1
            guard start * 2 >= entries.count else { return }
            entries.removeFirst(start)
            start = 0
        }

        mutating func changeLast(_ change: (inout Element) -> Void) {
            guard !isEmpty, var last = entries.removeLast() else { return }
            change(&last.element)
            entries.append(last)
        }
    }

    let lagLimit: Int64
    let weightLimit: Int
    private var tracks: [Track]
    private var newest = Int64.min

    /// - Parameters:
    ///   - holdsNewest: one entry a track.
    ///   - sparse: the same, of tracks whose samples come when they like (default none).
    init(holdsNewest: [Bool], sparse: [Bool] = [], lagLimit: Int64, weightLimit: Int = .max) {
        self.lagLimit = lagLimit
        self.weightLimit = weightLimit
        tracks = holdsNewest.enumerated().map { index, holdsNewest in
            Track(
                holdsNewest: holdsNewest, isSparse: sparse.indices.contains(index) && sparse[index])
        }
    }

    /// Weight inside, of video (tracks that hold their newest) or of the others.
    func weight(ofVideo: Bool) -> Int {
        tracks.reduce(0) { $0 + ($1.holdsNewest == ofVideo ? $1.weight : 0) }
    }

    var isEmpty: Bool { tracks.allSatisfy { $0.isEmpty } }

    /// Whether every track has ended and nothing is inside.
    var isOver: Bool { tracks.allSatisfy { $0.isEnded && $0.isEmpty } }

    /// Whether a track has ended and nothing of it is inside.
    func isOver(track: Int) -> Bool { tracks[track].isEnded && tracks[track].isEmpty }

    mutating func push(_ element: Element, track: Int, time: Int64, weight: Int) {
        tracks[track].append(Entry(element: element, time: time, weight: weight))
        newest = max(newest, time)
    }

    /// No more of this track; `last` may change the element still held.
    mutating func end(track: Int, last change: (inout Element) -> Void) {
        tracks[track].isEnded = true
        tracks[track].changeLast(change)
    }

    /// The next element in order; `nil` when one must be waited for.
    mutating func next() -> (track: Int, element: Element)? {
        var first: (track: Int, entry: Entry)?
        // what is before everything a track can still deliver need not wait for it
        var bound = Int64.max
        for index in tracks.indices {
            guard tracks[index].available > 0, let entry = tracks[index].first else {
                let held = tracks[index].first?.time ?? .min
                if !tracks[index].isEnded, !tracks[index].isSparse { bound = min(bound, held) }
                continue
            }
            if let first, first.entry.time <= entry.time { continue }
            first = (index, entry)
        }
        guard let (track, entry) = first else { return nil }
        let isPressing = newest - entry.time > lagLimit || tracks[track].weight >= weightLimit
        guard entry.time <= bound || isPressing else { return nil }
        tracks[track].removeFirst()
        return (track, entry.element)
    }
}
