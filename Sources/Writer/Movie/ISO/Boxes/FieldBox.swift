package import Media

/// Of how many fields a frame consists, and which of them was taken first (`fiel`).
///
/// Source: QuickTime File Format, video sample description extensions. What it says of the codes 9 and 14 contradicts
/// what is done with them: Core Media calls them "spatial first line early" and "late", and libavformat writes 9 for
/// interleaved lines of which the first is of the earlier field.
package struct FieldBox: Box {
    package static let type: FourCC = "fiel"
    /// Nil: frames are whole, or it is not stated.
    package var order: FieldOrder?

    package init(order: FieldOrder?) { self.order = order }

    package init(from reader: inout BoxReader) throws(MediaError) {
        // how many, and which
        switch reader.rest().prefix(2) {
        case [2, 1], [2, 9]: order = .topFirst
        case [2, 6], [2, 14]: order = .bottomFirst
        default: order = nil
        }
    }

    /// Lines of both fields lie in turn in every codec that is copied.
    package func write(to builder: inout BoxBuilder) {
        builder.u8(order == nil ? 1 : 2)
        builder.u8(order.map { $0 == .topFirst ? 9 : 14 } ?? 0)
    }
}
