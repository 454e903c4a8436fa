internal import Glibc
internal import LibAV
internal import Media

/// A movie that stands for a camera and a microphone.
struct FileClip: Sendable {
    let path: String
    /// Length of one round (seconds; positive).
    let duration: MediaTime
    /// The frames as they are in the file, and their track.
    let video: (track: Int, format: VideoFormat)?
    /// The audio as it is decoded, and its track.
    let audio: (track: Int, format: AudioFormat)?

    /// Opens the movie and looks at what is in it.
    init(path: String) throws(MediaError) {
        self.path = path
        do throws(MediaError) {
            let demuxer = try Demuxer(path: path)
            let frames = demuxer.tracks.first { $0.format.video != nil }
            let sound = demuxer.tracks.first { $0.format.audio != nil }
            video = frames.flatMap { track in track.format.video.map { (track.index, $0) } }
            audio = try sound.flatMap { track throws(MediaError) in
                try Self.decodedFormat(of: track, in: demuxer).map { (track.index, $0) }
            }
            let length = demuxer.duration ?? frames?.duration ?? sound?.duration
            guard let length, length > .zero else {
                throw MediaError(
                    code: .damagedFile, function: "", subject: path,
                    message: "Cannot play \(path) as a camera: it does not say how long it is.")
            }
            duration = .nanoseconds(length.nanoseconds())
        } catch {
            throw Self.failure(error, path)
        }
    }

    /// Most frames looked at (count): where any are reordered, some of the first are.
    private static let lookedAt = 20_000

    /// Whether the frames of a movie are shown in another order than they are coded in.
    static func isReordered(_ path: String) throws(MediaError) -> Bool {
        do throws(MediaError) {
            let demuxer = try Demuxer(path: path)
            guard let track = demuxer.tracks.first(where: { $0.format.video != nil })?.index
            else { return false }
            demuxer.readOnly(track)
            var latest: MediaTime?
            var count = 0
            while count < lookedAt, case .sample(let index, let sample) = try demuxer.next() {
                guard index == track else { continue }
                count += 1
                if let latest, sample.presentationTime < latest { return true }
                latest = sample.presentationTime
            }
            return false
        } catch { throw failure(error, path) }
    }

    /// Endings of files that hold pictures, which are read elsewhere.
    private static let pictures: Set<String> = [
        "jpg", "jpeg", "png", "gif", "webp", "tif", "tiff", "heic", "heif", "avif", "dng",
    ]

    static func failure(_ error: MediaError, _ path: String) -> MediaError {
        let isMissing = [ENOENT, ENOTDIR].contains(error.errno)
        let code: MediaError.Code =
            switch error.code {
            case .noSuchFile: isMissing ? .noSuchFile : .noSuchDevice
            // what a file holds is not the user's word
            case .unsupported, .overLimit: .damagedFile
            default: error.code
            }
        let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
        let isPicture = error.code == .unsupported && pictures.contains(ending)
        return error.describing(
            code: code, subject: "file:\(path)",
            message: isPicture
                ? "Cannot play \(path) as a camera: it is a picture; make a movie of it with vcap convert first."
                : error.message)
    }

    /// Looks at the first frame: a codec may hold light or values of 16 bits.
    /// - Throws: `unsupportedFormat` where its frames cannot be depth.
    func requireDepth() throws(MediaError) {
        do throws(MediaError) {
            guard let video else { return }
            let demuxer = try Demuxer(path: path)
            demuxer.readOnly(video.track)
            let decoder = try VideoDecoder(format: video.format)
            while case .sample(let index, let sample) = try demuxer.next() {
                guard index == video.track, let frame = try decoder.decode(sample).first else {
                    continue
                }
                guard frame.pixelBuffer?.format != .gray16le else { return }
                throw MediaError(
                    code: .unsupportedFormat, subject: path,
                    message:
                        "Cannot take the frames of \(path) for depth: they are no values of 16 "
                        + "bits (gray16le); leave --depth out.")
            }
        } catch { throw Self.failure(error, path) }
    }

    /// Decodes the first audio there is: a decoder states its sample format only then.
    private static func decodedFormat(
        of track: DemuxedTrack, in demuxer: Demuxer
    ) throws(MediaError) -> AudioFormat? {
        guard let coded = track.format.audio else { return nil }
        let decoder = try AudioDecoder(format: coded)
        while case .sample(let index, let sample) = try demuxer.next() {
            guard index == track.index else { continue }
            if let first = try decoder.decode(sample).first { return first.format.audio }
        }
        return nil
    }
}
