import Media
import TestSupport
import Testing

@testable import Compose

@Suite("The mix of audio tracks")
struct MixRendererTests {
    private func time(_ frames: Int64) -> MediaTime {
        MediaTime(value: frames, timescale: 48_000)
    }

    /// Three tracks with cuts, holes, ramps, panning and all counts of channels.
    private func busyFilm() -> AudioFilm {
        var film = AudioFilm()
        film.sounds = [
            "a": .noise(seed: 1), "b": .noise(seed: 2, channels: 1),
            "c": .noise(seed: 3, channels: 6), "d": .noise(seed: 4, length: 20_000),
        ]
        let first = film.track([
            ("a", time(777), time(9000)), ("b", time(0), time(12_345)), (nil, .zero, time(3001)),
            ("a", time(50_000), time(20_000)), ("d", time(15_000), time(9000)),
        ])
        let second = film.track([(nil, .zero, time(4000)), ("c", time(123), time(40_000))])
        let third = film.track([("d", time(0), time(30_000)), ("a", time(9), time(11))])
        film.mix.inputs = [
            AudioMixInput(
                trackID: first, volume: 0.8,
                volumeRamps: [
                    VolumeRamp(
                        timeRange: MediaTimeRange(from: time(1000), to: time(7000)), from: 0.2,
                        to: 1),
                    VolumeRamp(
                        timeRange: MediaTimeRange(from: time(20_000), to: time(33_333)), from: 1,
                        to: 0, shape: .equalPower),
                    VolumeRamp(0.5, from: time(40_000)),
                ], pan: -0.4),
            AudioMixInput(trackID: second, volume: 1.3, pan: 0.7),
            AudioMixInput(
                trackID: third,
                volumeRamps: [
                    VolumeRamp(
                        timeRange: MediaTimeRange(from: .zero, to: time(25_000)), from: 1, to: 0.1)
                ]),
        ]
        return film
    }

    @Test("every sample is the one of a slow mix in double precision")
    func againstReference() throws {
        let film = busyFilm()
        let mixed = try film.renderer().all()
        let wanted = ReferenceMix(film).all()
        #expect(mixed.count == wanted.count)
        #expect(mixed.largestDifference(from: wanted) < 2e-6)
        #expect(mixed.rms > 0.1)
        // the control: half a frame's worth of another place is far off
        #expect(mixed.largestDifference(from: Array(wanted.dropFirst(2)) + [0, 0]) > 0.1)
    }

    @Test("a film has exactly round(length · rate) frames, silent outside")
    func exactCount() throws {
        var film = AudioFilm()
        film.sounds = ["a": .level([0.5, 0.5])]
        film.track([("a", .zero, MediaTime(value: 1001, timescale: 30_000))])
        let renderer = try film.renderer()
        #expect(renderer.frameCount == 1602)  // 1601.6
        let samples = try renderer.floats(from: -10, count: 1700).channel(0)
        #expect(samples[..<10].allSatisfy { $0 == 0 })
        #expect(samples[300] == 0.5)
        #expect(samples[1612...].allSatisfy { $0 == 0 })
    }

    @Test("blocks of random sizes and places give the same samples", arguments: [1, 2, 3])
    func randomBlocks(seed: UInt64) throws {
        var film = busyFilm()
        film.sounds["a"] = .noise(seed: 9, amplitude: 0.9)  // so that the limiter works too
        film.track(mapped: [
            (
                "c",
                MediaTimeMapping(
                    source: MediaTimeRange(from: time(500), to: time(40_500)),
                    target: MediaTimeRange(from: .zero, to: time(27_000)))
            )
        ])
        let whole = try film.renderer().all()
        var random = SplitMix(seed: seed)
        let renderer = try film.renderer()
        var joined: [Float] = []
        while joined.count < whole.count {
            let most = whole.count / 2 - joined.count / 2
            let count = min(Int.random(in: 1...5000, using: &random), most)
            joined += try renderer.floats(from: Int64(joined.count / 2), count: count)
        }
        #expect(joined == whole)
        for _ in 0..<12 {
            let start = Int.random(in: 0..<whole.count / 2 - 3000, using: &random)
            let count = Int.random(in: 1...3000, using: &random)
            let part = try renderer.floats(from: Int64(start), count: count)
            #expect(part == Array(whole[start * 2..<(start + count) * 2]))
        }
        #expect(renderer.report.limitedFrames > 0)
    }

    @Test("a sine across 50 cuts has no step above the bound of its fades, and none without fades")
    func cutsDoNotClick() throws {
        let (hertz, amplitude): (Double, Float) = (440, 0.8)
        var film = AudioFilm()
        film.sounds = ["sine": .sine(hertz, amplitude: amplitude)]
        var random = SplitMix(seed: 5)
        var segments: [(name: String?, from: MediaTime, length: MediaTime)] = []
        for _ in 0..<51 {
            segments.append(
                (
                    "sine", time(Int64.random(in: 0...400_000, using: &random)),
                    time(Int64.random(in: 1200...5000, using: &random))
                ))
        }
        film.track(segments)
        let mixed = try film.renderer().all().channel(0)
        let bound = amplitude * Float(2 * .pi * hertz / 48_000 + .pi / (2 * 144))
        #expect(mixed.largestStep <= bound)
        // the control: the same cuts as they are
        var raw: [Float] = []
        for segment in segments {
            let start = Double(segment.from.value)
            raw += (0..<segment.length.value).map { frame in
                amplitude
                    * Float(
                        Trigonometry.sine(2 * .pi * hertz * (start + Double(frame)) / 48_000))
            }
        }
        #expect(raw.largestStep > 10 * bound)
    }

    @Test("a split that continues in the source changes no sample")
    func seamlessSplit() throws {
        var whole = AudioFilm()
        whole.sounds = ["a": .noise(seed: 7)]
        var split = whole
        whole.track([("a", time(100), time(30_000))])
        split.track([
            ("a", time(100), time(11_111)), ("a", time(11_211), time(8000)),
            ("a", time(19_211), time(10_889)),
        ])
        #expect(try whole.renderer().all() == split.renderer().all())
    }

    @Test("beeps stay on their frames after 20 joins, to the frame")
    func beepsAfterJoins() throws {
        let rate = 48_000
        var film = AudioFilm()
        // 40 ms of 1 kHz at every whole second of the source, as the test microphone has them
        film.sounds["beeps"] = SyntheticAudio { frame, _ in
            let into = Int(frame) % rate
            guard into < rate * 40 / 1000 else { return 0 }
            return Sine.value(cycles: 1000 * (Double(into) + 0.5) / Double(rate))
        }
        var random = SplitMix(seed: 11)
        var segments: [(name: String?, from: MediaTime, length: MediaTime)] = []
        var wanted: [Int] = []
        var place: MediaTime = .zero
        for clip in 0..<21 {
            // cut at frames of 29.97 and 25 pictures a second, which are no whole audio frames
            let timescale: Int32 = clip % 2 == 0 ? 30_000 : 25
            let step: Int64 = clip % 2 == 0 ? 1001 : 1
            let from = MediaTime(
                value: step * Int64.random(in: 4...20, using: &random), timescale: timescale)
            let length = MediaTime(
                value: step * Int64.random(in: 30...40, using: &random), timescale: timescale)
            segments.append(("beeps", from, length))
            let second = MediaTime.seconds(1)
            let exact = place.timelineTicks + second.timelineTicks - from.timelineTicks
            if from < second, second + .milliseconds(50) < from + length {
                wanted.append(
                    Int(MediaTime.timeline(exact).ticks(per: 48_000, rounding: .nearest)))
            }
            place = MediaTime.timeline(place.timelineTicks + length.timelineTicks)
        }
        film.track(segments)
        let found = FlashBeep.beeps(in: try film.renderer().all().channel(1), sampleRate: rate)
        #expect(wanted.count >= 15)
        for beep in wanted {
            let nearest = found.min { abs($0 - beep) < abs($1 - beep) }
            // two roundings, of the cut in the source and on the timeline: one frame together
            #expect(abs((nearest ?? .max) - beep) <= 1, "\(beep) \(found)")
        }
    }

    @Test("other rates place and limit as 48 kHz does", arguments: [8000, 44_100, 192_000])
    func otherRates(rate: Int) throws {
        var film = AudioFilm()
        film.sounds = ["loud": .sine(200, amplitude: 1.5, rate: rate), "soft": .level([0.5, 0.5])]
        film.track([
            ("soft", .zero, .milliseconds(1501)), ("loud", .zero, .milliseconds(700)),
            ("soft", .zero, .milliseconds(1500)),
        ])
        let renderer = try film.renderer(sampleRate: rate)
        let mixed = try renderer.all().channel(0)
        #expect(mixed.count == Int((3.701 * Double(rate)).rounded()))
        #expect(mixed.allSatisfy { abs($0) <= 1 })
        #expect(renderer.report.limitedFrames > 0)
        let start = Int((1.501 * Double(rate)).rounded())
        #expect(mixed[start - rate / 10] == 0.5)
        // the fades meet at the cut: both of its frames are all but silent
        #expect(abs(mixed[start - 1]) < 0.02 && abs(mixed[start]) < 0.02)
        // blocks of another size at every rate
        #expect(
            try renderer.floats(from: Int64(start) - 777, count: 3000).channel(0)
                == Array(mixed[start - 777..<start + 2223]))
    }

    @Test("sources are read forward, and a cut back to one does not open it again")
    func sourcesReadForward() throws {
        var film = AudioFilm()
        film.sounds = ["a": .noise(seed: 1), "b": .noise(seed: 2)]
        film.track([
            ("a", .zero, time(20_000)), ("b", .zero, time(9000)), ("a", time(20_000), time(20_000)),
        ])
        var opened: [String] = []
        let sounds = film.sounds
        let renderer = try MixRenderer(composition: film.composition) {
            source, _ throws(MediaError) in
            opened.append(source.path)
            return sounds[source.path] ?? .level([0])
        }
        _ = try renderer.read(from: 0, count: Int(renderer.frameCount))
        #expect(opened == ["a", "b"])
        let requests = film.sounds["a"]?.requests ?? []
        #expect(zip(requests, requests.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    }

    @Test("a source that cannot be opened is named")
    func missingSource() throws {
        var film = AudioFilm()
        film.track([("gone.wav", .zero, time(1000))])
        let renderer = try film.renderer()
        let error = #expect(throws: MediaError.self) { try renderer.read(from: 0, count: 10) }
        #expect(error?.code == .noSuchFile && error?.subject == "gone.wav")
    }

    @Test("rates and channel counts out of range are refused", arguments: [(7999, 2), (48_000, 3)])
    func refusedFormats(rate: Int, channels: Int) {
        #expect(throws: MediaError.self) {
            try AudioFilm().renderer(sampleRate: rate, channels: channels)
        }
    }
}
