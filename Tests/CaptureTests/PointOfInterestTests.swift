import Media
import TestSupport
import Testing

@testable import Capture

@Suite("Where in the picture a camera looks")
struct PointOfInterestTests {
    private func controls(_ number: Int, _ words: String = "exposure=10") throws -> DeviceControls {
        let discovery = DeviceDiscovery(providers: [TestProvider()])
        return try DeviceControls(
            of: try discovery.find("test:\(number),size=160x120,\(words)", kind: .video),
            discovery: discovery)
    }

    private func settings(_ words: String...) throws -> [CameraSetting] {
        try words.map { try #require(CameraSetting(words: $0)) }
    }

    private func points(_ controls: DeviceControls) throws -> [String] {
        try controls.settings().filter(\.isPoint).map(\.description)
    }

    @Test("it is written as it is read, and what lies outside the picture is none")
    func words() throws {
        for text in [
            "exposure-point=0.3,0.7", "focus-point=0,1", "exposure-point=auto", "focus-point=auto",
            "exposure-point=0.1234,0.5",
        ] {
            let setting = try #require(CameraSetting(words: text))
            #expect(setting.description == text && !setting.isNative && setting.isPoint)
        }
        for wrong in [
            "exposure-point=0.3", "exposure-point=1.1,0", "focus-point=-0.1,0.2",
            "focus-point=0.1,0.2,0.3", "focus-point=nan,0", "exposure-point=,",
        ] {
            #expect(CameraSetting(words: wrong) == nil, "\(wrong)")
        }
    }

    @Test("a point of the picture is found in frames that lie otherwise, and the other way round")
    func orientations() {
        let point = PointOfInterest(x: 0.1, y: 0.2)
        for rotation in VideoOrientation.Rotation.allCases {
            for isMirrored in [false, true] {
                let orientation = VideoOrientation(rotation: rotation, isMirrored: isMirrored)
                let back = point.stored(orientation).shown(orientation)
                #expect(back.isAt(point), "\(orientation)")
            }
        }
        // turned clockwise, what is stored at the lower left shows at the upper left
        let corner = PointOfInterest(x: 0, y: 0)
        #expect(
            corner.stored(VideoOrientation(rotation: .clockwise90)) == PointOfInterest(x: 0, y: 1))
        #expect(
            corner.stored(VideoOrientation(rotation: .clockwise270)) == PointOfInterest(x: 1, y: 0))
        #expect(corner.stored(VideoOrientation(isMirrored: true)) == PointOfInterest(x: 1, y: 0))
        let code = PointOfInterest(x: 0.1234, y: 1).code
        #expect(PointOfInterest(code: code) == PointOfInterest(x: 0.1234, y: 1))
    }

    @Test("exposure and focus share the camera's region, and each can leave it")
    func shared() throws {
        let controls = try controls(61)
        #expect(try points(controls) == ["exposure-point=auto", "focus-point=auto"])
        try controls.apply(settings("exposure-point=0.2,0.3", "focus-point=0.2,0.3"))
        #expect(try points(controls) == ["exposure-point=0.2,0.3", "focus-point=0.2,0.3"])
        try controls.apply(settings("focus-point=auto"))
        #expect(try points(controls) == ["exposure-point=0.2,0.3", "focus-point=auto"])
        // there is one region: what became of the other point is said
        let granted = try controls.apply(settings("exposure-point=0.1,0.1", "focus-point=0.9,0.8"))
        #expect(
            granted.map(\.description) == [
                "exposure-point=0.1,0.1 (the camera took 0.9,0.8)", "focus-point=0.9,0.8",
            ])
        // lists of which one lies under the other
        try controls.apply(settings("exposure-point=auto", "focus-point=auto"))
        try controls.apply(
            settings("focus-point=0.4,0.4"), over: [settings("exposure-point=0.4,0.4")])
        #expect(try points(controls) == ["exposure-point=0.4,0.4", "focus-point=0.4,0.4"])
    }

    @Test("a profile keeps it, and sets it again")
    func profile() throws {
        let controls = try controls(62)
        try controls.apply(settings("exposure-point=0.25,0.75", "gain=4"))
        let kept = try controls.restoringSettings().map(\.description)
        #expect(kept.contains("exposure-point=0.25,0.75"), "\(kept)")
        #expect(!kept.contains { $0.hasPrefix("region_of_interest") }, "\(kept)")
        try controls.apply(settings("exposure-point=auto"))
        try controls.apply(kept.compactMap(CameraSetting.init(words:)))
        #expect(try points(controls).contains("exposure-point=0.25,0.75"))
    }

    @Test("a camera without it says so in one sentence")
    func without() throws {
        let controls = try controls(63, "fps=30")
        let error = #expect(throws: MediaError.self) {
            try controls.apply(settings("exposure-point=0.5,0.5"))
        }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.contains("it has no control for it") == true)
    }

    @Test("the region of a UVC camera lies around the point and within the sensor")
    func region() {
        let region = V4L2Region(
            whole: .init(left: 0, top: 0, width: 1920, height: 1080), smallest: PixelSize(16, 16))
        #expect(
            region.rectangle(around: PointOfInterest(x: 0.5, y: 0.5))
                == .init(left: 768, top: 432, width: 384, height: 216))
        #expect(
            region.rectangle(around: PointOfInterest(x: 1, y: 0))
                == .init(left: 1536, top: 0, width: 384, height: 216))
        for point in [PointOfInterest(x: 0.3, y: 0.7), PointOfInterest(x: 0.81, y: 0.2)] {
            #expect(region.middle(of: region.rectangle(around: point)).isAt(point))
        }
        let small = V4L2Region(
            whole: .init(left: 8, top: 4, width: 20, height: 20), smallest: PixelSize(64, 64))
        #expect(
            small.rectangle(around: PointOfInterest(x: 0, y: 0))
                == .init(left: 8, top: 4, width: 20, height: 20))
        #expect(small.middle(of: small.whole) == PointOfInterest(x: 0.5, y: 0.5))
    }
}

@Suite("Where in the picture a running camera looks", .serialized, .tags(.realTime))
struct MeteringTests {
    private static let place = PointOfInterest(x: 0.25, y: 0.7)

    /// Brightness around the place in each frame (0…255), flashes left out.
    private func brightness(
        _ words: String, _ settings: VideoInputSettings, _ connection: CaptureConnection,
        change: [CameraSetting] = []
    ) async throws -> [Double] {
        let discovery = DeviceDiscovery(providers: [TestProvider()])
        let camera = try discovery.find(
            "test:64,size=320x240,fps=60,exposure=10,lag=0" + words, kind: .video)
        let session = CaptureSession(discovery: discovery)
        let output = VideoDataOutput(wantedFormat: .gray, queueLimit: 64)
        try await session.configure { configuration in
            try configuration.add(
                CaptureDeviceInput(camera: camera, settings: settings), output, connection)
        }
        if !change.isEmpty {
            let (granted, _) = try await session.apply(change, to: camera)
            #expect(granted.map(\.granted) == change.map(Optional.some))
        }
        let events = EventCollector(keepsFrames: true)
        output.setHandler(events.handler)
        try await session.start()
        #expect(events.wait(samples: 50))
        try await session.stop()
        return events.samples.compactMap(\.pixelBuffer).map(mean).filter { $0 < 200 }
    }

    private func mean(_ frame: PixelBuffer) -> Double {
        let (x, y) = (
            Int(Self.place.x * Double(frame.width)), Int(Self.place.y * Double(frame.height))
        )
        var (sum, count) = (0, 0)
        frame.withPlane(0) { plane in
            for row in y - frame.height / 20...y + frame.height / 20 {
                for column in x - frame.width / 20...x + frame.width / 20 {
                    sum += Int(plane.row(row)[column])
                    count += 1
                }
            }
        }
        return Double(sum) / Double(count)
    }

    @Test(
        "the exposure follows the point in the picture, however the camera and the connection turn it",
        arguments: [
            ("", CaptureConnection()), (",rotate=90", CaptureConnection()),
            ("", CaptureConnection(rotation: .clockwise270)),
            ("", CaptureConnection(isMirrored: true)),
            (",rotate=180", CaptureConnection(rotation: .clockwise90, isMirrored: true)),
            (",rotate=270", CaptureConnection(followsDevice: false)),
        ])
    func follows(_ words: String, _ connection: CaptureConnection) async throws {
        let point = CameraSetting.exposurePoint(.value(Self.place))
        let opened = try await brightness(words, .init(cameraSettings: [point]), connection)
        #expect(opened.allSatisfy { (120...131).contains($0) }, "\(opened)")
        let later = try await brightness(words, .init(), connection, change: [point])
        #expect(later.allSatisfy { (120...131).contains($0) }, "\(later)")
        // a control: it does not look there
        let without = try await brightness(words, .init(), connection)
        #expect(without.contains { !(115...136).contains($0) }, "\(without)")
    }
}
