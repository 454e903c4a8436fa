package import Media

/// `pasp`: the shape of a pixel (ISO/IEC 14496-12, 12.1.4).
package struct PixelAspectBox: Box {
    package static let type: FourCC = "pasp"
    package var aspect: PixelAspect

    package init(aspect: PixelAspect) { self.aspect = aspect }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let (horizontal, vertical) = (try reader.i32(), try reader.i32())
        // zeros stand for "unknown" in the wild
        aspect =
            horizontal > 0 && vertical > 0 ? PixelAspect(horizontal, vertical) : .square
    }

    package func write(to builder: inout BoxBuilder) {
        builder.i32(aspect.horizontal)
        builder.i32(aspect.vertical)
    }
}
