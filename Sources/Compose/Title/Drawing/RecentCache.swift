/// Values that were made at a cost and may be wanted again; the longest unused go when they take too much
/// memory. What the present frame uses stays.
struct RecentCache<Key: Hashable, Value> {
    /// What all values may take (bytes).
    let budget: Int
    /// What they take (bytes).
    private(set) var used = 0
    private var entries: [Key: (value: Value, cost: Int, lastFrame: Int)] = [:]
    private var frame = 0

    init(budget: Int) { self.budget = budget }

    var count: Int { entries.count }

    /// Begins a frame and lets go of what is too much.
    mutating func beginFrame() {
        trim()
        frame += 1
    }

    mutating func value(for key: Key) -> Value? {
        entries[key]?.lastFrame = frame
        return entries[key]?.value
    }

    mutating func insert(_ value: Value, for key: Key, cost: Int) {
        used += cost - (entries[key]?.cost ?? 0)
        entries[key] = (value, cost, frame)
        trim()
    }

    private mutating func trim() {
        guard used > budget else { return }
        let old = entries.filter { $0.value.lastFrame < frame }
            .sorted { $0.value.lastFrame < $1.value.lastFrame }
        for (key, entry) in old {
            guard used > budget else { return }
            used -= entry.cost
            entries[key] = nil
        }
    }
}
