internal import Media

/// Which session it is, for outputs: each is in one at a time. It goes with the session. Thread-safe.
final class SessionIdentity: Sendable {
    private let outputs = Lock<Set<ObjectIdentifier>>([])

    /// Whether an output is in the session, or is about to be.
    func has(_ output: any CaptureOutput) -> Bool {
        outputs.withLock { $0.contains(ObjectIdentifier(output)) }
    }

    /// These outputs, and no others, are in it.
    func set(_ configurations: CaptureConfiguration...) {
        let all = configurations.flatMap(\.inputs).flatMap(\.branches)
            .map { ObjectIdentifier($0.output) }
        outputs.withLock { $0 = Set(all) }
    }
}
