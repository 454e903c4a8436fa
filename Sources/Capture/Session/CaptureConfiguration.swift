public import Media

/// What a session is to run: the subject of `CaptureSession.configure`. Each device is opened once; its samples
/// may go to many outputs.
public struct CaptureConfiguration: Sendable {
    /// One device, and where its samples go.
    struct Input: Sendable {
        /// As it was added.
        let asked: CaptureDeviceInput
        /// As the preset makes it.
        var input: CaptureDeviceInput
        var branches: [Branch]

        var key: DeviceKey { DeviceKey(input.device) }
    }

    struct Branch: Sendable {
        let output: any CaptureOutput
        let connection: CaptureConnection
    }

    /// In the order added.
    private(set) var inputs: [Input] = []
    /// The session that it is of; `nil`: it is gone.
    private weak var session: SessionIdentity?

    init(of session: SessionIdentity? = nil) { self.session = session }

    /// What cameras without settings of their own are asked for (default: `inputPriority`, what each input
    /// asks for).
    public private(set) var preset = CaptureSessionPreset.inputPriority

    /// Asks all cameras that were, or will be, added without a size and rate of their own for this. A session that runs
    /// refuses it for cameras that are open otherwise.
    /// - Throws: `MediaError` with `unsupportedFormat`, naming the camera that cannot and what it has; then
    ///   nothing has changed.
    public mutating func setPreset(_ preset: CaptureSessionPreset) throws(MediaError) {
        if let refusal = refusal(of: preset) { throw refusal }
        self.preset = preset
        for index in inputs.indices {
            inputs[index].input = preset.applied(to: inputs[index].asked)
        }
    }

    /// Why a preset cannot be set for the cameras there are; `nil` when it can.
    public func refusal(of preset: CaptureSessionPreset) -> MediaError? {
        for input in inputs {
            if let refusal = preset.refusal(of: input.asked) { return refusal }
        }
        return nil
    }

    /// The devices, in the order added.
    public var devices: [CaptureDevice] { inputs.map(\.input.device) }

    /// Connects a camera to an output. A camera that is connected already gets one more listener.
    /// - Throws: `MediaError` with `invalidSetting` saying why it cannot be added.
    public mutating func add(
        _ input: CaptureDeviceInput, _ output: VideoDataOutput,
        _ connection: CaptureConnection = CaptureConnection()
    ) throws(MediaError) {
        try append(input, Branch(output: output, connection: connection))
    }

    /// Connects a microphone to an output. A microphone that is connected already gets one more listener.
    /// - Throws: `MediaError` with `invalidSetting` saying why it cannot be added.
    public mutating func add(
        _ input: CaptureDeviceInput, _ output: AudioDataOutput,
        _ connection: CaptureConnection = CaptureConnection()
    ) throws(MediaError) {
        try append(input, Branch(output: output, connection: connection))
    }

    /// Why an input cannot be connected to an output; `nil` when it can, as far as can be known before the
    /// device is opened.
    public func refusal(of input: CaptureDeviceInput, _ output: VideoDataOutput) -> MediaError? {
        refusal(of: input, to: output)
    }

    /// Why an input cannot be connected to an output; `nil` when it can.
    public func refusal(of input: CaptureDeviceInput, _ output: AudioDataOutput) -> MediaError? {
        refusal(of: input, to: output)
    }

    /// Takes an output away, and its device when nothing else listens to it. One that is not there is no error.
    public mutating func remove(_ output: any SampleSource) {
        for index in inputs.indices {
            inputs[index].branches.removeAll { $0.output === output }
        }
        inputs.removeAll(where: \.branches.isEmpty)
    }

    /// Takes a device away with all that listens to it. One that is not there is no error.
    public mutating func remove(_ device: CaptureDevice) {
        inputs.removeAll { $0.key == DeviceKey(device) }
    }

    /// Takes every connection away.
    public mutating func removeAll() { inputs = [] }

    /// Keeps the inputs that fulfil a condition.
    mutating func keep(where isKept: (Input) -> Bool) { inputs.removeAll { !isKept($0) } }

    private mutating func append(
        _ input: CaptureDeviceInput, _ branch: Branch
    ) throws(MediaError) {
        if let refusal = refusal(of: input, to: branch.output) { throw refusal }
        if let index = inputs.firstIndex(where: { $0.key == DeviceKey(input.device) }) {
            inputs[index].branches.append(branch)
        } else {
            inputs.append(
                Input(asked: input, input: preset.applied(to: input), branches: [branch]))
        }
    }

    private func refusal(
        of input: CaptureDeviceInput, to output: any CaptureOutput
    ) -> MediaError? {
        let device = input.device
        guard device.kind == output.kind else {
            return .wrongKind(device, wanted: output.kind == .video ? "camera" : "microphone")
        }
        do throws(MediaError) {
            switch input.settings {
            case .video(let settings): try settings.validate()
            case .audio(let settings): try settings.validate()
            }
        } catch { return error }
        if inputs.contains(where: { $0.branches.contains { $0.output === output } }) {
            return .cannotAdd(
                device, "its output is already connected; use one output for each connection.")
        }
        if let owner = output.owner, owner !== session {
            return .cannotAdd(
                device,
                "its output is in another session, and an output is in one at a time; remove it there "
                    + "first, or make one more.")
        }
        let known = inputs.first { $0.key == DeviceKey(device) }
        guard known.map({ $0.asked.settings == input.settings }) ?? true else {
            return .cannotAdd(
                device,
                "it is in the session with other settings; one device has one size and rate, "
                    + "and each output may want its own.")
        }
        return preset.refusal(of: input)
    }
}

/// What distinguishes the devices of a session.
struct DeviceKey: Sendable, Hashable {
    private let kind: MediaType
    private let id: String

    init(_ device: CaptureDevice) { (kind, id) = (device.kind, device.id) }
}

extension MediaError {
    fileprivate static func cannotAdd(_ device: CaptureDevice, _ why: String) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: device.id,
            message: "\(device.name) cannot be added: \(why)")
    }
}
