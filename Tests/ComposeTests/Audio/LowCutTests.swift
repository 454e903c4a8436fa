import Media
import Testing

@testable import Compose

@Suite("The low cut of a track")
struct LowCutTests {
    private func film(
        _ sound: SyntheticAudio, lowCut: Double?, from: MediaTime = .zero,
        seconds: Int64 = 3
    ) -> AudioFilm {
        var film = AudioFilm()
        film.sounds["a"] = sound
        film.track([("a", from, .seconds(seconds))])
        film.mix.inputs = [
            AudioMixInput(trackID: 1, treatment: AudioTreatment(lowCut: lowCut))
        ]
        return film
    }

    /// What is left of a tone (dB).
    private func level(
        of hertz: Double, lowCut: Double, rate: Int = 48_000
    ) throws -> Double {
        let film = film(.sine(hertz, rate: rate), lowCut: lowCut)
        let mixed = try film.renderer(sampleRate: rate).floats(from: Int64(rate), count: rate)
        return Decibel.level(mixed.channel(0).rms / (0.5 / 2.0.squareRoot()))
    }

    @Test(
        "a tone at its frequency is 3 dB lower, at every rate",
        arguments: [20.0, 80, 250, 1000], [8000, 44_100, 48_000])
    func corner(frequency: Double, rate: Int) throws {
        let level = try level(of: frequency, lowCut: frequency, rate: rate)
        #expect(abs(level + 3.01) < 0.1, "\(level)")
    }

    @Test("below it falls by 24 dB per octave, above it is flat")
    func slope() throws {
        #expect(abs(try level(of: 40, lowCut: 80) + 24.1) < 0.3)
        #expect(abs(try level(of: 20, lowCut: 80) + 48.2) < 0.5)
        #expect(abs(try level(of: 160, lowCut: 80)) < 0.05)
        #expect(abs(try level(of: 100, lowCut: 80) + 0.68) < 0.1)
        for hertz in [250.0, 1000, 5000, 15_000] {
            #expect(abs(try level(of: hertz, lowCut: 80)) < 0.01, "\(hertz) Hz")
        }
    }

    @Test("sections of two seconds meet without a seam: all is that of one filter")
    func seams() throws {
        let noise = SyntheticAudio.noise(seed: 5)
        let mixed = try film(noise, lowCut: 20, seconds: 7).renderer().all()
        var filter = HighPass(frequency: 20, sampleRate: 48_000)
        let raw = try noise.read(at: 0, count: 7 * 48_000).floats.channel(1)
        // it begins as the film's does
        filter.settle(2 * Double(raw[0]) - Double(raw[24_000]))
        for frame in stride(from: 24_000, to: 0, by: -1) {
            _ = filter.pass(2 * Double(raw[0]) - Double(raw[frame]))
        }
        let wanted = raw.map { Float(filter.pass(Double($0))) }
        // but for the fades of its ends
        let inside = 200..<7 * 48_000 - 200
        let difference = Array(mixed.channel(1)[inside]).largestDifference(
            from: Array(wanted[inside]))
        #expect(difference < 1e-6, "\(difference)")
    }

    @Test("a cut into rumble or an offset does not thump")
    func thump() throws {
        let offset = SyntheticAudio.level([0.5, 0.5])
        let still = try film(offset, lowCut: 80, from: .seconds(1)).renderer().all()
        #expect(still.allSatisfy { $0 == 0 })
        // a quarter of a turn into 10 Hz, where it is steepest, and where it is highest
        for from in [MediaTime.milliseconds(1000), .milliseconds(1025)] {
            let rumble = try film(.sine(10), lowCut: 80, from: from).renderer().all()
            let peak = rumble.reduce(0) { max($0, abs($1)) }
            #expect(peak < 0.005, "\(peak)")
        }
    }

    @Test("nothing before the cut is heard, and silence stays silent")
    func outside() throws {
        let loud = SyntheticAudio { frame, _ in frame < 48_000 ? 0.9 : 0 }
        let mixed = try film(loud, lowCut: 80, from: .seconds(1)).renderer().all()
        #expect(mixed.allSatisfy { $0 == 0 })
    }
}
