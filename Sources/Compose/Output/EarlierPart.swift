internal import Glibc
internal import Media
internal import Movie

/// What an equal run left of an output, under a name of its own until the new run has copied it, and
/// locked so long.
struct EarlierPart: Sendable {
    let path: String
    /// Whole groups of frames (count of frames).
    let frames: Int64
    private let lock: FileLock

    func discard() { NameChange.remove(path, of: lock.identity) }

    /// Looks for what can be resumed, and removes what cannot.
    /// - Parameter frames: how many pictures of a file can be taken over.
    /// - Throws: `in-use` when another program is writing there.
    static func take(
        over output: TemporaryOutput, frames: (_ path: String) -> Int64
    ) throws(MediaError) -> EarlierPart? {
        var found: [EarlierPart] = []
        for path in [output.temporaryPath, output.earlierPath] {
            guard let lock = try output.lockLeft(path) else { continue }
            found.append(EarlierPart(path: path, frames: frames(path), lock: lock))
        }
        let best = found.filter { $0.frames > 0 }.max { $0.frames < $1.frames }
        for part in found where part.path != best?.path { part.discard() }
        guard let best, best.path != output.earlierPath else { return best }
        guard rename(best.path, output.earlierPath) == 0 else {
            best.discard()
            return nil
        }
        return EarlierPart(path: output.earlierPath, frames: best.frames, lock: best.lock)
    }
}
