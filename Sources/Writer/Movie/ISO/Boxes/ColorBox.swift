package import Media

/// `colr`: what the numbers of a frame mean (ISO/IEC 14496-12, 12.1.5; `nclc` in QuickTime).
package struct ColorBox: Box {
    package static let type: FourCC = "colr"
    package var color: ColorDescription
    /// QuickTime's form has no range: the stream states.
    package var isQuickTime: Bool

    package init(color: ColorDescription, isQuickTime: Bool) {
        self.color = color
        self.isQuickTime = isQuickTime
    }

    package init(from reader: inout BoxReader) throws(MediaError) {
        let kind = try reader.code()
        isQuickTime = kind == "nclc"
        guard isQuickTime || kind == "nclx" else {
            color = .unspecified  // an embedded profile
            return
        }
        func byte(_ value: UInt16) -> UInt8 { UInt8(exactly: value) ?? 2 }
        color = ColorDescription(
            primaries: byte(try reader.u16()), transfer: byte(try reader.u16()),
            matrix: byte(try reader.u16()), range: .unspecified)
        if !isQuickTime, reader.remaining > 0 {
            color.range = try reader.u8() & 0x80 != 0 ? .full : .limited
        }
    }

    package func write(to builder: inout BoxBuilder) {
        builder.code(isQuickTime ? "nclc" : "nclx")
        for value in [color.primaries, color.transfer, color.matrix] { builder.u16(UInt16(value)) }
        if !isQuickTime { builder.u8(color.range == .full ? 0x80 : 0) }
    }
}
