import Capture
import Media

/// Two cameras frame by frame: how far apart their frames are, and what one of them lost.
func inStep() async throws {
    let (front, side) = (VideoDataOutput(), VideoDataOutput())
    let (discovery, session) = (DeviceDiscovery(), CaptureSession())
    try await session.configure { configuration in
        for (selector, output) in [("test:1", front), ("test:2,drop=20%", side)] {
            let camera = try discovery.find(selector, kind: .video)
            try configuration.add(CaptureDeviceInput(camera: camera), output)
        }
    }
    let moments = DataOutputSynchronizer([front, side]).sequence()
    try await session.start()
    for await data in moments.prefix(30) {
        if let frame = data[side]?.sample {
            let apart = (frame.presentationTime - data.time).approximateSeconds
            print(data.time.approximateSeconds, "apart by", apart)
        } else if let answer = data[side] {
            print(data.time.approximateSeconds, answer.outcome, answer.drops.map(\.cause))
        }
    }
    try await session.stop()
}
