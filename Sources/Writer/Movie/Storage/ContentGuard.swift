/// What another program could cut off a file or write over: its first bytes are kept, any header of a movie, without
/// which nothing of it plays, and how short the file was found. A pure value.
struct ContentGuard: Sendable {
    /// First bytes that are kept (bytes).
    private static let headLimit = 64 << 10

    private var isOn = false
    private var head: [UInt8] = []
    /// The shortest the file was found to be, shorter than what had been written (bytes).
    private(set) var cutEnd: Int64?

    /// The first bytes as written; `nil` while nothing is guarded.
    var knownHead: [UInt8]? { isOn ? head : nil }

    mutating func begin() { isOn = true }

    /// Looks at the file's size (bytes), which costs a call of the system.
    mutating func look(_ size: () -> Int64?, wanted end: Int64) {
        guard isOn, let size = size(), size < end else { return }
        cutEnd = min(cutEnd ?? .max, size)
    }

    /// Keeps what is appended to the first bytes.
    mutating func keep(_ bytes: GatheredBytes, at offset: Int64) {
        guard isOn, offset == Int64(head.count) else { return }
        head += bytes.prefix(max(0, Self.headLimit - head.count))
    }

    /// Follows what is written over the first bytes.
    mutating func renew(_ bytes: [UInt8], at offset: Int64) {
        guard isOn, offset < Int64(head.count) else { return }
        let start = Int(offset)
        let count = min(bytes.count, head.count - start)
        head.replaceSubrange(start..<start + count, with: bytes[..<count])
    }

    /// The kept bytes from an offset on; empty behind them.
    func head(from offset: Int64) -> [UInt8] { Array(head.dropFirst(Int(offset))) }
}
