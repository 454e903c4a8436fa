internal import Media

/// Opaque frames of packed RGB of which the next one often shows most unchanged, as animations and recorded
/// screens do, and what was made of them. Thread-bound.
struct SteadyFrames {
    /// Greatest size of frames that are kept for it (pixels).
    private static let most = 1 << 22

    // immutable
    private let alpha: ComponentReading?
    private let isCompared: Bool
    // owned by the calling thread
    private var hasBegun = false
    /// The frame taken last, where it is kept. From the second on: each view of one that moves is a conformer's
    /// only one.
    private var latest: PixelBuffer?
    /// Whether frames are kept, so that the next one is compared.
    private(set) var isComparing = false

    /// What was made, where frames are compared.
    var results = SteadyResults()

    /// - Parameter isCompared: whether what changes is found out; else all may.
    init(_ format: PixelFormat, isCompared: Bool) {
        alpha = ComponentReading.alpha(of: format)
        self.isCompared = isCompared
    }

    /// - Returns: where it may differ from the frame taken before; nil for one that is not opaque, after which all
    ///   may differ.
    mutating func take(_ frame: PixelBuffer) -> RowSpans? {
        let changed =
            latest.map { RowSpans(of: frame, from: $0) }
            ?? RowSpans(width: frame.width, height: frame.height)
        latest = nil
        isComparing =
            isCompared && hasBegun && frame.width * frame.height <= Self.most
        hasBegun = true
        guard alpha?.isOpaque(frame, in: changed) ?? true else { return nil }
        if isComparing, frame.holdLimit == nil { latest = frame }
        return changed
    }

    /// - Parameter changed: where what was made does not show what was made before; nil: nothing is known.
    mutating func append(_ result: PixelBuffer, changed: RowSpans?) {
        if isComparing, let changed {
            results.append(result, changed: changed)
        } else {
            forget()
        }
    }

    mutating func forget() { results = SteadyResults() }
}
