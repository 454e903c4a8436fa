internal import Media

/// Builds `moov`: the empty one a take begins with, and the complete one it ends with.
struct MovieHeader {
    let container: MovieContainer
    let metadata: MovieMetadata
    /// Ticks per second of movie and edit durations.
    let timescale: Int32
    let tracks: [TrackHeader]
    /// Nil: it has no time code, or no video that could have one.
    let timeCode: TimeCodeTrack?

    init(container: MovieContainer, metadata: MovieMetadata, tracks: [TrackHeader]) {
        self.container = container
        self.metadata = metadata
        self.tracks = Self.enabled(tracks)
        timescale = MovieHeader.commonTimescale(tracks.map(\.timescale))
        let hasVideo = tracks.contains { $0.mediaType == .video }
        timeCode = hasVideo ? metadata.timeCode.map { TimeCodeTrack($0) } : nil
    }

    private var lastTrackID: UInt32 { tracks.map(\.id).max() ?? 0 }

    /// The number of the time code's track.
    var timeCodeID: UInt32 { lastTrackID + 1 }

    /// Where no track of a kind is enabled its first one is, as libavformat has it: players that go by the flag would
    /// show none.
    private static func enabled(_ tracks: [TrackHeader]) -> [TrackHeader] {
        var tracks = tracks
        for kind in Set(tracks.map(\.mediaType)) {
            let own = tracks.indices.filter { tracks[$0].mediaType == kind }
            if let first = own.first, !own.contains(where: { tracks[$0].isEnabled }) {
                tracks[first].isEnabled = true
            }
        }
        return tracks
    }

    /// The least common multiple when it fits 31 bits, else 90,000 (see docs/design/time.md).
    static func commonTimescale(_ scales: [Int32]) -> Int32 {
        var result: Int64 = 1
        for scale in scales where scale > 0 {
            var (a, b) = (result, Int64(scale))
            while b != 0 { (a, b) = (b, a % b) }
            result = result / a * Int64(scale)
            if result > Int64(Int32.max) { return 90_000 }
        }
        // a movie without tracks still needs a timescale
        return result == 1 ? 90_000 : Int32(result)
    }

    /// The `moov` a growing file begins with: no samples, and the promise of fragments.
    /// - Parameter shifts: per track, where movie time zero is in the track's time (ticks).
    func growing(shifts: [Int64]) -> [UInt8] {
        movie(duration: 0) { builder in
            for (track, shift) in zip(tracks, shifts) {
                // a duration of 0 means: as long as the fragments
                let edits = shift == 0 ? [] : [EditListBox.Entry(duration: 0, mediaTime: shift)]
                write(track, edits: edits, duration: 0, index: SampleIndex(), to: &builder) { $0 }
            }
            timeCode?.write(
                id: timeCodeID, container: container, movieTimescale: timescale,
                index: SampleIndex(), end: nil, creationTime: creationTime, to: &builder
            ) { $0 }
            builder.box("mvex") { builder in
                for track in tracks { builder.append(TrackExtendsBox(trackID: track.id)) }
                if timeCode != nil { builder.append(TrackExtendsBox(trackID: timeCodeID)) }
            }
            var metadata = metadata
            metadata.covers = []
            MetadataWriter(container: container, metadata: metadata).write([], to: &builder)
        }
    }

    /// The `moov` of an ordinary movie. `place` converts an index's offset into a physical one.
    /// - Parameters:
    ///   - chapters: with where in the file their texts are.
    ///   - timeCodes: where the samples of the time code are, and where the movie ends.
    func complete(
        indexes: [SampleIndex], edits: [TrackEdits], annotations: [MovieAnnotation],
        chapters: (track: ChapterTrack, offset: Int64)?,
        timeCodes: (offset: Int64, end: MediaTime)?, place: (Int64) -> Int64
    ) -> [UInt8] {
        let durations = edits.map { $0.duration(in: timescale) }
        let chapterID = lastTrackID + (timeCode == nil ? 1 : 2)
        return movie(
            duration: durations.max() ?? 0,
            nextTrackID: chapters == nil ? chapterID : chapterID + 1,
            room: indexes.reduce(64 << 10) { $0 + $1.tableBytes }
        ) { builder in
            for (position, track) in tracks.enumerated() {
                write(
                    track, edits: edits[position].entries(in: timescale),
                    duration: durations[position], index: indexes[position],
                    chapterID: chapters != nil && position == 0 ? chapterID : nil, to: &builder,
                    place: place)
            }
            if let timeCode, let timeCodes {
                timeCode.write(
                    id: timeCodeID, container: container, movieTimescale: timescale,
                    index: timeCode.index(at: timeCodes.offset, until: timeCodes.end),
                    end: timeCodes.end, creationTime: creationTime, to: &builder, place: place)
            }
            if let chapters {
                chapters.track.write(
                    id: chapterID, container: container, movieTimescale: timescale,
                    index: chapters.track.index(at: chapters.offset), to: &builder, place: place)
            }
            MetadataWriter(container: container, metadata: metadata)
                .write(annotations, to: &builder)
        }
    }

    private func movie(
        duration: UInt64, nextTrackID: UInt32? = nil, room: Int = 0,
        _ body: (inout BoxBuilder) -> Void
    ) -> [UInt8] {
        var builder = BoxBuilder(room: room)
        builder.box("moov") { builder in
            builder.append(
                MovieHeaderBox(
                    creationTime: creationTime, timescale: UInt32(timescale), duration: duration,
                    nextTrackID: nextTrackID ?? lastTrackID + (timeCode == nil ? 1 : 2)))
            body(&builder)
        }
        return builder.bytes
    }

    private func write(
        _ track: TrackHeader, edits: [EditListBox.Entry], duration: UInt64, index: SampleIndex,
        chapterID: UInt32? = nil, to builder: inout BoxBuilder, place: (Int64) -> Int64
    ) {
        builder.box("trak") { builder in
            builder.append(
                TrackHeaderBox(
                    trackID: track.id, duration: duration, isEnabled: track.isEnabled,
                    alternateGroup: track.mediaType.alternateGroup,
                    isAudio: track.mediaType == .audio, matrix: track.matrix, width: track.width,
                    height: track.height, creationTime: creationTime))
            if !edits.isEmpty {
                builder.box("edts") { $0.append(EditListBox(entries: edits)) }
            }
            let hasTimeCode = timeCode != nil && track.mediaType == .video
            if chapterID != nil || hasTimeCode {
                builder.box("tref") { builder in
                    if let chapterID { builder.box("chap") { $0.u32(chapterID) } }
                    if hasTimeCode { builder.box("tmcd") { $0.u32(timeCodeID) } }
                }
            }
            builder.box("mdia") { builder in
                builder.append(
                    MediaHeaderBox(
                        creationTime: creationTime, timescale: UInt32(track.timescale),
                        duration: UInt64(index.mediaDuration), language: track.packedLanguage))
                if let language = track.language {
                    builder.append(ExtendedLanguageBox(tag: language))
                }
                writeHandler(track, to: &builder)
                builder.box("minf") { builder in
                    writeMediaInformation(track, to: &builder)
                    builder.box("stbl") { builder in
                        builder.raw(track.sampleDescription)
                        index.writeTables(to: &builder, place: place)
                    }
                }
            }
            if track.isForced {
                builder.box("udta") { $0.append(TrackKindBox.forcedSubtitle) }
            }
        }
    }

    private func writeHandler(_ track: TrackHeader, to builder: inout BoxBuilder) {
        let (handler, name): (FourCC, String) =
            switch track.mediaType {
            case .video: ("vide", "Video")
            case .audio: ("soun", "Sound")
            case .text: ("sbtl", "Subtitles")
            case .metadata: ("meta", "Metadata")
            }
        builder.append(
            HandlerBox(
                componentType: container == .mov ? "mhlr" : .none,
                handler: handler, name: track.name ?? name))
    }

    private func writeMediaInformation(_ track: TrackHeader, to builder: inout BoxBuilder) {
        switch track.mediaType {
        case .video:
            builder.box("vmhd") { builder in
                builder.full(0, 1)
                builder.zeros(8)
            }
        case .audio:
            builder.box("smhd") { builder in
                builder.full(0, 0)
                builder.zeros(4)
            }
        case .text:
            builder.box("nmhd") { $0.full(0, 0) }
        case .metadata where container == .mov:
            // QuickTime knows one header for all media but video and audio
            builder.box("gmhd") { $0.append(MediaInformationBox()) }
        case .metadata:
            builder.box("nmhd") { $0.full(0, 0) }
        }
        MovieHeader.writeDataInformation(container, to: &builder)
    }

    static func writeDataInformation(_ container: MovieContainer, to builder: inout BoxBuilder) {
        if container == .mov {
            builder.append(HandlerBox(componentType: "dhlr", handler: "url ", name: "Data"))
        }
        builder.box("dinf") { builder in
            builder.box("dref") { builder in
                builder.full(0, 0)
                builder.u32(1)
                builder.box("url ") { $0.full(0, 1) }  // the samples are in this very file
            }
        }
    }

    /// Seconds since 1904; 0 when unknown.
    private var creationTime: UInt64 {
        guard let time = metadata.creationTime else { return 0 }
        return UInt64(max(0, time / 1_000_000_000 + 2_082_844_800))
    }
}

extension MediaType {
    /// Tracks of one group are alternatives: languages of audio, and of subtitles.
    fileprivate var alternateGroup: UInt16 {
        switch self {
        case .video: 0
        case .audio: 1
        case .text: 2
        case .metadata: 0
        }
    }
}
