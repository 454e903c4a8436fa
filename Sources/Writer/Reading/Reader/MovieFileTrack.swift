internal import LibAV
internal import Media
internal import Movie

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
    let decodeTimes: DecodeTimes
    private let path: String
    private let io: any FileIO
    private let samples: [MovieTrack.Sample]
    /// Places of the sync samples in `samples`, in order of their presentation.
    private let syncs: [Int]
    /// Ticks of the line in one of the track's.
    private let scale: Int64
    private let trackTimescale: Int32
    private let layout: PackedUnits
    /// Whether samples are JSON in the file.
    private let isJSON: Bool
    /// By how much decode times are too late (ticks of the track): negative composition offsets show frames before.
    private let lag: Int64
    /// The frame shown last where decode times do not say how long, and its length (ticks of the line).
    private let last: (place: Int, length: Int64)?

    // owned by the calling thread
    private var position = 0
    /// The answer of `shownTime`, which is asked for of each sample of a span.
    private var lastAsked: (media: Int64, shown: Int64?)?
    private var isOpen = true

    init(_ asset: Asset, _ track: AssetTrack) throws(MediaError) {
        path = asset.path
        io = try asset.openFile()
        do throws(MediaError) {
            let movie = try MovieFile(io: io, name: path, leavesOutDamaged: true)
            guard let found = movie.tracks.first(where: { Int($0.id) == track.id }) else {
                throw asset.unreadable(track, because: "it is not there any more")
            }
            guard let format = found.format else {
                throw asset.unreadable(
                    track, because: found.obstacle ?? track.reasonUnread)
            }
            let line = EditLine(
                found.edits, movieTimescale: movie.timescale, trackTimescale: found.timescale)
            guard let line, MovieFileTrack.isWithinReach(found) else {
                throw MediaError(
                    code: .damagedFile, subject: path,
                    message: "Cannot read track \(track.id) of \(path): it claims to last years; "
                        + "the file is damaged.")
            }
            layout = PackedUnits(format)
            isJSON = found.code == "mett"
            self.format = layout.format
            self.line = line
            trackTimescale = found.timescale
            samples = MovieFileTrack.pieces(of: found.samples, format.audio)
            scale = max(1, Int64(line.timescale / found.timescale))
            let all = samples
            lag = all.reduce(0) { max($0, $1.decodeTime - $1.presentationTime) }
            last = MovieFileTrack.lastFrame(all, line, scale)
            let isFit = format.video == nil || MovieFileTrack.areApart(all, found.timescale)
            decodeTimes = isFit ? .inOrder : .stated
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

    /// Of frames in another order than shown the durations are distances of decode times: how long the one shown last lasts
    /// only the edit list states.
    private static func lastFrame(
        _ samples: [MovieTrack.Sample], _ line: EditLine, _ scale: Int64
    ) -> (place: Int, length: Int64)? {
        guard let first = samples.first,
            samples.contains(where: { $0.compositionOffset != first.compositionOffset }),
            let place = samples.indices.max(by: {
                samples[$0].presentationTime < samples[$1].presentationTime
            })
        else { return nil }
        let ends = line.spans.compactMap { span -> Int64? in
            guard !span.isHeld, let media = span.media, let end = span.end else { return nil }
            return media + end - span.start
        }
        let length = (ends.max() ?? 0) - samples[place].presentationTime * scale
        return length > 0 ? (place, length) : nil
    }

    /// Whether decode times increase by as much as other containers can say.
    private static func areApart(_ samples: [MovieTrack.Sample], _ timescale: Int32) -> Bool {
        let unit = DecodeOrder.unit(timescale)
        return zip(samples, samples.dropFirst()).allSatisfy {
            $1.decodeTime - $0.decodeTime >= unit
        }
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

    func next() throws(MediaError) -> SampleBuffer? {
        guard isOpen, position < samples.count else { return nil }
        let sample = samples[position]
        let known = last.flatMap { $0.place == position ? line.time($0.length) : nil }
        position += 1
        guard sample.size <= MovieFileTrack.largestSample else {
            throw damaged("claims \(sample.size) bytes")
        }
        let bytes: [UInt8]
        do throws(IOFailure) {
            bytes = try io.readAll(Int(sample.size), at: sample.offset)
        } catch {
            throw MediaError(error, attempt: "read \(path)", subject: path)
        }
        guard bytes.count == Int(sample.size) else { throw damaged("is cut off") }
        let block = try block(bytes)
        let (shown, decode) = (sample.presentationTime, sample.decodeTime - lag)
        return SampleBuffer(
            payload: .coded(block), format: format, presentationTime: time(shown),
            decodeTime: shown == decode ? nil : time(decode),
            duration: known ?? (sample.duration > 0 ? time(Int64(sample.duration)) : nil),
            isSync: sample.isSync)
    }

    /// The sample's bytes as samples have them in memory.
    private func block(_ bytes: [UInt8]) throws(MediaError) -> BlockBuffer {
        guard let metadata = format.metadata else {
            guard let block = layout.withFourByteLengths(BlockBuffer(bytes)) else {
                throw damaged("is no frame")
            }
            return block
        }
        let block = isJSON ? MetadataJSON.packed(BlockBuffer(bytes), metadata) : BlockBuffer(bytes)
        guard let block, block.withUnsafeBytes({ MetadataPacking.isSample($0, of: metadata) })
        else { throw damaged("is no metadata") }
        return block
    }

    /// A time of the track on the line.
    private func time(_ ticks: Int64) -> MediaTime { line.time(ticks * scale) }

    private func damaged(_ what: String) -> MediaError {
        MediaError(
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

    func shownTime(at media: Int64) -> Int64? {
        guard media != lastAsked?.media else { return lastAsked?.shown }
        let times = samples.lazy.map { $0.presentationTime * self.scale }
        let shown = times.filter { $0 <= media }.max()
        lastAsked = (media, shown)
        return shown
    }

    func syncTimes(
        around media: Int64, within limits: SyncLimits
    ) -> (before: Int64?, after: Int64?, hasMoved: Bool) {
        let count = syncCount(until: media)
        func time(_ place: Int) -> Int64? {
            syncs.indices.contains(place)
                ? samples[syncs[place]].presentationTime * scale : nil
        }
        return (time(count - 1), time(count), false)
    }

    func frames() throws(MediaError) -> [CodedIndex.Frame] {
        let hasEntries = CodedEntry.isKnown(format.video?.codec)
        var frames: [CodedIndex.Frame] = []
        frames.reserveCapacity(samples.count)
        for sample in samples {
            frames.append(
                CodedIndex.Frame(
                    shown: sample.presentationTime * scale,
                    entry: hasEntries && sample.isSync ? try entry(of: sample) : nil))
        }
        return frames
    }

    /// Only as much is read as it takes.
    private func entry(of sample: MovieTrack.Sample) throws(MediaError) -> CodedEntry {
        try CodedEntry(
            of: format.video?.codec, count: Int64(sample.size), lengthSize: layout.lengthSize
        ) { offset, count throws(MediaError) in
            do throws(IOFailure) {
                return try io.readAll(count, at: sample.offset + offset)
            } catch {
                throw MediaError(error, attempt: "read \(path)", subject: path)
            }
        }
    }

    private func sync(before media: Int64) -> Int? {
        let count = syncCount(until: media)
        return count > 0 ? syncs[count - 1] : nil
    }

    /// Sync samples shown at or before a time (count).
    private func syncCount(until media: Int64) -> Int {
        var (low, high) = (0, syncs.count)
        while low < high {
            let middle = (low + high) / 2
            if samples[syncs[middle]].presentationTime * scale <= media {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
