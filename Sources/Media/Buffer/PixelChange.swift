internal import Synchronization

/// Where a frame differs from the one that its source made before it: a hint for those who keep that one.
package struct PixelChange: Sendable, Hashable {
    /// No two sources have the same.
    private let source: Int
    /// Counts the source's frames.
    private let number: Int
    /// Outside these nothing differs.
    package let spans: RowSpans

    /// Of a source's first frame, in which everything is new.
    package static func first(width: Int, height: Int) -> PixelChange {
        PixelChange(
            source: sources.wrappingAdd(1, ordering: .relaxed).newValue, number: 0,
            spans: RowSpans(width: width, height: height))
    }

    private static let sources = Atomic<Int>(0)

    private init(source: Int, number: Int, spans: RowSpans) {
        (self.source, self.number, self.spans) = (source, number, spans)
    }

    /// Of the frame the same source makes next.
    package func next(_ spans: RowSpans) -> PixelChange {
        PixelChange(source: source, number: number + 1, spans: spans)
    }

    /// Whether `other` is of the frame that this one says it differs from.
    package func follows(_ other: PixelChange?) -> Bool {
        source == other?.source && number - 1 == other?.number
    }
}
