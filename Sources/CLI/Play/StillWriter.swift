import Compose
internal import Glibc
import Media

/// Writes frames of a film as pictures, one after the other, in the film's own size. Thread-safe.
final class StillWriter: Sendable {
    private struct State: Sendable {
        var paths: [String] = []
        var last: Task<Void, Never>?
    }

    private let film: Film
    private let pattern: String
    private let state = Lock(State())

    init(_ film: Film, pattern: String) { (self.film, self.pattern) = (film, pattern) }

    /// Those that were written.
    var paths: [String] { state.withLock { $0.paths } }

    /// Says what was written, or why it was not.
    func write(at time: MediaTime) {
        state.withLock { state in
            let before = state.last
            state.last = Task {
                await before?.value
                if access(self.pattern, F_OK) == 0 {
                    return Console.shared.loss(
                        "no frame is written: \(self.pattern) is there already; a name with %v, a counter, is a new one "
                            + "each time")
                }
                do { try await self.make(time) } catch {
                    let failure = CommandFailure.from(error, while: .film)
                    Console.shared.loss("no frame is written: \(failure.message)")
                }
            }
        }
    }

    /// Waits for what is being written.
    func finish() async { await state.withLock { $0.last }?.value }

    private func make(_ time: MediaTime) async throws {
        var output = OutputPath(
            replacesExisting: false, inputs: film.inputPaths,
            folders: UserFolders.ofThisProcess, endings: FilmPictures.endings)
        output.approve = { [film] path throws(CommandFailure) in
            try FilmPictures.require(path, outside: film)
        }
        var names = OutputNames(output, pattern)
        // refused before it is made
        let first = try names.making { _ = try WholeFile($0, replacesExisting: false) }.path
        guard let form = FilmStills.Form(path: first) else { return }
        let film = film
        let bytes = try await NamedThread.run("vcap-work") {
            try FilmStills(film).frame(at: time, as: form)
        }
        let path = try names.making { try WholeFile($0, replacesExisting: false).write(bytes) }.path
        state.withLock { $0.paths.append(path) }
        Console.shared.notice("frame: \(path)")
    }
}
