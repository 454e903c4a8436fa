internal import Image
public import Media
public import Movie

/// A movie on disk and what it holds: plain values, read once. Loading reads the structure and the
/// index, of samples no more than the beginning of the first ones of HEVC and ProRes.
public struct Asset: Sendable {
    /// Whether the movie was finished.
    public enum State: String, Sendable, Hashable, Codable {
        /// It has an index; every player reads it.
        case ordinary
        /// It is being recorded, or a crash left it: it plays, and `MovieRepair` can finish it.
        case unfinished
    }

    /// The file; of a sequence of pictures its address (`ImageSequence.address(of:)`).
    public let path: String
    /// The container, by what the file holds and not by its name: "mp4", "mov", …
    public let container: String
    public let state: State
    /// The longest track's length (seconds), of text only where there is nothing else.
    public let duration: MediaTime
    public package(set) var tracks: [AssetTrack]
    /// In order of time.
    public let pauses: [Pause]
    /// In order of time.
    public package(set) var markers: [Marker]
    public let metadata: MovieMetadata
    /// Bytes of the file that are nothing readable (a torn end, damage).
    public let damagedBytes: Int64
    /// The file's stamp at movie time zero, where the container lets movies begin anywhere.
    package var origin = MediaTime.zero
    /// Bytes that libavformat must not see.
    package var lostBytes: [Range<Int64>] = []
    /// The part of the file that is the movie (nil = all of it).
    package var bytes: Range<Int64>?
    /// Files that lie in the movie's beside its tracks, such as fonts, which are not read (count).
    package var attachmentCount = 0
    /// What is known of a picture file or an animation.
    var image: ImageFile?
    /// The pictures of a sequence; nil: it is none.
    var sequence: SequenceFiles?
    /// Where it is subtitles alone: what each track was read of.
    var subtitleFiles: [SubtitleFile] = []
    /// What makes it; nil: it is a file.
    package var generated: (any GeneratedMedia)?

    /// Whether it is a movie, and the file is nothing else.
    package var isWholeMovie: Bool { bytes == nil && image == nil && sequence == nil }

    /// An instant at which the take was paused.
    public struct Pause: Sendable, Hashable {
        /// When, in movie time.
        public let time: MediaTime
        /// How long the pause lasted (seconds of the host clock); the movie has no gap.
        public let duration: MediaTime
    }

    /// An instant with a text.
    public struct Marker: Sendable, Hashable {
        /// When, in movie time.
        public let time: MediaTime
        public let text: String
    }

    /// Reads the structure of a movie, a picture file or an animation; of movies other than MP4 and
    /// QuickTime also every sample's header, because their indexes do not have it. Blocks; not for Swift's
    /// cooperative pool.
    /// - Parameters:
    ///   - path: the file, or the address of a sequence of pictures.
    ///   - delays: what becomes of an animation's short delays.
    /// - Throws: `no-such-file`, `not-permitted`, `damaged-file`, `unsupported`.
    public static func load(
        _ path: String, delays: DelayRule = .browsers
    ) throws(MediaError) -> Asset {
        if let (pattern, sequence) = ImageSequence.parse(path) {
            return try load(pattern, as: sequence)
        }
        if let images = try Asset(images: path, delays) { return images }
        guard try MovieFile.looksLikeOne(path) else { return try Asset(demuxing: path) }
        return try load(path, part: nil)
    }

    /// A movie (MP4, QuickTime) that is a part of another file.
    static func load(_ path: String, bytes: Range<Int64>) throws(MediaError) -> Asset {
        try load(path, part: bytes)
    }

    private static func load(_ path: String, part: Range<Int64>?) throws(MediaError) -> Asset {
        let io = try open(path, part)
        defer { io.close() }
        let movie = try MovieFile(io: io, name: path, leavesOutDamaged: true)
        var asset = Asset(movie)
        asset.bytes = part
        asset.readFirstSamples(of: movie, in: io)
        return asset
    }

    /// The file, or the part of it that is the movie.
    func openFile() throws(MediaError) -> any FileIO { try Asset.open(path, bytes) }

    private static func open(
        _ path: String, _ bytes: Range<Int64>?
    ) throws(MediaError) -> any FileIO {
        do throws(IOFailure) {
            let file = try SystemFileIO(opening: path, writable: false)
            return bytes.map { FileWindow(file, $0) } ?? file
        } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
    }
}

extension Asset {
    /// As `load`, on a thread of its own: for tasks.
    public init(
        loading path: String, delays: DelayRule = .browsers
    ) async throws(MediaError) {
        self = try await NamedThread.run("vcap-load") { () throws(MediaError) in
            try Asset.load(path, delays: delays)
        }
    }

    /// The tracks of a kind, in the file's order.
    public func tracks(of mediaType: MediaType) -> [AssetTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    package init(_ movie: MovieFile) {
        path = movie.name
        container = movie.fileType?.majorBrand == "qt  " ? "mov" : "mp4"
        state = movie.layout == .ordinary ? .ordinary : .unfinished
        duration = movie.duration
        let whole = movie.tracks.map { AssetTrack($0, movieTimescale: movie.timescale) }
        let known = whole.map(\.id) + movie.unreadTracks.compactMap { $0.id.map(Int.init) }
        let next = (known.max() ?? 0) + 1
        tracks =
            whole
            + movie.unreadTracks.enumerated().map {
                AssetTrack(unread: $1, id: $1.id.map(Int.init) ?? next + $0)
            }
        let notes = movie.annotations.sorted { $0.time < $1.time }
        pauses = Asset.pauses(notes)
        let own = Asset.markers(notes)
        // another program's chapters are markers too
        markers =
            own.isEmpty
            ? movie.chapters.compactMap { chapter in
                Int64(exactly: chapter.start).map {
                    Marker(time: MediaTime(value: $0, timescale: 10_000_000), text: chapter.title)
                }
            } : own
        metadata = movie.metadata
        damagedBytes = movie.damage.reduce(0) { $0 + Int64($1.count) }
    }

    static func pauses(_ notes: [MovieAnnotation]) -> [Pause] {
        notes.compactMap {
            guard case .pause(let time, let length) = $0 else { return nil }
            return Pause(time: time, duration: length)
        }
    }

    static func markers(_ notes: [MovieAnnotation]) -> [Marker] {
        notes.compactMap {
            guard case .marker(let text, let time) = $0 else { return nil }
            return Marker(time: time, text: text)
        }
    }
}
