import Capture
import Media

/// The cameras and microphones of a recording, each opened by a session and thread of its own, so that
/// a slow one does not hold up the others.
struct RecordInputs: Sendable {
    struct Input: Sendable {
        let session: CaptureSession
        let source: any SampleSource
        let device: CaptureDevice
        /// What was chosen of what the device has.
        let explanation: String
    }

    let inputs: [Input]

    /// Opens every device at the same time.
    static func open(
        _ plan: RecordPlan, aliases: [String: String]
    ) async throws -> RecordInputs {
        let choice = DeviceChoice(aliases: aliases)
        // before one of them is opened: a device that is opened twice looks as if another had it
        try await BlockingCall.run {
            try requireEachOnce(plan.cameras, .video, "--camera", choice)
            try requireEachOnce(plan.microphones, .audio, "--mic", choice)
            try requireOrder(plan, choice)
        }
        async let cameras = openAll(plan.cameras) { wanted in
            try await openCamera(wanted, plan, choice)
        }
        async let microphones = openAll(plan.microphones) { wanted in
            try await openMicrophone(wanted, choice)
        }
        return RecordInputs(inputs: try await cameras + microphones)
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

    /// Pictures are recorded in the order they are shown; a file's that are coded in another one cannot be
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
                "--codec copy cannot record \(path), whose pictures are coded in another order "
                    + "than shown (B-frames): leave --codec copy out, or use vcap convert, which "
                    + "copies them")
        }
    }

    private static func openAll(
        _ choices: [RecordPlan.Choice],
        _ open: @escaping @Sendable (RecordPlan.Choice) async throws -> Input?
    ) async throws -> [Input] {
        try await withThrowingTaskGroup(of: (Int, Input?).self) { group in
            for (index, wanted) in choices.enumerated() {
                group.addTask { (index, try await open(wanted)) }
            }
            var opened: [(index: Int, input: Input)] = []
            for try await (index, input) in group {
                if let input { opened.append((index, input)) }
            }
            return opened.sorted { $0.index < $1.index }.map(\.input)
        }
    }

    private static func openCamera(
        _ wanted: RecordPlan.Choice, _ plan: RecordPlan, _ choice: DeviceChoice
    ) async throws -> Input {
        let session = CaptureSession(discovery: choice.discovery)
        let output = VideoDataOutput(wantedFormat: plan.wantedPixels, turning: .format)
        // devices are looked for on the session's thread, because drivers and servers block
        try await session.configure { configuration throws(MediaError) in
            let device: CaptureDevice =
                switch wanted {
                case .automatic: try choice.firstCamera()
                case .selector(let text): try choice.find(text, .video)
                }
            let input = CaptureDeviceInput(camera: device, settings: plan.cameraSettings)
            try configuration.add(input, output, plan.connection)
        }
        return try await input(of: session, output)
    }

    /// `nil` when none was named and there is none.
    private static func openMicrophone(
        _ wanted: RecordPlan.Choice, _ choice: DeviceChoice
    ) async throws -> Input? {
        let session = CaptureSession(discovery: choice.discovery)
        let output = AudioDataOutput()
        try await session.configure { configuration throws(MediaError) in
            let device: CaptureDevice? =
                switch wanted {
                case .automatic: choice.defaultMicrophone()
                case .selector(let text): try choice.find(text, .audio)
                }
            guard let device else { return }
            try configuration.add(CaptureDeviceInput(microphone: device), output)
        }
        if await session.grants.isEmpty {
            Console.shared.notice("there is no microphone: recording without sound")
            return nil
        }
        return try await input(of: session, output)
    }

    private static func input(
        of session: CaptureSession, _ source: any SampleSource
    ) async throws -> Input {
        guard let grant = await session.grants.first else {
            throw CommandFailure(.noDevice, "a device went away while it was opened")
        }
        return Input(
            session: session, source: source, device: grant.device,
            explanation: grant.explanation)
    }

    /// Starts every device at the same time.
    func start() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for input in inputs { group.addTask { try await input.session.start() } }
            try await group.waitForAll()
        }
    }

    /// Closes every device.
    func stop() async {
        for input in inputs { try? await input.session.stop() }
    }
}
