import Capture
import Media
import Recording

/// A camera and a microphone in one movie, with a pause that leaves no gap.
func cameraToFile(_ path: String) async throws {
    let (video, audio) = (VideoDataOutput(wantedFormat: .yuv420p), AudioDataOutput())
    let session = CaptureSession()
    try await session.configure { configuration in
        let devices = DeviceDiscovery()
        let camera = try devices.find("test:", kind: .video)
        let microphone = try devices.find("test:", kind: .audio)
        try configuration.add(CaptureDeviceInput(camera: camera), video)
        try configuration.add(CaptureDeviceInput(microphone: microphone), audio)
    }
    try await session.start()
    let recorder = try Recorder(
        sources: [video, audio], settings: RecordingSettings(outputPath: path))
    try recorder.start()
    try await Task.sleep(for: .seconds(1))
    recorder.pause()
    try await Task.sleep(for: .seconds(1))
    recorder.resume()
    try await Task.sleep(for: .seconds(1))
    let report = await recorder.stop()
    try await session.stop()
    print(report.state, report.pauses.count)
}
