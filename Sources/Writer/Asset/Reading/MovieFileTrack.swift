internal import LibAV
internal import Media

/// A track of an MP4 or QuickTime file, through our own index.
// because its owner serialises its calls
final class MovieFileTrack: CodedTrack, @unchecked Sendable {
    /// Longest piece of a run of PCM (frames) and largest sample (bytes) read at once.
    private static let pcmPiece: Int64 = 8192
    private static let largestSample: UInt32 = 256 << 20

    // immutable
    let format: FormatDescription
    let line: EditLine
    let hasCoarseStamps = false
    private let path: String
    private let io: any FileIO
    private let samples: [MovieTrack.Sample]
    /// Places of the sync samples in `samples`, in order of their presentation.
    private let syncs: [Int]
    /// Ticks of the line in one of the track's.
    private let scale: Int64
    private let trackTimescale: Int32
    private let layout: PackedUnits

    // owned by the calling thread
    private var position = 0
    private var isOpen = true

    init(_ asset: Asset, _ track: AssetTrack) throws(WriterError) {
        path = asset.path
        io = try asset.openFile()
        do throws(WriterError) {
            let movie = try MovieFile(io: io, name: path)
            guard let found = movie.tracks.first(where: { Int($0.id) == track.id }) else {
                throw asset.unreadable(track, because: "it is not there any more")
            }
            guard let format = found.format else {
                throw asset.unreadable(
                    track, because: "its codec \"\(found.code)\" is none that vcap knows")
            }
            let line = EditLine(
                found.edits, movieTimescale: movie.timescale, trackTimescale: found.timescale)
            guard let line, MovieFileTrack.isWithinReach(found) else {
                throw WriterError(
                    code: .damagedFile, subject: path,
                    message: "Cannot read track \(track.id) of \(path): it claims to last years; "
                        + "the file is damaged.")
            }
            layout = PackedUnits(format)
            self.format = layout.format
            self.line = line
            trackTimescale = found.timescale
            samples = MovieFileTrack.pieces(of: found.samples, format.audio)
            scale = max(1, Int64(line.timescale / found.timescale))
            let all = samples
            syncs = all.indices.filter { all[$0].isSync }
                .sorted { all[$0].presentationTime < all[$1].presentationTime }
        } catch {
            io.close()
            throw error
        }
    }

    deinit { close() }

    func close() {
        if isOpen { io.close() }
        isOpen = false
    }

    private static func isWithinReach(_ track: MovieTrack) -> Bool {
        let most = EditLine.reach.ticks(per: track.timescale, rounding: .down)
        return track.samples.allSatisfy { abs($0.decodeTime) <= most && abs($0.end) <= 2 * most }
    }

    /// Long runs of PCM in pieces.
    private static func pieces(
        of samples: [MovieTrack.Sample], _ format: AudioFormat?
    ) -> [MovieTrack.Sample] {
        guard let format, let width = format.codec?.bytesPerPCMSample else { return samples }
        let bytes = Int64(width * format.channels)
        return samples.flatMap { run -> [MovieTrack.Sample] in
            let frames = Int64(run.size) / bytes
            guard frames > pcmPiece, Int64(run.duration) == frames else { return [run] }
            return stride(from: 0, to: frames, by: Int(pcmPiece)).map { first in
                let count = min(pcmPiece, frames - first)
                var piece = run
                piece.offset += first * bytes
                piece.size = UInt32(count * bytes)
                piece.decodeTime += first
                piece.duration = UInt32(count)
                return piece
            }
        }
    }

    func next() throws(WriterError) -> SampleBuffer? {
        guard isOpen, position < samples.count else { return nil }
        let sample = samples[position]
        position += 1
        guard sample.size <= MovieFileTrack.largestSample else {
            throw damaged("claims \(sample.size) bytes")
        }
        let bytes: [UInt8]
        do throws(IOFailure) {
            bytes = try io.readAll(Int(sample.size), at: sample.offset)
        } catch {
            throw WriterError(error, attempt: "read \(path)", subject: path)
        }
        guard bytes.count == Int(sample.size) else { throw damaged("is cut off") }
        guard let block = layout.withFourByteLengths(BlockBuffer(bytes)) else {
            throw damaged("is no picture")
        }
        let shown = sample.presentationTime
        return SampleBuffer(
            payload: .coded(block), format: format, presentationTime: time(shown),
            decodeTime: shown == sample.decodeTime ? nil : time(sample.decodeTime),
            duration: sample.duration > 0 ? time(Int64(sample.duration)) : nil,
            isSync: sample.isSync)
    }

    /// A time of the track on the line.
    private func time(_ ticks: Int64) -> MediaTime { line.time(ticks * scale) }

    private func damaged(_ what: String) -> WriterError {
        WriterError(
            code: .damagedFile, subject: path,
            message: "Cannot read on in \(path): sample \(position) \(what); the file is damaged.")
    }

    func seek(to media: Int64) -> Bool {
        position = sync(before: media) ?? 0
        return position == 0
    }

    func syncTime(before media: Int64) -> Int64? {
        sync(before: media).map { samples[$0].presentationTime * scale }
    }

    private func sync(before media: Int64) -> Int? {
        var (low, high) = (0, syncs.count)
        while low < high {
            let middle = (low + high) / 2
            if samples[syncs[middle]].presentationTime * scale <= media {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low > 0 ? syncs[low - 1] : nil
    }
}
