public import Media
internal import Movie

/// A photo with the moment of film it was taken in: in one file, or a pair of two.
public struct LivePhoto: Sendable {
    /// How the two are held together.
    public enum Dialect: String, Sendable, Hashable, CaseIterable {
        /// Google's Motion Photo: a JPEG or HEIC whose XMP lists what follows the photo.
        case motionPhoto = "motion-photo"
        /// Its predecessor: XMP says how far from the file's end the movie begins.
        case microVideo = "micro-video"
        /// Samsung's: blocks with names behind the photo.
        case samsung
        /// Apple's: a photo and a movie file with one content identifier.
        case pair
    }

    public let dialect: Dialect
    /// The photo's file; nil for a pair's movie whose photo is not beside it.
    public let photoPath: String?
    /// The part of that file that is the photo alone.
    let photoBytes: Range<Int64>
    /// The film: an asset like any other, wherever its bytes lie.
    public let movie: Asset
    /// When in the movie the photo was taken (movie time; nil = not stated).
    public let stillTime: MediaTime?

    init(
        _ dialect: Dialect, photo: String?, _ photoBytes: Range<Int64>, movie: Asset,
        stillTime: MediaTime?
    ) {
        self.dialect = dialect
        photoPath = photo
        self.photoBytes = photoBytes
        self.movie = movie
        self.stillTime = stillTime.flatMap { $0 >= .zero && $0 < movie.duration ? $0 : nil }
    }

    /// What the moment of the photo is called among the movie's markers.
    public static let markerText = "Photo"

    /// The film with the photo's moment among its markers.
    public var markedMovie: Asset {
        guard let stillTime else { return movie }
        var marked = movie
        marked.markers.append(Asset.Marker(time: stillTime, text: Self.markerText))
        marked.markers.sort { $0.time < $1.time }
        return marked
    }

    /// Largest photo that is taken out (bytes).
    private static let largestPhoto: Int64 = 256 << 20

    /// The photo alone, as the camera wrote it; where it said that a movie follows it says so no more.
    /// - Throws: `noSuchFile`, `ioError`; `unsupported` without a photo or beyond 256 MiB.
    public func photo() throws(MediaError) -> [UInt8] {
        guard let photoPath, Int64(photoBytes.count) <= Self.largestPhoto else {
            throw MediaError(
                code: .unsupported, subject: movie.path,
                message: photoPath == nil
                    ? "Cannot take the photo out of \(movie.path): it is the movie of a pair; its "
                        + "photo is not beside it."
                    : "Cannot take the photo out of \(movie.path): it is larger than 256 MiB.")
        }
        return try Self.photo(photoPath, photoBytes, isAlone: dialect == .pair)
    }

    /// The photo alone of a file, whatever became of its film: it may be missing, cut off or another photo's. Blocks.
    /// - Returns: nil for a file that is no photo and no film of one, and for a photo that says nothing of a film.
    /// - Throws: as `find` for what is no photo, and `photo()`.
    public static func photo(of path: String) throws(MediaError) -> [UInt8]? {
        do throws(MediaError) {
            if let live = try find(path) { return try live.photo() }
        } catch {
            guard let photo = try alone(path) else { throw error }
            return photo
        }
        return try alone(path)
    }

    private static func alone(_ path: String) throws(MediaError) -> [UInt8]? {
        let file: PhotoFile
        do throws(IOFailure) { file = try PhotoFile(path) } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
        defer { file.io.close() }
        guard file.kind == .jpeg || file.kind == .heif, let bytes = try file.photoAlone(),
            bytes.count <= largestPhoto
        else { return nil }
        return try photo(path, bytes, isAlone: false)
    }

    /// - Parameter isAlone: whether the photo promises no movie behind it.
    private static func photo(
        _ path: String, _ place: Range<Int64>, isAlone: Bool
    ) throws(MediaError) -> [UInt8] {
        var bytes: [UInt8]
        do throws(IOFailure) {
            let io = try SystemFileIO(opening: path, writable: false)
            defer { io.close() }
            bytes = try io.readAll(place.count, at: place.lowerBound)
        } catch { throw MediaError(error, attempt: "read \(path)", subject: path) }
        if !isAlone { denyMovie(in: &bytes) }
        return bytes
    }

    /// Sets the properties that promise a movie from 1 to 0, in place: nothing moves.
    private static func denyMovie(in photo: inout [UInt8]) {
        for property in ["MotionPhoto", "MicroVideo"] {
            for (before, after) in [("=\"", "\""), ("='", "'"), (">", "<")] {
                let mark = Array(":\(property)\(before)1\(after)".utf8)
                guard photo.count >= mark.count else { continue }
                // properties lie in the photo's beginning
                let last = min(photo.count - mark.count, 1 << 20)
                if let place = (0...last).first(where: {
                    photo[$0] == mark[0] && photo[$0..<($0 + mark.count)].elementsEqual(mark)
                }) {
                    photo[place + mark.count - 1 - after.utf8.count] = 0x30
                }
            }
        }
    }
}
