import Foundation
import Media
import Testing

@testable import Compose

@Suite("Audio at other speeds")
struct AudioSpeedTests {
    private let rate = 48_000.0

    /// Two seconds and more of one source played in another time.
    private func film(
        _ audio: SyntheticAudio, frames: Int64, in length: Int64, pitch: PitchPolicy
    ) -> AudioFilm {
        var film = AudioFilm()
        film.sounds["a"] = audio
        let id = film.track(mapped: [
            (
                "a",
                MediaTimeMapping(
                    source: MediaTimeRange(
                        start: .seconds(1), duration: MediaTime(value: frames, timescale: 48_000)),
                    target: MediaTimeRange(
                        start: .zero, duration: MediaTime(value: length, timescale: 48_000)))
            )
        ])
        film.mix.inputs = [AudioMixInput(trackID: id, pitch: pitch)]
        return film
    }

    /// How strong a frequency is: amplitude of its best fit.
    private func amplitude(_ hertz: Double, _ samples: ArraySlice<Float>) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            let angle = 2 * Double.pi * hertz * Double(index) / rate
            // a Hann window, so that other tones do not leak in
            let window =
                1 - Trigonometry.cosine(2 * .pi * (Double(index) + 0.5) / Double(samples.count))
            real += Double(sample) * window * Trigonometry.cosine(angle)
            imaginary += Double(sample) * window * Trigonometry.sine(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    }

    @Test(
        "kept pitch: a tone stays the same tone, as loud, without clicks, for exactly its time",
        arguments: [(0.5, 220.0), (0.8, 440), (1.05, 1000), (1.25, 440), (1.5, 97.3), (2, 3000)])
    func keptPitch(speed: Double, hertz: Double) throws {
        let length = Int64(96_000 / speed)
        let film = film(
            .sine(hertz, amplitude: 0.5), frames: 96_000, in: length, pitch: .kept)
        let mixed = try film.renderer().all().channel(0)
        #expect(mixed.count == Int(length))
        let middle = mixed[4800..<mixed.count - 4800]
        #expect(abs(amplitude(hertz, middle) - 0.5) < 0.02)
        // what is not the tone is at least 30 dB below it
        let energy = Array(middle).rms * Array(middle).rms
        let tone = amplitude(hertz, middle) * amplitude(hertz, middle) / 2
        #expect(abs(energy - tone) < 1e-3 * energy + 0.002)
        let bound = Float(0.5 * 2 * Double.pi * hertz / rate) * 1.2 + 0.006
        #expect(mixed.largestStep < bound)
        #expect(amplitude(hertz * speed, middle) < 0.02)
    }

    @Test(
        "kept pitch: beeps are heard once each, where the speed puts them to 5 ms",
        arguments: [0.25, 1.0 / 3, 0.5, 0.7, 0.9, 1.1, 1.6, 2, 3, 3.9])
    func keptPlaces(speed: Double) throws {
        let bursts = SyntheticAudio { frame, _ in
            // 30 ms of tone each half second
            guard frame % 24_000 < 1440 else { return 0 }
            return 0.5 * Float(Trigonometry.sine(2 * .pi * 700 * Double(frame) / 48_000))
        }
        let film = film(bursts, frames: 96_000, in: Int64(96_000 / speed), pitch: .kept)
        let mixed = try film.renderer().all().channel(0)
        var found: [Int] = []
        // a beginning is what comes behind 20 ms of silence
        for frame in mixed.indices where abs(mixed[frame]) > 0.05 {
            if mixed[max(0, frame - 960)..<frame].allSatisfy({ abs($0) <= 0.05 }) {
                found.append(frame)
            }
        }
        let wanted = (0..<4).map { Int((Double($0) * 24_000 / speed).rounded()) }
        #expect(found.count == 4)
        for (one, other) in zip(found, wanted) { #expect(abs(one - other) <= 240) }
    }

    @Test(
        "kept pitch: beats over a chord are heard once each, to 8 ms, none louder or fainter",
        arguments: [0.25, 1.0 / 3, 0.5, 0.8, 1.25, 2])
    func keptBeats(speed: Double) throws {
        let tones = [196.0, 440, 1174.66]
        let music = SyntheticAudio { frame, _ in
            let chord = tones.reduce(Float(0)) { sum, hertz in
                sum + 0.02 * Float(Trigonometry.sine(2 * .pi * hertz * Double(frame) / 48_000))
            }
            // a beat each 0.31 s that falls to a third within 10 ms
            let since = Double(frame % 14_880)
            let beat = Trigonometry.sine(2 * .pi * 3000 * since / 48_000)
            return chord + 0.6 * Float(beat * pow(3, -since / 480))
        }
        let film = film(music, frames: 96_000, in: Int64(96_000 / speed), pitch: .kept)
        let mixed = try film.renderer().all().channel(0)
        var found: [Int] = []
        for frame in mixed.indices where abs(mixed[frame]) > 0.25 {
            if mixed[max(0, frame - 1920)..<frame].allSatisfy({ abs($0) <= 0.25 }) {
                found.append(frame)
            }
        }
        // the source begins at 1 s, between two beats
        let first = 14_880 - 48_000 % 14_880
        let wanted = (0..<6).map { Double(first + $0 * 14_880) / speed }
        #expect(found.count == 6, "\(found)")
        for (one, other) in zip(found, wanted) {
            #expect(abs(Double(one) - other) <= 384)
            let loudest = mixed[one..<min(mixed.count, one + 480)].map { abs($0) }.max() ?? 0
            #expect(loudest > 0.45 && loudest < 0.7)
        }
    }

    @Test(
        "kept pitch: hats over a louder bass are heard once each, at their times, however quiet",
        arguments: [0.25, 0.5, 0.9, 1.5, 2, 3.9], [1.0, 0.002])
    func keptHats(speed: Double, level: Double) throws {
        let music = SyntheticAudio { frame, _ in
            let bass = 0.3 * Trigonometry.sine(2 * .pi * 80 * Double(frame) / 48_000)
            // 8 kHz that falls to a third within 5 ms, each 0.13 s
            let since = Double(frame % 6240)
            let hat = 0.5 * Trigonometry.sine(2 * .pi * 8000 * since / 48_000)
            return Float(level * (bass + hat * pow(3, -since / 240)))
        }
        let film = film(music, frames: 96_000, in: Int64(96_000 / speed), pitch: .kept)
        let mixed = try film.renderer().all().channel(0)
        // without the bass: what changes from frame to frame
        let sharp = mixed.indices.dropFirst().map { abs(mixed[$0] - mixed[$0 - 1]) / Float(level) }
        var found: [Int] = []
        for frame in sharp.indices where sharp[frame] > 0.16 {
            if found.last.map({ frame - $0 > 480 }) ?? true { found.append(frame) }
        }
        let first = 6240 - 48_000 % 6240
        // but for the last one, of which the end is cut off
        let wanted = (0..<15).map { Double(first + $0 * 6240) / speed }
        found.removeAll { Double($0) > (wanted.last ?? 0) + 960 }
        let places = found.map { (Double($0) * speed - Double(first)) / 6240 }
        #expect(found.count == wanted.count, "\(places)")
        for (one, other) in zip(found, wanted) { #expect(abs(Double(one) - other) <= 480) }
    }

    @Test("kept pitch: a chord keeps the power of each of its tones", arguments: [0.75, 1.2, 1.75])
    func keptChord(speed: Double) throws {
        let tones = [196.0, 440, 1174.66]
        let chord = SyntheticAudio { frame, _ in
            tones.reduce(0) { sum, hertz in
                sum + 0.15 * Float(Trigonometry.sine(2 * .pi * hertz * Double(frame) / 48_000))
            }
        }
        let film = film(chord, frames: 96_000, in: Int64(96_000 / speed), pitch: .kept)
        let mixed = try film.renderer().all().channel(0)
        for tone in tones {
            // in parts of 50 ms: blocks meet in any phase, as they do in every method of this kind
            let powers = stride(from: 4800, to: mixed.count - 7200, by: 1200).map { start in
                let level = amplitude(tone, mixed[start..<start + 2400]) / 0.15
                return level * level
            }
            let mean = powers.reduce(0, +) / Double(powers.count)
            #expect(abs(10 * Decibel.level(mean) / 20) < 3, "\(tone) Hz: \(mean)")
        }
    }

    @Test("kept pitch: a source a thousand times too long is read in places only")
    func keptExtreme() throws {
        let noise = SyntheticAudio.noise(seed: 4)
        let film = film(noise, frames: 48_000_000, in: 48_000, pitch: .kept)
        #expect(try film.renderer().all().channel(0).rms > 0.05)
        #expect(noise.requests.reduce(0) { $0 + $1.count } < 400_000)
    }

    @Test("kept pitch: nothing outside the segment's source range is heard")
    func keptInside() throws {
        let loudOutside = SyntheticAudio { frame, _ in
            (48_000..<144_000).contains(frame) ? 0.1 : 0.9
        }
        for length in [70_000, 150_000] as [Int64] {
            let film = film(loudOutside, frames: 96_000, in: length, pitch: .kept)
            #expect(try film.renderer().all().allSatisfy { $0 <= 0.1001 })
        }
    }

    @Test("both sides move together: what is silent on one stays silent")
    func sides() throws {
        let left = SyntheticAudio { frame, channel in
            channel == 0 ? Float(Trigonometry.sine(Double(frame) / 20)) * 0.5 : 0
        }
        let film = film(left, frames: 96_000, in: 80_000, pitch: .kept)
        #expect(try film.renderer().all().channel(1).allSatisfy { $0 == 0 })
    }

    @Test(
        "pitch that follows: every sample is the source's wave at its place",
        arguments: [(0.5, 1000.0), (1.37, 440), (2.0, 5000)])
    func followsSpeed(speed: Double, hertz: Double) throws {
        let length = Int64(96_000 / speed)
        let film = film(
            .sine(hertz, amplitude: 0.5), frames: 96_000, in: length, pitch: .followsSpeed)
        let mixed = try film.renderer().all().channel(0)
        var worst: Float = 0
        for frame in 1000..<mixed.count - 1000 {
            let place = 48_000 + Double(frame) * 96_000 / Double(length)
            let wanted = 0.5 * Float(Trigonometry.sine(2 * .pi * hertz * place / rate))
            worst = max(worst, abs(wanted - mixed[frame]))
        }
        #expect(worst < 2e-4)
    }

    @Test("pitch that follows: what would pass half the rate is gone and not folded back")
    func noAliases() throws {
        let film = film(
            .sine(18_000, amplitude: 0.5), frames: 96_000, in: 48_000, pitch: .followsSpeed)
        let mixed = try film.renderer().all().channel(0)
        // 36 kHz would be heard at 12 kHz
        #expect(amplitude(12_000, mixed[2000..<46_000]) < 0.5 * 0.001)
    }

    @Test("a length that differs by the timeline's rounding is no change of speed")
    func roundingIsNoSpeed() throws {
        var film = AudioFilm()
        film.sounds["a"] = .noise(seed: 3)
        // 15,360 ticks a second are not on the timeline's grid
        let from = MediaTimeRange(
            start: .zero, duration: MediaTime(value: 15_359, timescale: 15_360))
        let length = from.duration.onTimeline()
        film.track(mapped: [
            (
                "a",
                MediaTimeMapping(
                    source: from, target: MediaTimeRange(start: .zero, duration: length))
            )
        ])
        let mixed = try film.renderer().all()
        let source = try #require(film.sounds["a"]).read(at: 0, count: 40_000).floats
        #expect(Array(mixed[2000..<80_000]) == Array(source[2000..<80_000]))
    }
}
