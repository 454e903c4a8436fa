internal import Media

/// The output at the end of a connection, whatever its kind.
struct InputSink: Sendable {
    private let output: CaptureConfiguration.Output

    init(_ output: CaptureConfiguration.Output) { self.output = output }

    func configure(
        origin: SourceOrigin, format: FormatDescription, connection: CaptureConnection
    ) throws(MediaError) {
        switch output {
        case .video(let output):
            try output.configure(origin: origin, format: format, connection: connection)
        case .audio(let output):
            output.configure(origin: origin, format: format, connection: connection)
        }
    }

    func begin(pressure: @escaping @Sendable (SampleDrop) -> Void) {
        if case .video(let output) = output { output.begin(pressure: pressure) }
    }

    func receive(_ event: SourceEvent) {
        switch output {
        case .video(let output): output.receive(event)
        case .audio(let output): output.receive(event)
        }
    }

    func end() {
        if case .video(let output) = output { output.end() }
    }
}
