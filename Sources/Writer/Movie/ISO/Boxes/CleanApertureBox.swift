package import Media

/// `clap`: the part of a frame that is meant to be seen (ISO/IEC 14496-12, 12.1.4).
package struct CleanApertureBox: Box {
    package static let type: FourCC = "clap"
    package var aperture: CleanAperture

    package init(aperture: CleanAperture) { self.aperture = aperture }

    /// Sizes that are no whole pixels are rounded.
    package init(from reader: inout BoxReader) throws(MediaError) {
        var values: [Double] = []
        for _ in 0..<4 {
            let (numerator, denominator) = (try reader.i32(), try reader.i32())
            values.append(denominator == 0 ? 0 : Double(numerator) / Double(denominator))
        }
        aperture = CleanAperture(
            width: Int(values[0].rounded()), height: Int(values[1].rounded()),
            horizontalOffset: values[2], verticalOffset: values[3])
    }

    package func write(to builder: inout BoxBuilder) {
        let sizes = [Double(aperture.width), Double(aperture.height)]
        for value in sizes + [aperture.horizontalOffset, aperture.verticalOffset] {
            // a middle is at a whole or a half pixel
            let isHalf = value * 2 == (value * 2).rounded()
            let scale: Double = value == value.rounded() ? 1 : isHalf ? 2 : 1000
            builder.i32(Int32(clamping: Int((value * scale).rounded())))
            builder.i32(Int32(scale))
        }
    }
}
