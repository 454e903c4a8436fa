import Media
import TestSupport
import Testing

@testable import Movie
@testable import Recording
@testable import Writing

/// A recorder with the real asset writer, fed in order of time from a thread of its own.
private final class MovieTake: Sendable {
    private let clock: ManualClock
    private let recorder: Recorder
    private let take: SyntheticTake
    private let camera: ScriptedSource
    private let microphone: ScriptedSource
    private let ppm: Double
    /// Keeps what the writer reports for a while, as a busy machine does.
    private let slow: SlowReports?

    init(
        _ take: SyntheticTake, ppm: Double, path: String, slow: SlowReports? = nil,
        change: (inout RecordingSettings) -> Void = { _ in }
    ) throws {
        self.take = take
        self.slow = slow
        self.ppm = ppm
        clock = ManualClock(at: .nanoseconds(SyntheticTake.start))
        camera = ScriptedSource("camera", .video(take.videoFormat))
        microphone = ScriptedSource("microphone", .audio(take.audioFormat))
        var settings = RecordingSettings(outputPath: path)
        settings.video = .encoded(VideoOutputSettings(codec: .h264, preset: "ultrafast"))
        change(&settings)
        recorder = try Recorder(
            sources: [camera, microphone], settings: settings, clock: clock,
            space: FileSystemSpace(), makeWriter: slow?.make ?? AssetWriter.makeForTake,
            ownsThread: false)
    }

    /// Delivers the whole take and gives the report.
    func run() async throws -> TakeReport {
        try recorder.start()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            NamedThread(name: "take") {
                self.deliver()
                done.resume()
            }.detach()
        }
        return try await recorder.finished()
    }

    private func deliver() {
        var frame = 0
        // heard before the first frame: the movie begins with that
        var heard = -960
        var commands = take.pauses.flatMap { [($0.at, true), ($0.resume, false)] }[...]
        var unstated: (at: Int64, isPaused: Bool)?
        for step in 1...take.seconds * 100 {
            let now = Int64(step) * 10_000_000
            while let (time, pauses) = commands.first, time <= now {
                commands.removeFirst()
                advance(to: time)
                if pauses { recorder.pause() } else { recorder.resume() }
                unstated = (time, pauses)
            }
            advance(to: now)
            while deviceTime(heard + 480) <= now {
                microphone.send(.sample(sound(from: heard)))
                heard += 480
            }
            while frame < take.frameCount, take.time(of: frame) < now {
                camera.send(.sample(take.frameSample(frame)))
                frame += 1
            }
            if let command = unstated, frame > 0, take.time(of: frame - 1) >= command.at {
                if let slow {
                    slow.speak(in: 20)
                } else {
                }
                unstated = nil
            }
            slow?.step()
            if step.isMultiple(of: 10) { recorder.tick() }
        }
        recorder.requestStop()
        // a microphone does not know of the stop
        for _ in 0..<2 {
            microphone.send(.sample(sound(from: heard)))
            heard += 480
        }
        while !recorder.status().state.isOver {
            slow?.step()
            clock.advance(by: .milliseconds(100))
            recorder.tick()
            _ = WakeSignal().wait(nanoseconds: 1_000_000)
        }
    }

    private func advance(to time: Int64) {
        let now = clock.now().nanoseconds() - SyntheticTake.start
        if time > now { clock.advance(by: .nanoseconds(time - now)) }
    }

    /// When the microphone hears one of its frames (ns since the take's start).
    private func deviceTime(_ frame: Int) -> Int64 {
        Int64((Double(frame) / (48_000 * (1 + ppm * 1e-6)) * 1e9).rounded())
    }

    private func sound(from first: Int) -> SampleBuffer {
        let block = BlockBuffer(count: 480 * 4) { bytes in
            let samples = bytes.bindMemory(to: Float.self)
            for index in 0..<480 {
                let seconds = Double(deviceTime(first + index)) / 1e9
                let into = seconds - seconds.rounded(.down)
                let cycles = 1_000 * (into + 0.5 / 48_000)
                samples[index] = into < 0.04 ? 0.8 * Sine.value(cycles: cycles) : 0
            }
        }
        return SampleBuffer(
            payload: .audio(block), format: .audio(take.audioFormat),
            presentationTime: .nanoseconds(SyntheticTake.start + deviceTime(first)))
    }
}

/// Stands between a writer and its recorder and reports cuts some steps of 10 ms late.
private final class SlowReports: Sendable {
    /// Whether the writer knows the wanted length.
    let limitsWriter: Bool
    private let unstated = BlockingLock<[@Sendable () -> Void]>([])
    private let stepsLeft = BlockingLock(Int.max)

    init(limitsWriter: Bool) { self.limitsWriter = limitsWriter }

    var make: TakeWriterMaker {
        { settings, plans, handler throws(MediaError) in
            var settings = settings
            if !self.limitsWriter { settings.duration = nil }
            return try AssetWriter.makeForTake(settings, plans) { event in
                switch event {
                case .paused, .resumed:
                    self.unstated.withLock { $0.append { handler(event) } }
                default: handler(event)
                }
            }
        }
    }

    func speak(in steps: Int) { stepsLeft.withLock { $0 = steps } }

    func step() {
        let isDue = stepsLeft.withLock { left in
            left = left == .max ? left : max(0, left - 1)
            return left == 0
        }
        guard isDue else { return }
        let reported = unstated.withLock { unstated in
            defer { unstated = [] }
            return unstated
        }
        for emit in reported { emit() }
    }
}

/// Pauses away from the beeps, so that none is shortened.
private let pauses = [
    SyntheticTake.Pause(at: 312_345_678, resume: 781_000_001),
    SyntheticTake.Pause(at: 1_533_333_333, resume: 2_610_987_654),
    SyntheticTake.Pause(at: 4_444_444_444, resume: 4_850_505_050),
]

struct RecordedMovieTests {
    @Test(
        "a take with three pauses holds exactly its frames, flash with beep, and reports them",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"),
        arguments: [("mp4", 0.0), ("mp4", 400), ("mov", -400), ("mkv", 0)])
    func pausedTake(container: String, ppm: Double) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("take.\(container)")
        let take = SyntheticTake(seconds: 7, pauses: pauses)
        let report = try await MovieTake(take, ppm: ppm, path: path) {
            $0.audio = AudioOutputSettings(codec: container == "mkv" ? .flac : .aac)
            // so that the test's speed, far from real time, cannot drop a frame
            if ppm == 0 { $0.overflow = .wait }
        }.run()

        #expect(report.verdict == .good, "\(report.reasons)")
        #expect(report.duration.nanoseconds == take.length)
        let cuts = take.cuts.map { SyntheticTake.start + $0.start }
        #expect(report.pauses.map(\.start.nanoseconds) == cuts)
        if ppm != 0 { #expect(abs((report.tracks[1].driftPPM ?? 0) - ppm) < 1) }
        let saved = try TakeReportFile.read(FileBytes.read(folder.file("take.vcap.json")))
        #expect(saved == report)

        let oracle = MovieOracle(path)
        let expected = take.expected
        #expect(try oracle.frameNumbers() == expected.map(\.number))
        let times = try oracle.presentationTimes()
        let sound = try oracle.sound()
        let length = Double(take.length) / 1e9
        let heard = Double(sound.count) / 48_000
        #expect(abs(heard - length) < 0.033)
        var flashes: [Double] = []
        for (time, frame) in zip(times, expected) where frame.number % 30 == 0 {
            flashes.append(time)
        }
        let starts = FlashBeep.beeps(in: sound, sampleRate: 48_000)
        let beeps = starts.map { Double($0) / 48_000 }
        let bound = ppm == 0 ? 0.001 : 0.005
        #expect(flashes.count == 6)
        for flash in flashes {
            let nearest = beeps.map { abs($0 - flash) }.min() ?? .infinity
            #expect(nearest <= bound, "flash at \(flash)")
        }
    }

    @Test(
        "a wanted length makes a movie of exactly that length, video and audio",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func wantedLength() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("take.mov")
        let take = SyntheticTake(seconds: 5, pauses: Array(pauses.prefix(1)))
        let report = try await MovieTake(take, ppm: 0, path: path) {
            $0.audio = AudioOutputSettings(codec: .pcm16)
            $0.duration = MediaTime(value: 7, timescale: 3)
        }.run()
        #expect(report.duration == TakeTime(nanoseconds: 2_333_333_333))
        let oracle = MovieOracle(path)
        let wanted = take.expected.filter { $0.time < 2_333_333_333 }.map(\.number)
        #expect(try oracle.frameNumbers() == wanted)
        #expect(try oracle.sound().count == 112_000)
    }

    @Test(
        "a wanted end within milliseconds of a resume is exact though the resume is known too late",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"), arguments: ["mov", "mkv"])
    func endBesideResume(container: String) async throws {
        let folder = try TemporaryFolder()
        let take = SyntheticTake(seconds: 4, pauses: Array(pauses.prefix(1)))
        // the movie holds after its first cut: an end a little later falls right behind the resume
        let held = try #require(take.cuts.first).start
        for (index, beyond) in [Int64(1_000), 600_000, 10_000_000, 33_000_000].enumerated() {
            let limit = held + beyond
            for limitsWriter in [true, false] {
                let path = folder.file("\(index)-\(limitsWriter).\(container)")
                let slow = SlowReports(limitsWriter: limitsWriter)
                let report = try await MovieTake(take, ppm: 0, path: path, slow: slow) {
                    $0.audio = AudioOutputSettings(codec: container == "mov" ? .pcm16 : .flac)
                    $0.duration = .nanoseconds(limit)
                    $0.overflow = .wait
                }.run()
                let oracle = MovieOracle(path)
                let numbers = try oracle.frameNumbers()
                let scale: Int64 = container == "mov" ? 90_000 : 1_000
                let wanted = take.expected.filter { frame in
                    TickSequence.ticks(Int64(frame.time), timescale: scale)
                        < TickSequence.ticks(limit, timescale: scale)
                }
                let heard = try oracle.sound().count
                let frames = Int(TickSequence.ticks(limit, timescale: 48_000))
                guard limitsWriter else {
                    // the control: cut by the recorder alone, the movie is too long
                    #expect(numbers.count > wanted.count || heard > frames + 48)
                    continue
                }
                #expect(report.duration.nanoseconds == limit, "\(beyond)")
                #expect(numbers == wanted.map(\.number), "\(beyond)")
                #expect(heard == frames, "\(beyond)")
            }
        }
    }

    @Test(
        "a frame that rounds to the tick of the wanted end is not in the movie",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"),
        arguments: [("mp4", Int64(5_000)), ("mkv", 400_000)])
    func endWithinHalfTick(container: String, beyond: Int64) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("take.\(container)")
        let take = SyntheticTake(seconds: 3, pauses: [])
        // the 31st frame would be less than half a tick before the end
        let limit = take.time(of: 30) - take.time(of: 0) + beyond
        let report = try await MovieTake(take, ppm: 0, path: path) {
            $0.duration = .nanoseconds(limit)
            $0.overflow = .wait
        }.run()
        #expect(report.duration.nanoseconds == limit)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<30))
    }

    @Test(
        "five minutes from a microphone 500 ppm fast are within 10 ms throughout in the movie",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func driftInTheMovie() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("take.mov")
        let report = try await recordRamp(to: path, seconds: 300, ppm: 500)
        #expect(report.verdict == .good, "\(report.reasons)")
        let audio = try MovieOracle(path).sound(sampleRate: 16_000)
        #expect(abs(audio.count - 300 * 16_000) < 16)
        var worst = 0.0
        for tenth in 1..<2_990 where !(tenth % 10 == 0 || tenth % 10 == 9) {
            let place = Double(tenth) / 10
            let second = place - place.rounded(.down)
            let heard = Double(audio[Int(place * 16_000)])
            worst = max(worst, abs(second - heard))
        }
        #expect(worst < 0.010)
    }
}

/// Records a level that says when it was heard, from a microphone with a clock of its own.
private func recordRamp(to path: String, seconds: Int, ppm: Double) async throws -> TakeReport {
    var settings = RecordingSettings(outputPath: path)
    settings.audio = AudioOutputSettings(codec: .pcmFloat)
    settings.overflow = .wait
    settings.syncPolicy = .never
    let device = SimulatedDevice(rate: 16_000, ppm: ppm)
    let clock = ManualClock(at: .nanoseconds(Int64(device.origin * 1e9)))
    let source = ScriptedSource("microphone", .audio(device.format))
    let recorder = try Recorder(
        sources: [source], settings: settings, clock: clock, space: FileSystemSpace(),
        makeWriter: AssetWriter.makeForTake, ownsThread: false)
    try recorder.start()
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
        NamedThread(name: "ramp") {
            var device = device
            func deliver() {
                let (block, stamp) = device.next(640)
                source.send(
                    .sample(
                        SampleBuffer(
                            payload: .audio(block), format: .audio(device.format),
                            presentationTime: .nanoseconds(stamp))))
            }
            for index in 0..<seconds * 25 {
                clock.advance(by: .milliseconds(40))
                deliver()
                if index.isMultiple(of: 5) { recorder.tick() }
            }
            recorder.requestStop()
            // a fast device is early: what lies before the stop comes in a few more buffers
            for _ in 0..<8 { deliver() }
            while !recorder.status().state.isOver {
                clock.advance(by: .milliseconds(100))
                recorder.tick()
                _ = WakeSignal().wait(nanoseconds: 1_000_000)
            }
            done.resume()
        }.detach()
    }
    return try await recorder.finished()
}
