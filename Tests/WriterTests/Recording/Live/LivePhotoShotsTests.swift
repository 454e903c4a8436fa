import LibAV
import Media
import TestSupport
import Testing

@testable import Recording

@Suite("Shots of live photos")
struct LivePhotoShotsTests {
    /// The number of the frame that is shown at a time, by decoding all before it.
    private func number(in movie: LivePhotoMovie, at time: MediaTime) throws -> Int {
        let decoder = try VideoDecoder(format: movie.video)
        var decoded: [SampleBuffer] = []
        for frame in movie.placedFrames { decoded += try decoder.decode(frame) }
        decoded += try decoder.finish()
        let shown = try #require(decoded.last { $0.presentationTime <= time })
        return try FrameStrip.number(in: #require(shown.pixelBuffer))
    }

    @Test("a hundred shots that overlap are each the film of their own moment")
    func hundred() throws {
        var rig = LivePhotoRig()
        (rig.take.width, rig.take.height, rig.take.seconds) = (96, 48, 10)
        rig.audioLatency = 40
        var random = SplitMix(seed: 3)
        let shots = (0..<100).map { _ in
            Int64.random(in: 1_600_000_000...8_000_000_000, using: &random)
        }.sorted()
        let movies = try rig.movies(of: shots)
        #expect(movies.count == 100)
        for (index, moment) in shots.enumerated() {
            let movie = try #require(movies[index])
            // within half a frame: frames jitter by 3 ms
            let frame = rig.nearest(moment)
            let at = MediaTime.nanoseconds(rig.take.time(of: frame) - moment)
            let time = max(.zero, movie.stillTime + max(at, .zero) + .milliseconds(1))
            #expect(try number(in: movie, at: time) == frame)
            #expect(abs(movie.stillTime.approximateSeconds - 1.5) < 0.04)
            #expect(abs(movie.duration.approximateSeconds - 3) < 0.08)
            #expect(movie.missingAfter < .milliseconds(40) && movie.lostFrames == 0)
        }
        // one file of them, of many: with its audio, as long as its frames
        let bytes = try #require(movies[57]).fileData(contentIdentifier: "x")
        #expect(bytes.count > 10_000)
    }

    @Test("where the session ends first, the movie is what there is, and says so")
    func cutOff() throws {
        let rig = LivePhotoRig()
        let movie = try #require(
            try rig.movies(of: [1_000_000_000], endsAt: 1_400_000_000)[0])
        #expect(abs(movie.stillTime.approximateSeconds - 1) < 0.01)
        #expect(abs(movie.missingBefore.approximateSeconds - 0.5) < 0.01)
        #expect(abs(movie.missingAfter.approximateSeconds - 1.1) < 0.06)
        #expect(abs(movie.duration.approximateSeconds - 1.4) < 0.06)
        #expect(try !movie.fileData(contentIdentifier: "x").isEmpty)
    }

    @Test(
        "what is missing at an end is stated there alone, and what is missing inside as lost frames"
    )
    func missingOnce() throws {
        var shots = LivePhotoShots(
            video: VideoFormat(
                coding: .coded(.h264), width: 32, height: 16, nominalRate: FrameRate(30)),
            audio: nil)
        func frame(_ number: Int64) -> SampleBuffer {
            var sample = SampleBuffer(
                payload: .coded(BlockBuffer([1])),
                format: .video(
                    VideoFormat(
                        coding: .coded(.h264), width: 32, height: 16)),
                presentationTime: MediaTime(value: number, timescale: 30))
            sample.isSync = number % 15 == 0
            return sample
        }
        // 0.5 s are missing before, 4 frames inside, and 0.5 s after
        for number in Int64(30)..<105 {
            let time = MediaTime(value: number, timescale: 30)
            if (60..<64).contains(number) {
                shots.lose(1, at: time)
            } else {
                shots.take(frame: frame(number))
            }
        }
        shots.lose(15, at: MediaTime(value: 15, timescale: 30))
        shots.lose(40, at: MediaTime(value: 105, timescale: 30))
        let answers = LivePhotoRig.Answers()
        shots.ask(
            LivePhotoShot(number: 0, moment: .seconds(2)) { result in
                answers.list.withLock { $0[0] = result }
            })
        shots.ask(
            LivePhotoShot(number: 1, moment: .seconds(2)) { result in
                answers.list.withLock { $0[1] = result }
            })
        // of one whose camera will be back only after it
        shots.ask(
            LivePhotoShot(number: 2, moment: .seconds(20)) { result in
                answers.list.withLock { $0[2] = result }
            })
        shots.forget(1)
        for (shot, movie) in shots.end() { shot.body(movie) }
        let all = answers.list.withLock { $0 }
        #expect(all.count == 2)
        let movie = try #require(all[0]).get()
        #expect(movie.lostFrames == 4)
        #expect(abs(movie.missingBefore.approximateSeconds - 0.5) < 0.001)
        #expect(movie.missingAfter == .zero)
        // a moment that the stop came before is no movie of a frame of something else
        #expect {
            _ = try #require(all[2]).get()
        } throws: { ($0 as? MediaError)?.code == .sourceSilent }
    }

    @Test("a movie is waited for no longer when its task is cancelled; a later one is made")
    func cancelled() async throws {
        let camera = RigCamera("camera", at: RecorderRig.origin, period: 33_333_333)
        let recorder = LivePhotoRecorder(camera: camera.source)
        try recorder.start()
        // no more frames than may wait to be encoded
        camera.advance(to: RecorderRig.origin + 250_000_000)
        let moment = MediaTime.nanoseconds(RecorderRig.origin + 150_000_000)
        let tasks = (0..<10).map { _ in Task { try await recorder.captureMovie(around: moment) } }
        #expect(try await eventually { recorder.waitingCount == 10 })
        for task in tasks { task.cancel() }
        for task in tasks {
            guard case .failure(let error) = await task.result else {
                Issue.record("there is a movie")
                continue
            }
            #expect((error as? MediaError)?.code == .cancelled)
        }
        #expect(recorder.waitingCount == 0)
        let later = Task { try await recorder.captureMovie(around: moment) }
        #expect(try await eventually { recorder.waitingCount == 1 })
        recorder.stop()
        #expect(try await later.value.missingAfter > .seconds(1))
        await #expect {
            _ = try await recorder.captureMovie(around: moment)
        } throws: { ($0 as? MediaError)?.code == .invalidState }
        #expect(recorder.waitingCount == 0)
    }

    @Test(
        "a recorder of live photos that is released without a stop leaves its camera and its thread"
    )
    func released() async throws {
        let camera = RigCamera("camera", at: RecorderRig.origin)
        let probe = LivePhotoRecorderProbe()
        let isAnswered = probe.isAnswered
        func run() throws {
            let recorder = LivePhotoRecorder(camera: camera.source)
            try recorder.start()
            probe.recorder = recorder
            camera.advance(to: RecorderRig.origin + 500_000_000)
            #expect(camera.source.hasListener)
            recorder.captureMovie(around: .nanoseconds(RecorderRig.origin)) { [isAnswered] _ in
                isAnswered.raise()
            }
        }
        try run()
        #expect(probe.recorder == nil)
        #expect(!camera.source.hasListener)
        // its thread ends, and answers who waited with what there is
        #expect(probe.isAnswered.wait(nanoseconds: 60_000_000_000))
    }

    private final class LivePhotoRecorderProbe {
        weak var recorder: LivePhotoRecorder?
        let isAnswered = WakeSignal()
    }

    @Test("a camera that delivers nothing has no movie")
    func nothing() throws {
        var rig = LivePhotoRig()
        rig.sees = { _ in false }
        #expect {
            _ = try rig.movies(of: [1_000_000_000])
        } throws: { ($0 as? MediaError)?.code == .sourceSilent }
    }

    @Test(
        "a microphone with a hole, one that ends early and none leave the frames alone",
        arguments: 0...2)
    func microphone(_ kind: Int) throws {
        var rig = LivePhotoRig()
        rig.hasMicrophone = kind != 2
        let half = SyntheticTake.rate / 2
        rig.hears = { first in kind == 1 ? first < 4 * half : !(half * 3..<half * 4).contains(first)
        }
        let moment = rig.take.time(of: 60)
        let movie = try #require(try rig.movies(of: [moment])[0])
        #expect(abs(movie.duration.approximateSeconds - 3) < 0.08)
        #expect((movie.audio == nil) == (kind == 2))
        // what is silent in the movie is stated: a hole of half a second, and the time after the end
        let missing = movie.missingAudio.approximateSeconds
        #expect(abs(missing - [0.5, 1.5, 0][kind]) < 0.06, "\(missing)")
        guard let audio = movie.audio else { return }
        let coded = try LivePhotoAudio(
            movie.blocks, audio, start: movie.start, duration: movie.duration)
        // from the first frame to the last, whatever was heard
        let frames = coded.samples.reduce(-coded.format.primingFrames) {
            $0 + Int($1.duration?.value ?? 0) - $1.attachments.trailingTrim
        }
        let wanted = movie.duration.ticks(per: Int32(coded.format.sampleRate), rounding: .nearest)
        #expect(Int64(frames) == wanted)
    }

    /// A camera that delivers nothing.
    private final class SilentCamera: SampleSource {
        let origin = SourceOrigin(identifier: "silent:", name: "Silent", driver: "test")
        let format = FormatDescription.video(
            VideoFormat(coding: .raw(.yuv420p), width: 96, height: 48))

        func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {}
    }

    @Test(
        "a movie of a recorder that holds nothing yet, and never will, is an error and no waiting")
    func unstarted() async throws {
        let recorder = LivePhotoRecorder(camera: SilentCamera())
        await #expect {
            _ = try await recorder.captureMovie(around: .seconds(1))
        } throws: { ($0 as? MediaError)?.code == .invalidState }
        try recorder.start()
        await #expect {
            _ = try await recorder.captureMovie(around: .seconds(1))
        } throws: { ($0 as? MediaError)?.code == .sourceSilent }
    }

    @Test("frames larger than a movie's are made smaller, in their proportions and even")
    func sizes() {
        func size(_ width: Int, _ height: Int) -> PixelSize? {
            LivePhotoWork.size(
                of: VideoFormat(coding: .raw(.yuv420p), width: width, height: height))
        }
        #expect(size(1280, 720) == nil && size(640, 480) == nil)
        #expect(size(1920, 1080) == PixelSize(1280, 720))
        #expect(size(1080, 1920) == PixelSize(720, 1280))
        #expect(size(4000, 3000) == PixelSize(1280, 960))
        #expect(size(641, 481) == PixelSize(642, 482))
    }
}

/// Waits in a task, whose thread others need meanwhile.
private func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<500 {
        if condition() { return true }
        try await Task.sleep(for: .milliseconds(20))
    }
    return condition()
}
