package import LibAV
package import Media

/// The coded frames of a track without their bytes: in which order they are decoded and shown, and where
/// decoding can begin. A value.
package struct CodedIndex: Sendable {
    /// One coded frame.
    package struct Frame: Sendable, Hashable {
        /// When it is shown (track time, ticks of the line).
        let shown: Int64
        /// What a sync sample's units say; nil: it is none, or of another codec than H.264 and HEVC.
        package let entry: CodedEntry?
    }

    /// In decode order.
    package let frames: [Frame]
    /// How many frames are shown before each one (in decode order).
    package let ranks: [Int]
    /// The same the other way: which one is shown first, second, …
    package let places: [Int]
    private let line: EditLine

    /// - Returns: nil where two frames are shown at one time.
    init?(_ frames: [Frame], on line: EditLine) {
        let places = frames.indices.sorted { frames[$0].shown < frames[$1].shown }
        for (one, next) in zip(places, places.dropFirst())
        where frames[one].shown == frames[next].shown { return nil }
        var ranks = Array(repeating: 0, count: frames.count)
        for (rank, place) in places.enumerated() { ranks[place] = rank }
        (self.frames, self.ranks, self.places, self.line) = (frames, ranks, places, line)
    }

    /// Which frame is on show at a movie time, as `FrameCursor` has it: by how many are shown before it.
    /// - Returns: nil where an edit list shows nothing, or holds one.
    package func rank(at time: MediaTime) -> Int? {
        let ticks = line.ticks(time)
        guard let place = line.place(at: ticks), place.span.contains(ticks), !place.span.isHeld
        else { return nil }
        let low = count { $0 <= place.media }
        return low > 0 ? low - 1 : nil
    }

    /// Which sample is shown at a time.
    /// - Parameter shown: track time (ticks of the line).
    func place(shownAt shown: Int64) -> Int? {
        let rank = count { $0 < shown }
        guard rank < places.count, frames[places[rank]].shown == shown else { return nil }
        return places[rank]
    }

    /// How many frames are shown first, as long as something holds of when (track time, ticks of the line).
    private func count(while holds: (Int64) -> Bool) -> Int {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if holds(frames[places[middle]].shown) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// When a frame is shown first, as far as the edit list says (movie time).
    package func time(ofRank rank: Int) -> MediaTime {
        let shown = frames[places[rank]].shown
        let span = line.spans.last { $0.media.map { $0 <= shown } ?? false && !$0.isHeld }
        return line.time(span?.movieTime(of: shown) ?? shown)
    }
}

extension Asset {
    /// Of MP4 and QuickTime the file's index is read and the beginnings of sync samples, of others every sample; blocks.
    /// - Returns: nil where times do not put the frames in order.
    /// - Throws: as reading does.
    package func codedIndex(of track: AssetTrack) throws(MediaError) -> CodedIndex? {
        let source = try open(track)
        defer { source.close() }
        return CodedIndex(try source.frames(), on: source.line)
    }
}

extension CodedTrack {
    /// Every sample, by reading it.
    func readFrames() throws(MediaError) -> [CodedIndex.Frame] {
        var frames: [CodedIndex.Frame] = []
        while let sample = try next() {
            let codec = sample.format.video?.codec
            let isEntry = sample.isSync && CodedEntry.isKnown(codec)
            frames.append(
                CodedIndex.Frame(
                    shown: sample.presentationTime.value,
                    entry: isEntry ? sample.block.map { CodedEntry($0, of: codec) } : nil))
        }
        return frames
    }
}

/// Coded samples of a track one after the other, from sync samples of its index on. Thread-bound.
package final class CodedReader {
    // immutable
    private let index: CodedIndex
    private let path: String

    // owned by the calling thread
    private let source: any CodedTrack
    private var following: Int?
    /// Was read and not handed out.
    private var waiting: SampleBuffer?
    /// How many frames are shown before those that are wanted.
    private var first = 0
    /// Of the sample that was read last.
    package private(set) var place = 0

    package init(
        _ asset: Asset, _ track: AssetTrack, _ index: CodedIndex
    ) throws(MediaError) {
        self.index = index
        path = asset.path
        source = try asset.open(track)
    }

    deinit { source.close() }

    /// Goes to a sample. What is shown before it is left out from then on.
    /// - Parameters:
    ///   - place: of a sync sample in the index.
    ///   - skipped: samples behind it that are not wanted, of those that are shown after it (count).
    package func seek(to place: Int, skipping skipped: Int = 0) throws(MediaError) {
        let lowest = index.ranks[place]
        var wanted = place
        var left = skipped
        // the nearest sync sample before what is wanted: not all of a long run is read
        var nearest = place
        while left > 0, wanted + 1 < index.frames.count {
            wanted += 1
            if index.ranks[wanted] >= lowest { left -= 1 }
            if index.frames[wanted].entry != nil { nearest = wanted }
        }
        if following != nearest { try go(to: nearest) }
        first = lowest
        for passed in nearest..<wanted where index.ranks[passed] >= lowest { _ = try next() }
    }

    /// The next sample.
    /// - Throws: `damaged-file` where it is not what the index was made of.
    package func next() throws(MediaError) -> SampleBuffer {
        while true {
            if waiting == nil { waiting = try source.next() }
            guard let place = following, let sample = waiting,
                index.frames.indices.contains(place),
                sample.presentationTime.value == index.frames[place].shown
            else { throw changed }
            waiting = nil
            following = place + 1
            guard index.ranks[place] >= first else { continue }
            self.place = place
            return sample
        }
    }

    /// Containers without our own index may lead elsewhere than to the sample that was asked for: before it one reads on,
    /// behind it one asks for an earlier one.
    private func go(to place: Int) throws(MediaError) {
        var asked = place
        while true {
            let isBeginning = try source.seek(to: index.frames[asked].shown)
            waiting = try source.next()
            var found = waiting.flatMap { index.place(shownAt: $0.presentationTime.value) }
            while let at = found, at < place {
                waiting = try source.next()
                let isNext = waiting?.presentationTime.value == index.frames[at + 1].shown
                guard isNext else { throw changed }
                found = at + 1
            }
            if found == place { break }
            guard !isBeginning, asked > 0 else { throw changed }
            asked = index.frames[..<asked].lastIndex { $0.entry != nil } ?? 0
        }
        following = place
    }

    private var changed: MediaError {
        MediaError(
            code: .damagedFile, subject: path,
            message: "\(path) was changed while its frames were copied; make the film again.")
    }
}
