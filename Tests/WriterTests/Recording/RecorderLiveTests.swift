import Media
import TestSupport
import Testing

@testable import Reading
@testable import Recording
@testable import Writing

/// Devices that deliver in real time from threads of their own until they are stopped.
private final class LiveDevices: Sendable {
    private let take = SyntheticTake()
    private let stopped = WakeSignal()
    let camera: ScriptedSource
    let microphone: ScriptedSource

    init() {
        camera = ScriptedSource("camera", .video(take.videoFormat))
        microphone = ScriptedSource("microphone", .audio(take.audioFormat))
        let origin = HostClock().now().nanoseconds()
        run("camera", from: origin, period: 33_333_333) { index, stamp in
            var sample = self.take.frameSample(index)
            sample.presentationTime = .nanoseconds(stamp)
            self.camera.send(.sample(sample))
        }
        run("microphone", from: origin, period: 10_000_000) { index, stamp in
            var sample = self.take.audioSample(from: index * 480, count: 480)
            sample.presentationTime = .nanoseconds(stamp)
            self.microphone.send(.sample(sample))
        }
    }

    func stop() { stopped.raise() }

    private func run(
        _ name: String, from origin: Int64, period: Int64,
        _ deliver: @escaping @Sendable (Int, Int64) -> Void
    ) {
        let stopped = stopped
        NamedThread(name: name) {
            var index = 0
            while true {
                let stamp = origin + Int64(index) * period
                let due = MediaTime.nanoseconds(stamp + period)
                guard HostClock().wait(until: due, orSignal: stopped) == .reachedDeadline else {
                    return
                }
                deliver(index, stamp)
                index += 1
            }
        }.detach()
    }
}

/// Waits on the recording's own word, not on time.
private func firstEvent(_ recorder: Recorder, _ kind: String) async {
    for await event in recorder.events where event.kind == kind { return }
}

struct RecorderLiveTests {
    @Test("a live recording on the host clock ends with a closed movie, its report and no listener")
    func liveTake() async throws {
        let folder = try TemporaryFolder()
        let devices = LiveDevices()
        defer { devices.stop() }
        var settings = RecordingSettings(outputPath: folder.file("take.mp4"))
        settings.video = .encoded(VideoOutputSettings(codec: .h264, preset: "ultrafast"))
        let recorder = try Recorder(
            sources: [devices.camera, devices.microphone], settings: settings)
        try recorder.start()
        await firstEvent(recorder, "started")
        #expect(recorder.mark("live"))
        let report = await recorder.stop()
        #expect(report.state == .finished, "\(report.reasons)")
        #expect(report.duration > .zero)
        #expect(report.markers.map(\.text) == ["live"])
        #expect(report.tracks[1].frames > 0)
        #expect(recorder.status().state == .finished)
        #expect(!devices.camera.hasListener && !devices.microphone.hasListener)
        #expect(Set(folder.contents) == ["take.mp4", "take.vcap.json"])
        #expect(try await recorder.finished() == report)
    }

    @Test("commands from many threads at once leave one consistent take")
    func commandStorm() async throws {
        let folder = try TemporaryFolder()
        let devices = LiveDevices()
        defer { devices.stop() }
        var settings = RecordingSettings(outputPath: folder.file("take.mkv"))
        settings.video = .encoded(VideoOutputSettings(codec: .h264, preset: "ultrafast"))
        let recorder = try Recorder(
            sources: [devices.camera, devices.microphone], settings: settings)
        try recorder.start()
        await firstEvent(recorder, "started")
        await withTaskGroup(of: Void.self) { group in
            for seed in 1...4 {
                group.addTask {
                    var noise = Noise(seed: UInt64(seed))
                    for round in 0..<40 {
                        switch Int(abs(noise.next()) * 5) {
                        case 0: recorder.pause()
                        case 1: recorder.resume()
                        case 2: recorder.toggle()
                        case 3: recorder.mark("\(seed).\(round)")
                        default: _ = recorder.status()
                        }
                        try? await Task.sleep(for: .milliseconds(5))
                    }
                }
            }
        }
        let report = await recorder.stop()
        #expect(report.state == .finished, "\(report.reasons)")
        let clocks = try #require(report.clocks)
        let end = try #require(clocks.end)
        let cut = report.pauses.reduce(0) { $0 + ($1.length?.nanoseconds ?? 0) }
        let recorded = end.nanoseconds - clocks.start.nanoseconds - cut
        #expect(report.duration.nanoseconds == recorded)
        var before = clocks.start
        for pause in report.pauses {
            #expect(pause.start >= before)
            before = pause.end ?? end
            #expect(before >= pause.start)
        }
        #expect(report.markers == report.markers.sorted { $0.hostTime < $1.hostTime })
    }

    @Test("a recording that was never started can be stopped")
    func neverStarted() async throws {
        let recorder = try Recorder(
            sources: [RigCamera("camera", at: 0).source],
            settings: RecordingSettings(outputPath: "/tmp/never.mp4"))
        let report = await recorder.stop()
        #expect(report.reasons == ["Nothing was recorded."])
        #expect(recorder.status().state == .finished)
        #expect(throws: MediaError.self) { try recorder.start() }
    }

    @Test("a coded camera that dies before its first frame has no track; the others are recorded")
    func deadCodedCamera() async throws {
        let folder = try TemporaryFolder()
        let devices = LiveDevices()
        defer { devices.stop() }
        let coded = VideoFormat(
            coding: .coded(.h264), width: 64, height: 48, nominalRate: FrameRate(25))
        let dead = ScriptedSource("dead", .video(coded))
        var settings = RecordingSettings(outputPath: folder.file("take.mp4"))
        settings.video = .encoded(VideoOutputSettings(codec: .h264, preset: "ultrafast"))
        settings.videoOverrides[0] = .copied
        let recorder = try Recorder(
            sources: [dead, devices.camera, devices.microphone], settings: settings)
        try recorder.start()
        let now = HostClock().now()
        dead.send(
            .interrupted(
                SourceInterruption(reason: .deviceGone, time: now, message: "The camera is gone.")))
        await firstEvent(recorder, "started")
        try await Task.sleep(for: .milliseconds(300))
        // whatever it brings later has nowhere to go
        dead.send(.resumed(at: HostClock().now(), format: .video(coded)))
        dead.send(
            .sample(
                SampleBuffer(
                    payload: .coded(BlockBuffer([0, 0, 0, 1, 0x65, 1, 2, 3])),
                    format: .video(coded), presentationTime: HostClock().now())))
        #expect(recorder.pause())
        try await Task.sleep(for: .milliseconds(300))
        #expect(recorder.resume())
        try await Task.sleep(for: .milliseconds(300))
        let report = await recorder.stop()
        #expect(report.state == .finished, "\(report.reasons)")
        #expect(report.verdict == .bad)
        #expect(report.reasons.contains { $0.hasPrefix("dead delivered nothing before the take") })
        #expect(report.tracks.map(\.movieTrack) == [-1, 0, 1])
        #expect(report.pauses.count == 1)
        let movie = try Asset.load(folder.file("take.mp4"))
        #expect(movie.tracks.map(\.mediaType) == [.video, .audio])
        #expect(movie.tracks.allSatisfy { $0.sampleCount > 5 })
    }

    @Test("a folder that cannot be written refuses the start, which may be tried again")
    func unwritableFolder() throws {
        let camera = RigCamera("camera", at: 0).source
        let recorder = try Recorder(
            sources: [camera], settings: RecordingSettings(outputPath: "/no/such/folder/take.mp4"))
        for _ in 0..<2 {
            #expect(throws: MediaError.self) { try recorder.start() }
            #expect(recorder.status().state == .idle)
            #expect(!camera.hasListener)
        }
    }

    @Test("a resume and a pause that still wait when the movie ends leave the one open cut")
    func commandsWaitingAtTheEnd() {
        var gate = PauseGate(start: 0, hasLead: true, stallLimit: 500)
        gate.leadFrame(at: 0)
        _ = gate.pause(at: 50, notBefore: 0)
        gate.leadFrame(at: 100)
        _ = gate.resume(at: 120, notBefore: 0)
        _ = gate.pause(at: 130, notBefore: 0)
        gate.endSession(at: 190)
        gate.finish()
        #expect(gate.cuts == [PauseGate.Cut(movieTime: 100, start: 100, end: nil)])
    }
}
