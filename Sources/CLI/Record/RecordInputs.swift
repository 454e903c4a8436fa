import Capture
import Detect
import Media
import Recording

/// The cameras and microphones of a recording, in one session, each with an output for the movie.
struct RecordInputs: Sendable {
    struct Input: Sendable {
        let source: any SampleSource
        let device: CaptureDevice
        /// What was chosen of what the device has.
        let explanation: String
    }

    let session: CaptureSession
    let inputs: [Input]
    /// Of the first camera.
    let photos: PhotoOutput?
    /// Of the first camera and the first microphone, where live photos are wanted.
    let live: LivePhotoRecorder?
    /// What session and recorder follow; `nil` where they shall not.
    let pressure: PressureMonitor?

    /// Frames that may wait for the recorder, which takes each at once (frames): a machine that is busy
    /// for half a second costs none.
    private static let queueLimit = 32

    /// Opens every device at the same time.
    static func open(
        _ plan: RecordPlan, aliases: [String: String]
    ) async throws -> RecordInputs {
        let choice = DeviceChoice(aliases: aliases)
        // what is not installed is reported before a device is opened
        _ = try plan.detection?.output()
        // drivers and servers block; and before one of them is opened: a device that is opened twice looks as if
        // another had it
        let (cameras, microphones) = try await NamedThread.run("vcap-work") {
            try requireEachOnce(plan.cameras, .video, "--camera", choice)
            try requireEachOnce(plan.microphones, .audio, "--mic", choice)
            try requireOrder(plan, choice)
            return (
                try plan.cameras.map { try camera($0, choice) },
                try plan.microphones.compactMap { try microphone($0, choice) }
            )
        }
        if !plan.microphones.isEmpty, microphones.isEmpty {
            Console.shared.notice("there is no microphone: recording without audio")
        }
        let frames = cameras.map {
            (
                device: $0,
                output: VideoDataOutput(
                    wantedFormat: plan.wantedPixels, rotationPolicy: plan.rotationPolicy,
                    queueLimit: queueLimit)
            )
        }
        let photos = cameras.isEmpty ? nil : PhotoOutput()
        let sounds = microphones.map { (device: $0, output: AudioDataOutput()) }
        let detectors = try detectors(plan, cameras)
        let pressure = plan.followsPressure ? PressureMonitor() : nil
        let session = CaptureSession(discovery: choice.discovery, pressure: pressure)
        try await session.configure { configuration in
            for (device, output) in frames {
                try configuration.add(
                    CaptureDeviceInput(camera: device, settings: plan.cameraSettings), output,
                    plan.connection)
            }
            if let photos, let (device, _) = frames.first {
                try configuration.add(
                    CaptureDeviceInput(camera: device, settings: plan.cameraSettings), photos,
                    plan.connection)
            }
            for (device, output) in sounds {
                try configuration.add(CaptureDeviceInput(microphone: device), output)
            }
            for (device, output) in detectors {
                try configuration.add(
                    CaptureDeviceInput(camera: device, settings: plan.cameraSettings), output,
                    plan.connection)
            }
        }
        var live: LivePhotoRecorder?
        if plan.live != nil, let (device, _) = frames.first {
            live = try await LivePhotoInputs.add(
                to: session, CaptureDeviceInput(camera: device, settings: plan.cameraSettings),
                plan.connection, microphone: sounds.first?.device)
        }
        var inputs: [Input] = []
        let opened: [(device: CaptureDevice, source: any SampleSource)] =
            frames.map { ($0.device, $0.output) } + sounds.map { ($0.device, $0.output) }
            + detectors.map { ($0.device, $0.output) }
        for (device, _) in frames {
            guard let grant = await session.grant(of: device) else { continue }
            ClipCameraNotes.warn(plan.cameraSettings, grant.device, grant.format.video)
        }
        for (device, source) in opened {
            guard let grant = await session.grant(of: device) else {
                throw CommandFailure(.noDevice, "a device went away while it was opened")
            }
            inputs.append(
                Input(source: source, device: grant.device, explanation: grant.explanation))
        }
        return RecordInputs(
            session: session, inputs: inputs, photos: photos, live: live, pressure: pressure)
    }

    /// One for each camera, where something is looked for.
    private static func detectors(
        _ plan: RecordPlan, _ cameras: [CaptureDevice]
    ) throws(CommandFailure) -> [(device: CaptureDevice, output: MetadataOutput)] {
        guard let detection = plan.detection else { return [] }
        return try cameras.map { device throws(CommandFailure) in
            (device: device, output: try detection.output())
        }
    }

    /// Two selectors may mean one device.
    static func requireEachOnce(
        _ choices: [RecordPlan.Choice], _ kind: MediaType, _ option: String, _ choice: DeviceChoice
    ) throws {
        guard choices.count > 1 else { return }
        var words: [String: String] = [:]
        for case .selector(let text) in choices {
            let device = try choice.find(text, kind)
            guard DeviceChoice.isReal(device) else { continue }
            if let other = words[device.id] {
                throw CommandFailure.sameDeviceTwice(
                    "\(other) and \(text) are \(device.name)", option)
            }
            words[device.id] = text
        }
    }

    /// Frames are recorded in the order they are shown; a file's that are coded in another one cannot be
    /// copied that way.
    private static func requireOrder(_ plan: RecordPlan, _ choice: DeviceChoice) throws {
        guard plan.wantedPixels == nil else { return }
        for case .selector(let text) in plan.cameras {
            let device = try choice.find(text, .video)
            guard device.driver == "file", let path = device.node,
                try FileProvider.isReordered(path)
            else { continue }
            throw CommandFailure(
                .usage,
                "--codec copy cannot record \(path), whose frames are coded in another order "
                    + "than shown (B-frames): leave --codec copy out, or use vcap convert, which "
                    + "copies them")
        }
    }

    private static func camera(
        _ wanted: RecordPlan.Choice, _ choice: DeviceChoice
    ) throws -> CaptureDevice {
        switch wanted {
        case .automatic: try choice.firstCamera()
        case .selector(let text): try choice.find(text, .video)
        }
    }

    /// `nil` when none was named and there is none.
    private static func microphone(
        _ wanted: RecordPlan.Choice, _ choice: DeviceChoice
    ) throws -> CaptureDevice? {
        switch wanted {
        case .automatic: choice.defaultMicrophone()
        case .selector(let text): try choice.find(text, .audio)
        }
    }

    /// Starts every device at the same time.
    func start() async throws {
        try live?.start()
        try await session.start()
    }

    /// Closes every device.
    func stop() async {
        live?.stop()
        try? await session.stop()
    }
}
