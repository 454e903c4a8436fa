package import LibAV
package import Media

/// A movie of another container than MP4 and QuickTime, through libavformat. What indexes there do not have is
/// counted: every sample's header has been read.
package struct DemuxedMovie {
    /// What our own reader knows of a Matroska file; nil for any other.
    package let outline: MatroskaScanner?
    /// At its end.
    package let demuxer: Demuxer
    /// What was counted of each of the demuxer's tracks.
    package let counts: [SampleCount]
    /// The file's stamp at movie time zero.
    package let origin: MediaTime
    /// Pauses and markers, in order of movie time.
    package let annotations: [MovieAnnotation]
    package let metadata: MovieMetadata

    /// Blocks.
    package init(path: String) throws(MediaError) {
        outline = try Self.outline(of: path)
        try outline?.requireBlocks(to: "read")
        demuxer = try Demuxer(path: path, excluding: outline?.lostBytes ?? [])
        var counts = demuxer.tracks.map { _ in SampleCount() }
        while case .sample(let track, let sample) = try demuxer.next() { counts[track].add(sample) }
        for track in counts.indices { counts[track].finish() }
        self.counts = counts
        let origin = Self.origin(of: demuxer.tracks, counts)
        self.origin = origin
        let tags = demuxer.timedTags.flatMap { TimedTag.read($0.bytes, at: $0.time) }
        annotations = ((outline?.annotations ?? []) + tags).sorted { $0.time < $1.time }
            .map { $0.moved(back: origin) }
        var metadata = MovieMetadata(libavEntries: demuxer.metadata, covers: demuxer.covers)
            .followed(by: annotations)
        metadata.timeCode = demuxer.timeCode(annotations)
        self.metadata = metadata
    }

    /// From movie time zero to the end of each track.
    package var durations: [MediaTime] {
        zip(demuxer.tracks, counts).map { track, count in
            count.end.map { $0.since(origin) } ?? track.duration ?? .zero
        }
    }

    /// The longest track's (seconds), of text only where there is nothing else.
    package var duration: MediaTime {
        zip(demuxer.tracks, durations).filter(\.0.format.mediaType.setsLength).map(\.1).max()
            ?? .zero
    }

    /// The stamp at which the movie begins: that of whatever is shown first.
    ///
    /// Only some containers say how much of a coder's first packet is priming; the others move the whole
    /// movie behind it (libavformat does for Matroska and MPEG-TS). So audio that begins earlier than the
    /// frames by no more than its coders' priming is that, and the movie begins with its frames.
    private static func origin(of tracks: [DemuxedTrack], _ counts: [SampleCount]) -> MediaTime {
        let first =
            zip(tracks, counts).filter(\.0.format.mediaType.setsLength)
            .compactMap(\.1.firstShown).min() ?? .zero
        var origin = first
        let frames = zip(tracks, counts).filter { $0.0.format.mediaType == .video }
        guard let shown = frames.compactMap(\.1.firstShown).min() else { return first }
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

    private static func outline(of path: String) throws(MediaError) -> MatroskaScanner? {
        let io: SystemFileIO
        do throws(IOFailure) { io = try SystemFileIO(opening: path, writable: false) } catch {
            throw MediaError(error, attempt: "open \(path)", subject: path)
        }
        defer { io.close() }
        guard try MatroskaScanner.looksLikeOne(io, name: path) else { return nil }
        return try MatroskaScanner(io, name: path)
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
            case "TIMECODE", Self.timeCodeRate, Self.timeCodeRun: break  // of the tracks
            default: values[Self.key(name)] = value
            }
        }
    }

    /// Matroska writes names in capitals, which ours and Apple's are not.
    private static func key(_ name: String) -> String {
        let lower = name.lowercased()
        guard name == name.uppercased() else { return name }
        if lower == place.lowercased() { return place }
        let isKnown = prefixes.contains(where: lower.hasPrefix) || MetadataWord(lower) != nil
        return isKnown ? lower : name
    }

    private static let prefixes = ["org.vcap.", "com.apple.quicktime.", "com.android."]
    /// Where a movie was taken, the one of these names that has capitals.
    private static let place = "com.apple.quicktime.location.ISO6709"

    /// The parts of a text between "; ".
    static func list(_ text: String) -> [String] {
        text.split(separator: ";").map { String($0.drop { $0 == " " }) }
    }
}

extension MediaTime {
    /// A stamp of the file as movie time, in its own ticks; nothing lies before the movie.
    package func since(_ origin: MediaTime) -> MediaTime {
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
        case .tags(let tags, let time): .tags(tags, at: time.since(origin))
        }
    }
}
