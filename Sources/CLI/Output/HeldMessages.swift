/// What is said while a picture lies over the terminal: kept in its order, to be printed when the picture is gone. What
/// is too much is left out and counted. A pure value.
struct HeldMessages: Sendable {
    struct Entry: Sendable, Equatable {
        let text: String
        /// Whether it belongs to standard output.
        let isResult: Bool
    }

    /// Most that is kept (bytes); results are kept all the same.
    private static let limit = 64 << 10

    private(set) var entries: [Entry] = []
    private var bytes = 0
    private var missed = 0

    mutating func add(_ text: String, isResult: Bool) {
        if !isResult {
            guard bytes + text.utf8.count <= Self.limit else {
                missed += 1
                return
            }
            bytes += text.utf8.count
        }
        entries.append(Entry(text: text, isResult: isResult))
    }

    /// All of it, and what is missing.
    var all: [Entry] {
        guard missed > 0 else { return entries }
        return entries + [
            Entry(text: "vcap: \(missed) messages were not kept\n", isResult: false)
        ]
    }
}
