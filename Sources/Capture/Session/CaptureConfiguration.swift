public import Media

/// What a session is to run: the subject of `CaptureSession.configure`.
public struct CaptureConfiguration: Sendable {
    struct Entry: Sendable {
        let input: CaptureDeviceInput
        let output: Output
        let connection: CaptureConnection
    }

    enum Output: Sendable {
        case video(VideoDataOutput)
        case audio(AudioDataOutput)

        var identity: ObjectIdentifier {
            switch self {
            case .video(let output): ObjectIdentifier(output)
            case .audio(let output): ObjectIdentifier(output)
            }
        }
    }

    private(set) var entries: [Entry] = []

    /// Connects a camera to an output.
    /// - Throws: `MediaError` with `invalidSetting` saying why it cannot be added.
    public mutating func add(
        _ input: CaptureDeviceInput, _ output: VideoDataOutput,
        _ connection: CaptureConnection = CaptureConnection()
    ) throws(MediaError) {
        guard case .video(let settings) = input.settings else {
            throw .wrongKind(input.device, wanted: "camera")
        }
        try settings.validate()
        try append(Entry(input: input, output: .video(output), connection: connection))
    }

    /// Connects a microphone to an output.
    /// - Throws: `MediaError` with `invalidSetting` saying why it cannot be added.
    public mutating func add(
        _ input: CaptureDeviceInput, _ output: AudioDataOutput,
        _ connection: CaptureConnection = CaptureConnection()
    ) throws(MediaError) {
        guard case .audio(let settings) = input.settings else {
            throw .wrongKind(input.device, wanted: "microphone")
        }
        try settings.validate()
        try append(Entry(input: input, output: .audio(output), connection: connection))
    }

    /// Takes every connection away.
    public mutating func removeAll() { entries = [] }

    private mutating func append(_ entry: Entry) throws(MediaError) {
        if entries.contains(where: { $0.output.identity == entry.output.identity }) {
            throw MediaError(
                code: .invalidSetting, subject: entry.input.device.id,
                message: "\(entry.input.device.name) cannot be added: "
                    + "its output is already connected; use one output for each input.")
        }
        let device = entry.input.device
        if entries.contains(where: {
            $0.input.device.id == device.id
                && $0.input.device.kind == device.kind
        }) {
            throw MediaError(
                code: .invalidSetting, subject: device.id,
                message: "\(device.name) cannot be added: it is already in the session.")
        }
        entries.append(entry)
    }
}
