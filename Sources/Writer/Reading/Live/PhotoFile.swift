internal import Image
internal import Media
internal import Movie

/// A file that may be a photo with a movie in it, open.
struct PhotoFile {
    enum Kind { case jpeg, heif, movie, other }

    let path: String
    let io: SystemFileIO
    let size: Int64
    let kind: Kind

    private static let photoBrands: Set = ["heic", "heix", "heim", "heis", "mif1", "msf1", "avif"]

    init(_ path: String) throws(IOFailure) {
        self.path = path
        io = try SystemFileIO(opening: path, writable: false)
        do throws(IOFailure) {
            size = try io.size()
            kind = Self.kind(try io.readAll(12, at: 0))
        } catch {
            io.close()
            throw error
        }
    }

    private static func kind(_ head: [UInt8]) -> Kind {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        guard head.count == 12 else { return .other }
        if head[4..<8].elementsEqual("ftyp".utf8) {
            let brand = String(decoding: head[8..<12], as: UTF8.self)
            return photoBrands.contains(brand) ? .heif : .movie
        }
        let types = ["moov", "mdat", "wide", "free", "skip"]
        return types.contains(String(decoding: head[4..<8], as: UTF8.self)) ? .movie : .other
    }

    /// - Throws: `damagedFile`, `ioError`.
    func notes() throws(MediaError) -> PhotoNotes {
        if kind == .heif {
            let scanner = try scanner()
            guard let meta = scanner.entries.first(where: { $0.type == "meta" }) else {
                return PhotoNotes(jpeg: [])
            }
            return try PhotoNotes(heif: scanner.body(of: meta, limit: 16 << 20), scanner)
        }
        return try reading { () throws(IOFailure) in try PhotoNotes.ofJPEG(io) }
    }

    func contentIdentifier() throws(MediaError) -> String? {
        try notes().exif.flatMap(ContentIdentifier.read(exif:))
    }

    // MARK: The photo alone

    /// Where the photo is, whatever became of its film; nil for a photo that says nothing of one.
    /// - Throws: `damagedFile`, `ioError`.
    func photoAlone() throws(MediaError) -> Range<Int64>? {
        let camera = try notes().xmp.flatMap(XMPReader.init)?.camera ?? [:]
        let promises = camera["MotionPhoto"] == "1" || camera["MicroVideo"] == "1"
        if kind == .heif {
            let box = try scanner().entries.last { $0.type == "mpvd" }
            let identifier = try contentIdentifier()
            guard promises || box != nil || identifier != nil else { return nil }
            return 0..<(box?.offset ?? size)
        }
        let trailer = try reading { () throws(IOFailure) in try SamsungTrailer(io) }
        if try contentIdentifier() != nil { return 0..<size }
        guard promises || trailer?.promisesMovie ?? false else { return nil }
        // depth belongs to the photo
        if let depth = try? depthPlace() { return 0..<depth.bytes.upperBound }
        return 0..<(try ImageFile(path: path).end)
    }

    // MARK: A movie in the file

    /// - Returns: nil for a photo that promises none.
    func embedded() throws(MediaError) -> LivePhoto? {
        let promise = try promise()
        if kind == .heif, let box = try scanner().entries.last(where: { $0.type == "mpvd" }) {
            return try live(.motionPhoto, box.body, photoEnd: box.offset, promise?.stillTime)
        }
        if let promise {
            return try live(
                promise.dialect, promise.start..<size, photoEnd: promise.start, promise.stillTime)
        }
        let trailer = try reading { () throws(IOFailure) in try SamsungTrailer(io) }
        guard let trailer else { return nil }
        guard let movie = trailer.movie else {
            guard trailer.promisesMovie else { return nil }
            throw broken("it says that it holds a movie, and there is none")
        }
        return try live(.samsung, movie, photoEnd: trailer.start, nil)
    }

    /// What a photo's XMP says.
    private struct Promise {
        let dialect: LivePhoto.Dialect
        /// The movie's first byte.
        let start: Int64
        let stillTime: MediaTime?
    }

    private func promise() throws(MediaError) -> Promise? {
        guard let packet = try notes().xmp, let notes = XMPReader(packet) else { return nil }
        let camera = notes.camera
        let movies = notes.items.indices.filter { notes.items[$0].semantic == "MotionPhoto" }
        if camera["MotionPhoto"] == "1" || !movies.isEmpty && camera["MotionPhoto"] == nil {
            guard movies.count == 1, let place = movies.first else {
                throw broken(
                    movies.isEmpty
                        ? "it says that it holds a movie but not where"
                        : "it says that it holds \(movies.count) movies")
            }
            var length: Int64 = 0
            for item in notes.items[place...] {
                guard item.length > 0, item.length <= size, length <= size else {
                    throw broken("a length in it is no length of \(size) bytes")
                }
                length += item.length
            }
            return Promise(
                dialect: .motionPhoto, start: size - length,
                stillTime: Self.time(camera["MotionPhotoPresentationTimestampUs"]))
        }
        guard camera["MicroVideo"] == "1" else { return nil }
        guard let offset = camera["MicroVideoOffset"].flatMap(Int64.init), offset > 0 else {
            throw broken("it says that it holds a movie but not where")
        }
        return Promise(
            dialect: .microVideo, start: size - min(offset, size + 1),
            stillTime: Self.time(camera["MicroVideoPresentationTimestampUs"]))
    }

    /// Microseconds; -1 and anything else that is no time is none.
    private static func time(_ text: String?) -> MediaTime? {
        text.flatMap(Int64.init).flatMap {
            (0...24 * 3_600_000_000).contains($0)
                ? MediaTime(value: $0, timescale: 1_000_000) : nil
        }
    }

    private func live(
        _ dialect: LivePhoto.Dialect, _ bytes: Range<Int64>, photoEnd: Int64,
        _ stillTime: MediaTime?
    ) throws(MediaError) -> LivePhoto {
        guard bytes.lowerBound > 0, bytes.upperBound <= size else {
            throw broken("the movie would begin before the file does")
        }
        let head = try reading { () throws(IOFailure) in try io.readAll(8, at: bytes.lowerBound) }
        guard head.count == 8, head[4...].elementsEqual("ftyp".utf8) else {
            throw broken("no movie begins at byte \(bytes.lowerBound)")
        }
        let movie = try Asset.load(path, bytes: bytes)
        guard movie.tracks.contains(where: { $0.mediaType == .video }) else {
            throw broken("the movie in it has no video")
        }
        return LivePhoto(
            dialect, photo: path, 0..<photoEnd, movie: movie, stillTime: stillTime)
    }

    private func scanner() throws(MediaError) -> BoxScanner {
        try BoxScanner(io, file: path, limits: MovieLimits())
    }

    private func reading<Result>(
        _ body: () throws(IOFailure) -> Result
    ) throws(MediaError) -> Result {
        do throws(IOFailure) { return try body() } catch {
            throw MediaError(error, attempt: "read \(path)", subject: path)
        }
    }

    private func broken(_ why: String) -> MediaError {
        MediaError(
            code: .damagedFile, subject: path,
            message: "Cannot read the movie in the photo \(path): \(why); the file was cut off or "
                + "changed after it was taken, ask for the photo alone.")
    }
}
