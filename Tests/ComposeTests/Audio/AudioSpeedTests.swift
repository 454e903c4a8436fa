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
        "kept pitch: beeps are where the speed puts them, within the stated bound",
        arguments: [0.5, 0.7, 1.1, 1.6])
    func keptPlaces(speed: Double) throws {
        let bursts = SyntheticAudio { frame, _ in
            // 30 ms of tone each half second
            guard frame % 24_000 < 1440 else { return 0 }
            return 0.5 * Float(Trigonometry.sine(2 * .pi * 700 * Double(frame) / 48_000))
        }
        let film = film(bursts, frames: 96_000, in: Int64(96_000 / speed), pitch: .kept)
        let mixed = try film.renderer().all().channel(0)
        for burst in 1..<4 {
            let exact = Int(Double(burst) * 24_000 / speed)
            let onset = (exact - 2000..<exact + 2000).first { abs(mixed[$0]) > 0.05 }
            let bound = Int((600 + 960 * abs(1 - speed)) / speed)
            #expect(abs((onset ?? 0) - exact) <= bound)
        }
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
