import Capture
import Media

/// Keeps what a discovery says of devices coming and going, for a test to look at.
final class ChangeCollector: Sendable {
    private let changes = BlockingLock<[DeviceChange]>([])
    private let listener: Task<Void, Never>

    /// Listens from now on.
    init(_ discovery: DeviceDiscovery) {
        let stream = discovery.changes()
        listener = Task { [changes] in
            for await change in stream { changes.withLock { $0.append(change) } }
        }
    }

    deinit { listener.cancel() }

    /// `+ID` for what appeared and `-ID` for what disappeared, once there are so many or twenty
    /// seconds are over. Suspends, because the listener needs a thread too.
    func wait(for count: Int) async throws -> [String] {
        for _ in 0..<1000 where changes.withLock({ $0.count < count }) {
            try await Task.sleep(for: .milliseconds(20))
        }
        return changes.withLock { $0 }.map { change in
            switch change {
            case .appeared(let device): "+\(device.id)"
            case .disappeared(let id): "-\(id)"
            }
        }
    }
}
