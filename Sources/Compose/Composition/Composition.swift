public import Media
public import Reading

/// What is shown and heard when: tracks of segments, each a span of a source on a span of the
/// timeline. A value: edits change nothing but this copy, and nothing but what they were asked to.
///
/// Times on the timeline are on its grid, to which the edits round what they are given (nearest; 0.7 ns).
/// Times of sources are movie times of the source and stay exact.
public struct Composition: Sendable, Hashable {
    /// Ticks of the timeline (1/s): the usual frame and sample rates, the 1001 ones too, are whole
    /// numbers of them.
    public static let timescale: Int32 = 705_600_000
    /// The longest timeline, and the last instant of a source that can be used (seconds).
    public static let longestDuration = MediaTime.seconds(24 * 3600)

    /// In the order they were added. Of video tracks the first lies in front.
    public internal(set) var tracks: [CompositionTrack] = []

    public init() {}

    /// The end of the longest track (seconds); text makes a film no longer than its frames and audio.
    public var duration: MediaTime {
        let shown = tracks.filter { $0.mediaType.setsLength }
        return (shown.isEmpty ? tracks : shown).map(\.duration).max() ?? .zero
    }

    /// The size of the first frame source of the first video track that has one: upright, square
    /// pixels.
    public var naturalSize: PixelSize? { tracks.lazy.compactMap(\.naturalSize).first }

    public func tracks(of mediaType: MediaType) -> [CompositionTrack] {
        tracks.filter { $0.mediaType == mediaType }
    }

    public func track(_ id: Int) -> CompositionTrack? { tracks.first { $0.id == id } }

    /// The first track into which a source track can be inserted, of text one in the same language; nil:
    /// add one.
    public func compatibleTrack(for track: AssetTrack) -> CompositionTrack? {
        tracks.first { $0.takes(track) }
    }

    /// The files the composition shows, and the addresses of sequences of pictures, in the order of their first
    /// appearance.
    public var sourcePaths: [String] {
        var seen: Set<String> = []
        return tracks.flatMap(\.segments).compactMap { segment in
            segment.source.flatMap { $0.isGenerated ? nil : $0.path }
        }.filter { seen.insert($0).inserted }
    }
}
