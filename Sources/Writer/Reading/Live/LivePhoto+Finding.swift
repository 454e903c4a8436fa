public import Media
internal import Movie

extension LivePhoto {
    /// Looks whether a file is a photo that holds a movie, or one of a pair whose other half is beside
    /// it under the same name. Blocks; not for Swift's cooperative pool.
    /// - Returns: nil for an ordinary photo, movie or anything else.
    /// - Throws: `noSuchFile`, `notPermitted`; `damagedFile` where a movie is promised and not there.
    public static func find(_ path: String) throws(MediaError) -> LivePhoto? {
        let file: PhotoFile
        do throws(IOFailure) {
            file = try PhotoFile(path)
        } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
        defer { file.io.close() }
        switch file.kind {
        case .jpeg, .heif:
            if let live = try file.embedded() { return live }
            return try half(of: file)
        case .movie:
            let movie = try Asset.load(path)
            guard movie.contentIdentifier != nil else { return nil }
            return try pair(photo: sibling(of: movie), movie: movie, file.io)
        case .other: return nil
        }
    }

    /// Apple's pair: a photo and the movie with the same content identifier, in either order.
    /// - Throws: `unsupported` for two files that are no pair; as `find`.
    public static func pair(_ first: String, _ second: String) throws(MediaError) -> LivePhoto {
        let isMovieFirst = try identifier(ofPhoto: first) == nil
        let (photo, movie) = isMovieFirst ? (second, first) : (first, second)
        guard let wanted = try identifier(ofPhoto: photo) else {
            throw noPair(first, second, "neither is a photo with a content identifier")
        }
        let asset = try Asset.load(movie)
        guard let found = asset.contentIdentifier else {
            throw noPair(photo, movie, "the movie has no content identifier")
        }
        guard found == wanted else {
            throw noPair(photo, movie, "their content identifiers differ (\(wanted), \(found))")
        }
        return try open(asset) { io throws(MediaError) in
            try pair(photo: photo, movie: asset, io)
        }
    }

    private static func noPair(
        _ photo: String, _ movie: String, _ why: String
    ) -> MediaError {
        MediaError(
            code: .unsupported, subject: photo,
            message: "Cannot join \(photo) and \(movie) to a live photo: \(why).")
    }

    // MARK: Halves

    private static func pair(
        photo: String?, movie: Asset, _ io: any FileIO
    ) throws(MediaError) -> LivePhoto {
        var size: Int64 = 0
        if let photo {
            do throws(IOFailure) {
                let file = try SystemFileIO(opening: photo, writable: false)
                defer { file.close() }
                size = try file.size()
            } catch { throw MediaError(error, attempt: "open \(photo)", subject: photo) }
        }
        return LivePhoto(
            .pair, photo: photo, 0..<size, movie: movie,
            stillTime: try StillImageTime.read(io, name: movie.path))
    }

    /// A photo that names a movie in a file of its own.
    private static func half(of file: PhotoFile) throws(MediaError) -> LivePhoto? {
        guard let identifier = try file.contentIdentifier() else { return nil }
        let candidates = Neighbours.of(file.path, endings: ["mov", "mp4"])
        var others: [String] = []
        for candidate in candidates {
            let movie = try Asset.load(candidate)
            guard let found = movie.contentIdentifier else { continue }
            guard found == identifier else {
                others.append(candidate)
                continue
            }
            return try open(movie) { io throws(MediaError) in
                try pair(photo: file.path, movie: movie, io)
            }
        }
        // a movie that names no photo says nothing of this one: it is as if a film had never been there
        guard candidates.isEmpty || !others.isEmpty else { return nil }
        let other = others.first.map {
            "\($0) beside it has another content identifier"
        }
        throw MediaError(
            code: other == nil ? .noSuchFile : .unsupported, subject: file.path,
            message: "Cannot find the movie of the live photo \(file.path): "
                + (other ?? "there is no movie (.mov) of the same name beside it")
                + "; put the two together, or ask for the photo alone.")
    }

    /// The photo beside a pair's movie; one that is damaged or of another pair is none.
    private static func sibling(of movie: Asset) -> String? {
        Neighbours.of(movie.path, endings: ["heic", "heif", "jpg", "jpeg"]).first {
            (try? identifier(ofPhoto: $0)) == movie.contentIdentifier
        }
    }

    private static func identifier(ofPhoto path: String) throws(MediaError) -> String? {
        do throws(IOFailure) {
            let file = try PhotoFile(path)
            defer { file.io.close() }
            guard file.kind == .jpeg || file.kind == .heif else { return nil }
            do throws(MediaError) { return try file.contentIdentifier() } catch { return nil }
        } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
    }

    private static func open(
        _ movie: Asset, _ body: (any FileIO) throws(MediaError) -> LivePhoto
    ) throws(MediaError) -> LivePhoto {
        let io = try movie.openFile()
        defer { io.close() }
        return try body(io)
    }
}

extension Asset {
    /// What an Apple pair shares.
    var contentIdentifier: String? { metadata.values[MetadataKey.contentIdentifier] }
}
