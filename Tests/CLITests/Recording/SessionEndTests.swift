import Capture
import Media
import Recording
import TestSupport
import Testing
import Writing

/// A session of the test camera and microphone, and a recorder of its outputs.
@Suite("A recording and the session it records", .tags(.realTime))
struct SessionEndTests {
    private let camera = VideoDataOutput()
    private let microphone = AudioDataOutput()
    private let session = CaptureSession()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func configure() async throws {
        let discovery = DeviceDiscovery()
        let video = CaptureDeviceInput(
            camera: try discovery.find("test:size=64x48,fps=30", kind: .video))
        let audio = CaptureDeviceInput(
            microphone: try discovery.find("test:", kind: .audio))
        let (camera, microphone) = (camera, microphone)
        try await session.configure { configuration in
            try configuration.add(video, camera)
            try configuration.add(audio, microphone)
        }
    }

    private func recorder() throws -> Recorder {
        var settings = RecordingSettings(outputPath: folder.file("take.mp4"))
        settings.video = .encoded(VideoOutputSettings(codec: .h264, preset: "ultrafast"))
        return try Recorder(sources: [camera, microphone], settings: settings)
    }

    /// Records until something of the movie is there.
    private func started() async throws -> Recorder {
        try await configure()
        let recorder = try recorder()
        try await session.start()
        try recorder.start()
        #expect(waitUntil { recorder.status().elapsed > .milliseconds(500) })
        return recorder
    }

    @Test("a recorder that is made before its session is configured is refused in a sentence")
    func recorderFirst() async throws {
        let error = #expect(throws: MediaError.self) { _ = try recorder() }
        #expect(error?.code == .invalidState)
        #expect(error?.message.contains("CaptureSession.configure") == true)
    }

    @Test("stopping the session finishes the recording with a complete movie and its report")
    func sessionStops() async throws {
        let recorder = try await started()
        try await session.stop()
        let report = try await recorder.finished()
        #expect(report.state == .finished && report.failure == nil, "\(report.reasons)")
        #expect(report.duration.nanoseconds > 500_000_000)
        #expect(report.tracks.allSatisfy { $0.gaps.isEmpty }, "\(report.tracks.map(\.gaps))")
        let frames = try MovieOracle(folder.file("take.mp4")).frameNumbers()
        #expect(frames == Array(frames[0]..<frames[0] + frames.count))
        // a session that does not run is stopped already
        try await session.stop()
    }

    @Test("removing all outputs finishes the recording, removing one only ends its track")
    func outputsLeave() async throws {
        let recorder = try await started()
        let (camera, microphone) = (camera, microphone)
        try await session.configure { $0.remove(microphone) }
        try await Task.sleep(for: .milliseconds(400))
        #expect(recorder.status().state == .recording)
        try await session.configure { $0.remove(camera) }
        let report = try await recorder.finished()
        #expect(report.state == .finished && report.failure == nil, "\(report.reasons)")
        #expect(try MovieOracle(folder.file("take.mp4")).frameNumbers().count > 20)
    }

    @Test("a disabled output pauses its track, and is no stalled device")
    func disabled() async throws {
        let recorder = try await started()
        let events = Task { [recorder] in
            var reasons: [String] = []
            for await event in recorder.events {
                if case .interrupted(_, let news) = event { reasons.append(news.reason.rawValue) }
                if case .back = event { reasons.append("back") }
            }
            return reasons
        }
        camera.setEnabled(false)
        microphone.setEnabled(false)
        try await Task.sleep(for: .milliseconds(1500))
        #expect(recorder.status().state == .recording)
        camera.setEnabled(true)
        microphone.setEnabled(true)
        try await Task.sleep(for: .milliseconds(500))
        let report = await recorder.stop()
        try await session.stop()
        let reasons = await events.value
        #expect(reasons.sorted() == ["back", "back", "disabled", "disabled"])
        for track in report.tracks {
            #expect(track.gaps.map(\.cause) == ["disabled"], "\(track.gaps)")
            #expect(track.gaps.first.map { $0.length.nanoseconds > 1_300_000_000 } == true)
        }
        #expect(report.verdict == .good, "\(report.reasons)")
    }
}
