import Media
import Testing

@testable import Compose

@Suite("Levels in the mix: channels, pan, taps, the limiter")
struct MixLevelsTests {
    private func film(_ sounds: [SyntheticAudio], seconds: Int64 = 1) -> AudioFilm {
        var film = AudioFilm()
        for (index, sound) in sounds.enumerated() {
            film.sounds["\(index)"] = sound
            film.track([("\(index)", .zero, .seconds(seconds))])
        }
        return film
    }

    /// The left and right level in the middle of a film of one source.
    private func middle(_ film: AudioFilm, channels: Int = 2) throws -> [Float] {
        try film.renderer(channels: channels).floats(from: 20_000, count: 1)
    }

    @Test(
        "each count of channels is mixed down as stated",
        arguments: [
            ([0.5], [0.5, 0.5]), ([0.1, 0.2], [0.1, 0.2]), ([0.1, 0.2, 0.9], [0.1, 0.2]),
            ([0.1, 0.2, 0.2, 0.1], [0.31213, 0.41213]),
            ([0.1, 0.2, 0.1, 0.2, 0.1], [0.31213, 0.34142]),
            ([0.1, 0.2, 0.1, 0.9, 0.2, 0.1], [0.31213, 0.34142]),
            ([0.1, 0.2, 0.1, 0.9, 0.1, 0.2, 0.1], [0.38284, 0.41213]),
            ([0.1, 0.2, 0.1, 0.9, 0.1, 0, 0.1, 0.2], [0.31213, 0.41213]),
            ([Float](repeating: 0.05, count: 10), [0.35355, 0.35355]),
        ] as [([Float], [Float])])
    func downmix(channels: [Float], wanted: [Float]) throws {
        #expect(try middle(film([.level(channels)])).largestDifference(from: wanted) < 1e-5)
    }

    @Test("a film in mono is half the sum of both sides, and a mono source as it is")
    func mono() throws {
        #expect(try middle(film([.level([0.6, 0.2])]), channels: 1) == [0.4])
        #expect(try middle(film([.level([0.6])]), channels: 1) == [0.6])
    }

    @Test(
        "pan leaves the near side and lowers the far side by a quarter of a cosine",
        arguments: [
            (0, [0.5, 0.25]), (1, [0, 0.25]), (-1, [0.5, 0]), (0.5, [0.35355, 0.25]),
            (-0.5, [0.5, 0.17678]),
        ] as [(Double, [Float])])
    func pan(pan: Double, wanted: [Float]) throws {
        var film = film([.level([0.5, 0.25])])
        film.mix.inputs = [AudioMixInput(trackID: 1, pan: pan)]
        #expect(try middle(film).largestDifference(from: wanted) < 1e-5)
    }

    @Test("a fade in and a fade out of a music item are what their ramps say")
    func musicFades() throws {
        var film = film([.level([0.8, 0.8])], seconds: 2)
        let second = MediaTime.seconds(1)
        film.mix.inputs = [
            AudioMixInput(
                trackID: 1,
                volumeRamps: [
                    VolumeRamp(
                        timeRange: MediaTimeRange(start: .zero, duration: second), from: 0, to: 1),
                    VolumeRamp(
                        timeRange: MediaTimeRange(start: second, duration: second), from: 1, to: 0,
                        shape: .equalPower),
                ])
        ]
        let mixed = try film.renderer().all().channel(0)
        for frame in stride(from: 500, to: 95_000, by: 1237) {
            let part = Double(frame % 48_000) / 48_000
            let angle = Trigonometry.cosine(.pi * part)
            let wanted = frame < 48_000 ? part : ((1 + angle) / 2).squareRoot()
            #expect(abs(mixed[frame] - Float(0.8 * wanted)) < 1e-5)
        }
    }

    @Test("two sounds that cross over by equal power keep the power of unrelated sounds")
    func crossOver() throws {
        var film = film([.noise(seed: 1), .noise(seed: 2)], seconds: 2)
        let range = MediaTimeRange(start: .zero, duration: .seconds(2))
        film.mix.inputs = [
            AudioMixInput(
                trackID: 1,
                volumeRamps: [VolumeRamp(timeRange: range, from: 1, to: 0, shape: .equalPower)]),
            AudioMixInput(
                trackID: 2,
                volumeRamps: [VolumeRamp(timeRange: range, from: 0, to: 1, shape: .equalPower)]),
        ]
        let mixed = try film.renderer().all().channel(0)
        let parts = stride(from: 1000, to: 90_000, by: 9000).map {
            Array(mixed[$0..<$0 + 9000]).rms
        }
        let single = 0.25 / 3.0.squareRoot()
        #expect(parts.allSatisfy { abs(Decibel.level($0 / single)) < 0.35 })
    }

    @Test("a tap gets the track's frames after volume, in order, and changes what is heard")
    func tap() throws {
        var film = film([.level([0.5, 0.5]), .level([0.125, 0.125])])
        let seen = TapLog()
        film.mix.inputs = [
            AudioMixInput(
                trackID: 1, volume: 0.5,
                tap: AudioTap(name: "half") { frames, context in
                    seen.add(frames, context)
                    for index in frames.indices { frames[index] *= 0.5 }
                })
        ]
        let renderer = try film.renderer()
        for frame in stride(from: Int64(0), to: 48_000, by: 1000) {
            let part = try renderer.floats(from: frame, count: 1000)
            if frame == 20_000 { #expect(part.allSatisfy { $0 == 0.25 }) }
        }
        #expect(seen.starts == seen.expectedStarts)
        #expect(seen.frames == 48_000)
        #expect(seen.peak == 0.25)
    }

    @Test("a tap that loses samples is refused by name")
    func shortTap() throws {
        var film = film([.level([0.5, 0.5])])
        film.mix.inputs = [
            AudioMixInput(trackID: 1, tap: AudioTap(name: "thief") { frames, _ in frames = [] })
        ]
        let renderer = try film.renderer()
        let error = #expect(throws: MediaError.self) { try renderer.read(from: 0, count: 1) }
        #expect(error?.message.contains("thief") == true)
    }

    @Test("a sum below full scale is not touched by the limiter")
    func noLimiting() throws {
        let film = film([.noise(seed: 1, amplitude: 0.49), .noise(seed: 2, amplitude: 0.5)])
        let renderer = try film.renderer()
        let mixed = try renderer.all()
        #expect(mixed.largestDifference(from: ReferenceMix(film).all()) < 1e-6)
        #expect(renderer.report.limitedFrames == 0 && renderer.report.firstLimited == nil)
        #expect(renderer.report.reduction == 0 && renderer.report.peak > 0.9)
    }

    @Test(
        "a sum above full scale stays within, is counted to the frame, and only its surroundings change"
    )
    func limiting() throws {
        let burst = SyntheticAudio { frame, _ in
            let gain: Float = (20_000..<22_000).contains(frame) ? 1.6 : 0.5
            return gain * Float(Trigonometry.sine(2 * .pi * 300 * Double(frame) / 48_000))
        }
        let film = film([burst, .level([0, 0])])
        let renderer = try film.renderer()
        let mixed = try renderer.all()
        let raw = ReferenceMix(film).all()
        let over = raw.channel(0).indices.filter { abs(raw[$0 * 2]) > 1 }
        #expect(mixed.allSatisfy { abs($0) <= 1 })
        #expect(renderer.report.limitedFrames == Int64(over.count))
        let first = try #require(over.first)
        #expect(renderer.report.firstLimited == MediaTime(value: Int64(first), timescale: 48_000))
        #expect(abs(renderer.report.peak - 1.6) < 0.001)
        #expect(abs(renderer.report.reduction - Decibel.level(1.6)) < 0.1)
        for frame in raw.indices where raw.count > frame {
            let distance = abs(frame / 2 - 21_000) - 1000
            if distance > 1920 { #expect(abs(mixed[frame] - raw[frame]) < 1e-6) }
        }
        // the gain moves slowly: less than 1 % in a millisecond's 48 frames times 10
        let gains = mixed.indices.compactMap { abs(raw[$0]) > 0.3 ? mixed[$0] / raw[$0] : nil }
        #expect(gains.largestStep < 0.02)
        // reading again counts nothing twice
        _ = try renderer.all()
        #expect(renderer.report.limitedFrames == Int64(over.count))
    }
}

/// What a tap was given.
private final class TapLog: Sendable {
    private struct Entries {
        var starts: [MediaTime] = []
        var counts: [Int] = []
        var peak: Float = 0
    }

    private let state = BlockingLock(Entries())

    func add(_ frames: [Float], _ context: AudioTap.Context) {
        state.withLock { entries in
            entries.starts.append(context.time)
            entries.counts.append(frames.count / context.channels)
            entries.peak = frames.reduce(entries.peak) { max($0, abs($1)) }
        }
    }

    var starts: [MediaTime] { state.withLock { $0.starts } }
    var frames: Int { state.withLock { $0.counts.reduce(0, +) } }
    var peak: Float { state.withLock { $0.peak } }

    /// Each block begins where the one before ended.
    var expectedStarts: [MediaTime] {
        state.withLock { entries in
            var place: Int64 = 0
            return entries.counts.map { count in
                defer { place += Int64(count) }
                return MediaTime(value: place, timescale: 48_000)
            }
        }
    }
}
