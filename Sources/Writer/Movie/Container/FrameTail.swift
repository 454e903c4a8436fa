internal import Media

/// Samples from the frame shown last on, held back until it is known whether another one is shown later: how
/// long the last one of a track shows is stated only where it is known to be that. A pure value.
struct FrameTail: Sendable {
    struct Entry: Sendable {
        let sample: SampleBuffer
        let track: Int
        /// Whether no frame of its track is shown later, as far as is known.
        var isLast = false
    }

    /// Most bytes held: beyond, a track's last frame is let go without its length.
    private static let limit = 16 << 20

    private var entries: [Entry] = []
    private var bytes = 0
    /// When the frame shown last begins.
    private var latest: [Int: MediaTime] = [:]

    /// Takes a sample in the order of writing.
    /// - Returns: those that can be written, in order.
    mutating func push(_ sample: SampleBuffer, track: Int) -> [Entry] {
        var entry = Entry(sample: sample, track: track)
        if sample.format.mediaType == .video {
            let time = sample.presentationTime
            if latest[track].map({ time > $0 }) ?? true {
                latest[track] = time
                for place in entries.indices where entries[place].track == track {
                    entries[place].isLast = false
                }
                entry.isLast = true
            }
        }
        entries.append(entry)
        bytes += sample.block?.count ?? 0
        let first = entries.firstIndex { $0.isLast } ?? entries.count
        return release(bytes > Self.limit ? entries.count : first)
    }

    /// What is left, in order.
    mutating func finish() -> [Entry] { release(entries.count) }

    private mutating func release(_ count: Int) -> [Entry] {
        defer { entries.removeFirst(count) }
        let released = Array(entries.prefix(count))
        bytes -= released.reduce(0) { $0 + ($1.sample.block?.count ?? 0) }
        return released
    }
}
