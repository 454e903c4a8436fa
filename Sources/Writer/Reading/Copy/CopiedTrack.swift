internal import LibAV
package import Media
package import Movie

/// What a track of a movie is copied from: spans of sources of one and the same format.
package struct CopiedTrack: CopySource {
    /// One span of a source on the new movie's time line.
    package struct Span: Sendable {
        package var asset: Asset
        package var track: AssetTrack
        /// Movie time of the source; as much of it is copied as the target is long.
        package var from: MediaTime
        /// Movie time of the new movie.
        package var target: MediaTimeRange

        package init(
            asset: Asset, track: AssetTrack, from: MediaTime, target: MediaTimeRange
        ) {
            self.asset = asset
            self.track = track
            self.from = from
            self.target = target
        }

        /// Ticks that hold the source's times (1/s). Audio with stamps coarser than its frames is counted
        /// (`CountedTrack`).
        fileprivate var timescale: Int32 {
            guard let rate = track.format?.audio?.sampleRate, asset.hasCoarseStamps(track) else {
                return track.timescale
            }
            return Int32(rate)
        }
    }

    /// In order, without overlaps; between them nothing is shown.
    package var spans: [Span]

    package init(spans: [Span]) { self.spans = spans }

    /// Ticks that hold every time of every source (1/s); nil where 31 bits do not.
    var timescale: Int32? {
        var result: Int64 = 1
        for scale in Set(spans.map(\.timescale)) {
            var (a, b) = (result, Int64(scale))
            while b != 0 { (a, b) = (b, a % b) }
            result = result / a * Int64(scale)
            if result > Int64(Int32.max) { return nil }
        }
        return Int32(result)
    }

    package func samples(
        movieScale: Int32, isEdited: Bool
    ) throws(MediaError) -> any CopiedSamples {
        try SpanSamples(self, movieScale: movieScale, isEdited: isEdited)
    }
}

extension FormatDescription {
    /// Whether samples of the two can follow one another in a track: a decoder is opened for one format.
    package func joins(_ other: FormatDescription) -> Bool { joint == other.joint }

    /// What a decoder must know.
    private var joint: FormatDescription {
        switch self {
        case .video(var video):
            video.nominalRate = nil
            // it is stated of the whole track
            (video.masteringDisplay, video.contentLight) = (nil, nil)
            // frames that say it themselves need no container that does
            if video.codec?.statesFields ?? false { video.fieldOrder = nil }
            return .video(video)
        case .audio(var audio):
            audio.primingFrames = 0
            // of AAC the configuration decides; many an MP4 says two channels where there is one
            if audio.codec == .aac, !audio.codecConfiguration.isEmpty { audio.channels = 0 }
            return .audio(audio)
        case .text, .metadata: return self
        }
    }
}
