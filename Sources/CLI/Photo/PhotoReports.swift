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

/// Nothing happens in silence: a photo of another moment than the one asked for is reported.
struct PhotoWarnings {
    private var last: MediaTime?
    private var saidSame = false

    /// - Parameter frame: from one frame of the camera to the next.
    mutating func look(at photo: CapturedPhoto, _ frame: MediaTime) {
        let distance = photo.presentationTime - photo.shutterTime
        if photo.presentationTime == last, !saidSame {
            saidSame = true
            Console.shared.warning(
                "photos are the same frame: the camera gives fewer than --every asks for")
        }
        last = photo.presentationTime
        guard max(distance, -distance) > frame * 2 else { return }
        let milliseconds = distance.nanoseconds() / 1_000_000
        Console.shared.warning(
            "a photo is \(abs(milliseconds)) ms \(milliseconds < 0 ? "early" : "late"): the camera or the "
                + "disk is slower than --every asks for")
    }
}
