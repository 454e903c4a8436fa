internal import Glibc
internal import LibAV
internal import Media

/// A new file that takes the name of an old one once it is complete and durable; until then the old
/// one is untouched. What a kill leaves of it is replaced by the next attempt. Thread-bound.
final class Replacement: MuxerOutput {
    /// Where the new file is.
    let path: String
    private let target: String
    private let io: SystemFileIO
    /// The old file, which the caller has locked.
    private let old: FileIdentity?
    private var isOpen = true

    /// - Parameter target: the old file; a symbolic link is followed.
    init(of target: String) throws(MediaError) {
        guard let resolved = realpath(target, nil) else {
            throw MediaError(
                IOFailure(function: "realpath", errno: errno), attempt: "repair \(target)",
                subject: target)
        }
        defer { free(resolved) }
        self.target = String(cString: resolved)
        old = FileIdentity(named: self.target)
        path = Replacement.path(for: self.target)
        do throws(IOFailure) {
            io = try SystemFileIO(creating: path, existing: .replace)
            try io.adoptOwnership(of: self.target)
        } catch {
            throw MediaError(error, attempt: "create \(path)", subject: path)
        }
    }

    /// The name in the same folder under which a replacement grows.
    static func path(for target: String) -> String {
        let (folder, name) = TemporaryName.split(target)
        let hidden = ".\(name).\(TemporaryName.Role.repair.rawValue)"
        guard hidden.utf8.count <= TemporaryName.longest else {
            return TemporaryName.path(for: target, .repair)
        }
        return folder + hidden
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws {
        do throws(IOFailure) { try io.writeAll(Array(bytes), at: offset) } catch {
            throw MediaError(error, attempt: "write to \(path)", subject: path)
        }
    }

    /// Every byte is on the disk afterwards.
    func makeDurable() throws(MediaError) {
        try call("make \(path) durable") { () throws(IOFailure) in try io.synchronize() }
    }

    /// The new file replaces the old one, and the name is on the disk too.
    func takeName() throws(MediaError) {
        try call("give \(target) its repaired content") { () throws(IOFailure) in
            // the caller's lock keeps every writer of ours away; a rename, because an exchange that is killed
            // would leave the old file under the temporary name
            guard FileIdentity(named: target) == old else {
                throw IOFailure(function: "rename", errno: EWOULDBLOCK)
            }
            guard rename(path, target) == 0 else {
                throw IOFailure(function: "rename", errno: errno)
            }
            do throws(IOFailure) { try io.synchronizeName() } catch {
                // folders of some network file systems cannot be synced
                if error.errno != EINVAL && error.errno != EBADF { throw error }
            }
        }
        close()
    }

    /// Gives up: the old file stays what it was.
    func remove() {
        guard isOpen else { return }
        close()
        unlink(path)
    }

    private func close() {
        if isOpen { io.close() }
        isOpen = false
    }

    private func call(
        _ attempt: String, _ body: () throws(IOFailure) -> Void
    ) throws(MediaError) {
        do throws(IOFailure) { try body() } catch {
            throw MediaError(error, attempt: attempt, subject: target)
        }
    }
}
