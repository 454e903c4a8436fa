public import Media
public import Reading

extension Composition {
    /// Inserts every track of an asset, each into a compatible track of its own (added where there is
    /// none, text tracks by language). Text ends with the frames and audio. Everything later moves on by the same length in every track, so that nothing loses its
    /// place beside the rest.
    ///
    /// - Parameters:
    ///   - asset: A movie, audio, an animation or a still picture.
    ///   - range: Movie time of the asset; nil: all of it, of a still picture `stillDuration`.
    ///   - time: On the timeline.
    /// - Throws: `invalid-edit`, naming track and time.
    public mutating func insert(
        _ asset: Asset, range: MediaTimeRange? = nil, at time: MediaTime
    ) throws(MediaError) {
        let usable = asset.tracks.filter { $0.format != nil && $0.reach > .zero }
        var parts = usable.map { track in
            (range ?? track.usualRange).clipped(to: track)
        }
        let isAlone = !usable.contains { $0.mediaType.setsLength }
        let lengths = zip(usable, parts).compactMap { track, part in
            track.mediaType.setsLength || isAlone ? part?.duration : nil
        }
        guard let longest = lengths.max() else {
            throw .edit(
                asset.path, "\(asset.path) has nothing that can be inserted at \(time.spoken)")
        }
        for index in parts.indices {
            guard let part = parts[index], part.duration > longest else { continue }
            parts[index] = MediaTimeRange(start: part.start, duration: longest)
                .clipped(to: usable[index])
        }
        // all or nothing
        var result = self
        let start = try result.tick(time, "an insertion of \(asset.path)")
        let length = try result.tick(longest, "the length of \(asset.path)", rounding: .down)
        let receivers = result.receivers(for: usable)
        // opened everywhere first, so that what lies later keeps its company
        for index in result.tracks.indices {
            let id = result.tracks[index].id
            if start < result.tracks[index].endTick || receivers.contains(id) {
                try result.insertEmpty(
                    MediaTimeRange(start: .timeline(start), duration: .timeline(length)), into: id)
            }
        }
        for (index, track) in usable.enumerated() {
            guard let part = parts[index] else { continue }
            let id = receivers[index]
            let length = try result.tick(part.duration, asset.path, rounding: .down)
            try result.remove(
                MediaTimeRange(start: .timeline(start), duration: .timeline(length)), from: id)
            try result.insert(part, of: asset, track: track, at: .timeline(start), into: id)
        }
        self = result
    }

    /// How long a still picture is shown where nobody says (seconds).
    public static let stillDuration = MediaTime.seconds(4)

    /// The k-th video track of an asset goes to the k-th video track here, sound likewise, and text to the
    /// k-th of its language.
    private mutating func receivers(for assetTracks: [AssetTrack]) -> [Int] {
        var used: Set<Int> = []
        return assetTracks.map { track in
            let free = tracks.first { $0.takes(track) && !used.contains($0.id) }
            let id = free?.id ?? addTrack(track.mediaType)
            used.insert(id)
            return id
        }
    }
}

extension AssetTrack {
    /// All of it; of a still picture a few seconds.
    fileprivate var usualRange: MediaTimeRange {
        MediaTimeRange(start: .zero, duration: isStill ? Composition.stillDuration : duration)
    }
}
