import Media
import TestSupport
import Testing

@testable import Compose
@testable import Movie
@testable import Reading

/// Bursts of a tone, a tenth of a second in each three of a source, for as long as anybody listens.
private struct BurstMedia: GeneratedMedia {
    /// From the beginning of one to that of the next, and of one (audio frames).
    static let (distance, length): (Int64, Int64) = (14_400, 4800)

    func frames(for target: VideoFormat) -> any GeneratedFrames { preconditionFailure("unseen") }

    func audio(at frame: Int64, count: Int, sampleRate: Int) -> BlockBuffer {
        var samples: [Float] = []
        samples.reserveCapacity(count * 2)
        for position in frame..<frame + Int64(count) {
            let into = (position % Self.distance + Self.distance) % Self.distance
            // loud at once, and still at the end
            let wave = Trigonometry.sine(2 * .pi * (0.25 + 1000 * Double(into) / 48_000))
            let value = into < Self.length ? Float(0.25 * wave) : 0
            samples += [value, value]
        }
        return samples.withUnsafeBytes { BlockBuffer($0) }
    }
}

/// The audio of random timelines: where clips begin, what is heard is what arithmetic says.
@Suite("Audio of random timelines")
struct RandomSoundTests {
    private static let sources: [NumberedSource] = [
        .init(path: "a/", rate: FrameRate(25), timescale: 12_800, frames: 250),
        .init(path: "b/", rate: FrameRate(30_000, per: 1001), timescale: 1000, frames: 300),
        .init(path: "c/", rate: FrameRate(24), timescale: 90_000, frames: 240),
    ]
    private let assets = sources.enumerated().map { index, source in
        let format = VideoFormat(
            coding: .raw(.yuv420p), width: 16, height: 2, color: .bt709,
            nominalRate: source.rate)
        var asset = SampleAsset.asset(
            source.path,
            [
                SampleAsset.pictures(id: 1, format: format, duration: source.end),
                SampleAsset.sound(id: 2, duration: source.end),
            ])
        asset.generated = BurstMedia()
        return asset
    }

    /// When the first whole burst of a clip begins in the film, at least 5 ms behind its cut (audio frames).
    /// - Parameter isWhole: whether it may not lie in a dissolve.
    private func firstBurst(of clip: RandomRow.Placed, _ isWhole: Bool) -> Fraction? {
        let rate = Fraction(48_000)
        let begin = Fraction(Int128(clip.range.lowerBound), Int128(RandomRow.second)) * rate
        let until = Fraction(Int128(clip.range.upperBound), Int128(RandomRow.second)) * rate
        let shared = Fraction(Int128(isWhole ? clip.overlap : 0), Int128(RandomRow.second)) * rate
        let least = begin + shared + Fraction(240)
        let distance = Int128(BurstMedia.distance)
        let length = Int128(BurstMedia.length)
        let number =
            clip.isReversed
            ? (clip.end * rate - Fraction(length)) / Fraction(distance)
            : clip.start * rate / Fraction(distance)
        for step in Int128(0)...3 {
            let at =
                clip.isReversed
                ? clip.end * rate - Fraction((number.floor - step) * distance + length)
                : Fraction((number.ceiling + step) * distance) - clip.start * rate
            let place = begin + at / clip.speed
            let fits = place + Fraction(length) / clip.speed + Fraction(240) < until
            if place >= least, fits { return place }
        }
        return nil
    }

    @Test(
        "at the beginning of each clip the source's instant is heard that arithmetic says",
        arguments: [PitchPolicy.kept, .followsSpeed])
    func beginnings(pitch: PitchPolicy) throws {
        var count = 0
        for seed in Sweep.part(8, of: Array(UInt64(1)...40)) {
            var random = SplitMix(seed: seed)
            var rows: [RandomRow] = []
            for _ in 0..<2 {
                var row = RandomRow()
                for _ in 0..<4 { try row.add(of: Self.sources, step: 28_224_000, by: &random) }
                rows.append(row)
            }
            for (track, row) in rows.enumerated() {
                for (index, clip) in row.clips.enumerated() where !clip.isFrozen {
                    let isStretched = pitch == .kept && clip.speed != Fraction(1)
                    guard let wanted = firstBurst(of: clip, isStretched) else { continue }
                    let film = try solo(track, index, of: rows, pitch)
                    let off = try distance(
                        from: wanted, at: clip.speed, in: film,
                        threshold: isStretched ? 0.25 : 0.01)
                    #expect(
                        Self.bounds(clip.speed, isStretched).contains(off),
                        "timeline \(seed), \(clip): \(off) s")
                    count += 1
                }
            }
        }
        #expect(count > 20)
    }

    /// How much later a beginning may be heard (seconds).
    private static func bounds(_ speed: Fraction, _ isStretched: Bool) -> ClosedRange<Double> {
        speed != Fraction(1) && isStretched ? -0.010...0.010 : -0.001...0.001
    }

    /// A film in which one clip is heard; the others are there, and still.
    private func solo(
        _ track: Int, _ index: Int, of rows: [RandomRow], _ pitch: PitchPolicy
    ) throws -> Film {
        var items = rows.map(\.items)
        for other in items.indices {
            for item in items[other].indices where (other, item) != (track, index) {
                items[other][item].volume = 0
            }
        }
        var timeline = Timeline(videos: items[0], overlays: [OverlayTrack(items[1])])
        timeline.settings.pitch = pitch
        return try TimelineBuilder(timeline, assets: assets).film()
    }

    /// How much later than wanted a burst begins (seconds).
    private func distance(
        from wanted: Fraction, at speed: Fraction, in film: Film, threshold: Float
    ) throws -> Double {
        func number(_ value: Fraction) -> Double {
            Double(value.numerator) / Double(value.denominator)
        }
        let (exact, factor) = (number(wanted), number(speed))
        // as far as to the middle of the silence between it and the next
        let reach = Double(BurstMedia.distance - BurstMedia.length) / 2 / factor
        let first = max(0, Int64(exact - reach))
        let count = Int(exact + Double(BurstMedia.length) / factor) - Int(first)
        let audio = try FilmAudio(film, sampleRate: 48_000)
        let heard = try audio.read(from: first, count: count).floats.channel(0)
        let peak = heard.map(\.magnitude).max() ?? 0
        let onset = try #require(heard.firstIndex { $0.magnitude > peak * threshold })
        return (Double(first + Int64(onset)) - exact) / 48_000
    }
}
