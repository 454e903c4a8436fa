import Media
import TestSupport
import Testing
import Writing

@testable import Compose
@testable import Reading

/// A few of the random timelines with clips of files, decoded and composed: what is drawn is what arithmetic says.
@Suite("Rendered random timelines")
struct RenderedTimelineTests {
    private static let kinds: [(name: String, rate: FrameRate)] = [
        ("a.mov", FrameRate(25)), ("b.mkv", FrameRate(30_000, per: 1001)), ("c.mov", FrameRate(24)),
        ("d.mkv", FrameRate(50)), ("e.mov", FrameRate(30_000, per: 1001)), ("f.mkv", FrameRate(24)),
    ]
    private static let count = 100
    /// Of the film, in whose corners the overlays lie.
    private static let size = PixelSize(width: 96, height: 64)
    /// Where each track is seen alone, the film's own clips first (pixels).
    private static let spots = [(48, 32), (8, 8), (88, 8), (8, 56), (88, 56)]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Clips whose frames are all of one grey: 20 and two codes for each frame before.
    private func sources() async throws -> [NumberedSource] {
        var sources: [NumberedSource] = []
        for (name, rate) in Self.kinds {
            var clip = NumberedClip(width: 64, height: 48, frames: Self.count)
            (clip.frameDuration, clip.hasAudio) = (rate.frameDuration, false)
            clip.shade = { 20 + 2 * $0 }
            clip.video = VideoOutputSettings(codec: .ffv1)
            let asset = try await clip.write(to: folder.file(name))
            let track = try #require(asset.tracks.first)
            #expect(track.start == .zero)
            let source = NumberedSource(
                path: asset.path, rate: rate, timescale: track.timescale, frames: Self.count)
            #expect(source.end == track.reach)
            sources.append(source)
        }
        return sources
    }

    private func place(_ track: Int) -> ClipPlace {
        ClipPlace(
            left: track % 2 == 1 ? 0 : 0.75, top: track < 3 ? 0 : 0.75, width: 0.25, height: 0.25)
    }

    @Test("each track's frame is in its place in every frame of ten timelines")
    func rendered() async throws {
        let sources = try await sources()
        var compared = 0
        for seed in UInt64(1)...10 {
            var random = SplitMix(seed: seed)
            let rate = [FrameRate(25), FrameRate(30_000, per: 1001), FrameRate(50)][Int(seed % 3)]
            let step = rate.frameDuration.ticks(per: Int32(RandomRow.second), rounding: .down)
            var rows: [RandomRow] = []
            for _ in 0..<Int.random(in: 2...5, using: &random) {
                var row = RandomRow()
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    try row.add(of: sources, step: step, by: &random)
                }
                rows.append(row)
            }
            var timeline = Timeline(videos: rows[0].items)
            timeline.overlays = rows.indices.dropFirst().map { track in
                OverlayTrack(
                    rows[track].items.map { item in
                        var item = item
                        (item.place, item.fit) = (place(track), .stretch)
                        return item
                    })
            }
            (timeline.settings.frameRate, timeline.settings.renderSize) = (rate, Self.size)
            let film = try await Film(loading: timeline)
            compared += try compare(film, rows, sources, step, "timeline \(seed)")
        }
        #expect(compared > 3000)
    }

    /// - Returns: how many frames of tracks were compared.
    private func compare(
        _ film: Film, _ rows: [RandomRow], _ sources: [NumberedSource], _ step: Int64,
        _ name: String
    ) throws -> Int {
        let frames = try FilmPictures(film, size: Self.size, heldFrames: 1, threads: 1)
        let end = rows.map(\.end).max() ?? 0
        var compared = 0
        var wrong: [String] = []
        for tick in stride(from: Int64(0), to: end, by: Int(step)) {
            let picture = try frames.picture(at: .timeline(tick))
            for (track, row) in rows.enumerated() {
                let clips = row.clips.filter { $0.range.contains(tick) }
                // of two that are mixed no number is read
                guard clips.count == 1, let clip = clips.first else { continue }
                let spot = Self.spots[track]
                let luma = picture.withPlane(0) { Int($0.row(spot.1)[spot.0]) }
                let number = clip.frame(at: tick, of: sources[clip.source])
                compared += 1
                if luma != 20 + 2 * number {
                    wrong.append(
                        "track \(track) at \(tick): \((luma - 20) / 2), not \(number) of \(clip)")
                }
            }
        }
        #expect(wrong.isEmpty, "\(name): \(wrong.count) wrong: \(wrong.prefix(5))")
        return compared
    }
}
