internal import Media

/// Reads one `trak`.
struct TrackReader {
    private var trackHeader: TrackHeaderBox?
    private var mediaHeader: MediaHeaderBox?
    private var handler: HandlerBox?
    private var language: String?
    private var edits: [EditListBox.Entry] = []
    private var tables: SampleTables?

    /// - Returns: nil for tracks that are neither video nor audio.
    static func read(
        _ box: inout BoxReader, fileSize: Int64, budget: inout Int
    ) throws(WriterError) -> MovieTrack? {
        let place = box
        var reader = TrackReader()
        while var child = try box.child() {
            switch child.type {
            case "tkhd": reader.trackHeader = try TrackHeaderBox(from: &child)
            case "edts":
                while var inner = try child.child() {
                    if inner.type == "elst" { reader.edits = try EditListBox(from: &inner).entries }
                }
            case "mdia": try reader.readMedia(&child)
            default: break
            }
        }
        return try reader.track(place, fileSize: fileSize, budget: &budget)
    }

    private mutating func readMedia(_ box: inout BoxReader) throws(WriterError) {
        while var child = try box.child() {
            switch child.type {
            case "mdhd": mediaHeader = try MediaHeaderBox(from: &child)
            case "elng": language = try ExtendedLanguageBox(from: &child).tag
            case "hdlr": handler = try HandlerBox(from: &child)
            case "minf":
                while var inner = try child.child() {
                    if inner.type == "stbl" { tables = try SampleTables(from: &inner) }
                }
            default: break
            }
        }
    }

    private func track(
        _ place: BoxReader, fileSize: Int64, budget: inout Int
    ) throws(WriterError) -> MovieTrack? {
        guard let trackHeader, let mediaHeader, let handler, let tables,
            var description = tables.description
        else { throw place.damaged("a part of the track is missing") }
        guard handler.handler == "vide" || handler.handler == "soun" else { return nil }
        let isVideo = handler.handler == "vide"
        var whole = description
        var (code, format) = try SampleEntryReader.read(&description, isVideo: isVideo)
        if case .video(var video) = format {
            video.orientation = trackHeader.matrix.orientation
            format = .video(video)
        }
        if case .audio(var audio) = format, audio.sampleRate == 0 {
            audio.sampleRate = Int(mediaHeader.timescale)
            format = .audio(audio)
        }
        var stsd = BoxBuilder()
        stsd.box("stsd") { $0.raw(whole.rest()) }
        var header = TrackHeader(
            id: trackHeader.trackID, timescale: Int32(mediaHeader.timescale),
            mediaType: isVideo ? .video : .audio, sampleDescription: stsd.bytes)
        header.matrix = trackHeader.matrix
        (header.width, header.height) = (trackHeader.width, trackHeader.height)
        header.language = language ?? mediaHeader.languageCode
        header.name = handler.name.isEmpty ? nil : handler.name
        var track = MovieTrack(header: header, code: code, format: format, edits: edits)
        track.isEnabled = trackHeader.isEnabled
        track.samples = try tables.expand(place, fileSize: fileSize, budget: &budget)
        return track
    }
}
