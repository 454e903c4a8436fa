import Media
import TestSupport
import Testing

@testable import Capture

@Suite("presets of a session")
struct SessionPresetTests {
    private let discovery = DeviceDiscovery(providers: [TestProvider()])

    private func camera(
        _ selector: String, _ settings: VideoInputSettings = .init()
    ) throws -> CaptureDeviceInput {
        CaptureDeviceInput(
            camera: try discovery.find("test:" + selector, kind: .video), settings: settings)
    }

    private func listed(_ sizes: [PixelSize]) -> CaptureDeviceInput {
        CaptureDeviceInput(
            camera: CaptureDevice(
                id: "test:9", name: "Webcam", kind: .video, driver: "test",
                formats: [
                    .video(
                        VideoCaptureFormat(
                            coding: .raw(.yuv420p), name: "yuv420p",
                            sizes: sizes.map {
                                VideoCaptureSize(extent: .discrete($0), frameDurations: [])
                            }))
                ]))
    }

    @Test(
        "a camera without settings of its own delivers what the preset says",
        arguments: [
            (CaptureSessionPreset.hd1280x720, PixelSize(1280, 720), 30),
            (.hd1920x1080, PixelSize(1920, 1080), 30), (.vga640x480, PixelSize(640, 480), 30),
            (.medium, PixelSize(640, 480), 30), (.low, PixelSize(320, 240), 15),
            (.inputPriority, PixelSize(1280, 720), 30),
        ])
    func grants(preset: CaptureSessionPreset, size: PixelSize, rate: Int) async throws {
        let session = CaptureSession(discovery: discovery, clock: ManualClock(at: .seconds(50)))
        let (input, own) = (
            try camera(""),
            try camera("2", VideoInputSettings(size: PixelSize(96, 64)))
        )
        let (output, other) = (VideoDataOutput(), VideoDataOutput())
        try await session.configure { configuration in
            try configuration.setPreset(preset)
            try configuration.add(input, output)
            try configuration.add(own, other)
        }
        let video = try #require(output.format.video)
        #expect(PixelSize(video.width, video.height) == size)
        #expect(video.nominalRate == FrameRate(Int32(rate)))
        #expect(other.format.video?.width == 96, "its own settings stay")
    }

    @Test("a preset that a camera cannot deliver is refused with what it has, and nothing changes")
    func refused() throws {
        var configuration = CaptureConfiguration()
        let webcam = listed([PixelSize(640, 480), PixelSize(1280, 720)])
        try configuration.add(webcam, VideoDataOutput())
        let refusal = try #require(configuration.refusal(of: .uhd3840x2160))
        #expect(refusal.code == .unsupportedFormat)
        #expect(refusal.message.contains("Webcam has no frames of 3840x2160"))
        #expect(refusal.message.contains("1280x720"))
        #expect(throws: MediaError.self) { try configuration.setPreset(.hd1920x1080) }
        #expect(configuration.preset == .inputPriority)
        #expect(configuration.inputs[0].input == webcam)
        try configuration.setPreset(.hd1280x720)
        // and one that is added later
        let small = CaptureDeviceInput(
            camera: try discovery.find("test:3,size=320x240", kind: .video))
        #expect(configuration.refusal(of: small, VideoDataOutput())?.code == .unsupportedFormat)
        let own = CaptureDeviceInput(
            camera: small.device, settings: VideoInputSettings(rate: .maximum))
        #expect(configuration.refusal(of: own, VideoDataOutput()) == nil)
    }

    @Test("a photo's preset is the largest the camera has, and one camera has many listeners still")
    func photo() throws {
        var configuration = CaptureConfiguration()
        try configuration.setPreset(.photo)
        let webcam = listed([PixelSize(640, 480), PixelSize(4000, 3000), PixelSize(1280, 720)])
        try configuration.add(webcam, VideoDataOutput())
        try configuration.add(webcam, VideoDataOutput())
        #expect(
            configuration.inputs[0].input.settings
                == .video(VideoInputSettings(size: PixelSize(4000, 3000))))
        try configuration.setPreset(.inputPriority)
        #expect(configuration.inputs[0].input == webcam)
        // a camera that lists nothing is asked all the same
        let silent = CaptureDeviceInput(
            camera: CaptureDevice(id: "test:8", name: "Silent", kind: .video, driver: "test"))
        try configuration.add(silent, VideoDataOutput())
        #expect(configuration.refusal(of: .uhd3840x2160)?.subject == webcam.device.id)
    }

    @Test("a session that runs is not opened anew for a preset: it says so and continues")
    func running() async throws {
        let session = CaptureSession(discovery: discovery, clock: ManualClock(at: .seconds(50)))
        let (input, output) = (try camera(""), VideoDataOutput())
        try await session.configure { try $0.add(input, output) }
        try await session.start()
        await #expect(throws: MediaError.self) {
            try await session.configure { try $0.setPreset(.low) }
        }
        #expect(await session.state == .running)
        #expect(await session.configuration.preset == .inputPriority)
        try await session.stop()
        try await session.configure { try $0.setPreset(.low) }
        #expect(output.format.video?.width == 320)
    }
}
