package import Media

/// An MP4 or QuickTime movie as it is on disk: ordinary, growing, or left by a crash.
package struct MovieFile: Sendable {
    /// How the file is laid out (docs/design/recording.md names the states).
    package enum Layout: Sendable, Hashable {
        /// One index for all samples.
        case ordinary
        /// Fragments, still growing or left so.
        case fragmented
        /// Fragments, and a complete index that is not in force yet, at this byte.
        case finishing(index: Int64)
    }

    package let name: String
    package private(set) var layout = Layout.ordinary
    package private(set) var fileType: FileTypeBox?
    package private(set) var timescale: Int32 = 90_000
    package private(set) var tracks: [MovieTrack] = []
    /// Tracks whose description is damaged, and text and metadata that nobody here reads.
    package private(set) var unreadTracks: [UnreadTrack] = []
    package private(set) var annotations: [MovieAnnotation] = []
    package private(set) var chapters: [ChapterListBox.Chapter] = []
    package private(set) var metadata = MovieMetadata()
    /// Spans that are no box: torn by a crash, or damaged (bytes).
    package private(set) var damage: [Range<Int64>] = []
    /// Where the first `moov` is (byte).
    package private(set) var headerOffset: Int64 = 0
    /// End of the last complete box (byte).
    package private(set) var end: Int64 = 0
    package let fileSize: Int64
    /// The `mdat` that the end of the file cuts and whose whole samples are kept, if one is.
    private(set) var cutData: BoxScanner.Entry?
    private(set) var fragments: [FragmentReader.Fragment] = []
    private let leavesOutDamaged: Bool

    /// A track that cannot be read.
    package struct UnreadTrack: Sendable, Hashable {
        /// Nil where not even that can be stated.
        package let mediaType: MediaType?
        /// Why, as a half-sentence ("it is damaged: …").
        package let obstacle: String
        /// The file's number and code of it, where they are known.
        package var id: UInt32?
        package var code: FourCC?
    }

    package init(
        path: String, limits: MovieLimits = MovieLimits(), leavesOutDamaged: Bool = false
    ) throws(MediaError) {
        let io: SystemFileIO
        do throws(IOFailure) { io = try SystemFileIO(opening: path, writable: false) } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
        defer { io.close() }
        try self.init(io: io, name: path, limits: limits, leavesOutDamaged: leavesOutDamaged)
    }

    /// Reads the structure, not the samples.
    /// - Parameter leavesOutDamaged: whether the movie is read without tracks that are damaged,
    ///   if any is whole.
    package init(
        io: any FileIO, name: String, limits: MovieLimits = MovieLimits(),
        ignoring ignored: Set<Int64> = [], leavesOutDamaged: Bool = false
    ) throws(MediaError) {
        self.name = name
        self.leavesOutDamaged = leavesOutDamaged
        let scanner = try BoxScanner(io, file: name, limits: limits)
        fileSize = scanner.fileSize
        damage = scanner.damage
        end = scanner.end
        guard let movie = scanner.entries.first(where: { $0.type == "moov" }) else {
            throw MovieFile.noIndex(name, scanner)
        }
        headerOffset = movie.offset
        if let first = scanner.entries.first, first.type == FileTypeBox.type {
            var body = try scanner.body(of: first, limit: 4096)
            fileType = try FileTypeBox(from: &body)
        }
        var budget = limits.samples
        var body = try scanner.body(of: movie, limit: limits.movieBox)
        let defaults = try readMovie(&body, limits, &budget)
        if let defaults { try readFragments(scanner, defaults, limits, ignored, &budget) }
        takeTimeCode(io)
        for place in tracks.indices { tracks[place].settleLastFrame(movieTimescale: timescale) }
        if layout != .ordinary { settleOpenMetadata() }
    }

    private static func noIndex(_ name: String, _ scanner: BoxScanner) -> MediaError {
        let what =
            scanner.fileSize == 0
            ? "it is empty"
            : scanner.entries.first?.type == "ftyp" ? "it has no index" : "it is no MP4 movie"
        return MediaError(
            code: .damagedFile, subject: name,
            message: "Cannot read \(name): \(what); nothing in it can be played.")
    }

    /// - Returns: the fragments' defaults, if the movie has fragments.
    private mutating func readMovie(
        _ box: inout BoxReader, _ limits: MovieLimits, _ budget: inout Int
    ) throws(MediaError) -> [UInt32: SampleDefaults]? {
        var defaults: [UInt32: SampleDefaults]?
        var reader = MetadataReader()
        var header: MovieHeaderBox?
        var failure: MediaError?
        while var child = try box.child() {
            switch child.type {
            case "mvhd": header = try MovieHeaderBox(from: &child)
            case "trak":
                guard tracks.count < limits.tracks else {
                    throw child.damaged("there are more than \(limits.tracks) tracks")
                }
                try readTrack(child, &budget, &failure)
            case "udta", "meta": try reader.read(&child)
            case "mvex":
                defaults = [:]
                while var inner = try child.child() {
                    guard inner.type == TrackExtendsBox.type else { continue }
                    let box = try TrackExtendsBox(from: &inner)
                    defaults?[box.trackID] = box.defaults
                }
            default: break
            }
        }
        if let failure, tracks.allSatisfy({ $0.format == nil }) { throw failure }
        let chapterTracks = tracks.reduce(into: Set<UInt32>()) { $0.formUnion($1.chapterTracks) }
        tracks.removeAll { $0.header.mediaType == .text && chapterTracks.contains($0.id) }
        unreadTracks.removeAll { $0.mediaType == .text && chapterTracks.contains($0.id ?? 0) }
        guard let header else { throw box.damaged("mvhd is missing") }
        timescale = Int32(header.timescale)
        reader.take(header)
        (metadata, annotations, chapters) = (reader.metadata, reader.annotations, reader.chapters)
        return defaults
    }

    /// - Parameter failure: the first one that is passed over.
    private mutating func readTrack(
        _ box: BoxReader, _ budget: inout Int, _ failure: inout MediaError?
    ) throws(MediaError) {
        var body = box
        do throws(MediaError) {
            switch try TrackReader.read(&body, fileSize: fileSize, budget: &budget) {
            case .track(let track): tracks.append(track)
            case .unread(let mediaType, let id, let code, let obstacle):
                unreadTracks.append(
                    UnreadTrack(mediaType: mediaType, obstacle: obstacle, id: id, code: code))
            case .other: break
            }
        } catch {
            // time code is nothing that a movie is refused for
            if TrackReader.handler(of: box) == TimeCodeTrack.handler { return }
            guard leavesOutDamaged, error.code == .damagedFile else { throw error }
            failure = failure ?? error
            unreadTracks.append(
                UnreadTrack(
                    mediaType: TrackReader.mediaType(of: box),
                    obstacle: "it is damaged: \(error.message.sentence)"))
        }
    }

    private mutating func readFragments(
        _ scanner: BoxScanner, _ defaults: [UInt32: SampleDefaults], _ limits: MovieLimits,
        _ ignored: Set<Int64>, _ budget: inout Int
    ) throws(MediaError) {
        layout = .fragmented
        var reader = FragmentReader(defaults: defaults, fileSize: fileSize)
        var events: Set<UInt32> = []
        for (position, entry) in scanner.entries.enumerated() where entry.offset > headerOffset {
            switch entry.type {
            case "moof" where !ignored.contains(entry.offset):
                let body = try scanner.body(of: entry, limit: limits.fragmentBox)
                guard position + 1 < scanner.entries.count else {
                    try readCut(body, entry, scanner, &reader, &budget)
                    continue
                }
                let data = scanner.entries[position + 1]
                do throws(MediaError) {
                    try reader.read(
                        body, at: entry.offset, data: data.body,
                        dataEnd: Self.dataEnd(scanner.entries[(position + 1)...]),
                        into: &tracks, budget: &budget)
                } catch { damage.append(entry.offset..<data.end) }
            case EventMessageBox.type:
                var body = try scanner.body(of: entry, limit: limits.fragmentBox)
                let event = try EventMessageBox(from: &body)
                guard let note = event.annotation, events.insert(event.id).inserted else {
                    continue
                }
                annotations.append(note)
            case "moov": layout = .finishing(index: entry.offset)
            default: break
            }
        }
        fragments = reader.fragments
        if chapters.isEmpty { chapters = MetadataWriter.chapters(of: annotations) }
        metadata = metadata.followed(by: annotations)
    }

    /// Tracks of time code are none of the movie's others.
    private mutating func takeTimeCode(_ io: any FileIO) {
        let found = tracks.filter { $0.timeCode != nil }
        guard !found.isEmpty else { return }
        tracks.removeAll { $0.timeCode != nil }
        metadata.timeCode = timeCode(in: found, besides: tracks, io)
    }

    /// Where the data of a fragment ends, by the boxes behind it; nil: they do not state.
    private static func dataEnd(_ entries: ArraySlice<BoxScanner.Entry>) -> Int64? {
        entries.prefix { $0.type == "mdat" }.last?.end
    }

    /// The last fragment, whose data was cut off: of other programs' fragments, which may last any time, the
    /// samples that are whole are kept; of ours, whose checksum cannot be looked at, none.
    private mutating func readCut(
        _ body: BoxReader, _ entry: BoxScanner.Entry, _ scanner: BoxScanner,
        _ reader: inout FragmentReader, _ budget: inout Int
    ) throws(MediaError) {
        var known = tracks
        var dataEnd = entry.offset
        if let cut = scanner.cut, cut.type == "mdat", cut.offset == entry.end {
            do throws(MediaError) {
                let found = try reader.read(
                    body, at: entry.offset, data: cut.body.lowerBound..<fileSize,
                    dataEnd: fileSize, isCut: true, into: &known, budget: &budget)
                if let found, found.dataEnd > cut.body.lowerBound {
                    (tracks, cutData, dataEnd) = (known, cut, found.dataEnd)
                }
            } catch {}
        }
        if cutData == nil, let last = damage.last, last.upperBound == fileSize {
            damage.insert(entry.offset..<entry.end, at: damage.count - 1)
        } else {
            if damage.last?.upperBound == fileSize { damage.removeLast() }
            if dataEnd < fileSize { damage.append(dataEnd..<fileSize) }
        }
        end = dataEnd
    }

    /// Metadata that holds until the movie's end has no length in a fragment, or too much, because that end was not known.
    private mutating func settleOpenMetadata() {
        let end = tracks.contains(where: \.header.mediaType.setsLength) ? duration : nil
        for place in tracks.indices where tracks[place].header.mediaType == .metadata {
            tracks[place].settleOpenMetadata(movieEnd: end)
        }
    }

    /// The longest track's (seconds); text and metadata make no movie longer.
    package var duration: MediaTime {
        let shown = tracks.filter(\.header.mediaType.setsLength)
        return (shown.isEmpty ? tracks : shown)
            .map { $0.duration(movieTimescale: timescale) }.max() ?? .zero
    }
}
