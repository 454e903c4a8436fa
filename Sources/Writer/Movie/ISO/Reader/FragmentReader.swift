internal import Media

/// Adds the samples of fragments to tracks.
struct FragmentReader {
    /// One fragment that was read.
    struct Fragment: Sendable, Hashable {
        let offset: Int64
        let sequenceNumber: UInt32
        let checksum: UInt64?
        /// What its `mdat` holds (bytes of the file).
        let data: Range<Int64>
        /// When it begins (movie time).
        var start: MediaTime?
        /// End of the last byte of its samples.
        var dataEnd: Int64
    }

    let defaults: [UInt32: SampleDefaults]
    let fileSize: Int64
    private(set) var fragments: [Fragment] = []
    /// Where the data of the fragment that is being read begins and ends, where its boxes say.
    private var bounds: Range<Int64>?
    /// Where the next sample of a track is, unless its fragment says so.
    private var nextTimes: [UInt32: Int64] = [:]

    init(defaults: [UInt32: SampleDefaults], fileSize: Int64) {
        self.defaults = defaults
        self.fileSize = fileSize
    }

    /// Reads one `moof`. A number that is not above the last one is a copy that was made when the
    /// disk failed: it is skipped.
    /// - Parameters:
    ///   - dataEnd: where its data ends; samples that continue behind it are not there.
    ///   - isCut: whether the end of the file cuts its data.
    /// - Returns: nil where it is skipped.
    @discardableResult
    mutating func read(
        _ box: BoxReader, at offset: Int64, data: Range<Int64>, dataEnd: Int64? = nil,
        isCut: Bool = false, into tracks: inout [MovieTrack], budget: inout Int
    ) throws(MediaError) -> Fragment? {
        var copy = box
        var number: UInt32 = 0
        var checksum: UInt64?
        var parts: [BoxReader] = []
        while var child = try copy.child() {
            switch child.type {
            case "mfhd": number = try FragmentHeaderBox(from: &child).sequenceNumber
            case "traf": parts.append(child)
            case "vsum": checksum = try FragmentChecksumBox(from: &child).checksum
            default: break
            }
        }
        if let last = fragments.last, number != 0, number <= last.sequenceNumber { return nil }
        // what cannot be compared with its checksum is not trusted
        if isCut, checksum != nil { return nil }
        bounds = dataEnd.flatMap { data.lowerBound < $0 ? data.lowerBound..<$0 : nil }
        var fragment = Fragment(
            offset: offset, sequenceNumber: number, checksum: checksum, data: data,
            dataEnd: offset)
        for var part in parts {
            try readPart(&part, &fragment, into: &tracks, budget: &budget)
        }
        fragments.append(fragment)
        return fragment
    }

    private mutating func readPart(
        _ box: inout BoxReader, _ fragment: inout Fragment, into tracks: inout [MovieTrack],
        budget: inout Int
    ) throws(MediaError) {
        var header: TrackFragmentHeaderBox?
        var runs: [TrackRunBox] = []
        var start: UInt64?
        let place = box
        while var child = try box.child() {
            switch child.type {
            case "tfhd": header = try TrackFragmentHeaderBox(from: &child)
            case "tfdt": start = try FragmentDecodeTimeBox(from: &child).time
            case "trun": runs.append(try TrackRunBox(from: &child))
            default: break
            }
        }
        guard let header else { throw place.damaged("tfhd is missing") }
        guard let index = tracks.firstIndex(where: { $0.id == header.trackID }) else { return }
        let track = tracks[index]
        if let start {
            let time = MediaTime(
                value: Int64(start) - track.movieShift, timescale: track.timescale)
            fragment.start = min(fragment.start ?? time, time)
        }
        var time = start.map { Int64($0) } ?? nextTimes[header.trackID] ?? 0
        if let last = tracks[index].samples.indices.last {
            let known = time - tracks[index].samples[last].decodeTime
            // the next sample says how long one lasts
            if known > 0, let duration = UInt32(exactly: known) {
                tracks[index].samples[last].duration = duration
            }
        }
        var base = header.baseIsFragment ? fragment.offset : fragment.dataEnd
        if let explicit = header.baseDataOffset {
            guard let value = Int64(exactly: explicit) else {
                throw place.damaged("the data is at \(explicit)")
            }
            base = value
        }
        var cursor = base
        for run in runs {
            if let offset = run.dataOffset {
                let (sum, overflow) = base.addingReportingOverflow(Int64(offset))
                guard !overflow else { throw place.damaged("the data is nowhere") }
                cursor = sum
            }
            guard run.samples.count <= budget else { throw place.damaged("too many samples") }
            budget -= run.samples.count
            let first = cursor
            let isWhole = try append(
                run, header, place, at: &cursor, time: &time, to: &tracks[index])
            // a run of which nothing is there may begin anywhere
            if isWhole || cursor > first {
                fragment.dataEnd = max(fragment.dataEnd, min(cursor, fileSize))
            }
            guard isWhole else { break }
        }
        nextTimes[header.trackID] = time
    }

    /// - Returns: whether all of the run is there; else nothing of the track follows.
    private func append(
        _ run: TrackRunBox, _ header: TrackFragmentHeaderBox, _ place: BoxReader,
        at cursor: inout Int64, time: inout Int64, to track: inout MovieTrack
    ) throws(MediaError) -> Bool {
        // data may lie before its fragment; what begins in or behind its own `mdat` does not leave it
        let end = bounds.flatMap { cursor >= $0.lowerBound ? $0.upperBound : nil } ?? fileSize
        let standard = defaults[header.trackID] ?? SampleDefaults()
        for (number, sample) in run.samples.enumerated() {
            let size = sample.size ?? header.size ?? standard.size
            let duration = sample.duration ?? header.duration ?? standard.duration
            let first = number == 0 ? run.firstSampleFlags : nil
            let flags = first ?? sample.flags ?? header.flags ?? standard.flags
            guard cursor >= 0, cursor <= Int64.max - Int64(size), time < Int64.max / 4 else {
                throw place.damaged("a sample is at an impossible place or time")
            }
            // cut off: neither it nor what follows is there
            guard cursor + Int64(size) <= end else { return false }
            track.samples.append(
                MovieTrack.Sample(
                    offset: cursor, size: size, decodeTime: time,
                    compositionOffset: sample.compositionOffset ?? 0, duration: duration,
                    isSync: flags & SampleDefaults.nonSyncBit == 0))
            cursor += Int64(size)
            time += Int64(duration)
        }
        return true
    }
}
