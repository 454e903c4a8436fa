internal import Media

/// Reads one `trak`.
struct TrackReader {
    private var trackHeader: TrackHeaderBox?
    private var mediaHeader: MediaHeaderBox?
    private var handler: HandlerBox?
    private var language: String?
    private var edits: [EditListBox.Entry] = []
    private var tables: SampleTables?
    private var chapterTracks: Set<UInt32> = []
    private var timeCodeTracks: [UInt32] = []
    private var kinds: Set<TrackKindBox> = []
    private var references = DataReferenceBox(places: [])

    /// What a `trak` is.
    enum Found {
        case track(MovieTrack)
        /// Text or metadata that nobody here reads, and why, as a half-sentence.
        case unread(MediaType, id: UInt32, code: FourCC?, obstacle: String)
        /// A track of another kind.
        case other
    }

    static func read(
        _ box: inout BoxReader, fileSize: Int64, budget: inout Int
    ) throws(MediaError) -> Found {
        let place = box
        var reader = TrackReader()
        while var child = try box.child() {
            switch child.type {
            case "tkhd": reader.trackHeader = try TrackHeaderBox(from: &child)
            case "edts":
                while var inner = try child.child() {
                    if inner.type == "elst" { reader.edits = try EditListBox(from: &inner).entries }
                }
            case "tref": try reader.readReferences(&child)
            case "udta": reader.readKinds(child)
            case "mdia": try reader.readMedia(&child)
            default: break
            }
        }
        return try reader.track(place, fileSize: fileSize, budget: &budget)
    }

    /// Damage here costs neither video nor audio.
    private mutating func readKinds(_ box: BoxReader) {
        var box = box
        do throws(MediaError) {
            while var child = try box.child() {
                guard child.type == TrackKindBox.type else { continue }
                kinds.insert(try TrackKindBox(from: &child))
            }
        } catch {}
    }

    private mutating func readReferences(_ box: inout BoxReader) throws(MediaError) {
        while var child = try box.child() {
            switch child.type {
            case "chap":
                while child.remaining >= 4 { chapterTracks.insert(try child.u32()) }
            case "tmcd":
                while child.remaining >= 4, timeCodeTracks.count < 16 {
                    timeCodeTracks.append(try child.u32())
                }
            default: break
            }
        }
    }

    /// Which handlers are whose; QuickTime and 3GPP have names of their own for text.
    private static let mediaTypes: [FourCC: MediaType] = [
        "vide": .video, "soun": .audio, "sbtl": .text, "text": .text, "subt": .text,
        "meta": .metadata,
    ]

    /// Of a track that may be damaged elsewhere.
    static func mediaType(of box: BoxReader) -> MediaType? {
        handler(of: box).flatMap { mediaTypes[$0] }
    }

    /// The same.
    static func handler(of box: BoxReader) -> FourCC? {
        var (box, found) = (box, FourCC?.none)
        do throws(MediaError) {
            while var child = try box.child() {
                guard child.type == "mdia" else { continue }
                while var inner = try child.child() {
                    guard inner.type == "hdlr" else { continue }
                    found = try HandlerBox(from: &inner).handler
                }
            }
        } catch {}
        return found
    }

    private mutating func readMedia(_ box: inout BoxReader) throws(MediaError) {
        while var child = try box.child() {
            switch child.type {
            case "mdhd": mediaHeader = try MediaHeaderBox(from: &child)
            case "elng": language = try ExtendedLanguageBox(from: &child).tag
            case "hdlr": handler = try HandlerBox(from: &child)
            case "minf":
                while var inner = try child.child() {
                    if inner.type == "stbl" { tables = try SampleTables(from: &inner) }
                    if inner.type == "dinf" { try readPlaces(&inner) }
                }
            default: break
            }
        }
    }

    private mutating func readPlaces(_ box: inout BoxReader) throws(MediaError) {
        while var child = try box.child() {
            guard child.type == DataReferenceBox.type else { continue }
            references = try DataReferenceBox(from: &child)
        }
    }

    /// Why samples cannot be read that the entry describes.
    private func obstacle(_ entry: SampleEntryReader.Entry) -> String? {
        if entry.isEncrypted { return "it is encrypted (\"\(entry.code)\")" }
        if let place = references.otherFile(entry.dataReference) {
            return "its data lies in another file" + (place.isEmpty ? "" : " (\(place))")
        }
        guard entry.format == nil else { return nil }
        return MetadataEntry.isKnown(entry.code)
            ? "its keys are none that vcap reads"
            : "its codec \"\(entry.code)\" is none that vcap knows"
    }

    private func track(
        _ place: BoxReader, fileSize: Int64, budget: inout Int
    ) throws(MediaError) -> Found {
        guard let trackHeader, let mediaHeader, let handler, let tables,
            var description = tables.description
        else { throw place.damaged("a part of the track is missing") }
        if handler.handler == TimeCodeTrack.handler {
            let track = try timeCode(
                trackHeader, mediaHeader, tables, fileSize: fileSize, budget: &budget)
            return track.map { .track($0) } ?? .other
        }
        guard let mediaType = Self.mediaTypes[handler.handler] else { return .other }
        var whole = description
        let entry: SampleEntryReader.Entry
        do throws(MediaError) {
            entry = try SampleEntryReader.read(&description, mediaType)
        } catch {
            // damage of what is passed over anyway costs neither video nor audio
            guard mediaType == .metadata else { throw error }
            return .unread(
                mediaType, id: trackHeader.trackID, code: nil,
                obstacle: "it is damaged: \(error.message.sentence)")
        }
        let obstacle = obstacle(entry)
        var format = obstacle == nil ? entry.format : nil
        // text and metadata of other codings are read by nobody here, and cannot be written again
        if !mediaType.setsLength, format == nil {
            // the moment of a live photo is read by who knows what it is
            guard let obstacle, !whole.contains(MetadataKey.stillImageTime) else { return .other }
            return .unread(
                mediaType, id: trackHeader.trackID, code: entry.code, obstacle: obstacle)
        }
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
            mediaType: mediaType, sampleDescription: stsd.bytes)
        header.matrix = trackHeader.matrix
        header.isEnabled = trackHeader.isEnabled
        header.isForced = kinds.contains(.forcedSubtitle)
        (header.width, header.height) = (trackHeader.width, trackHeader.height)
        header.language = LanguageCode.tag(language) ?? mediaHeader.languageCode
        // frames and audio are English to many a camera because that is number 0
        if mediaType == .text, header.language == nil, handler.componentType != .none {
            header.language = mediaHeader.macintoshLanguage
        }
        header.name = handler.name.isEmpty ? nil : handler.name
        var track = MovieTrack(header: header, code: entry.code, format: format, edits: edits)
        track.obstacle = obstacle
        track.dolbyVision = entry.dolbyVision
        track.isEnabled = trackHeader.isEnabled
        track.statedDuration = Int64(clamping: mediaHeader.duration)
        track.chapterTracks = chapterTracks
        track.timeCodeTracks = timeCodeTracks
        track.samples = try tables.expand(place, fileSize: fileSize, budget: &budget)
        return .track(track)
    }
}

extension TrackReader {
    /// - Returns: nil where it is none that vcap reads, or its samples lie in another file.
    private func timeCode(
        _ trackHeader: TrackHeaderBox, _ mediaHeader: MediaHeaderBox, _ tables: SampleTables,
        fileSize: Int64, budget: inout Int
    ) throws(MediaError) -> MovieTrack? {
        guard var description = tables.description else { return nil }
        _ = try description.full()
        guard try description.u32() > 0, var entry = try description.child(),
            entry.type == TimeCodeEntry.type
        else { return nil }
        var place = entry
        try place.skip(6)
        guard references.otherFile(Int(try place.u16())) == nil else { return nil }
        let found = try TimeCodeEntry(from: &entry)
        guard found.rate != nil else { return nil }
        let header = TrackHeader(
            id: trackHeader.trackID, timescale: Int32(mediaHeader.timescale),
            mediaType: .metadata, sampleDescription: [])
        var track = MovieTrack(header: header, code: entry.type, format: nil, edits: edits)
        track.timeCode = found
        track.samples = try tables.expand(description, fileSize: fileSize, budget: &budget)
        return track
    }
}

extension BoxReader {
    /// Whether a text is in what is left of the box.
    fileprivate func contains(_ text: String) -> Bool {
        var copy = self
        return Array(copy.rest()).contains(Array(text.utf8))
    }
}

extension String {
    /// A sentence to stand within another one.
    var sentence: String { hasSuffix(".") ? String(dropLast()) : self }
}
