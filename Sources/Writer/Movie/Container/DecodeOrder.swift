package import Media

/// Gives the frames of a track decode times that every container takes: strictly increasing, and none after the instant
/// at which its frame is shown. When frames are shown stays as it is. A pure value.
///
/// Matroska stores no decode times, and in MP4 and QuickTime frames may be shown before they are decoded
/// (negative composition offsets, of which only the differences mean something).
package struct DecodeOrder {
    /// Most frames that decoders put back into order (H.264 and H.265: 16).
    static let reach = 16
    /// Frames looked ahead at: all that can be shown before one, twice over.
    private static let room = 40

    private struct Entry {
        let sample: SampleBuffer
        let shown: Int64
        /// What the file says.
        let stated: Int64?
    }

    // immutable
    /// What decode times are apart at least (ticks): MPEG-TS has 90,000 a second.
    let unit: Int64
    private let timescale: Int32
    private let isStated: Bool

    private var entries: [Entry] = []
    /// When frames are shown whose time is not a decode time yet, in order.
    private var instants: [Int64] = []
    private var isEnded = false
    private var count = 0
    private var last: Int64?
    /// How many frames decoding is ahead, and by how much stated times are too late (ticks).
    private var depth = 0
    private var lag: Int64 = 0
    /// Decode times before the first instant.
    private var lead: (first: Int64, step: Int64) = (0, 1)

    /// - Parameters:
    ///   - timescale: of the samples' times.
    ///   - isStated: whether the samples' decode times are the file's, and not guessed.
    package init(timescale: Int32, isStated: Bool) {
        self.timescale = timescale
        self.isStated = isStated
        unit = Self.unit(timescale)
    }

    package static func unit(_ timescale: Int32) -> Int64 {
        max(1, (Int64(timescale) + 89_999) / 90_000)
    }

    /// Whether more samples must be pushed, or the end declared, before `next` has one.
    package var needsMore: Bool { !isEnded && entries.count <= Self.room }

    package mutating func push(_ sample: SampleBuffer) {
        let shown = sample.presentationTime.value
        let stated = isStated ? sample.decodeTime?.value ?? shown : nil
        entries.append(Entry(sample: sample, shown: shown, stated: stated))
        if !isStated { instants.insert(shown, at: Self.place(of: shown, in: instants)) }
    }

    package mutating func end() { isEnded = true }

    /// The next sample in the order pushed; nil at the end, and when more are needed.
    package mutating func next() -> SampleBuffer? {
        guard !needsMore, let entry = entries.first else { return nil }
        if count == 0 { settle() }
        let wanted = wish(for: entry)
        var decode = wanted
        // frames decoded later may be shown sooner
        for (place, later) in entries.enumerated() {
            decode = min(decode, later.shown - Int64(place) * unit)
        }
        if isStated { lag += wanted - decode }
        decode = max(decode, (last ?? decode - unit) + unit)
        last = decode
        count += 1
        entries.removeFirst()
        var sample = entry.sample
        sample.decodeTime =
            decode == entry.shown ? nil : MediaTime(value: decode, timescale: timescale)
        return sample
    }

    private mutating func wish(for entry: Entry) -> Int64 {
        if let stated = entry.stated { return stated - lag }
        guard count >= depth else { return lead.first - Int64(depth - count) * lead.step }
        return instants.removeFirst()
    }

    /// How far ahead decoding must be, by the first frames. Of the last of them it is not known yet how many
    /// are shown before.
    private mutating func settle() {
        let judged = isEnded ? entries.count : entries.count - Self.reach
        for (place, entry) in entries.prefix(judged).enumerated() {
            if let stated = entry.stated {
                lag = max(lag, stated - entry.shown)
            } else {
                depth = max(depth, place - Self.place(of: entry.shown, in: instants))
            }
        }
        guard let first = instants.first else { return }
        lead = (first, max(unit, (instants.dropFirst().first ?? first) - first))
    }

    /// Of the first that is not before.
    private static func place(of instant: Int64, in instants: [Int64]) -> Int {
        var (low, high) = (0, instants.count)
        while low < high {
            let middle = (low + high) / 2
            if instants[middle] < instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
