package import Media

/// `elng`: a track's language as a BCP 47 tag (ISO/IEC 14496-12, 8.4.6).
package struct ExtendedLanguageBox: Box {
    package static let type: FourCC = "elng"
    package var tag: String

    package init(tag: String) { self.tag = tag }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        tag = reader.text()
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.text(tag)
    }
}
