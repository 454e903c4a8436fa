internal import Media

/// Opaque frames of packed RGB of which the next one often shows most unchanged, as animations and recorded
/// screens do. Thread-bound.
struct SteadyFrames {
    /// Greatest size of frames that are kept for it (pixels).
    private static let most = 1 << 22

    // immutable
    private let alpha: ComponentReading?
    // owned by the calling thread
    private var hasBegun = false
    /// The frame taken last, where it is kept. From the second on: each view of one that moves is a conformer's
    /// only one.
    private var latest: PixelBuffer?
    /// Whether frames are kept, so that the next one is compared.
    private(set) var isComparing = false

    init(_ format: PixelFormat) { alpha = ComponentReading.alpha(of: format) }

    /// - Returns: where it may differ from the frame taken before; nil for one that is not opaque, after which all
    ///   may differ.
    mutating func take(_ frame: PixelBuffer) -> RowSpans? {
        let changed =
            latest.map { RowSpans(of: frame, from: $0) }
            ?? RowSpans(width: frame.width, height: frame.height)
        latest = nil
        isComparing = hasBegun && frame.width * frame.height <= Self.most
        hasBegun = true
        guard alpha?.isOpaque(frame, in: changed) ?? true else { return nil }
        if isComparing, frame.holdLimit == nil { latest = frame }
        return changed
    }
}
