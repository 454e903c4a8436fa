internal import LibAV
internal import Media

/// The decoded frames of a movie's track, around the place asked for last.
final class FrameStream: TrackFrames {
    /// Beyond this a file without an index is searched instead of decoded on (seconds).
    private static let searchDistance: Int64 = 3
    /// Samples in a row that may be unreadable (count).
    private static let attempts = 16
    /// Most decoded frames kept while waiting for a later one (count).
    private static let room = 40

    // immutable
    private let source: any CodedTrack
    private let path: String
    /// The track's number and what it is coded with, for messages.
    private let track: Int
    private let codec: String

    // owned by the calling thread
    private var decoder: VideoDecoder?
    /// Decoded frames in order of presentation; the one on show first.
    private var window: [SampleBuffer] = []
    /// The frame before the window, if the window's first is interlaced and so made of it, too.
    private var before: SampleBuffer?
    /// Where decoding began last, once known; frames before it are not whole (open groups of
    /// frames).
    private var landing: Int64?
    /// The latest time of those that were left out on the way to the one wanted.
    private var skipped = Int64.min
    /// Whether frames on the way may be left out.
    private var skips = true
    /// Whether nothing comes before the window.
    private var isAtBeginning = true
    /// Latest time fed to the decoder.
    private var fed = Int64.min
    private var hasEnded = false
    /// Whether the source was read elsewhere, so that only a jump leads on.
    private var isElsewhere = false
    /// Samples that could not be read or decoded at all (count; those with a time by it), and the times of frames that
    /// were in part.
    private var lostSamples = 0
    private var lostTimes: Set<Int64> = []
    private var damagedTimes: Set<Int64> = []
    private var lastDamage: MediaError?
    /// Samples in a row that could not be read.
    private var unreadable = 0

    /// - Throws: `unsupported`, `damaged-file`, `no-such-file`.
    init(_ asset: Asset, _ track: AssetTrack, threads: Int) throws(MediaError) {
        path = asset.path
        self.track = track.id
        codec = track.format?.video?.codec?.rawValue ?? track.codecTag
        source = try asset.open(track)
        do throws(MediaError) {
            guard let coded = source.format.video else {
                throw asset.unreadable(track, because: "it holds audio and not video")
            }
            do throws(MediaError) {
                decoder = try VideoDecoder(format: coded, threads: threads)
            } catch {
                throw error.of(path, track: track.id)
            }
        } catch {
            source.close()
            throw error
        }
    }

    var damagedSamples: Int { lostSamples + lostTimes.count + damagedTimes.count }

    var previous: SampleBuffer? {
        // what was left out on the way may have been the one
        before.flatMap { skipped > $0.presentationTime.value ? nil : $0 }
    }

    /// How track time lies on the movie's.
    var line: EditLine { source.line }

    func close() {
        decoder = nil
        (window, before) = ([], nil)
        source.close()
    }

    /// The last frame at or before a time, and when the next one comes.
    func picture(at media: Int64) throws(MediaError) -> (sample: SampleBuffer, end: Int64?) {
        if needsJump(to: media) { try jump(to: media) }
        try decode(past: media)
        if let shown = window.last(where: { $0.presentationTime.value <= media }),
            skipped > shown.presentationTime.value
        {
            // one that shows for longer than it says was left out
            skips = false
            defer { skips = true }
            try jump(to: media)
            try decode(past: media)
        }
        // nothing of this group of pictures can be shown: the group before, at last the beginning
        for target in [landing.map { $0 - 1 }, Int64.min / 4] {
            let isThere = window.first.map { $0.presentationTime.value <= media } ?? false
            guard !isThere, !isAtBeginning else { break }
            try jump(to: target ?? .min / 4)
            try decode(past: media)
        }
        if let index = window.lastIndex(where: { $0.presentationTime.value <= media }), index > 0 {
            drop(index)
        }
        guard let sample = window.first else { throw nothingToShow }
        let begin = sample.presentationTime.value
        let next = window.count > 1 ? window[1].presentationTime.value : nil
        return (sample, next ?? sample.duration.map { begin + $0.value })
    }

    func syncTimes(
        around media: Int64, within limits: SyncLimits
    ) throws(MediaError) -> (before: Int64?, after: Int64?) {
        isElsewhere = true
        let found = try source.syncTimes(around: media, within: limits)
        isElsewhere = found.hasMoved
        return (found.before, found.after)
    }

    private var nothingToShow: MediaError {
        MediaError(
            code: .damagedFile, function: lastDamage?.function ?? "", subject: path,
            message: lastDamage?.message
                ?? "Cannot show a frame of track \(track) of \(path): none of its \(codec) samples "
                + "can be decoded.")
    }

    private func needsJump(to media: Int64) -> Bool {
        if isElsewhere { return true }
        guard let first = window.first?.presentationTime.value else {
            return fed > .min || media > 0
        }
        guard first <= media else { return !isAtBeginning }
        guard !hasEnded, let last = window.last?.presentationTime.value, last < media else {
            return false
        }
        let reached = max(fed, last)
        let second = Int64(source.line.timescale)
        // where every frame is a sync sample, decoding on is cheaper than beginning again
        if let sync = source.syncTime(before: media) { return sync > reached + second / 2 }
        return media - reached > FrameStream.searchDistance * second
    }

    private func jump(to media: Int64) throws(MediaError) {
        isAtBeginning = try source.seek(to: media)
        isElsewhere = false
        decoder?.reset()
        (window, before) = ([], nil)
        fed = .min
        hasEnded = false
        unreadable = 0
        landing = nil
        skipped = .min
    }

    /// Decodes until a frame after the time is there, or the end.
    private func decode(past media: Int64) throws(MediaError) {
        while !hasEnded, window.last.map({ $0.presentationTime.value <= media }) ?? true {
            // of what lies before the time only the last can be wanted; the decoder needs the memory
            while window.count > 1, window[1].presentationTime.value <= media { drop(1) }
            try step(to: media)
        }
    }

    private func drop(_ count: Int) {
        let isInterlaced = window.count > count && window[count].attachments.fieldOrder != nil
        before = isInterlaced ? window[count - 1] : nil
        window.removeFirst(count)
        isAtBeginning = false
    }

    private func step(to media: Int64) throws(MediaError) {
        guard let decoder else {
            hasEnded = true
            return
        }
        let sample: SampleBuffer?
        do throws(MediaError) { sample = try source.next() } catch {
            guard error.code == .damagedFile, unreadable < FrameStream.attempts else {
                throw error
            }
            unreadable += 1
            return note(error)
        }
        guard let sample else { return try drain(decoder) }
        unreadable = 0
        landing = landing ?? sample.presentationTime.value
        fed = max(fed, sample.presentationTime.value)
        let isSkippable = skips && isOnTheWay(sample, to: media)
        if isSkippable {
            skipped = max(skipped, sample.presentationTime.value)
            isAtBeginning = false
        }
        do throws(MediaError) {
            take(try decoder.decode(sample, isSkippable: isSkippable))
        } catch {
            guard error.code == .damagedFile else { throw failure(error) }
            lostTimes.insert(sample.presentationTime.value)
            lastDamage = failure(error)
        }
    }

    /// Whether a frame between this one and the time can be expected. What nothing refers to is then not decoded;
    /// `picture(at:)` looks whether that was right.
    private func isOnTheWay(_ sample: SampleBuffer, to media: Int64) -> Bool {
        guard !sample.isSync, let duration = sample.duration?.value, duration > 0 else {
            return false
        }
        return sample.presentationTime.value < media - 2 * duration
    }

    private func drain(_ decoder: VideoDecoder) throws(MediaError) {
        hasEnded = true
        for _ in 0..<FrameStream.room {
            do throws(MediaError) {
                take(try decoder.finish())
                return
            } catch {
                guard error.code == .damagedFile else { throw failure(error) }
                note(failure(error))
            }
        }
    }

    private func failure(_ error: MediaError) -> MediaError {
        error.of(path, track: track)
    }

    private func note(_ error: MediaError) {
        lostSamples += 1
        lastDamage = error
    }

    private func take(_ frames: [SampleBuffer]) {
        for frame in frames {
            let time = frame.presentationTime.value
            if let landing, time < landing { continue }
            // a frame may be decoded again after a jump
            if frame.attachments.isDamaged { damagedTimes.insert(time) }
            let place = window.lastIndex { $0.presentationTime.value <= time }.map { $0 + 1 } ?? 0
            window.insert(frame, at: place)
        }
    }
}
