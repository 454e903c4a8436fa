import Media
import Testing

@testable import Compose

@Suite("The treatment of tracks: limiter, moving pan, and reading in any order")
struct TreatmentTests {
    private func film(
        _ sound: SyntheticAudio, _ input: AudioMixInput, seconds: Int64 = 1
    ) -> AudioFilm {
        var film = AudioFilm()
        film.sounds["a"] = sound
        film.track([("a", .zero, .seconds(seconds))])
        film.mix.inputs = [input]
        return film
    }

    @Test("no sample of a track passes its limiter, and what is lower is not touched")
    func limiter() throws {
        let burst = SyntheticAudio { frame, _ in
            let gain: Float = (20_000..<22_000).contains(frame) ? 0.9 : 0.2
            return gain * Float(Trigonometry.sine(2 * .pi * 300 * Double(frame) / 48_000))
        }
        let treatment = AudioTreatment(limiter: -6)
        let film = film(burst, AudioMixInput(trackID: 1, volume: 2, treatment: treatment))
        let ceiling = Float(Decibel.amplitude(-6))
        let mixed = try film.renderer().all()
        let free = self.film(burst, AudioMixInput(trackID: 1, volume: 2))
        let raw = ReferenceMix(free).all()
        #expect(raw.contains { $0 > 1.7 })
        #expect(mixed.allSatisfy { abs($0) <= ceiling })
        #expect(mixed.contains { $0 > ceiling * 0.99 }, "peaks come to the ceiling")
        let plain = try self.film(
            burst, AudioMixInput(trackID: 1, volume: 2, treatment: AudioTreatment(limiter: 0))
        ).renderer().all()
        #expect(plain.allSatisfy { abs($0) <= 1 })
        for sample in raw.indices where abs(sample / 2 - 21_000) - 1000 > 1920 {
            guard abs(mixed[sample] - raw[sample]) >= 1e-6 else { continue }
            Issue.record("\(sample): \(mixed[sample]) is not \(raw[sample])")
            break
        }
    }

    @Test("below its ceiling a limiter leaves every bit")
    func idleLimiter() throws {
        let noise = SyntheticAudio.noise(seed: 1, amplitude: 0.49)
        let treatment = AudioTreatment(limiter: -6)
        let held = try film(noise, AudioMixInput(trackID: 1, treatment: treatment)).renderer().all()
        #expect(held == (try film(noise, AudioMixInput(trackID: 1)).renderer().all()))
    }

    @Test("each track has a limiter of its own, before the sum and the tap")
    func ownLimiter() throws {
        var film = film(
            .level([0.9, 0.9]),
            AudioMixInput(
                trackID: 1, treatment: AudioTreatment(limiter: -20),
                tap: AudioTap(name: "double") { frames, _ in
                    for index in frames.indices { frames[index] *= 2 }
                }))
        film.sounds["b"] = .level([0.5, 0.25])
        film.track([("b", .zero, .seconds(1))])
        let middle = try film.renderer().floats(from: 20_000, count: 1)
        #expect(middle.largestDifference(from: [0.7, 0.45]) < 1e-5)
    }

    @Test("a pan that moves is at every frame what its ramps say")
    func pan() throws {
        let input = AudioMixInput(
            trackID: 1, volume: 0.5, pan: 0.25,
            panRamps: [
                PanRamp(
                    timeRange: MediaTimeRange(
                        start: .milliseconds(200), duration: .milliseconds(300)), from: -1, to: 1),
                PanRamp(
                    timeRange: MediaTimeRange(
                        start: .milliseconds(700), duration: .milliseconds(200)), from: 0.5,
                    to: -0.5, curve: .easeIn),
            ])
        let film = film(.level([0.5, 0.8]), input)
        let mixed = try film.renderer().all()
        #expect(mixed.largestDifference(from: ReferenceMix(film).all()) < 1e-6)
        // -0.75, 0.25 in the middle of the first way, 1 held
        #expect(abs(mixed[2 * 5000] - 0.25) < 1e-6)
        let far = Float(Trigonometry.cosine(0.75 * .pi / 2))
        #expect(abs(mixed[2 * 5000 + 1] - 0.4 * far) < 1e-6)
        #expect(abs(mixed[2 * 30_000]) < 1e-6 && abs(mixed[2 * 30_000 + 1] - 0.4) < 1e-6)
    }

    /// Words, noise and rumble, in two spans at two speeds with a gap between.
    private func mixture() -> AudioFilm {
        var film = AudioFilm()
        let noise = SyntheticAudio.noise(seed: 9, amplitude: 0.002)
        film.sounds["a"] = SyntheticAudio { frame, channel in
            let time = Double(frame) / 48_000
            let word = frame / 20_000 % 3 == 0 ? 0.7 : 0
            let tone = word * Trigonometry.sine(2 * .pi * 250 * time)
            let rumble = 0.3 * Trigonometry.sine(2 * .pi * 18 * time)
            return Float(tone + rumble)
                + ((try? noise.read(at: frame, count: 1).floats[channel]) ?? 0)
        }
        func range(_ start: Int64, _ length: Int64) -> MediaTimeRange {
            MediaTimeRange(start: .milliseconds(start), duration: .milliseconds(length))
        }
        let spans: [(String?, MediaTimeMapping)] = [
            ("a", MediaTimeMapping(source: range(500, 3000), target: range(0, 3000))),
            (nil, MediaTimeMapping(source: range(0, 250), target: range(3000, 250))),
            ("a", MediaTimeMapping(source: range(0, 3750), target: range(3250, 3000))),
        ]
        film.track(mapped: spans.map { (name: $0.0, mapping: $0.1) })
        film.mix.inputs = [
            AudioMixInput(
                trackID: 1, volume: 1.5,
                panRamps: [PanRamp(timeRange: range(1000, 4000), from: -1, to: 1)],
                treatment: AudioTreatment(lowCut: 80, gate: NoiseGate(), limiter: -3))
        ]
        return film
    }

    @Test("blocks of any size, in any order, are the same samples to the last bit")
    func split() throws {
        let film = mixture()
        let whole = try film.renderer().all()
        #expect(whole.contains { abs($0) > 0.5 } && whole.count == 2 * 300_000)
        for size in [1023, 4096, 100_000] {
            let renderer = try film.renderer()
            var parts: [Float] = []
            while parts.count < whole.count {
                let frame = parts.count / 2
                parts += try renderer.floats(
                    from: Int64(frame), count: min(size, whole.count / 2 - frame))
            }
            #expect(parts == whole, "blocks of \(size)")
        }
        // a renderer of its own for each place, as playing and resuming begin, and one that goes back and forth
        let wanderer = try film.renderer()
        for frame in [250_000, 95_990, 144_100, 290_000, 3, 156_500, 96_001, 200_000] {
            let wanted = Array(whole[2 * frame..<2 * frame + 4000])
            #expect(try film.renderer().floats(from: Int64(frame), count: 2000) == wanted)
            #expect(try wanderer.floats(from: Int64(frame), count: 2000) == wanted, "\(frame)")
        }
    }

    @Test("a place deep in a clip is read from 3 s before it, not from its beginning")
    func bounded() throws {
        let sound = SyntheticAudio.sine(300)
        let film = film(
            sound,
            AudioMixInput(
                trackID: 1, treatment: AudioTreatment(lowCut: 20, gate: NoiseGate(), limiter: -1)),
            seconds: 3600)
        _ = try film.renderer().floats(from: 48_000 * 3000, count: 1000)
        let first = try #require(sound.requests.map(\.lowerBound).min())
        // the gate looks 2.6 s back, and a section of the low cut may begin 2.5 s before that
        #expect(first > 48_000 * 2994, "\(Double(first) / 48_000)")
        let read = sound.requests.reduce(0) { $0 + $1.count }
        #expect(read < 48_000 * 7)
    }

    @Test("reading on reads each frame of the source once")
    func onceForward() throws {
        let sound = SyntheticAudio.sine(300)
        let film = film(
            sound,
            AudioMixInput(
                trackID: 1, treatment: AudioTreatment(lowCut: 20, gate: NoiseGate(), limiter: -1)),
            seconds: 9)
        _ = try film.renderer().all()
        #expect(sound.requests.reduce(0) { $0 + $1.count } == 9 * 48_000)
    }
}
