internal import Media
internal import Movie

/// The coded samples of a copied track one after the other, with their times in the new one, and the edit
/// list that shows of them what is wanted. Thread-bound.
///
/// A span's samples begin with the sync sample at or before its start and end with the last one that
/// a frame of it needs. What lies outside of the span is cut by the edit list. Where the container has no
/// edit lists a whole track is copied, with the source's own times.
final class SpanSamples: CopiedSamples {
    /// Decoded before the place wanted, so that audio comes out right (frames).
    private static let audioTrackLead: Int64 = 4096

    /// A part of a span that the source's own edit list shows without a break.
    private struct Stretch {
        /// Track time of the source (ticks of the line); nil: nothing is shown.
        let media: Int64?
        let length: Int64
        /// Movie time of the new movie (ticks of `movieScale`).
        let start: Int64
        let end: Int64
    }

    typealias Placed = CopiedSample

    /// Where samples of the stretch being read go.
    private struct Landing {
        let stretch: Stretch
        /// First ticks of the source that the span shows, and the first after.
        let from: Int64
        let to: Int64
        /// What is added to times of the source, in ticks of the new track.
        let shift: Int64
        let firstShown: Int64
    }

    // immutable
    /// Ticks per second of the new track (1/s).
    let timescale: Int32
    /// Ticks per second of `edits` (1/s).
    let movieScale: Int32
    private let first: AssetTrack
    /// Of the frames of all spans.
    private let formats: [VideoFormat]
    private let isAudio: Bool
    /// Whether an edit list will cut what is not wanted.
    let isEdited: Bool

    // owned by the calling thread
    private var spans: ArraySlice<CopiedTrack.Span>
    private var source: (any CodedTrack)?
    private var stretches: ArraySlice<Stretch> = []
    private var landing: Landing?
    private var ready: [Placed] = []
    /// Samples of which it is not known whether a later one needs them.
    private var held: [Placed] = []
    /// Where the next stretch's samples may begin (ticks of the new track): behind everything decoded and
    /// everything shown so far.
    private var decodeEnd: Int64 = 0
    private var shownEnd: Int64 = 0
    /// Decode times of the last sample placed, and of the last that is not held (ticks of the new track).
    private var lastDecode: Int64
    private var lastReady: Int64
    private var hasEnded = false
    /// Samples of which the movie shows something so far (count).
    private(set) var shownCount = 0
    private var parts: [TrackEdits.Span] = []
    /// Format of the samples, once the first source is open.
    private(set) var format: FormatDescription?

    /// - Parameter isEdited: whether the container has edit lists.
    /// - Throws: `unsupported` when the sources' times have no common scale, or a container without edit
    ///   lists cannot show what is wanted.
    init(
        _ track: CopiedTrack, movieScale: Int32, isEdited: Bool = true
    ) throws(MediaError) {
        guard let timescale = track.timescale, let first = track.spans.first else {
            throw MediaError(
                code: .unsupported, subject: track.spans.first?.asset.path ?? "",
                message: "Cannot copy these sources into one track: their times have no common "
                    + "scale; export with another preset.")
        }
        self.timescale = timescale
        self.movieScale = movieScale
        spans = track.spans[...]
        self.first = first.track
        formats = track.spans.compactMap { $0.track.format?.video }
        isAudio = first.track.mediaType == .audio
        self.isEdited = isEdited
        lastDecode = isEdited ? -1 : .min / 4
        lastReady = lastDecode
        try open(first)
        if !isEdited { try enterWhole(first) }
    }

    deinit { source?.close() }

    var containerTrack: ContainerTrack? {
        guard var format else { return nil }
        if case .video(var video) = format {
            video.state(lightOf: formats)
            if formats.contains(where: { $0.fieldOrder != video.fieldOrder }) {
                video.fieldOrder = nil
            }
            format = .video(video)
        }
        var track = ContainerTrack(
            format: format, timescale: timescale, language: first.language, name: first.name)
        track.isEnabled = first.isDefault
        track.isForced = first.isForced
        track.dolbyVision = first.dolbyVision
        return track
    }

    var edits: TrackEdits { TrackEdits(parts, timescale: movieScale) }

    /// The next sample; `nil` at the end.
    func next() throws(MediaError) -> Placed? {
        while ready.isEmpty, !hasEnded {
            if landing != nil {
                try read()
            } else if let stretch = stretches.popFirst() {
                try enter(stretch)
            } else {
                spans = spans.dropFirst()
                if let span = spans.first { try open(span) } else { hasEnded = true }
            }
        }
        return ready.isEmpty ? nil : ready.removeFirst()
    }

    // MARK: Spans

    private func open(_ span: CopiedTrack.Span) throws(MediaError) {
        source?.close()
        var source = try span.asset.open(span.track)
        if isAudio, source.hasCoarseStamps {
            guard let counted = try CountedTrack(source) else {
                source.close()
                throw span.asset.uncopyable(
                    span.track,
                    because: "its audio has times in whole milliseconds, and its packets do not "
                        + "say how long they are")
            }
            source = counted
        }
        source = OrderedTrack.over(source)
        self.source = source
        format = format ?? source.format
        let line = source.line
        let from = line.ticks(span.from)
        let to = from + span.target.duration.ticks(per: line.timescale, rounding: .nearest)
        let (start, end) = (movieTicks(span.target.start), movieTicks(span.target.end))
        if start > (parts.last?.end ?? 0) { show(nil, until: start) }
        var place = start
        var found: [Stretch] = []
        for part in line.spans {
            let (first, last) = (max(from, part.start), min(to, part.end ?? to))
            guard first < last else { continue }
            guard !part.isHeld else {
                throw span.asset.uncopyable(
                    span.track, because: "it holds one frame for a while")
            }
            let until = last == to ? end : start + movieTicks(line.time(last - from))
            found.append(
                Stretch(
                    media: part.mediaTime(at: first), length: last - first, start: place,
                    end: until))
            place = until
        }
        stretches = found[...]
    }

    private func movieTicks(_ time: MediaTime) -> Int64 {
        time.ticks(per: movieScale, rounding: .nearest)
    }

    private func show(_ mediaTime: Int64?, until end: Int64) {
        let start = parts.last?.end ?? 0
        guard end > start else { return }
        parts.append(TrackEdits.Span(start: start, end: end, mediaTime: mediaTime))
    }

    // MARK: Stretches

    /// The one stretch that is shown where there is no edit list; what leads in to its audio is priming.
    private func enterWhole(_ span: CopiedTrack.Span) throws(MediaError) {
        let shown = stretches.filter { $0.media != nil }
        guard spans.count == 1, shown.count == 1, let stretch = shown.first else {
            throw span.asset.uncopyable(
                span.track, because: "it shows parts, which only mp4 and mov can say")
        }
        stretches = []
        try enter(stretch)
        guard let landing else { return }
        let lead = landing.from - landing.firstShown
        if case .audio(var audio) = format {
            let frames = MediaTime(value: max(0, lead), timescale: timescale).ticks(
                per: Int32(audio.sampleRate), rounding: .nearest)
            guard stretch.media == 0 || audio.hasPriming(frames) else {
                throw span.asset.uncopyable(
                    span.track,
                    because: "audio before its beginning is hidden, which only mp4 and mov can say"
                )
            }
            audio.primingFrames = Int(frames)
            format = .audio(audio)
        } else if lead > 0 {
            throw span.asset.uncopyable(
                span.track,
                because: "frames before its beginning are hidden, which only mp4 and mov can say"
            )
        }
    }

    private func enter(_ stretch: Stretch) throws(MediaError) {
        guard let source, let media = stretch.media else {
            return show(nil, until: stretch.end)
        }
        var lead: Int64 = 0
        if isAudio, let audio = source.format.audio, audio.codec?.needsLead ?? true {
            lead = source.line.ticks(
                MediaTime(value: Self.audioTrackLead, timescale: Int32(audio.sampleRate)))
        }
        _ = try source.seek(to: media - lead)
        guard let first = try source.next() else { return show(nil, until: stretch.end) }
        guard lastReady < 0 || HEVCSplice.isPossible(at: first) else {
            let path = spans.first?.asset.path ?? ""
            throw MediaError(
                code: .unsupported, subject: path,
                message:
                    "Cannot copy \(path) from \(first.presentationTime.approximateSeconds) s on: its "
                    + "HEVC frames continue there from those before, which are others now; choose "
                    + "another preset.")
        }
        let decode = own(first.decodeTime ?? first.presentationTime)
        let shown = own(first.presentationTime)
        lastDecode = lastReady
        // a span may begin between two ticks of its track
        let from = own(source.line.time(media))
        let begin = max(decodeEnd, shownEnd - (shown - decode))
        let place = own(MediaTime(value: stretch.start, timescale: movieScale))
        let shift = isEdited ? begin - decode : place - from
        let late = max(0, shown - from)
        let lateEnd = stretch.start + movieTicks(MediaTime(value: late, timescale: timescale))
        if late > 0 { show(nil, until: min(lateEnd, stretch.end)) }
        show(max(from, shown) + shift, until: stretch.end)
        landing = Landing(
            stretch: stretch, from: from, to: own(source.line.time(media + stretch.length)),
            shift: shift, firstShown: shown)
        try take(first)
    }

    /// A time of the source in ticks of the new track.
    private func own(_ time: MediaTime) -> Int64 { time.ticks(per: timescale, rounding: .nearest) }

    private func read() throws(MediaError) {
        guard let landing, let source else { return }
        guard let sample = try source.next(), !isBehind(sample, landing) else {
            self.landing = nil
            held = []
            return
        }
        try take(sample)
    }

    /// Whether no sample from here on can be wanted: nothing is shown before it is decoded.
    private func isBehind(_ sample: SampleBuffer, _ landing: Landing) -> Bool {
        own(sample.decodeTime ?? sample.presentationTime) >= landing.to
    }

    /// AAC of MPEG-TS that continues in another form keeps the headers that say so.
    private func refuseOtherForm(_ sample: SampleBuffer) throws(MediaError) {
        guard isAudio, source?.format.audio?.codec == .aac, let block = sample.block,
            source?.format.audio?.codecConfiguration.isEmpty == false,
            block.withUnsafeBytes({ $0.count > 7 && $0[0] == 0xFF && $0[1] & 0xF6 == 0xF0 })
        else { return }
        let path = spans.first?.asset.path ?? ""
        throw MediaError(
            code: .unsupported, subject: path,
            message: "Cannot copy the audio of \(path) from "
                + "\(sample.presentationTime.approximateSeconds) s on: it continues with other rates or "
                + "channels there; encode it, such as with --audio-codec aac.")
    }

    private func take(_ sample: SampleBuffer) throws(MediaError) {
        guard let landing else { return }
        try refuseOtherForm(sample)
        let shown = own(sample.presentationTime)
        // shown before the sync sample: of the group before, which is not there
        guard isAudio || shown >= landing.firstShown else { return }
        held.append(placed(sample, landing))
        guard shown < landing.to else { return }
        if shown + max(1, length(of: sample)) > landing.from { shownCount += 1 }
        for placed in held {
            let (shown, decode) = (placed.sample.presentationTime, placed.sample.decodeTime)
            let length = placed.sample.duration?.value ?? 1
            lastReady = (decode ?? shown).value
            decodeEnd = max(decodeEnd, lastReady + length)
            shownEnd = max(shownEnd, shown.value + length)
        }
        ready += held
        held = []
    }

    private func placed(_ sample: SampleBuffer, _ landing: Landing) -> Placed {
        var sample = sample
        func moved(_ time: MediaTime) -> MediaTime {
            MediaTime(value: own(time) + landing.shift, timescale: timescale)
        }
        let stamp = sample.decodeTime ?? sample.presentationTime
        let decode = own(stamp)
        // two instants of a source may be one tick here
        lastDecode = max(decode + landing.shift, lastDecode + 1)
        let over = own(sample.presentationTime) + decodedLength(of: sample) - landing.to
        // what only leads in to a span belongs to its beginning, but for a whole track, whose
        // frames are decoded before the movie begins
        let into = MediaTime(
            value: isEdited || isAudio ? max(0, decode - landing.from) : decode - landing.from,
            timescale: timescale)
        sample.presentationTime = moved(sample.presentationTime)
        sample.decodeTime =
            lastDecode == sample.presentationTime.value
            ? nil : MediaTime(value: lastDecode, timescale: timescale)
        sample.duration = sample.duration?.scaled(to: timescale, rounding: .nearest)
        if !isAudio, !isEdited, over > 0 {
            // no edit list will end the frame shown last where the source's does
            sample.duration = MediaTime(
                value: max(1, length(of: sample) - over), timescale: timescale)
        }
        sample.attachments = SampleAttachments()
        if isAudio, !isEdited, over > 0, let rate = format?.audio?.sampleRate {
            sample.attachments.trailingTrim = Int(
                MediaTime(value: over, timescale: timescale).ticks(
                    per: Int32(rate), rounding: .nearest))
        }
        return Placed(sample: sample, time: landing.stretch.start + movieTicks(into))
    }

    /// How much a decoder makes of a sample (ticks of the new track): of a packet of audio all that it holds,
    /// though MP4 says of the last one how much of it is heard.
    private func decodedLength(of sample: SampleBuffer) -> Int64 {
        guard isAudio, !isEdited, let audio = format?.audio, let frames = audio.framesPerPacket,
            audio.codec == .aac || audio.codec == .opus
        else { return length(of: sample) }
        let whole = MediaTime(value: Int64(frames), timescale: Int32(audio.sampleRate))
        return max(length(of: sample), own(whole))
    }

    /// In ticks of the new track.
    private func length(of sample: SampleBuffer) -> Int64 { sample.duration.map(own) ?? 0 }
}

extension Asset {
    fileprivate func uncopyable(_ track: AssetTrack, because reason: String) -> MediaError {
        MediaError(
            code: .unsupported, subject: path,
            message: "Cannot copy the samples of track \(track.id) of \(path): \(reason).")
    }
}

extension AudioFormat {
    /// Whether so much at the beginning is what a coder puts there, and no audio that an edit list hides.
    fileprivate func hasPriming(_ frames: Int64) -> Bool {
        let usual: [Int64]
        switch codec {
        case .aac, .aacLATM: usual = [1024, 2048, 2112]
        case .mp3: usual = [529, 576, 1105, 1152]
        case .mp2: usual = [481]
        case .ac3, .eac3: usual = [256]
        default: usual = []
        }
        // stamps may have been whole milliseconds once
        let tick = Int64(sampleRate / 1000 + 1)
        return frames <= tick
            || (usual + [Int64(primingFrames)]).contains { abs($0 - frames) <= tick }
    }
}

extension AudioCodec {
    /// Whether a packet's audio needs those before it.
    fileprivate var needsLead: Bool { bytesPerPCMSample == nil && self != .flac }
}
