internal import LibAV
internal import Media
internal import Movie

extension Asset {
    /// A movie of another container, through libavformat.
    init(demuxing path: String) throws(MediaError) {
        let movie = try DemuxedMovie(path: path)
        let (outline, demuxer, origin) = (movie.outline, movie.demuxer, movie.origin)
        let durations = movie.durations
        let tracks = zip(demuxer.tracks, movie.counts).enumerated().map { number, track in
            AssetTrack(track.0, track.1, origin: origin, duration: durations[number])
        }.map { track in
            var track = track
            // other containers do not have it
            if outline == nil { track.isDefault = true }
            return track
        }
        let notes = movie.annotations
        let chapters = demuxer.chapters.map {
            Marker(time: $0.range.start.since(origin), text: $0.title)
        }
        let own = Asset.markers(notes)
        self.init(
            path: path, container: outline?.docType ?? Asset.container(demuxer),
            state: outline?.isFinished ?? true ? .ordinary : .unfinished,
            duration: movie.duration,
            tracks: tracks + Asset.unread(demuxer), pauses: Asset.pauses(notes),
            markers: own.isEmpty ? chapters : own,
            metadata: movie.metadata,
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

    /// libavformat lists every name a demuxer goes by.
    private static func container(_ demuxer: Demuxer) -> String {
        let names = demuxer.containerName
        return names.hasPrefix("matroska") ? "matroska" : String(names.prefix { $0 != "," })
    }
}

extension AssetTrack {
    init(
        _ track: DemuxedTrack, _ count: SampleCount, origin: MediaTime, duration: MediaTime
    ) {
        let isVideo = track.format.mediaType == .video
        self.init(
            id: track.index + 1, mediaType: track.format.mediaType, format: track.format,
            codecTag: track.format.video?.codec?.rawValue ?? track.format.audio?.codec?.rawValue
                ?? track.format.text?.codec?.rawValue ?? "", timescale: track.timescale,
            duration: duration, sampleCount: count.samples, syncSampleCount: count.syncSamples,
            bytes: count.bytes,
            edits: [], averageRate: isVideo ? count.rate : nil,
            frameDurations: isVideo ? count.steps : nil,
            language: LanguageCode.tag(track.language), name: track.name,
            isEnabled: true)
        isDefault = track.isDefault
        isForced = track.isForced
        hasUnreadOpacity = track.hasUnreadOpacity
        dolbyVision = track.dolbyVision
        state(count.firstSample)
        commonestFrameDuration = isVideo ? count.commonestStep : nil
        start = count.firstShown?.since(origin) ?? .zero
    }
}
