import Media
import TestSupport
import Testing

@testable import Capture

@Suite("A session that is released while it runs")
struct ReleasedSessionTests {
    @Test("it stops: its outputs get their end, and nothing after it")
    func released() async throws {
        let (output, seen) = (VideoDataOutput(), EventCollector())
        output.setHandler(seen.handler)
        func run() async throws {
            let discovery = DeviceDiscovery()
            let session = CaptureSession(discovery: discovery)
            let camera = try discovery.find("test:61,size=64x48", kind: .video)
            try await session.configure { configuration in
                try configuration.add(CaptureDeviceInput(camera: camera), output)
            }
            try await session.start()
            #expect(seen.wait(samples: 3))
        }
        try await run()
        #expect(
            seen.wait { events in
                events.contains { if case .ended = $0 { true } else { false } }
            })
    }

    @Test("a photo of an output that is in no session is an error with a sentence")
    func unconfiguredPhoto() async {
        await #expect {
            _ = try await PhotoOutput().capturePhoto()
        } throws: { ($0 as? MediaError)?.code == .invalidState }
    }
}
