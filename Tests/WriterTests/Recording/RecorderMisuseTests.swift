import Media
import TestSupport
import Testing

@testable import Recording

private let origin = RecorderRig.origin

@Suite("A recorder that is asked for what cannot be")
struct RecorderMisuseTests {
    @Test("the end of a recorder that was not started is no end to wait for")
    func neverStarted() async throws {
        let rig = try RecorderRig([RigCamera("camera", at: origin)])
        let error = await #expect(throws: MediaError.self) {
            _ = try await rig.recorder.finished()
        }
        #expect(error?.code == .invalidState)
        #expect(error?.message.contains("call start() first") == true)
    }

    @Test("a task that is cancelled waits no longer; the recording continues and has its end")
    func cancelled() async throws {
        let rig = try RecorderRig([RigCamera("camera", at: origin)])
        let recorder = rig.recorder
        try recorder.start()
        rig.run(500)
        let tasks = (0..<20).map { _ in Task { try await recorder.finished() } }
        #expect(try await eventually { recorder.ending.waitingCount == 20 })
        for task in tasks { task.cancel() }
        for task in tasks {
            guard case .failure(let error) = await task.result else {
                Issue.record("it ended")
                continue
            }
            #expect((error as? MediaError)?.code == .cancelled)
        }
        #expect(recorder.ending.waitingCount == 0)
        rig.run(500)
        #expect(recorder.status().state == .recording)
        let waits = Task { try await recorder.finished() }
        #expect(try await eventually { recorder.ending.waitingCount == 1 })
        let report = await rig.stop()
        #expect(try await waits.value == report)
        #expect(report.verdict == .good, "\(report.reasons)")
    }

    @Test("one source twice is refused by name")
    func twice() {
        let camera = ScriptedSource(
            "Camera",
            .video(
                VideoFormat(
                    coding: .raw(.yuv420p), width: 32, height: 16)))
        let error = #expect(throws: MediaError.self) {
            _ = try Recorder(
                sources: [camera, camera],
                settings: RecordingSettings(outputPath: "/nowhere/a.mp4"))
        }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.hasPrefix("Camera is named twice") == true)
    }

    @Test("a second recorder of an output that is recorded is refused, and the first loses nothing")
    func secondRecorder() async throws {
        let camera = RigCamera("camera", at: origin)
        let first = try RecorderRig([camera])
        let second = try RecorderRig([camera])
        try first.recorder.start()
        first.run(500)
        let error = #expect(throws: MediaError.self) { try second.recorder.start() }
        #expect(error?.code == .invalidState)
        #expect(error?.message.hasPrefix("camera is being recorded") == true)
        first.run(500)
        let report = await first.stop()
        #expect(report.verdict == .good, "\(report.reasons)")
        #expect(report.tracks[0].frames > 20)
        // when that is over, the output is free
        try second.recorder.start()
        second.recorder.requestStop(fast: true)
    }

    @Test("a start that fails leaves the source to others")
    func failedStart() throws {
        let camera = RigCamera("camera", at: origin)
        let first = try RecorderRig([camera])
        first.disk.free.withLock { $0 = 0 }
        #expect(throws: MediaError.self) { try first.recorder.start() }
        let second = try RecorderRig([camera])
        try second.recorder.start()
    }

    @Test("a recorder whose only output is disabled says so")
    func disabled() async throws {
        let camera = RigCamera("camera", at: origin)
        camera.isPlugged = false
        let rig = try RecorderRig([camera]) { $0.startTimeout = .seconds(3) }
        try rig.recorder.start()
        camera.source.send(
            .interrupted(
                SourceInterruption(
                    reason: .disabled, time: .nanoseconds(origin), message: "It is disabled.")))
        let report = await rig.finished()
        #expect(
            report.failure
                == "Cannot start recording: camera is disabled, and was not enabled within 3.0 s; "
                + "enable it (setEnabled), or leave it out.")
    }

    @Test(
        "a report that cannot be written once more after the end is an error, and can be tried again"
    )
    func reportLost() async throws {
        let disk = Lock((isFull: false, stored: [TakeReport]()))
        let rig = try RecorderRig(
            [RigCamera("camera", at: origin)], change: { $0.writesReport = true },
            storeReport: { report throws(MediaError) in
                if disk.withLock({ $0.isFull }) {
                    throw MediaError(
                        code: .diskFull, subject: "take", message: "The disk is full.")
                }
                disk.withLock { $0.stored.append(report) }
            })
        try rig.recorder.start()
        rig.run(1_000)
        let time = MediaTime.nanoseconds(origin + 500_000_000)
        rig.recorder.notePhoto("a.jpg", at: time)
        _ = await rig.stop()
        #expect(try rig.recorder.completeReport() == nil)
        let movie = TakeReport.LiveMovie(nil, paths: ["a.jpg"], failure: "none")
        rig.recorder.noteLiveMovie(movie, of: "a.jpg", at: time)
        disk.withLock { $0.isFull = true }
        let error = #expect(throws: MediaError.self) { try rig.recorder.completeReport() }
        #expect(error?.code == .diskFull)
        disk.withLock { $0.isFull = false }
        let report = try #require(try rig.recorder.completeReport())
        #expect(report.photos?.first?.live == movie)
        #expect(disk.withLock { $0.stored.last } == report)
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
