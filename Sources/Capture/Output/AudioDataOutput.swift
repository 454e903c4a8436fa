public import Media
internal import Synchronization

/// Brings a microphone's samples to a listener, on the input's delivery thread, in the device's
/// own format. Nothing is ever dropped here. Thread-safe.
public final class AudioDataOutput: SampleSource {
    private let state = Mutex(OutputState())

    public init() {}

    /// The device behind it.
    /// - Precondition: the output is configured in a session.
    public var origin: SourceOrigin { state.withLock { $0.configured().origin } }

    /// The granted format.
    /// - Precondition: the output is configured in a session.
    public var format: FormatDescription { state.withLock { $0.configured().format } }

    public func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        state.withLock { $0.handler = handler }
    }

    /// Whether samples pass. What does not is discarded by intent, not a drop.
    public func setEnabled(_ isEnabled: Bool) { state.withLock { $0.isEnabled = isEnabled } }

    func configure(
        origin: SourceOrigin, format: FormatDescription, connection: CaptureConnection
    ) {
        state.withLock { state in
            state.grant = OutputState.Grant(origin: origin, format: format)
            state.isEnabled = connection.isEnabled
        }
    }

    func receive(_ event: SourceEvent) {
        let receiver = state.withLock { state in
            if case .resumed(_, let format) = event { state.grant?.format = format }
            return state.receiver(for: event)
        }
        receiver?(event)
    }
}
