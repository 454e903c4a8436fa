internal import LibAV
internal import Media

extension Asset {
    /// A movie of another container, through libavformat.
    init(demuxing path: String) throws(MediaError) {
        let outline = try Asset.outline(of: path)
        try outline?.requireBlocks(to: "read")
        let demuxer = try Demuxer(path: path, excluding: outline?.lostBytes ?? [])
        var counts = demuxer.tracks.map { _ in SampleCount() }
        while case .sample(let track, let sample) = try demuxer.next() { counts[track].add(sample) }
        for track in counts.indices { counts[track].finish() }
        let origin = Asset.origin(of: demuxer.tracks, counts)
        let tracks = zip(demuxer.tracks, counts).map {
            AssetTrack($0, $1, origin: origin)
        }.map { track in
            var track = track
            // other containers do not tell
            if outline == nil { track.isDefault = true }
            return track
        }
        let tags = demuxer.timedTags.flatMap { TimedTag.read($0.bytes, at: $0.time) }
        let notes = ((outline?.annotations ?? []) + tags).sorted { $0.time < $1.time }
            .map { $0.moved(back: origin) }
        let chapters = demuxer.chapters.map {
            Marker(time: $0.range.start.since(origin), text: $0.title)
        }
        let own = Asset.markers(notes)
        self.init(
            path: path, container: outline?.docType ?? Asset.container(demuxer),
            state: outline?.isFinished ?? true ? .ordinary : .unfinished,
            duration: tracks.filter { $0.mediaType != .text }.map(\.duration).max() ?? .zero,
            tracks: tracks + Asset.unread(demuxer), pauses: Asset.pauses(notes),
            markers: own.isEmpty ? chapters : own,
            metadata: MovieMetadata(libavEntries: demuxer.metadata, covers: demuxer.covers),
            damagedBytes: outline?.lostBytes.reduce(0) { $0 + Int64($1.count) } ?? 0,
            origin: origin, lostBytes: outline?.lostBytes ?? [])
        attachmentCount = demuxer.attachmentCount
    }

    /// Tracks that nothing here reads, numbered behind the others.
    private static func unread(_ demuxer: Demuxer) -> [AssetTrack] {
        demuxer.unreadTracks.enumerated().map { place, track in
            AssetTrack(
                id: demuxer.tracks.count + place + 1, mediaType: track.mediaType, format: nil,
                codecTag: track.codec, timescale: 1000, duration: .zero, sampleCount: 0,
                syncSampleCount: 0, bytes: 0, edits: [], averageRate: nil, frameDurations: nil,
                language: nil, name: nil, isEnabled: true)
        }
    }

    /// The stamp at which the movie begins: that of whatever is shown first.
    ///
    /// Only some containers tell how much of a coder's first packet is priming; the others move the whole
    /// movie behind it (libavformat does for Matroska and MPEG-TS). So sound that begins earlier than the
    /// pictures by no more than its coders' priming is that, and the movie begins with its pictures.
    private static func origin(of tracks: [DemuxedTrack], _ counts: [SampleCount]) -> MediaTime {
        let first =
            zip(tracks, counts).filter { $0.0.format.mediaType != .text }
            .compactMap(\.1.firstShown).min() ?? .zero
        var origin = first
        let pictures = zip(tracks, counts).filter { $0.0.format.mediaType == .video }
        guard let shown = pictures.compactMap(\.1.firstShown).min() else { return first }
        for case let sound? in tracks.map(\.format.audio) where sound.primingFrames == 0 {
            guard let most = sound.codec.flatMap({ longestPriming[$0] }) else { continue }
            let priming = MediaTime(value: most, timescale: Int32(sound.sampleRate))
            let ticks = priming.ticks(per: shown.timescale, rounding: .up)
            if shown.since(first).value <= ticks { origin = shown }
        }
        return origin
    }

    /// Of coders in use (frames).
    private static let longestPriming: [AudioCodec: Int64] = [
        .aac: 2112, .aacLATM: 2112, .mp3: 1105, .mp2: 481, .ac3: 256, .eac3: 256, .opus: 312,
    ]

    /// What our own reader knows of a Matroska file; nil for any other.
    private static func outline(of path: String) throws(MediaError) -> MatroskaScanner? {
        let io: SystemFileIO
        do throws(IOFailure) { io = try SystemFileIO(opening: path, writable: false) } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
        defer { io.close() }
        guard try MatroskaScanner.looksLikeOne(io, name: path) else { return nil }
        return try MatroskaScanner(io, name: path)
    }

    /// libavformat lists every name a demuxer goes by.
    private static func container(_ demuxer: Demuxer) -> String {
        let names = demuxer.containerName
        return names.hasPrefix("matroska") ? "matroska" : String(names.prefix { $0 != "," })
    }
}

extension MovieMetadata {
    /// Reads `libavEntries` back; names of other programs stay among `values`.
    init(libavEntries entries: [(name: String, value: String)], covers: [CoverArt] = []) {
        self.init()
        self.covers = covers
        for (name, value) in entries {
            switch name.uppercased() {
            case "TITLE": title = value
            case "CREATION_TIME":
                creationTime = MetadataReader.instant(value)
                if creationTime == nil { values[name] = value }
            case "SOFTWARE": software = value
            case "ENCODER_SETTINGS": encoderFingerprint = value
            case "DEVICES": deviceNames = MovieMetadata.list(value)
            case "ENCODER": software = software ?? value
            default: values[name] = value
            }
        }
    }

    /// The parts of a text between "; ".
    private static func list(_ text: String) -> [String] {
        text.split(separator: ";").map { String($0.drop { $0 == " " }) }
    }
}

extension AssetTrack {
    init(_ track: DemuxedTrack, _ count: SampleCount, origin: MediaTime) {
        let isVideo = track.format.mediaType == .video
        self.init(
            id: track.index + 1, mediaType: track.format.mediaType, format: track.format,
            codecTag: track.format.video?.codec?.rawValue ?? track.format.audio?.codec?.rawValue
                ?? track.format.text?.codec?.rawValue ?? "", timescale: track.timescale,
            duration: AssetTrack.moved(count.end, origin) ?? track.duration ?? .zero,
            sampleCount: count.samples, syncSampleCount: count.syncSamples, bytes: count.bytes,
            edits: [], averageRate: isVideo ? count.rate : nil,
            frameDurations: isVideo ? count.steps : nil,
            language: LanguageCode.tag(track.language), name: track.name,
            isEnabled: true)
        isDefault = track.isDefault
        isForced = track.isForced
        hasUnreadOpacity = track.hasUnreadOpacity
        dolbyVision = track.dolbyVision
        commonestFrameDuration = isVideo ? count.commonestStep : nil
        start = max(.zero, AssetTrack.moved(count.firstShown, origin) ?? .zero)
    }

    private static func moved(_ time: MediaTime?, _ origin: MediaTime) -> MediaTime? {
        time.map { $0.since(origin) }
    }
}

extension MediaTime {
    /// A stamp of the file as movie time, in its own ticks; nothing lies before the movie.
    fileprivate func since(_ origin: MediaTime) -> MediaTime {
        let start = origin.scaled(to: timescale, rounding: .nearest)
        return max(.zero, (try? adding(-start)) ?? .zero)
    }
}

extension MovieAnnotation {
    /// The same at movie time instead of at a stamp of the file.
    fileprivate func moved(back origin: MediaTime) -> MovieAnnotation {
        switch self {
        case .pause(let time, let length): .pause(at: time.since(origin), duration: length)
        case .marker(let text, let time): .marker(text, at: time.since(origin))
        }
    }
}
