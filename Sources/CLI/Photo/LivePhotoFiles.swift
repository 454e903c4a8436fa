import Capture
import Compose
import Foundation
import Media
import Movie
import Recording

/// The files of a live photo, and how they come to the disk: the photo at once, so that it is there whatever becomes of
/// its movie; then the movie. Blocks.
struct LivePhotoFiles: Sendable {
    let form: LivePhotoForm
    /// The photo: Google's one file, or the photo of Apple's pair.
    let path: String
    private let stem: String

    init(_ form: LivePhotoForm, path: String) {
        self.form = form
        self.path = path
        let ending = OutputPath.ending(of: path)
        stem = String(path.dropLast(ending.isEmpty ? 0 : ending.utf8.count + 1))
    }

    /// The movie of Apple's pair; `nil` without one.
    var moviePath: String? { form == .google ? nil : stem + ".mov" }
    /// Google's one file beside a pair; `nil` without a pair.
    var besidePath: String? { form == .both ? stem + ".MP.jpg" : nil }
    /// All files, the photo first.
    var paths: [String] { [path, moviePath, besidePath].compactMap { $0 } }

    /// A photo whose movie is still to come.
    struct Still: Sendable {
        let bytes: [UInt8]
        /// What a movie is put behind; `nil` where it becomes a file of its own alone.
        fileprivate let jpeg: [UInt8]?
        /// As it lies between the two.
        fileprivate let depth: DepthData?
        /// `nil` for one that has no pair.
        let identifier: String?
        fileprivate let identity: FileIdentity?
    }

    private static let software = "vcap \(Verbs.versionNumber)"

    /// Writes the photo alone.
    /// - Parameter overwrites: whether a file of its name is replaced.
    func writeStill(
        _ photo: CapturedPhoto, _ quality: PhotoQuality = .balanced, overwrites: Bool
    ) throws(MediaError) -> Still {
        let identifier = form == .google ? nil : UUID().uuidString
        func data(
            _ type: PhotoFileType, hasDepth: Bool = true
        ) throws(MediaError) -> [UInt8] {
            try photo.fileData(
                as: type, quality: quality, software: Self.software,
                contentIdentifier: identifier, embedsDepthData: hasDepth)
        }
        let type = PhotoFileType(path: path) ?? .jpeg
        let bytes = try data(type)
        try TemporaryOutput(path: path, overwrites: overwrites).write(bytes)
        let isAlone = type == .jpeg && photo.depthData == nil
        let jpeg = form == .apple ? nil : isAlone ? bytes : try data(.jpeg, hasDepth: false)
        return Still(
            bytes: bytes, jpeg: jpeg, depth: try photo.storedDepthData(), identifier: identifier,
            identity: FileIdentity(named: path))
    }

    /// Writes the movie: beside the photo, or behind it in the same file.
    /// - Returns: what all files have (bytes).
    /// - Throws: `ioError` where another program has taken the photo away; one that it has changed is not written over.
    func writeMovie(
        _ movie: LivePhotoMovie, of still: Still, overwrites: Bool
    ) throws(MediaError) -> Int {
        try requirePhoto(still)
        var count = still.bytes.count
        if let moviePath, let identifier = still.identifier {
            let bytes = try movie.fileData(
                contentIdentifier: identifier, software: Self.software)
            try TemporaryOutput(path: moviePath, overwrites: overwrites).write(bytes)
            count += bytes.count
        }
        if let besidePath, let jpeg = still.jpeg {
            let bytes = try movie.motionPhoto(of: jpeg, depth: still.depth, software: Self.software)
            try TemporaryOutput(path: besidePath, overwrites: overwrites).write(bytes)
            count += bytes.count
        }
        if form == .google {
            let bytes = try movie.motionPhoto(
                of: still.jpeg ?? still.bytes, depth: still.depth, software: Self.software)
            // nothing but the photo alone is replaced, which is a part of the new file
            try TemporaryOutput(path: path, replacing: still.identity).write(bytes)
            count = bytes.count
        }
        return count
    }

    private func requirePhoto(_ still: Still) throws(MediaError) {
        let read = SmallFile.read(path, limit: still.bytes.count)
        guard read != .bytes(still.bytes) else { return }
        guard OutputPath.exists(path) else {
            throw MediaError(
                code: .ioError, subject: path, message: "another program has taken it away")
        }
        guard form == .google else {
            return Console.shared.warning(
                "another program has changed the photo \(path) since it was written")
        }
        throw MediaError(
            code: .ioError, subject: path,
            message: "another program has changed it since, and its file is left as it is")
    }

    /// What is said where the photo was written and a file with its movie was not.
    func withoutMovie(_ error: MediaError) -> CommandFailure {
        let known = CommandFailure(error, while: .writing)
        let missing = paths.dropFirst().filter { !OutputPath.exists($0) }
        let sentence =
            if !OutputPath.exists(path) {
                "the photo \(path) is gone, and its movie is not written"
            } else if let beside = besidePath, missing == [beside] {
                "the photo \(path) is there without \(beside)"
            } else { "the photo \(path) is there without its movie" }
        return CommandFailure(known.code, "\(sentence): \(known.message)")
    }

    /// Says what a movie lacks, in one line.
    func warn(of movie: LivePhotoMovie) {
        let lacks = Self.shortcomings(of: movie)
        if !lacks.isEmpty {
            Console.shared.warning("the movie of \(path) " + lacks.joined(separator: "; it "))
        }
    }

    /// What a movie lacks, a verb each; what is missing of it once.
    static func shortcomings(of movie: LivePhotoMovie) -> [String] {
        func seconds(_ time: MediaTime) -> String {
            "\(Amounts.decimal(time.approximateSeconds, 2)) s"
        }
        var lacks: [String] = []
        let most = MediaTime.milliseconds(100)
        if movie.missingBefore > most || movie.missingAfter > most {
            lacks.append(
                "shows \(seconds(movie.stillTime)) before and "
                    + "\(seconds(movie.duration - movie.stillTime)) after the photo instead of 1.5 s each: "
                    + "there was no more")
        }
        if movie.lostFrames > 0 {
            lacks.append(
                "lacks \(Amounts.count(movie.lostFrames, "frame")): the machine or the camera was too slow"
            )
        }
        if movie.missingAudio > .zero {
            lacks.append(
                "is silent for \(seconds(movie.missingAudio)): the microphone delivered nothing")
        }
        return lacks
    }
}

/// A live photo's movie that is waited for by a thread of one's own. Thread-safe.
final class AwaitedMovie: Sendable {
    private let result = BlockingLock<Result<LivePhotoMovie, MediaError>?>(nil)

    /// Asks for the movie around a photo, at once.
    init(of photo: CapturedPhoto, from recorder: LivePhotoRecorder) {
        recorder.captureMovie(around: photo.presentationTime) { [result] movie in
            result.withLock { $0 = movie }
        }
    }

    /// Blocks until it is there.
    func wait() throws(MediaError) -> LivePhotoMovie { try result.wait { $0 }.get() }
}
