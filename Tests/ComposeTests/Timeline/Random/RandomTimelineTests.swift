import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

/// Random timelines against arithmetic in fractions, through what picks the frames of every film: builder, video
/// composition, scenes and the cursors of its sources.
@Suite("Random timelines")
struct RandomTimelineTests {
    private static let sources: [NumberedSource] = [
        .init(path: "a/", rate: FrameRate(25), timescale: 25, frames: 250),
        .init(path: "b/", rate: FrameRate(25), timescale: 12_800, frames: 250),
        .init(path: "c/", rate: FrameRate(30_000, per: 1001), timescale: 30_000, frames: 300),
        .init(path: "d/", rate: FrameRate(30_000, per: 1001), timescale: 1000, frames: 300),
        .init(path: "e/", rate: FrameRate(30_000, per: 1001), timescale: 90_000, frames: 300),
        .init(path: "f/", rate: FrameRate(24), timescale: 1000, frames: 240),
        .init(path: "g/", rate: FrameRate(24_000, per: 1001), timescale: 90_000, frames: 240),
        .init(path: "h/", rate: FrameRate(50), timescale: 90_000, frames: 500),
        .init(path: "i/", rate: FrameRate(60), timescale: 15_360, frames: 600),
        .init(path: "j/", rate: FrameRate(30), timescale: 1000, frames: 300, late: 7),
    ]
    private static let rates = [
        FrameRate(24), FrameRate(25), FrameRate(30_000, per: 1001), FrameRate(30), FrameRate(50),
        FrameRate(24_000, per: 1001), FrameRate(60),
    ]
    private let assets = sources.enumerated().map { $1.asset($0) }

    private func rows(_ step: Int64, _ random: inout SplitMix) throws -> [RandomRow] {
        try (0..<Int.random(in: 2...5, using: &random)).map { _ in
            var row = RandomRow()
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                try row.add(of: Self.sources, step: step, by: &random)
            }
            return row
        }
    }

    /// What was compared.
    private struct Tally {
        var picks = 0
        /// Picks that are not those of times without any rounding, because they lie on a border.
        var onBorders = 0
        var wrong: [String] = []
    }

    @Test(
        "of 1,000 timelines of two to five tracks every frame shows what arithmetic says"
    )
    func frames() throws {
        var tally = Tally()
        for seed in Sweep.part(300, of: Array(UInt64(1)...1000)) { try check(seed, &tally) }
        #expect(tally.wrong.isEmpty, "\(tally.wrong.count) wrong: \(tally.wrong.prefix(12))")
        #expect(tally.picks > 100_000)
        // of all rounding that a container asks for little is seen
        #expect(tally.onBorders * 50 < tally.picks, "\(tally.onBorders) of \(tally.picks)")
    }

    private func check(_ seed: UInt64, _ tally: inout Tally) throws {
        var random = SplitMix(seed: seed)
        let rate = Self.rates.randomElement(using: &random) ?? FrameRate(25)
        let frame = Fraction(1) / Fraction(rate) * Fraction(Int128(RandomRow.second))
        let step = Int64(frame.floor)
        let rows = try rows(step, &random)
        var timeline = Timeline(
            videos: rows[0].items, overlays: rows.dropFirst().map { OverlayTrack($0.items) })
        timeline.settings.frameRate = rate
        let film = try TimelineBuilder(timeline, assets: assets).film()
        let video = try #require(film.videoComposition)
        let end = rows.map(\.end).max() ?? 0
        #expect(film.composition.duration == .timeline(end), "timeline \(seed)")
        let times = FilmTimes(
            range: MediaTimeRange(start: .zero, duration: film.composition.duration),
            frameDuration: video.frameDuration, sampleRate: 48_000, hasAudio: false)
        let count = (Fraction(Int128(end)) / frame).ceiling
        // a frame that would last half a tick of 1/90,000 s cannot be written
        let rest = Fraction(Int128(end)) - frame * Fraction(count - 1)
        let least = rest <= Fraction(3920) ? count - 1 : count
        #expect((least...count).contains(Int128(times.frameCount)), "timeline \(seed)")
        let scenes = SceneBuilder(video)
        let target = video.format(video.renderSize, rate: rate)
        let cursors = FrameCursors(
            film.composition, shelf: SourceShelf(film.assets), target: target, threads: 1,
            frameDuration: video.frameDuration)
        for number in 0..<times.frameCount {
            let time = times.time(ofFrame: number)
            #expect(Fraction(time) == Fraction(Int128(number)) / Fraction(rate))
            cursors.keepOnly(video.instruction(at: time)?.sourceTrackIDs ?? [])
            let scene = try scenes.scene(at: time) { track, time throws(MediaError) in
                try cursors.picture(track: track, at: time)
            }
            let shown = scene.layers.map { NumberedMedia.identity(of: $0.picture) }
            let tick = number * step
            compare(shown, rows, at: tick, "timeline \(seed), frame \(number)", &tally)
        }
    }

    private func compare(
        _ shown: [Shown], _ rows: [RandomRow], at tick: Int64, _ name: String,
        _ tally: inout Tally
    ) {
        // back first; of two clips that overlap the one that comes lies behind
        let clips = rows.flatMap { row in
            row.clips.reversed().filter { $0.range.contains(tick) }
        }
        tally.picks += clips.count
        var left = shown[...]
        for clip in clips {
            let source = Self.sources[clip.source]
            let wanted = clip.frame(at: tick, of: source)
            // what a dissolve is to bring may not be seen yet
            let mayHide = clip.overlap > 0 && tick == clip.range.lowerBound
            if left.first == Shown(source: clip.source, frame: wanted) {
                left.removeFirst()
            } else if !mayHide {
                tally.wrong.append(
                    "\(name): \(left.popFirst()?.text ?? "nothing"), not \(wanted) of \(clip)")
            }
            let ideal = clip.idealFrame(at: tick, of: source, shift: Fraction(0))
            guard wanted != ideal else { continue }
            tally.onBorders += 1
            // two ticks of the source: its frames' times are rounded, and so is the instant
            let grain =
                Fraction(source.isFine ? 2 : 0, Int128(source.timescale))
                + Fraction(1, 100_000_000)
            let near = [grain, Fraction(0) - grain].map {
                clip.idealFrame(at: tick, of: source, shift: $0)
            }
            if !near.contains(wanted) {
                tally.wrong.append("\(name): \(wanted), without any rounding \(ideal) of \(clip)")
            }
        }
        if let more = left.first { tally.wrong.append("\(name): \(more.text) besides") }
    }
}
