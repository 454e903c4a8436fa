internal import Media
internal import Reading

/// Draws the burnt text tracks of a film, each script when it is first on show. Thread-bound; blocks on the sources.
final class BurntSubtitles {
    /// A track and what draws it.
    private struct Row {
        let track: CompositionTrack
        let look: SubtitleLook
        let renderer: SubtitleRenderer
        /// Scripts that were on show: 32 MB of them.
        var scripts = RecentCache<MediaSource, SubtitleRenderer.Track>(budget: 32 << 20)
    }

    private let film: PixelSize
    private let shelf: SourceShelf
    private var rows: [Row]

    /// - Parameter size: of the frames drawn on.
    /// - Returns: nil: nothing is burnt.
    init?(_ film: Film, size: PixelSize, shelf: SourceShelf) throws(MediaError) {
        guard let frames = film.videoComposition, !frames.burntTracks.isEmpty else { return nil }
        self.film = frames.renderSize
        self.shelf = shelf
        rows = []
        for burnt in frames.burntTracks {
            guard let track = film.composition.track(burnt.trackID) else { continue }
            rows.append(
                Row(
                    track: track, look: burnt.look,
                    renderer: try SubtitleRenderer(size: size, film: frames.renderSize)))
        }
    }

    var warnings: [String] { rows.flatMap(\.renderer.warnings) }

    /// What is on show at an instant of the timeline.
    func tiles(at time: MediaTime) throws(MediaError) -> [OverlayTile] {
        var tiles: [OverlayTile] = []
        for index in rows.indices {
            guard let (source, instant) = rows[index].track.text(at: time) else { continue }
            rows[index].scripts.beginFrame()
            let script = try script(source, index)
            tiles += rows[index].renderer.tiles(of: script, at: instant)
        }
        return tiles
    }

    private func script(
        _ source: MediaSource, _ index: Int
    ) throws(MediaError) -> SubtitleRenderer.Track {
        if let kept = rows[index].scripts.value(for: source) { return kept }
        let (asset, track) = try shelf.track(source)
        let script = try SubtitleScript(asset, track, rows[index].look, film: film)
        let made = try rows[index].renderer.track(script)
        rows[index].scripts.insert(made, for: source, cost: script.cost)
        return made
    }
}

/// When something of a film's burnt text tracks is on show. Thread-bound; blocks on the sources.
final class BurntSpans {
    private let rows: [(track: CompositionTrack, look: SubtitleLook)]
    private let film: PixelSize
    private let shelf: SourceShelf
    private var scripts: [MediaSource: SubtitleScript] = [:]

    init(_ film: Film, _ frames: VideoComposition, shelf: SourceShelf) {
        rows = frames.burntTracks.compactMap { burnt in
            film.composition.track(burnt.trackID).map { ($0, burnt.look) }
        }
        self.film = frames.renderSize
        self.shelf = shelf
    }

    func isShown(at time: MediaTime) throws(MediaError) -> Bool {
        for row in rows {
            guard let (source, instant) = row.track.text(at: time) else { continue }
            if scripts[source] == nil {
                let (asset, track) = try shelf.track(source)
                scripts[source] = try SubtitleScript(asset, track, row.look, film: film)
            }
            if scripts[source]?.isShown(at: instant) ?? false { return true }
        }
        return false
    }
}

extension CompositionTrack {
    /// Which source's text is on show at an instant of the timeline, and of when (milliseconds of the source).
    fileprivate func text(at time: MediaTime) -> (source: MediaSource, instant: Int64)? {
        guard let segment = segment(at: time), let source = segment.source,
            let instant = segment.sourceTime(at: time, timescale: 1000, rounding: .down)
        else { return nil }
        return (source, instant.value)
    }
}
