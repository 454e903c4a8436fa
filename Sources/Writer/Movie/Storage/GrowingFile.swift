internal import Glibc
package import Media

/// A movie's file from its creation until nobody needs it any more: which name it has, and whether that
/// name is still its own. Holds the file's lock. Thread-safe.
///
/// Where a file may be replaced that is there, the new one grows under a temporary name and takes the
/// old one's once it has begun to exist (`takeName`): until then the old one is whole, and locked, so that
/// nobody else begins to write it.
package final class GrowingFile: Sendable {
    private struct State: Sendable {
        /// The name it has now.
        var name: String
        var old: FileLock?
        var io: SystemFileIO?
        var content: DurableFile?
    }

    // immutable
    /// The name it is to have.
    package let path: String
    package let identity: FileIdentity
    /// What the path began from, with its slash; empty for a path from the root.
    let startFolder: String
    // guarded by itself
    private let state: Lock<State>

    /// Creates the file.
    /// - Returns: the file, and what its writer writes to and closes.
    /// - Throws: `EEXIST` where nothing may be replaced, `EWOULDBLOCK` when the old file is being written.
    package static func create(
        _ path: String, replaces: Bool
    ) throws(IOFailure) -> (file: GrowingFile, io: SystemFileIO) {
        for _ in 0..<16 {
            guard replaces, let old = try FileLock(locking: path) else {
                do throws(IOFailure) {
                    let io = try SystemFileIO(creating: path, existing: .refuse)
                    return (try GrowingFile(path, named: path, io, replacing: nil), io)
                } catch {
                    if replaces, error.errno == EEXIST { continue }
                    throw error
                }
            }
            let name = TemporaryName.path(for: path, .take)
            let io = try SystemFileIO(creating: name, existing: .replace)
            return (try GrowingFile(path, named: name, io, replacing: old), io)
        }
        throw IOFailure(function: "open", errno: EEXIST)
    }

    private init(
        _ path: String, named name: String, _ io: SystemFileIO, replacing old: FileLock?
    ) throws(IOFailure) {
        self.path = path
        startFolder = path.hasPrefix("/") ? "" : Self.workingFolder
        identity = FileIdentity(try io.status())
        state = Lock(State(name: name, old: old, io: try io.duplicate()))
    }

    /// With its slash; empty where the system does not say.
    private static var workingFolder: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        guard let folder = getcwd(&buffer, buffer.count) else { return "" }
        let path = String(cString: folder)
        return path.hasSuffix("/") ? path : path + "/"
    }

    deinit { close() }

    /// Says what is written into it, so that a look knows how long it must be.
    package func fill(_ content: DurableFile) { state.withLock { $0.content = content } }

    /// How often the disk lost bytes of it that were written again.
    package var recoveries: Int { state.withLock { $0.content }?.recoveries ?? 0 }

    /// Whether it has the name it is to have.
    package var hasName: Bool { state.withLock { $0.name == path } }

    /// What is in it survives a power cut: only then may the old file go.
    package func makeDurable() throws(MediaError) {
        try withOpen { _, _, content throws(MediaError) in try content?.synchronizeIfOpen() }
    }

    /// The old file goes, this one takes its name.
    /// - Throws: `EWOULDBLOCK` when another file has come there that somebody writes.
    package func takeName() throws(IOFailure) {
        try state.withLock { state throws(IOFailure) in
            guard state.name != path, let io = state.io else { return }
            let expected = state.old?.identity
            try NameChange.give(state.name, name: path) { displaced, file throws(IOFailure) in
                if file != expected { _ = try FileLock(locking: displaced) }
            }
            state.name = path
            state.old = nil
            do throws(IOFailure) { try io.synchronizeName() } catch {
                // folders of some network file systems cannot be synced
                if error.errno != EINVAL && error.errno != EBADF { throw error }
            }
        }
    }

    /// Removes the file, whatever name it has; a file that has come in its place stays.
    package func remove() {
        state.withLock { state in
            NameChange.remove(state.name, of: identity)
            state.old = nil
            state.io?.close()
            state.io = nil
        }
    }

    /// Gives the lock back.
    package func close() {
        state.withLock { state in
            state.io?.close()
            state.io = nil
            state.old = nil
            state.content = nil
        }
    }

    /// The lock for longer than this.
    package func keepLock() -> FileLock? { state.withLock { $0.io?.keepLock() } }

    /// The name it has now, the open file and what fills it; `nil` when it is closed.
    func withOpen<Result, Failure: Error>(
        _ body: (_ name: String, SystemFileIO, DurableFile?) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        let parts = state.withLock { state in state.io.map { (state.name, $0, state.content) } }
        guard let parts else { return nil }
        return try body(parts.0, parts.1, parts.2)
    }
}
