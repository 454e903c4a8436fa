import Media
import Testing

@testable import Capture

@Suite("a connection's turn")
struct CaptureConnectionTests {
    private let quarter = VideoOrientation(rotation: .clockwise90)

    @Test("what the device says comes first, a number replaces it")
    func order() {
        #expect(CaptureConnection().orientation(of: quarter) == quarter)
        #expect(CaptureConnection().orientation(of: .upright) == .upright)
        let asked = CaptureConnection(rotation: .half)
        #expect(asked.orientation(of: quarter) == VideoOrientation(rotation: .clockwise270))
        let exactly = CaptureConnection(rotation: .half, followsDevice: false)
        #expect(exactly.orientation(of: quarter) == VideoOrientation(rotation: .half))
        #expect(CaptureConnection(followsDevice: false).orientation(of: quarter) == .upright)
    }

    @Test("a person sees what was chosen and why")
    func explanations() {
        #expect(
            CaptureConnection().explanation(of: .upright)
                == "not rotated: the device asks for no rotation")
        #expect(
            CaptureConnection().explanation(of: quarter)
                == "rotated by 90 degrees clockwise, as the device asks for")
        #expect(
            CaptureConnection(followsDevice: false).explanation(of: quarter)
                == "not rotated as asked for, though the device asks for rotated by 90 degrees "
                + "clockwise")
        #expect(
            CaptureConnection(rotation: .half, isMirrored: true, followsDevice: false)
                .explanation(of: .upright)
                == "mirrored, then rotated by 180 degrees clockwise as asked for")
    }

    @Test(
        "a sensor's mounting counts the other way round, to the nearest quarter",
        arguments: [
            (0, 0), (90, 270), (180, 180), (270, 90), (360, 0), (-90, 90), (89, 270), (450, 270),
        ] as [(Int64, Int)])
    func sensor(degrees: Int64, clockwise: Int) {
        let orientation = SensorRotation.orientation(degrees: degrees)
        #expect(orientation.rotation.rawValue == clockwise)
        #expect(!orientation.isMirrored)
    }

    @Test("a driver that does not say is upright")
    func silentDriver() {
        #expect(SensorRotation.orientation(among: []) == .upright)
    }

    @Test("the grant says how a rotated camera's frames are treated")
    func grant() async throws {
        let discovery = DeviceDiscovery(providers: [TestProvider()])
        let camera = try discovery.find("test:rotate=270", kind: .video)
        let session = CaptureSession(discovery: discovery)
        try await session.configure { configuration throws(MediaError) in
            try configuration.add(CaptureDeviceInput(camera: camera), VideoDataOutput())
        }
        let explanation = await session.grants.first?.explanation
        #expect(
            explanation?.hasSuffix("rotated by 270 degrees clockwise, as the device asks for")
                == true)
    }
}
