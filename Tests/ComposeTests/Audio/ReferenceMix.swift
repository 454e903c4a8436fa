import Media

@testable import Compose

/// The mix, slow and obvious: every sample by its definition, in double precision, one after the other.
/// Speeds, treatments and the limiter are left out.
struct ReferenceMix {
    private let film: AudioFilm
    private let rate: Int32 = 48_000

    init(_ film: AudioFilm) { self.film = film }

    func all() -> [Float] {
        let count = film.composition.duration.ticks(per: rate, rounding: .nearest)
        return (0..<count).flatMap { frame in
            let (left, right) = value(frame)
            return [Float(left), Float(right)]
        }
    }

    private func value(_ frame: Int64) -> (Double, Double) {
        var (left, right) = (0.0, 0.0)
        for track in film.composition.tracks {
            let input = film.mix.input(forTrack: track.id)
            let gain = input.gain(at: MediaTime(value: frame, timescale: rate))
            guard let (own, fade) = source(track, frame) else { continue }
            let pan = input.pan(at: MediaTime(value: frame, timescale: rate))
            let far = Trigonometry.cosine(abs(pan) * .pi / 2)
            left += own.0 * fade * gain * (pan > 0 ? far : 1)
            right += own.1 * fade * gain * (pan < 0 ? far : 1)
        }
        return (left, right)
    }

    /// A track's two sides at a frame before its gain, and the gain of the cut's fade.
    private func source(_ track: CompositionTrack, _ frame: Int64) -> ((Double, Double), Double)? {
        for segment in track.segments {
            let start = segment.timeRange.start.ticks(per: rate, rounding: .nearest)
            let end = segment.timeRange.end.ticks(per: rate, rounding: .nearest)
            guard (start..<end).contains(frame), let media = segment.source,
                let audio = film.sounds[media.path]
            else { continue }
            let from = segment.mapping.source.start.ticks(per: rate, rounding: .nearest)
            let samples = (try? audio.read(at: from + frame - start, count: 1).floats) ?? []
            let edge = min(frame - start, end - 1 - frame)
            let length = min(144, (end - start) / 2)
            let part = (Double(edge) + 0.5) / Double(length)
            let fade = edge < length ? 0.5 - 0.5 * Trigonometry.cosine(.pi * part) : 1
            return (sides(samples.map { Double($0) }), fade)
        }
        return nil
    }

    private func sides(_ samples: [Double]) -> (Double, Double) {
        let half = 0.5.squareRoot()
        switch samples.count {
        case 1: return (samples[0], samples[0])
        case 2: return (samples[0], samples[1])
        case 6:  // left, right, centre, low, back left, back right
            return (
                samples[0] + half * samples[2] + half * samples[4],
                samples[1] + half * samples[2] + half * samples[5]
            )
        default: return (.nan, .nan)
        }
    }
}
