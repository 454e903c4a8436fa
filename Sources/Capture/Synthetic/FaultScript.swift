internal import Media

/// What goes wrong with a test device, and when: a function of unit number and device time alone,
/// so that a test knows the truth.
struct FaultScript: Sendable, Hashable {
    /// A span of device time, in nanoseconds.
    typealias Span = Range<Int64>

    /// Unit numbers that are lost.
    var drops: [ClosedRange<Int64>] = []
    /// Share of units lost, picked by number (per 10,000).
    var dropShare: UInt64 = 0
    /// Spans in which the device delivers nothing.
    var stalls: [Span] = []
    /// Spans in which the device is not there.
    var unplugs: [Span] = []
    /// Largest displacement of a stamp either way (ns).
    var jitter: Int64 = 0

    /// How long a device may deliver nothing before it counts as stalled (ns).
    static let stallLimit: Int64 = 2_000_000_000

    func drops(_ unit: Int64) -> Bool {
        if drops.contains(where: { $0.contains(unit) }) { return true }
        return dropShare > 0 && Self.scatter(unit, salt: 1) % 10_000 < dropShare
    }

    func stall(at deviceTime: MediaTime) -> Span? { span(of: stalls, at: deviceTime) }

    func unplug(at deviceTime: MediaTime) -> Span? { span(of: unplugs, at: deviceTime) }

    /// How far the stamp of a unit lies from where it belongs (ns).
    func displacement(of unit: Int64) -> Int64 {
        guard jitter > 0 else { return 0 }
        return Int64(Self.scatter(unit, salt: 2) % UInt64(2 * jitter + 1)) - jitter
    }

    private func span(of spans: [Span], at time: MediaTime) -> Span? {
        let nanoseconds = time.nanoseconds(rounding: .up)
        return spans.first { $0.contains(nanoseconds) }
    }

    /// An even spread that is the same in every run (the finaliser of SplitMix64).
    private static func scatter(_ unit: Int64, salt: UInt64) -> UInt64 {
        var value = UInt64(bitPattern: unit) &+ salt &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
