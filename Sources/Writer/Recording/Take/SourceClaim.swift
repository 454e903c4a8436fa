internal import Media

/// Sources that are being recorded: each has one handler, which a second recorder would take. Given back when it is
/// released.
final class SourceClaim: Sendable {
    private struct Holder: Sendable {
        weak var claim: SourceClaim?
    }

    /// An identity stays what it is as long as its claim keeps the source.
    private static let known = Lock<[ObjectIdentifier: Holder]>([:])
    private let sources: [any SampleSource]

    /// - Throws: `invalidState` for a source that is being recorded.
    init(_ sources: [any SampleSource]) throws(MediaError) {
        self.sources = sources
        let taken = Self.known.withLock { known -> (any SampleSource)? in
            known = known.filter { $0.value.claim != nil }
            if let taken = sources.first(where: { known[ObjectIdentifier($0)] != nil }) {
                return taken
            }
            for source in sources { known[ObjectIdentifier(source)] = Holder(claim: self) }
            return nil
        }
        guard let taken else { return }
        throw MediaError(
            code: .invalidState, subject: "sources",
            message: "\(taken.origin.name) is being recorded by another recorder: a source has one "
                + "listener; take another output of the device, or branches of a SharedSource.")
    }
}
