internal import Glibc
internal import Media

/// Those of this process that share one lock (`flock`) of an open file. The last gives it back by name: closing alone
/// leaves it held for as long as a child between fork and exec has a copy of the descriptor.
final class LockUsers: Sendable {
    // guarded by itself
    private let count = Lock(1)

    func join() { count.withLock { $0 += 1 } }

    /// - Parameter descriptor: of the open file, closed next.
    func leave(_ descriptor: Int32) {
        let left = count.withLock { count in
            count -= 1
            return count
        }
        if left == 0 { flock(descriptor, LOCK_UN) }
    }
}
