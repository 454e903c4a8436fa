public import Media
public import Reading

extension Film {
    /// An asset's own tracks as a film: each at its own time, under its own number, which the video composition's
    /// instructions and the audio mix name.
    /// - Parameters:
    ///   - asset: a movie, audio or an animation.
    ///   - tracks: of the asset, of frames or audio; nil: all of these that can be read.
    ///   - videoComposition: how its frames become one; nil: as they lie there, first track in front.
    ///   - audioMix: how its audio becomes one.
    /// - Throws: `invalid-edit` for a track that the asset does not have, that cannot be read or has no length.
    public init(
        tracksOf asset: Asset, _ tracks: [AssetTrack]? = nil,
        videoComposition: VideoComposition? = nil, audioMix: AudioMix = AudioMix()
    ) throws(MediaError) {
        let readable = asset.tracks.filter { $0.format != nil && $0.mediaType.setsLength }
        let wanted = tracks ?? readable.filter { $0.duration > .zero }
        guard !wanted.isEmpty else {
            throw .edit(asset.path, "\(asset.path) has no video and no audio to be read")
        }
        var composition = Composition()
        for track in wanted {
            let id = composition.addTrack(track.mediaType, preferredID: track.id)
            guard id == track.id, readable.contains(where: { $0.id == id }) else {
                throw .edit(
                    "track \(track.id)",
                    "track \(track.id) is no video or audio track of \(asset.path) that can be "
                        + "read, or is named twice")
            }
            try composition.insert(
                MediaTimeRange(start: .zero, duration: track.duration), of: asset, track: track,
                at: .zero, into: id)
        }
        self.init(
            composition: composition, videoComposition: videoComposition, audioMix: audioMix,
            assets: [asset])
    }
}

extension VideoCompositionOutput {
    /// The frames of an asset's own tracks as one; times are movie time.
    /// - Parameters: as of `Film.init(tracksOf:)`; `tracks` nil: all of its frames; `threads` as of `init(film:)`.
    /// - Throws: `invalid-edit`, also for an asset without frames; `invalid-setting` for threads out of range.
    public convenience init(
        asset: Asset, tracks: [AssetTrack]? = nil, videoComposition: VideoComposition? = nil,
        threads: Int? = nil
    ) throws(MediaError) {
        let film = try Film(
            tracksOf: asset, tracks ?? asset.whole(.video), videoComposition: videoComposition)
        try self.init(film: film, threads: threads)
    }
}

extension AudioMixOutput {
    /// The audio of an asset's own tracks as one; times are movie time.
    /// - Parameters: as of `Film.init(tracksOf:)`; `tracks` nil: all of its audio; `sampleRate` and `channels` as
    ///   of `init(film:)`.
    /// - Throws: `invalid-edit`, also for an asset without audio.
    public convenience init(
        asset: Asset, tracks: [AssetTrack]? = nil, audioMix: AudioMix = AudioMix(),
        sampleRate: Int = 48_000, channels: Int = 2
    ) throws(MediaError) {
        let film = try Film(
            tracksOf: asset, tracks ?? asset.whole(.audio), audioMix: audioMix)
        self.init(film: film, sampleRate: sampleRate, channels: channels)
    }
}

extension Asset {
    /// Tracks of a kind that can be read and have a length.
    fileprivate func whole(_ mediaType: MediaType) -> [AssetTrack] {
        tracks.filter { $0.mediaType == mediaType && $0.format != nil && $0.duration > .zero }
    }
}
