package import Media

/// The built-in test camera and microphone, for demos, tests and measurements. All devices of one
/// provider share device time.
package final class TestProvider: DeviceProvider {
    package static let standard = TestProvider()

    package let prefix = "test"
    private let timeline = TestTimeline()
    /// The controls of cameras that have some, by number: they outlast a session, as a camera's do.
    private let exposures = Lock<[Int: TestExposure]>([:])

    package init() {}

    package func devices(of kind: MediaType) throws(MediaError) -> [CaptureDevice] {
        try device(named: "", kind: kind).map { [$0] } ?? []
    }

    package func device(
        named name: String, kind: MediaType
    ) throws(MediaError) -> CaptureDevice? {
        let settings = try TestDeviceSettings(parsing: name)
        guard isPresent(settings) else { return nil }
        let number = settings.number == 1 ? "" : " \(settings.number)"
        return CaptureDevice(
            id: "test:\(name)", name: (kind == .video ? "Test camera" : "Test microphone") + number,
            kind: kind, driver: "test",
            formats: kind == .video ? Self.videoFormats(settings) : Self.audioFormats(settings))
    }

    package func openVideo(
        _ device: CaptureDevice, settings: VideoInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream {
        let parameters = try parameters(of: device)
        let exposure = exposure(of: parameters)
        let access = TestControlAccess(device, exposure)
        _ = try access.set(settings.controlPlan(among: access.list(), of: device).values)
        let camera = try TestCamera(
            device: device, settings: parameters,
            plan: TestCameraPlan(parameters, wanted: settings), exposure: exposure,
            origin: timeline.origin(on: clock), clock: clock)
        timeline.setFrames(camera.pictures, of: parameters.number)
        return camera
    }

    package func openAudio(
        _ device: CaptureDevice, settings: AudioInputSettings, clock: any MediaClock
    ) throws(MediaError) -> any CaptureStream {
        let parameters = try parameters(of: device)
        return TestMicrophone(
            device: device, settings: parameters,
            sampleRate: try Self.agree(
                "sample rate", parameters.sampleRate, settings.sampleRate) ?? 48_000,
            channels: try Self.agree("channel count", parameters.channels, settings.channels) ?? 2,
            timeline: timeline, clock: clock)
    }

    package func openControls(
        of device: CaptureDevice, exclusively: Bool
    ) throws(MediaError) -> any DeviceControlAccess {
        guard device.kind == .video else { return TestControlAccess(device, nil) }
        return TestControlAccess(device, exposure(of: try parameters(of: device)))
    }

    private func exposure(of settings: TestDeviceSettings) -> TestExposure? {
        guard let base = settings.exposure else { return nil }
        return exposures.withLock { known in
            let exposure =
                known[settings.number] ?? TestExposure(base: base, lag: settings.lag)
            known[settings.number] = exposure
            return exposure
        }
    }

    /// Whether the device is plugged in now, as its script says.
    private func isPresent(_ settings: TestDeviceSettings) -> Bool {
        guard let now = timeline.deviceTime(ppm: settings.ppm) else { return true }
        return settings.faults.unplug(at: now) == nil
    }

    private func parameters(
        of device: CaptureDevice
    ) throws(MediaError) -> TestDeviceSettings {
        let settings = try TestDeviceSettings(
            parsing: String(device.id.dropFirst("test:".utf8.count)))
        guard isPresent(settings) else {
            throw MediaError(
                code: .deviceGone, subject: device.id,
                message: "Cannot open \(device.name): its script has unplugged it; "
                    + "wait until that span of \"unplug\" is over.")
        }
        return settings
    }

    private static func agree(
        _ name: String, _ fixed: Int?, _ wanted: Int?
    ) throws(MediaError) -> Int? {
        guard let fixed, let wanted, fixed != wanted else { return fixed ?? wanted }
        throw MediaError(
            code: .unsupportedFormat, subject: "test:",
            message: "The test microphone cannot give \(name) \(wanted): "
                + "its selector fixes it to \(fixed).")
    }

    private static func videoFormats(_ settings: TestDeviceSettings) -> [CaptureDeviceFormat] {
        let extent: VideoCaptureSize.Extent =
            if let size = settings.size {
                .discrete(size)
            } else {
                .stepwise(
                    minimum: PixelSize(48, 24), maximum: PixelSize(8192, 8192),
                    step: PixelSize(2, 2))
            }
        let durations: VideoCaptureSize.FrameDurations =
            if let rate = settings.frameRate {
                .discrete(rate.frameDuration)
            } else {
                .range(
                    shortest: TestCameraPlan.highestRate.frameDuration,
                    longest: FrameRate(1).frameDuration)
            }
        let formats = settings.format.map { [$0] } ?? TestCameraFormat.listed
        return formats.map { format in
            .video(
                VideoCaptureFormat(
                    coding: format.coding, name: format.name,
                    sizes: [VideoCaptureSize(extent: extent, frameDurations: [durations])],
                    depth: format.depth, bayer: format.bayer))
        }
    }

    private static func audioFormats(_ settings: TestDeviceSettings) -> [CaptureDeviceFormat] {
        let rates = settings.sampleRate.map { $0...$0 } ?? 8000...384_000
        let channels = settings.channels.map { $0...$0 } ?? 1...64
        return [
            .audio(
                AudioCaptureFormat(
                    sampleFormat: .int16, sampleRates: [rates], channels: channels))
        ]
    }
}
