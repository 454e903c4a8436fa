internal import Media

/// What a writer knows of one track while samples come in. Guarded by the writer's lock.
struct TrackInput: Sendable {
    /// How the track's samples become coded ones.
    enum Coding: Sendable {
        case video(VideoOutputSettings, VideoFormat)
        case audio(AudioOutputSettings, AudioFormat)
        case passThrough(FormatDescription)

        var source: FormatDescription {
            switch self {
            case .video(_, let format): .video(format)
            case .audio(_, let format): .audio(format)
            case .passThrough(let format): format
            }
        }
    }

    let coding: Coding
    let name: String?
    let language: String?
    /// Ticks per second of the track (1/s).
    let timescale: Int32
    let queue: SampleQueue
    /// Whether the container can hide a part of what it holds.
    let hidesSamples: Bool
    /// Whether samples are appended of what is there already, and not of what is captured.
    private let isOffline: Bool
    var counts: AssetWriterStatus.Track
    /// Where the track's last sample ends, as well as is known (movie time, ns).
    private(set) var end: Int64 = 0
    private(set) var isFinished = false
    /// The largest sample that came, to begin with a raw frame of the format agreed (bytes).
    private(set) var largestSample: Int
    private var ticks: TickSequence
    /// A sync sample was dropped: the next frame takes its part.
    private var owesSync = false
    /// A coded frame was dropped: those that need it are dropped too.
    private var awaitsSync = false
    private var packetShift: Int64 = 0
    private var packetEnd: Int64?
    private var lastTime: Int64?
    /// When the last sample of metadata stops holding (source time, ns); nil: it holds on.
    private var holdsUntil: Int64?
    /// Whether it had begun before the movie did, or in a pause.
    private var isDelayed = false

    init(
        coding: Coding, name: String?, language: String? = nil, queueBytes: Int,
        videoTimescale: Int32, hidesSamples: Bool = false, isOffline: Bool = false
    ) {
        self.isOffline = isOffline
        self.coding = coding
        self.hidesSamples = hidesSamples
        self.name = name
        self.language = language
        timescale = coding.source.audio.map { Int32($0.sampleRate) } ?? videoTimescale
        queue = SampleQueue(capacity: queueBytes)
        counts = AssetWriterStatus.Track(mediaType: coding.source.mediaType)
        ticks = TickSequence(timescale: timescale)
        largestSample = coding.source.video?.rawBytes ?? 0
    }

    /// The queue the track needs in the gate.
    func queueKind<Element>(of: Element.Type) -> SessionGate<Element>.TrackKind {
        switch coding {
        case .video: return .video(needsSync: false)
        case .audio(_, let format): return .audio(rate: format.sampleRate)
        case .passThrough(.video(let format)):
            let isIntra: Set<VideoCodec> = [.mjpeg, .ffv1, .prores, .png, .rawvideo]
            let needsSync = format.codec.map { !isIntra.contains($0) } ?? false
            return .video(
                needsSync: needsSync,
                hidden: hidesSamples && (needsSync || isOffline)
                    ? .groups(limit: Self.hiddenLimit) : .none,
                isCutInside: hidesSamples)
        case .passThrough(.text): return .video(needsSync: false)
        case .passThrough(.metadata): return .metadata
        case .passThrough(.audio(let format)):
            return .packets(
                duration: nominalLength(of: format), hidden: .packets(packetLead(format)),
                isCutInside: hidesSamples)
        }
    }

    /// Most bytes of frames from before the session's start (bytes).
    private static let hiddenLimit = 256 << 20

    private func nominalLength(of format: AudioFormat) -> Int64 {
        TickSequence.ticks(
            Int64(format.framesPerPacket ?? 0), from: Int64(format.sampleRate), to: 1_000_000_000)
    }

    /// How much audio before the start is passed on, for decoders to come out right from it on (ns): what an encoder
    /// put in front has a place in every container.
    private func packetLead(_ format: AudioFormat) -> Int64 {
        let priming = format.primingFrames
        let frames = hidesSamples && format.needsLead ? max(4096, priming) : priming
        // a frame more, because stamps are rounded
        return frames == 0
            ? 0
            : TickSequence.ticks(
                Int64(frames) + 1, from: Int64(format.sampleRate), to: 1_000_000_000)
    }

    /// Whether this is the first sample of copied frames that comes out of order.
    var isFirstDisorder: Bool {
        guard case .passThrough(.video) = coding else { return false }
        return counts.dropped[.outOfOrder] == nil
    }

    /// How long a coded frame or packet lasts (ns; 0: unknown).
    func shownLength(_ sample: SampleBuffer) -> Int64 {
        if case .passThrough(.video) = coding { return sample.duration?.nanoseconds() ?? 0 }
        guard case .passThrough(.audio(let format)) = coding else { return 0 }
        return sample.duration?.nanoseconds() ?? nominalLength(of: format)
    }

    /// Ticks per second of what the encoder makes (1/s).
    var codedTimescale: Int32 {
        guard case .audio(let settings, _) = coding, let rate = settings.sampleRate else {
            return timescale
        }
        return Int32(rate)
    }

    mutating func finish() { isFinished = true }

    mutating func noteAppended(bytes: Int) {
        counts.appended += 1
        largestSample = max(largestSample, bytes)
    }

    // MARK: Placing in the movie

    /// Whether the container, and not the writer, cuts the track where the movie ends.
    var isCutAtEnd: Bool {
        guard case .passThrough(let format) = coding else { return false }
        return hidesSamples && [.video, .audio].contains(format.mediaType)
    }

    /// Whether a frame rounds to the tick of the movie's end (movie times, ns): then it lies at the
    /// end, and not before it.
    func isAtEnd(_ time: Int64, _ end: Int64) -> Bool {
        guard [.video, .metadata].contains(coding.source.mediaType), !isCutAtEnd else {
            return false
        }
        let scale = Int64(timescale)
        return TickSequence.ticks(time, timescale: scale)
            >= TickSequence.ticks(end, timescale: scale)
    }

    /// Stamps a released frame or packet in ticks of the track; `nil` when it would not be after
    /// the one before.
    mutating func place(
        _ released: FrameQueue<SampleBuffer>.Released
    ) -> SampleBuffer? {
        var sample = released.element
        let time = released.movieTime
        let delay =
            sample.decodeTime.map {
                sample.presentationTime.nanoseconds() - $0.nanoseconds()
            } ?? 0
        if case .passThrough(.audio) = coding { return placePacket(sample, released) }
        if case .passThrough(.metadata) = coding { return placeMetadata(released) }
        guard let tick = ticks.next(time - delay) else { return nil }
        let shown = max(tick, TickSequence.ticks(time, timescale: Int64(timescale)))
        sample.presentationTime = MediaTime(value: shown, timescale: timescale)
        sample.decodeTime = shown == tick ? nil : MediaTime(value: tick, timescale: timescale)
        let length = sample.duration?.nanoseconds() ?? lastTime.map { time - $0 } ?? nominalLength
        sample.duration = MediaTime(
            value: max(1, TickSequence.ticks(length, timescale: Int64(timescale))),
            timescale: timescale)
        sample.attachments.isHidden = released.isHidden
        if !released.isHidden { end = max(end, time + length) }
        lastTime = time
        if case .video = coding {
            sample.attachments.forcesSync =
                sample.attachments.forcesSync || released.startsSpan || owesSync
        }
        return sample
    }

    /// When a sample of metadata stops holding (source time, ns; `.max`: with the next one); nil for other samples.
    func stateEnd(of sample: SampleBuffer) -> Int64? {
        guard case .passThrough(.metadata) = coding else { return nil }
        return sample.duration.map {
            sample.presentationTime.nanoseconds() + max(.zero, min($0, Self.longest)).nanoseconds()
        } ?? .max
    }

    private mutating func placeMetadata(
        _ released: FrameQueue<SampleBuffer>.Released
    ) -> SampleBuffer? {
        var sample = released.element
        let time = released.movieTime
        // what was said before the movie continued is said first, in the same tick or not
        let isBehind = isDelayed || released.delay > 0
        let next = ticks.next(time) ?? (isBehind ? ticks.last.flatMap { ticks.take($0 + 1) } : nil)
        guard let tick = next else { return nil }
        isDelayed = released.delay > 0
        let until = stateEnd(of: sample).flatMap { $0 == .max ? nil : $0 }
        let length = until.map {
            max(0, $0 - sample.presentationTime.nanoseconds() - released.delay)
        }
        let stop = length.map { TickSequence.ticks(time + $0, timescale: Int64(timescale)) }
        holdsUntil = until
        sample.presentationTime = MediaTime(value: tick, timescale: timescale)
        sample.decodeTime = nil
        sample.duration = stop.map { MediaTime(value: max(1, $0 - tick), timescale: timescale) }
        end = max(end, time + (length ?? 0))
        return sample
    }

    /// Where the last sample of metadata stops holding before the next one begins, the empty sample that says so:
    /// only now it is known which pauses it spanned.
    /// - Parameter next: when the next one begins, or the movie ends (movie time, ns).
    mutating func endOfMetadata(before next: Int64, _ gate: PauseGate) -> SampleBuffer? {
        guard case .passThrough(.metadata(let format)) = coding, let stop = holdsUntil else {
            return nil
        }
        let scale = Int64(timescale)
        // what holds for less than a tick has one
        let tick = max(
            TickSequence.ticks(gate.movieTime(of: stop), timescale: scale), (ticks.last ?? -1) + 1)
        guard tick < TickSequence.ticks(next, timescale: scale), let tick = ticks.take(tick) else {
            return nil
        }
        holdsUntil = nil
        return .endOfMetadata(at: tick, timescale, format)
    }

    /// Packets cannot be cut: after a resume the first one follows the last one before it.
    private mutating func placePacket(
        _ packet: SampleBuffer, _ released: FrameQueue<SampleBuffer>.Released
    ) -> SampleBuffer? {
        var sample = packet
        let exact = TickSequence.ticks(released.movieTime, timescale: Int64(timescale))
        if released.startsSpan, let packetEnd { packetShift = packetEnd - exact }
        guard let tick = ticks.take(exact + packetShift) else { return nil }
        let length = packet.duration?.ticks(per: timescale, rounding: .nearest) ?? 1
        packetEnd = tick + length
        sample.presentationTime = MediaTime(value: tick, timescale: timescale)
        sample.decodeTime = nil
        sample.duration = MediaTime(value: length, timescale: timescale)
        let shown = tick + length - Int64(packet.attachments.trailingTrim)
        end = max(end, TickSequence.ticks(shown, from: Int64(timescale), to: 1_000_000_000))
        return sample
    }

    /// Cuts, fades and stamps a released run of raw audio.
    mutating func place(_ piece: AudioQueue<SampleBuffer>.Piece) -> SampleBuffer? {
        var sample = piece.element
        guard let format = sample.format.audio, let block = sample.block else { return nil }
        let bytes = format.bytesPerFrame
        let part =
            piece.frames.count * bytes == block.count
            ? block : block.slice(piece.frames.lowerBound * bytes..<piece.frames.upperBound * bytes)
        sample.payload = .audio(piece.fade.apply(to: part, format: format))
        sample.presentationTime = MediaTime(value: piece.position, timescale: timescale)
        sample.duration = MediaTime(value: Int64(piece.frames.count), timescale: timescale)
        end = TickSequence.ticks(
            piece.position + Int64(piece.frames.count), from: Int64(timescale), to: 1_000_000_000)
        return sample
    }

    /// Longer holds no metadata; so that sums fit (seconds).
    private static let longest = MediaTime.seconds(366 * 86_400)

    private var nominalLength: Int64 {
        coding.source.video?.nominalRate?.frameDuration.nanoseconds() ?? 33_333_333
    }

    // MARK: Dropping

    /// Whether a frame must be dropped because one it needs was dropped.
    func mustDrop(_ sample: SampleBuffer) -> Bool { awaitsSync && !sample.isSync }

    mutating func notePushed(_ sample: SampleBuffer) {
        owesSync = false
        awaitsSync = false
    }

    /// A frame that was kept could not be converted.
    mutating func noteLost() {
        counts.kept -= 1
        counts.dropped[.undecodable, default: 0] += 1
    }

    mutating func noteDropped(_ sample: SampleBuffer, cause: SampleDrop.Cause) {
        owesSync = owesSync || sample.attachments.forcesSync
        if case .video(true, _, _) = queueKind(of: SampleBuffer.self) { awaitsSync = true }
        counts.dropped[cause, default: 0] += 1
    }
}

extension AudioFormat {
    /// Whether a packet comes out right only behind others: lossy codecs overlap them.
    fileprivate var needsLead: Bool {
        guard let codec else { return false }
        return !codec.rawValue.hasPrefix("pcm") && ![.flac, .alac].contains(codec)
    }
}

extension VideoFormat {
    /// Bytes of a raw frame in a buffer of our own, whose rows are aligned.
    fileprivate var rawBytes: Int? {
        pixelFormat?.layout.planes.reduce(0) {
            $0 + ($1.bytesPerRow(width: width) + 63) / 64 * 64 * $1.rows(height: height)
        }
    }
}
