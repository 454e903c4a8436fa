import Capture
import Media
import Recording
import Writing

/// A recording that says what happens while it runs and how it stands, and sets a marker.
func watchedRecording(_ path: String) async throws {
    let (video, session) = (VideoDataOutput(wantedFormat: .yuv420p), CaptureSession())
    try await session.configure { configuration in
        let camera = try DeviceDiscovery().find("test:", kind: .video)
        try configuration.add(CaptureDeviceInput(camera: camera), video)
    }
    try await session.start()
    var settings = RecordingSettings(outputPath: path)
    settings.video = .encoded(VideoOutputSettings(codec: .h264, rate: .bitrate(2_000_000)))
    settings.duration = .seconds(2)
    let recorder = try Recorder(sources: [video], settings: settings)
    try recorder.start()
    for await event in recorder.events {
        switch event {
        case .started: recorder.mark("Hello")
        case .marked(let text, let time): print("marker", text, "at", time.approximateSeconds)
        case .finished(let report): print(report.state, report.markers.count)
        default: print(event)
        }
        let status = recorder.status()
        print(status.state, status.elapsed.approximateSeconds, status.tracks[0].frames, "frames")
    }
    try await session.stop()
}
