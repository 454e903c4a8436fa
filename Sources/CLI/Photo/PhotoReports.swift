import Capture
import Media

/// Photos become files beside each other; they are reported in the order of the row, as soon as they and those before
/// them are on the disk. Thread-safe.
final class PhotoReports: Sendable {
    private struct State: Sendable {
        var next = 0
        /// Without a photo: it failed.
        var done: [Int: PhotoCommand.Taken?] = [:]
    }

    private let report: @Sendable (PhotoCommand.Taken) -> Void
    private let state = Lock(State())

    init(_ report: @escaping @Sendable (PhotoCommand.Taken) -> Void) { self.report = report }

    /// What became of one of the row.
    func numbered(
        _ result: Result<PhotoCommand.Taken, MediaError>, _ number: Int
    ) -> Result<PhotoCommand.Taken, MediaError> {
        let result = result.map { taken in
            var taken = taken
            taken.number = number
            return taken
        }
        state.withLock { state in
            state.done[number] = .some(try? result.get())
            // within the lock, so that no later one comes in between
            while let first = state.done.removeValue(forKey: state.next) {
                if let first { report(first) }
                state.next += 1
            }
        }
        return result
    }
}
