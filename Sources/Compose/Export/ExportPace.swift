internal import Media

/// How long a film takes of which some frames are copied and others encoded: each kind at its own pace. A title at the
/// beginning of a lecture would else promise an hour, and one at its end nothing.
struct ExportPace: Sendable {
    /// How many frames are copied while one is encoded, about, as long as one kind has not been seen.
    private static let usualRatio = 50.0

    private struct Kind: Sendable {
        var left: Int64
        var done = 0.0
        var seconds = 0.0

        /// Of one frame; nil: none has been made.
        var each: Double? { done > 0 && seconds > 0 ? seconds / done : nil }
    }

    private let smart: SmartPlan
    private var copied: Kind
    private var encoded: Kind
    private var last: MediaTime

    /// - Parameters:
    ///   - first: the first frame that is made; those before it are there already.
    ///   - elapsed: since the export began (seconds).
    init(_ smart: SmartPlan, from first: Int64, at elapsed: MediaTime) {
        (self.smart, last) = (smart, elapsed)
        (copied, encoded) = (Kind(left: 0), Kind(left: 0))
        for run in smart.runs {
            let left = max(0, run.frames.upperBound - max(first, run.frames.lowerBound))
            if run.isCopied { copied.left += left } else { encoded.left += left }
        }
    }

    /// Notes that a frame has been made.
    mutating func made(_ frame: Int64, at elapsed: MediaTime) {
        let seconds = (elapsed - last).approximateSeconds
        last = elapsed
        func count(_ kind: inout Kind) {
            kind.left -= 1
            kind.done += 1
            kind.seconds += seconds
        }
        if smart.run(of: frame)?.isCopied ?? false { count(&copied) } else { count(&encoded) }
    }

    /// Nil while nobody can say.
    var timeLeft: MediaTime? {
        guard
            let copying = copied.each ?? encoded.each.map({ $0 / Self.usualRatio }),
            let encoding = encoded.each ?? copied.each.map({ $0 * Self.usualRatio })
        else { return nil }
        let seconds = Double(copied.left) * copying + Double(encoded.left) * encoding
        return .milliseconds(Int64(seconds * 1000))
    }
}
