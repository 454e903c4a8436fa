package import Media

/// What a movie's file says and holds, in figures: for repairs and reports, which read no samples (Reading: `Asset`).
package struct MovieContents: Sendable {
    package struct Track: Sendable, Hashable {
        package let mediaType: MediaType
        /// Coded samples (count; PCM: chunks).
        package let sampleCount: Int
        /// Video frames, or audio frames by the track's length (count).
        package let frames: Int64

        fileprivate init(
            _ mediaType: MediaType, _ format: FormatDescription?, sampleCount: Int,
            duration: MediaTime
        ) {
            self.mediaType = mediaType
            self.sampleCount = sampleCount
            if let rate = format?.audio?.sampleRate, rate > 0, let scale = Int32(exactly: rate) {
                frames = duration.ticks(per: scale, rounding: .nearest)
            } else {
                frames = Int64(sampleCount)
            }
        }
    }

    /// The longest track's length (seconds), of text only where there is nothing else.
    package let duration: MediaTime
    package let metadata: MovieMetadata
    /// In the file's order; behind them those that cannot be read.
    package let tracks: [Track]

    /// Of movies other than MP4 and QuickTime also reads every sample's header. Blocks.
    package init(path: String) throws(MediaError) {
        if try MovieFile.looksLikeOne(path) {
            self.init(try MovieFile(path: path, leavesOutDamaged: true))
        } else {
            self.init(try DemuxedMovie(path: path))
        }
    }

    private init(_ movie: MovieFile) {
        duration = movie.duration
        metadata = movie.metadata
        tracks =
            movie.tracks.map { track in
                Track(
                    track.header.mediaType, track.format, sampleCount: track.samples.count,
                    duration: track.duration(movieTimescale: movie.timescale))
            } + movie.unreadTracks.map { .unread($0.mediaType ?? .video) }
    }

    private init(_ movie: DemuxedMovie) {
        let durations = movie.durations
        duration = movie.duration
        metadata = movie.metadata
        tracks =
            zip(movie.demuxer.tracks, movie.counts).enumerated().map { number, track in
                Track(
                    track.0.format.mediaType, track.0.format, sampleCount: track.1.samples,
                    duration: durations[number])
            } + movie.demuxer.unreadTracks.map { .unread($0.mediaType) }
    }
}

extension MovieContents.Track {
    fileprivate static func unread(_ mediaType: MediaType) -> MovieContents.Track {
        MovieContents.Track(mediaType, nil, sampleCount: 0, duration: .zero)
    }
}
