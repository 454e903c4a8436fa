import Capture
import Media
import Recording

/// Two cameras in one movie, a track each, which ends by itself after two seconds.
func twoCameras(_ path: String) async throws {
    let wanted = VideoInputSettings(size: PixelSize(width: 640, height: 360))
    let outputs = [VideoDataOutput(), VideoDataOutput()]
    let session = CaptureSession()
    try await session.configure { configuration in
        for (name, output) in zip(["test:1", "test:2"], outputs) {
            let camera = try DeviceDiscovery().find(name, kind: .video)
            try configuration.add(CaptureDeviceInput(camera: camera, settings: wanted), output)
        }
    }
    for grant in await session.grants { print(grant.device.name, grant.explanation) }
    try await session.start()
    var settings = RecordingSettings(outputPath: path)
    settings.duration = .seconds(2)
    let recorder = try Recorder(sources: outputs, settings: settings)
    try recorder.start()
    let report = try await recorder.finished()
    try await session.stop()
    print(report.state, report.tracks.count)
}
