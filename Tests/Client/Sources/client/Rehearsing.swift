import Capture
import Media
import Recording

/// Whether this machine carries two cameras in one movie, found out before the take.
func rehearse(_ path: String) async throws {
    let outputs = [
        VideoDataOutput(wantedFormat: .yuv420p), VideoDataOutput(wantedFormat: .yuv420p),
    ]
    let session = MultiCameraSession()
    try await session.configure { configuration in
        for (name, output) in zip(["test:1", "test:2"], outputs) {
            let camera = try DeviceDiscovery().find(name, kind: .video)
            try configuration.add(CaptureDeviceInput(camera: camera), output)
        }
    }
    for bus in await session.usbBuses { print("USB bus", bus.bus, bus.share) }
    let settings = RecordingSettings(outputPath: path)
    let rehearsal = try Rehearsal(sources: outputs, settings: settings, duration: .seconds(2))
    try rehearsal.start()
    try await session.start()
    let cost = try await rehearsal.finished()
    print(cost.verdict, cost.processorShare, cost.reasons)
    let recorder = try Recorder(sources: outputs, settings: settings)
    try recorder.start()
    try await Task.sleep(for: .seconds(1))
    _ = await recorder.stop()
    try await session.stop()
}
