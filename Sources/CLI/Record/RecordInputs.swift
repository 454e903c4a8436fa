import Capture
import Detect
import Media
import Recording

/// The cameras and microphones of a recording, in one session, each with an output for the movie.
struct RecordInputs: Sendable {
    struct Input: Sendable {
        let source: any SampleSource
        /// The camera or microphone; of a stereo pair the left camera.
        let device: CaptureDevice
        /// What a person calls it.
        let name: String
        /// What was chosen of what the device has.
        let explanation: String
    }

    let session: CaptureSession
    let inputs: [Input]
    /// What found the devices.
    let choice: DeviceChoice
    /// Each once, in the order they were given.
    let cameras: [CaptureDevice]
    /// Of the first camera whose frames are to be seen.
    let photos: PhotoOutput?
    /// Of that camera and the first microphone, where live photos are wanted.
    let live: LivePhotoRecorder?
    /// What looks at the frames of each camera, and the camera's name.
    let detectors: [(name: String, output: MetadataOutput)]
    /// The depth of the first two cameras; `nil` where none is wanted.
    let stereo: StereoDepthOutput?
    /// What session and recorder follow; `nil` where they shall not.
    let pressure: PressureMonitor?
    /// What brings mattes by depth their distances; it is held here alone.
    let distances: FilterDepth?

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
        let stereo = try plan.stereo?.output(plan.depthFilter)
        // drivers and servers block; and before one of them is opened: a device that is opened twice looks as if
        // another had it
        let (cameras, microphones) = try await NamedThread.run("vcap-work") {
            try requireEachOnce(plan.cameras, .video, "--camera", choice)
            try requireEachOnce(plan.microphones, .audio, "--mic", choice)
            try requireOrder(plan, choice)
            return (
                try plan.cameras.map { try camera($0, choice, plan.cameraSettings) },
                try plan.microphones.compactMap { try microphone($0, choice) }
            )
        }
        try plan.profile?.check(cameras)
        if !plan.microphones.isEmpty, microphones.isEmpty {
            Console.shared.notice("there is no microphone: recording without audio")
        }
        let frames = try await NamedThread.run("vcap-work") {
            try cameras.map { try CameraFrames($0, plan, queueLimit) }
        }
        CameraFrames.warn(frames, plan)
        try CameraFrames.checkFilters(frames, plan)
        if plan.live != nil, frames.allSatisfy(\.isDepth) {
            throw CommandFailure(.usage, "--live needs a camera that shows light, not distances")
        }
        // a photo would show what a filter hides
        let photos = cameras.isEmpty || plan.filters != nil ? nil : PhotoOutput()
        let photoDepth = photos == nil ? nil : try Self.photoDepth(frames, plan)
        let distances = try FilterDepth(of: frames, plan)
        let sounds = microphones.map { (device: $0, output: AudioDataOutput()) }
        let detectors = try detectors(plan, frames.filter { !$0.isDepth }.map(\.device))
        let pressure = plan.followsPressure ? PressureMonitor() : nil
        let session = CaptureSession(discovery: choice.discovery, pressure: pressure)
        try await session.configure { configuration in
            for camera in frames { try camera.add(to: &configuration, plan) }
            if let photos, let device = Self.shown(frames) {
                try configuration.add(
                    CaptureDeviceInput(camera: device, settings: plan.cameraSettings(of: device)),
                    photos,
                    plan.connection)
            }
            if let (device, output) = photoDepth {
                try configuration.add(
                    CaptureDeviceInput(camera: device, settings: plan.cameraSettings(of: device)),
                    output, plan.connection)
            }
            if let stereo {
                let pair = frames.prefix(2).map(\.device).map {
                    CaptureDeviceInput(camera: $0, settings: plan.cameraSettings(of: $0))
                }
                try configuration.add(left: pair[0], right: pair[1], stereo, plan.connection)
            }
            for (device, output) in sounds {
                try configuration.add(CaptureDeviceInput(microphone: device), output)
            }
            try distances?.add(to: &configuration, plan)
            for (device, output) in detectors {
                try configuration.add(
                    CaptureDeviceInput(camera: device, settings: plan.cameraSettings(of: device)),
                    output,
                    plan.connection)
            }
        }
        if let (_, output) = photoDepth { try photos?.setDepthSource(output) }
        var live: LivePhotoRecorder?
        if plan.live != nil, let device = Self.shown(frames) {
            live = try await LivePhotoInputs.add(
                to: session,
                CaptureDeviceInput(camera: device, settings: plan.cameraSettings(of: device)),
                plan.connection, microphone: sounds.first?.device)
        }
        var inputs: [Input] = []
        let opened: [(device: CaptureDevice, source: any SampleSource)] =
            frames.map { ($0.device, $0.source) }
            + (stereo.map { [(frames[0].device, $0)] } ?? [])
            + sounds.map { ($0.device, $0.output) }
            + (plan.detection?.isRecorded ?? false ? detectors.map { ($0.device, $0.output) } : [])
        for device in frames.map(\.device) {
            guard let grant = await session.grant(of: device) else { continue }
            ClipCameraNotes.warn(plan.cameraSettings, grant.device, grant.format.video)
            try await CameraWishes.report(
                plan.cameraSettings(of: device), of: grant.device, choice.discovery,
                orientation: grant.orientation)
        }
        for (device, source) in opened {
            guard let grant = await session.grant(of: device) else {
                throw CommandFailure(.noDevice, "a device went away while it was opened")
            }
            let name = source === stereo ? source.origin.name : grant.device.name
            inputs.append(
                Input(
                    source: source, device: grant.device, name: name,
                    explanation: grant.explanation))
        }
        return RecordInputs(
            session: session, inputs: inputs, choice: choice, cameras: Self.each(cameras),
            photos: photos, live: live,
            detectors: detectors.map { ($0.device.name, $0.output) }, stereo: stereo,
            pressure: pressure, distances: distances)
    }

    /// A test camera may be there more than once.
    private static func each(_ devices: [CaptureDevice]) -> [CaptureDevice] {
        devices.indices.filter { index in
            !devices[..<index].contains { $0.id == devices[index].id }
        }.map { devices[$0] }
    }

    /// The first camera whose frames are to be seen, else the first.
    private static func shown(_ frames: [CameraFrames]) -> CaptureDevice? {
        (frames.first { !$0.isDepth } ?? frames.first)?.device
    }

    /// The first camera of depth beside one of light: photos may have its maps.
    private static func photoDepth(
        _ frames: [CameraFrames], _ plan: RecordPlan
    ) throws(MediaError) -> (device: CaptureDevice, output: DepthDataOutput)? {
        guard !frames.allSatisfy(\.isDepth), let camera = frames.first(where: \.isDepth) else {
            return nil
        }
        return (camera.device, try DepthDataOutput(filter: plan.depthFilter))
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

    static func camera(
        _ wanted: RecordPlan.Choice, _ choice: DeviceChoice, _ settings: VideoInputSettings
    ) throws -> CaptureDevice {
        switch wanted {
        case .automatic: try choice.firstCamera(wanted: settings)
        case .selector(let text): try choice.find(text, .video)
        }
    }

    /// `nil` when none was named and there is none.
    static func microphone(
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
