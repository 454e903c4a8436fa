internal import Media

/// One track of a growing movie: what waits for the next fragment, and the index of what is
/// written. Owned by the writing thread.
struct TrackWriter {
    let track: ContainerTrack
    private(set) var header: TrackHeader
    /// Where movie time zero is in the track's time while the file grows (ticks).
    var shift: Int64 = 0
    var index: SampleIndex
    private(set) var pending: [SampleIndex.Sample] = []
    /// Their bytes, one piece a sample, as the encoder made them.
    private var payload: [BlockBuffer] = []
    private(set) var trailingTrim: Int64 = 0
    /// Decode time of a last sample that one fragment has already left for the next.
    private var heldTime: Int64?
    private var lastTime: Int64?
    /// Of metadata: said again where the next sample is farther away than tables can say.
    private var lastMetadata: SampleBuffer?
    /// Most ticks between samples of metadata; tables have 32 bits (6.6 h of 1/90,000 s).
    private static let longestStep: Int64 = 1 << 31
    /// How long before movie time zero a track may begin whose first sample comes when the file has begun (seconds).
    private static let longestLead: Int64 = 3600
    /// When the frame shown last begins, and where it and the one decoded last end (ticks).
    private var lastShown: (start: Int64, end: Int64)?
    private var lastDecodedEnd: Int64?
    /// When its first frame or audio frame is shown (ticks); of what is hidden in front the file has the samples.
    private var shownFrom: Int64?
    /// Nothing is shown from there on (ticks).
    var shownUntil: Int64?

    init(track: ContainerTrack, header: TrackHeader) {
        self.track = track
        self.header = header
        index = SampleIndex(bytesPerFrame: TrackWriter.bytesPerFrame(track.format))
    }

    /// The whole `stsd` box.
    var sampleDescription: [UInt8] {
        get { header.sampleDescription }
        set { header.sampleDescription = newValue }
    }

    static func bytesPerFrame(_ format: FormatDescription?) -> Int {
        guard let audio = format?.audio, let codec = audio.codec, let pcm = PCMCoding(codec)
        else { return 0 }
        return pcm.bits / 8 * audio.channels
    }

    /// What movie time zero will be in track time, as far as can be known before `begin`'s end.
    var initialShift: Int64 {
        if let first = pending.first { return max(0, -first.decodeTime) }
        if track.format.mediaType == .metadata { return 0 }
        let longestLead = track.hasLead ? Self.longestLead * Int64(track.timescale) : 0
        if let audio = track.format.audio { return Int64(audio.primingFrames) + longestLead }
        if longestLead > 0 { return longestLead }
        // a late track's first decode time may be negative by its reordering: leave it a second
        return Int64(track.timescale)
    }

    /// From the first pending sample's decode time to the end of the last (ticks).
    var pendingLength: Int64 {
        guard let first = pending.first, let last = pending.last else { return 0 }
        return last.decodeTime + (needsNext ? 0 : Int64(last.duration)) - first.decodeTime
    }

    /// Whether only the next sample says how long one lasts: frames come when they come.
    private var needsNext: Bool {
        // what holds until the next sample, minutes later maybe, must reach the disk at once
        if track.format.mediaType == .metadata { return false }
        return track.format.mediaType == .video || !lastDurationIsKnown
    }

    private var lastDurationIsKnown = false

    /// - Throws: `invalidState` when times do not increase or are not in the track's ticks.
    mutating func append(_ sample: SampleBuffer, subject: String) throws(MediaError) {
        if track.format.mediaType == .metadata {
            let next = sample.decodeTime ?? sample.presentationTime
            while var bridge = lastMetadata, let lastTime, next.timescale == track.timescale,
                next.value - lastTime > Self.longestStep
            {
                bridge.presentationTime = MediaTime(
                    value: lastTime + Self.longestStep, timescale: track.timescale)
                bridge.duration = nil
                try add(bridge, subject: subject)
            }
            lastMetadata = sample
        }
        try add(sample, subject: subject)
    }

    private mutating func add(_ sample: SampleBuffer, subject: String) throws(MediaError) {
        guard let block = sample.block else {
            throw refuse("a raw frame", subject)
        }
        let decode = sample.decodeTime ?? sample.presentationTime
        let scale = track.timescale
        guard sample.presentationTime.timescale == scale, decode.timescale == scale else {
            throw refuse("a time that is not in ticks of 1/\(scale) s", subject)
        }
        let offset = sample.presentationTime.value - decode.value
        guard let compositionOffset = Int32(exactly: offset), block.count <= UInt32.max else {
            throw refuse("a sample of \(block.count) bytes shown \(offset) ticks late", subject)
        }
        if let lastTime {
            guard decode.value > lastTime, decode.value - lastTime <= Int64(UInt32.max) else {
                throw refuse("decode time \(decode.value) after \(lastTime)", subject)
            }
        }
        lastDurationIsKnown = sample.duration != nil
        pending.append(
            SampleIndex.Sample(
                decodeTime: decode.value, compositionOffset: compositionOffset,
                duration: duration(of: sample, before: decode.value), size: UInt32(block.count),
                isSync: sample.isSync))
        payload.append(block)
        trailingTrim = Int64(sample.attachments.trailingTrim)
        lastTime = decode.value
        noteStart(of: sample)
        if !sample.attachments.isHidden { noteEnd(of: sample) }
    }

    private mutating func noteStart(of sample: SampleBuffer) {
        let time = sample.presentationTime.value
        switch track.format.mediaType {
        case .video:
            guard !sample.attachments.isHidden else { return }
            // one that began before movie time zero is on show there
            shownFrom = min(shownFrom ?? .max, max(0, time))
        case .audio:
            guard shownFrom == nil else { return }
            shownFrom = max(0, time + Int64(sample.attachments.leadingTrim))
        case .text, .metadata: break
        }
    }

    private mutating func noteEnd(of sample: SampleBuffer) {
        let start = sample.presentationTime.value
        let length = sample.duration?.ticks(per: track.timescale, rounding: .nearest)
        lastDecodedEnd = length.map { start + $0 }
        guard start >= lastShown?.start ?? .min else { return }
        lastShown = length.map { (start, start + $0) }
    }

    /// Before the index is written.
    mutating func settleEnd() {
        guard let shown = lastShown?.end, let decoded = lastDecodedEnd else { return }
        index.settle(presentationEnd: max(shown, decoded))
    }

    /// The same of metadata.
    /// - Parameter movieEnd: where what makes the movie's length ends; nil: there is nothing such.
    mutating func settleMetadata(movieEnd: MediaTime?) {
        guard track.format.mediaType == .metadata else { return }
        index.settleOpenEnd(
            movieEnd: movieEnd?.ticks(per: track.timescale, rounding: .nearest))
    }

    /// The sample's own duration, else that of the one before, else a tick; of metadata none.
    private func duration(of sample: SampleBuffer, before time: Int64) -> UInt32 {
        if let duration = sample.duration {
            let ticks = duration.ticks(per: track.timescale, rounding: .nearest)
            return UInt32(clamping: max(0, ticks))
        }
        if track.format.mediaType == .metadata { return 0 }  // it is open
        if let lastTime { return UInt32(clamping: time - lastTime) }
        if let frames = track.format.audio?.framesPerPacket { return UInt32(frames) }
        return 1
    }

    private func refuse(_ what: String, _ subject: String) -> MediaError {
        MediaError(
            code: .invalidState, subject: subject,
            message: "Cannot append \(what) to track \(header.id) of \(subject); samples must be "
                + "coded and in decode order.")
    }

    /// Takes what the next fragment is to hold, with each duration stated by the next sample.
    ///
    /// The last sample of a track whose next one states its duration waits for one fragment, and no
    /// longer: a stalled camera's last frame must reach the disk too.
    mutating func takeFragment(
        everything: Bool
    ) -> (samples: [SampleIndex.Sample], data: [BlockBuffer]) {
        var count = pending.count
        if let last = pending.last, needsNext, !everything, heldTime != last.decodeTime {
            heldTime = last.decodeTime
            count -= 1
        }
        var samples = Array(pending.prefix(count))
        for position in samples.indices where position + 1 < pending.count {
            let next = pending[position + 1].decodeTime
            samples[position].duration = UInt32(next - pending[position].decodeTime)
        }
        pending.removeFirst(count)
        let data = Array(payload.prefix(count))
        payload.removeFirst(count)
        return (samples, data)
    }

    /// What waits (bytes).
    var pendingBytes: Int { payload.reduce(0) { $0 + $1.count } }

    /// Forgets what waits, and answers how many samples that were.
    mutating func dropPending() -> Int {
        defer {
            pending = []
            payload = []
        }
        return pending.count
    }

    var edits: TrackEdits {
        TrackEdits(
            index, timescale: track.timescale, from: shownFrom, until: shownUntil,
            trailingTrim: trailingTrim)
    }

    var summary: ContainerSummary.Track {
        ContainerSummary.Track(
            sampleCount: index.count,
            duration: MediaTime(value: edits.end, timescale: track.timescale), bytes: index.bytes)
    }
}
