import Media
import Testing

@testable import Compose

@Suite("The gate of a track")
struct GateTests {
    /// Bursts of a tone, which rise in 5 ms and fall in 100 ms, over noise at −60 dB.
    private struct Speech {
        /// Frames.
        let words: [Range<Int64>]
        var amplitude: Float = 0.1

        func envelope(_ frame: Int64) -> Float {
            guard let word = words.first(where: { $0.contains(frame) }) else { return 0 }
            let rise = Float(frame - word.lowerBound) / 240
            let fall = Float(word.upperBound - frame) / 4800
            return amplitude * min(1, rise, fall)
        }

        func sound(noise: Float = 0.001) -> SyntheticAudio {
            let hiss = SyntheticAudio.noise(seed: 3, amplitude: noise * Float(3).squareRoot())
            return SyntheticAudio { frame, channel in
                let tone = Float(Trigonometry.sine(2 * .pi * 300 * Double(frame) / 48_000))
                let own = (try? hiss.read(at: frame, count: 1).floats[channel]) ?? 0
                return envelope(frame) * tone + own
            }
        }
    }

    private func film(
        _ sound: SyntheticAudio, _ gate: NoiseGate?, seconds: Int64 = 3
    ) -> AudioFilm {
        var film = AudioFilm()
        film.sounds["a"] = sound
        film.track([("a", .zero, .seconds(seconds))])
        film.mix.inputs = [AudioMixInput(trackID: 1, treatment: AudioTreatment(gate: gate))]
        return film
    }

    /// Gated samples by what they were; where they were next to nothing, as just before.
    private func gains(_ film: AudioFilm) throws -> [Float] {
        var open = film
        open.mix.inputs = []
        var last: Float = 1
        return zip(
            try open.renderer().all().channel(0), try film.renderer().all().channel(0)
        ).map { raw, mixed in
            if abs(raw) > 1e-4 { last = mixed / raw }
            return last
        }
    }

    private let word = Int64(96_000)..<Int64(112_000)

    @Test("noise between words is lowered by the range, words are whole")
    func words() throws {
        let film = film(Speech(words: [word]).sound(), NoiseGate())
        let gains = try gains(film)
        let floor = Float(Decibel.amplitude(-30))
        // closed: before its way up and behind hold, release and the window of its end
        #expect(gains[500..<96_000 - 480 - 1440 - 480].allSatisfy { abs($0 - floor) < 1e-3 })
        #expect(gains[112_000 + 19_200 + 960..<143_000].allSatisfy { abs($0 - floor) < 1e-3 })
        // open, from 20 ms before the window of the first sample that counts
        #expect(gains[96_000 - 480..<112_000 + 4800].allSatisfy { abs($0 - 1) < 1e-5 })
        let quiet = try film.renderer().floats(from: 20_000, count: 48_000).channel(0)
        #expect(abs(Decibel.level(quiet.rms) + 90) < 0.5, "\(Decibel.level(quiet.rms))")
    }

    @Test("it opens and closes without a click: gains change by less than 1.5 % a frame")
    func clicks() throws {
        let steady = SyntheticAudio { frame, _ in self.word.contains(frame) ? 0.1 : 0.001 }
        let gains = try gains(film(steady, NoiseGate()))
        let inside = gains[1000..<143_000]
        let ratios = zip(inside, inside.dropFirst()).map { abs($1 / $0 - 1) }
        #expect((ratios.max() ?? 1) < 0.015, "\(ratios.max() ?? 1)")
        #expect(inside.contains { $0 == 1 } && inside.contains { $0 < 0.032 })
    }

    @Test("a tail within the hysteresis is not chopped, and one without it is")
    func hysteresis() throws {
        // at −45 dB for 0.5 s, then at −49 dB for 1 s, then silence
        let tail = SyntheticAudio { frame, _ in
            let level: Double =
                switch frame {
                case 48_000..<72_000: -44
                case 72_000..<120_000: -49
                default: -70
                }
            let tone = Trigonometry.sine(2 * .pi * 500 * Double(frame) / 48_000)
            return Float(Decibel.amplitude(level) * 2.0.squareRoot() * tone)
        }
        let whole = try gains(film(tail, NoiseGate()))
        #expect(whole[48_000..<120_000 + 9000].allSatisfy { abs($0 - 1) < 1e-4 })
        let chopped = try gains(film(tail, NoiseGate(hysteresis: 0)))
        #expect(chopped[100_000] < 0.05)
    }

    @Test("what hovers below the threshold keeps it open for two seconds at most")
    func bridge() throws {
        let hover = SyntheticAudio { frame, _ in
            let level = frame < 48_000 ? -40.0 : -48
            let tone = Trigonometry.sine(2 * .pi * 500 * Double(frame) / 48_000)
            return Float(Decibel.amplitude(level) * 2.0.squareRoot() * tone)
        }
        let gains = try gains(film(hover, NoiseGate(), seconds: 5))
        #expect(abs(gains[48_000 + 95_000] - 1) < 1e-4)
        #expect(gains[48_000 + 96_000 + 9600 + 9600 + 100] < 0.04)
    }

    @Test("either channel opens both, by what it is itself")
    func channels() throws {
        func left(_ level: Double) throws -> Float {
            let amplitude = Float(Decibel.amplitude(level) * 2.0.squareRoot())
            let sound = SyntheticAudio { frame, channel in
                let tone = Float(Trigonometry.sine(2 * .pi * 500 * Double(frame) / 48_000))
                return channel == 0 ? amplitude * tone : 0.0001
            }
            let film = film(sound, NoiseGate(), seconds: 1)
            return try film.renderer().floats(from: 24_000, count: 1)[1] / 0.0001
        }
        #expect(abs(try left(-44.9) - 1) < 1e-5)
        #expect(try left(-45.1) < 0.04)
    }

    @Test("it listens behind the low cut and before the volume")
    func order() throws {
        let rumble = SyntheticAudio { frame, _ in
            let low = 0.5 * Trigonometry.sine(2 * .pi * 15 * Double(frame) / 48_000)
            let high = 0.001 * Trigonometry.sine(2 * .pi * 1000 * Double(frame) / 48_000)
            return Float(low + high)
        }
        var film = film(rumble, NoiseGate(), seconds: 2)
        let open = try film.renderer().floats(from: 48_000, count: 4800).channel(0).rms
        #expect(open > 0.3)
        film.mix.inputs[0].treatment.lowCut = 200
        film.mix.inputs[0].volume = 16
        let closed = try film.renderer().floats(from: 48_000, count: 4800).channel(0).rms
        let wanted = 0.001 / 2.0.squareRoot() * 16 * Decibel.amplitude(-30)
        #expect(abs(Decibel.level(closed / wanted)) < 0.5)
    }

    @Test("a clip that begins and ends within a word is heard whole")
    func ends() throws {
        let film = film(.sine(300), NoiseGate(threshold: -20), seconds: 1)
        #expect(try film.renderer().all().largestDifference(from: ReferenceMix(film).all()) < 1e-6)
    }
}
