package import Media

/// `kind`: the part a track has in the movie, in words of somebody's list (ISO/IEC 14496-12, 8.10.4). libavformat writes
/// and reads DASH's (ISO/IEC 23009-1, 5.8.5.5).
package struct TrackKindBox: Box, Hashable {
    package static let type: FourCC = "kind"
    package var scheme: String
    package var value: String

    /// Subtitles that are shown even where nobody asks for any.
    static let forcedSubtitle = TrackKindBox(
        scheme: "urn:mpeg:dash:role:2011", value: "forced-subtitle")

    package init(scheme: String, value: String) { (self.scheme, self.value) = (scheme, value) }

    package init(from reader: inout BoxReader) throws(MediaError) {
        _ = try reader.full()
        scheme = reader.text()
        value = reader.text()
    }

    package func write(to builder: inout BoxBuilder) {
        builder.full(0, 0)
        builder.text(scheme)
        builder.text(value)
    }
}
