import Capture
import Media

/// A photo of a camera that runs: the bytes of a JPEG file.
func takePhoto() async throws -> [UInt8] {
    let (photos, session) = (PhotoOutput(), CaptureSession())
    try await session.configure { configuration in
        let camera = try DeviceDiscovery().find("test:", kind: .video)
        try configuration.add(CaptureDeviceInput(camera: camera), photos)
    }
    try await session.start()
    let photo = try await photos.capturePhoto()
    try await session.stop()
    let bytes = try photo.fileData(as: .jpeg)
    print("frame", photo.sequence ?? 0, "in", bytes.count, "bytes")
    return bytes
}
