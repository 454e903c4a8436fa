internal import Media
internal import Movie

/// When in a live photo's movie the photo was taken: Apple's track of timed metadata whose one sample
/// has that moment. Source: QuickTime File Format, "Timed Metadata Media".
struct StillImageTime {
    /// - Returns: movie time; nil where nothing is stated.
    static func read(_ io: any FileIO, name: String) throws(MediaError) -> MediaTime? {
        let limits = MovieLimits()
        let scanner = try BoxScanner(io, file: name, limits: limits)
        guard let entry = scanner.entries.first(where: { $0.type == "moov" }) else { return nil }
        var movie = try scanner.body(of: entry, limit: limits.movieBox)
        var timescale: Int32 = 0
        while var child = try movie.child() {
            switch child.type {
            case "mvhd": timescale = Int32(try MovieHeaderBox(from: &child).timescale)
            case "trak":
                if timescale > 0, let time = try Self.time(&child, timescale, scanner.fileSize) {
                    return time
                }
            default: break
            }
        }
        return nil
    }

    private static func time(
        _ track: inout BoxReader, _ movieTimescale: Int32, _ fileSize: Int64
    ) throws(MediaError) -> MediaTime? {
        let place = track
        var edits: [EditListBox.Entry] = []
        var timescale: Int32?
        var isMetadata = false
        var tables: SampleTables?
        while var child = try track.child() {
            switch child.type {
            case "edts":
                while var inner = try child.child() {
                    if inner.type == "elst" { edits = try EditListBox(from: &inner).entries }
                }
            case "mdia":
                while var inner = try child.child() {
                    switch inner.type {
                    case "mdhd": timescale = Int32(try MediaHeaderBox(from: &inner).timescale)
                    case "hdlr": isMetadata = try HandlerBox(from: &inner).handler == "meta"
                    case "minf":
                        while var part = try inner.child() {
                            if part.type == "stbl" { tables = try SampleTables(from: &part) }
                        }
                    default: break
                    }
                }
            default: break
            }
        }
        guard isMetadata, let timescale, let tables, var description = tables.description,
            Self.names(MetadataKey.stillImageTime, in: &description)
        else { return nil }
        var budget = 100_000
        let samples = try tables.expand(place, fileSize: fileSize, budget: &budget)
        guard let sample = samples.first,
            let line = EditLine(edits, movieTimescale: movieTimescale, trackTimescale: timescale)
        else { return nil }
        let ticks = MediaTime(value: sample.presentationTime, timescale: timescale)
            .ticks(per: line.timescale, rounding: .nearest)
        let span = line.spans.first { span in
            span.media.map { $0 <= ticks } ?? false
        }
        return span.map { line.time($0.movieTime(of: ticks)) }
    }

    /// Whether a sample description declares a key; looking for its bytes spares walking three more
    /// kinds of boxes, and nobody writes that name for anything else.
    private static func names(_ key: String, in description: inout BoxReader) -> Bool {
        let bytes = description.rest()
        let wanted = Array(key.utf8)
        guard bytes.count >= wanted.count, bytes.count < 1 << 16 else { return false }
        return (0...(bytes.count - wanted.count)).contains {
            bytes[$0] == wanted[0] && bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
        }
    }
}
