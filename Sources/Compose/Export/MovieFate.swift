internal import Glibc
internal import Movie
internal import Reading
internal import Recording

/// Why a movie that was read is not all of its take.
enum MovieFate: Sendable, Hashable {
    /// A process writes it; its name, for sentences.
    case beingWritten(by: String)
    /// A crash cut it off, and nobody has repaired it.
    case cutOff
    /// It has no end yet, and nobody can say why.
    case unfinished
}

extension Asset {
    /// Nil where the movie is whole, or is none of ours. Looks at locks and at the take's report; takes nothing
    /// from anybody. Blocks.
    var fate: MovieFate? {
        guard isWholeMovie, access(path, R_OK) == 0 else { return nil }
        if CrashedTake.isBeingWritten(path) {
            return .beingWritten(by: LockHolder.name(ofFileAt: path) ?? "another program")
        }
        if CrashedTake.hasOpenReport(path) { return .cutOff }
        let isOurs = metadata.software?.hasPrefix("vcap") ?? false
        return state == .unfinished && isOurs ? .unfinished : nil
    }
}
