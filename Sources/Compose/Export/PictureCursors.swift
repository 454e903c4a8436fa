internal import Media
internal import Writer

/// The open sources of a film's picture tracks: one a track at most, opened when its segment comes into
/// view and closed when it is out of it, so that memory does not grow with the number of clips.
/// Thread-bound.
final class PictureCursors {
    private struct Open {
        let source: MediaSource
        let timescale: Int32
        let cursor: PictureCursor
    }

    private let composition: Composition
    private let shelf: SourceShelf
    private var open: [Int: Open] = [:]

    init(_ composition: Composition, shelf: SourceShelf) {
        self.composition = composition
        self.shelf = shelf
    }

    /// The picture of a track at an instant of the timeline; nil in an empty segment.
    func picture(track id: Int, at time: MediaTime) throws(ComposeError) -> SampleBuffer? {
        guard let segment = composition.track(id)?.segment(at: time), let source = segment.source
        else {
            close(id)
            return nil
        }
        let open = try cursor(for: source, track: id)
        guard
            let instant = segment.mapping.sourceTime(
                atTarget: time, timescale: open.timescale, rounding: .down)
        else { return nil }
        do throws(WriterError) { return try open.cursor.picture(at: instant) } catch {
            throw ComposeError(error)
        }
    }

    /// Closes what is not of these tracks.
    func keepOnly(_ tracks: some Sequence<Int>) {
        let kept = Set(tracks)
        for id in open.keys where !kept.contains(id) { close(id) }
    }

    private func cursor(for source: MediaSource, track id: Int) throws(ComposeError) -> Open {
        if let known = open[id], known.source == source { return known }
        close(id)
        let (asset, track) = try shelf.track(source)
        do throws(WriterError) {
            let opened = Open(
                source: source, timescale: track.timescale,
                cursor: try PictureCursor(asset: asset, track: track))
            open[id] = opened
            return opened
        } catch { throw ComposeError(error) }
    }

    private func close(_ id: Int) { open.removeValue(forKey: id)?.cursor.close() }
}
