internal import Glibc

/// What has become of a file that is being written.
package enum FileFate: Sendable, Hashable {
    case intact
    /// Its name is gone, or names another file; it lies there now.
    case moved(to: String)
    /// It has no name any more; its name is free.
    case deleted
    /// The folder it was in is gone too.
    case folderDeleted
    /// It has no name any more; its name is another file's.
    case replaced
    /// Another program has made it this short (bytes).
    case truncated(to: Int64)
    /// Its first bytes are not those that were written.
    case overwritten

    /// Whether bytes of it are gone, not only its name.
    package var isDamage: Bool {
        switch self {
        case .truncated, .overwritten: true
        case .intact, .moved, .deleted, .folderDeleted, .replaced: false
        }
    }

    /// What somebody did to the file.
    package func deed(to path: String) -> String {
        switch self {
        case .intact: "left \(path) alone"
        case .moved(let place): "moved \(path) to \(place)"
        case .deleted: "deleted \(path)"
        case .folderDeleted: "deleted \(path) together with its folder"
        case .replaced: "put another file in the place of \(path)"
        case .truncated(let bytes): "cut \(path) to \(bytes) bytes"
        case .overwritten: "wrote into \(path)"
        }
    }
}

extension GrowingFile {
    /// Looks whether the file still has its name, its length and its first bytes: three or four calls, which
    /// read at most 64 KiB.
    package func look() -> FileFate {
        withOpen { (name, io, content) -> FileFate in
            // before the look: what is written meanwhile only makes the file longer
            let end = content?.size ?? 0
            guard let status = try? io.status() else { return .intact }
            var named = stat()
            if lstat(name, &named) == 0 {
                if FileIdentity(named) == identity {
                    let size = Int64(status.st_size)
                    let cut = content?.cutEnd ?? (size < end ? size : nil)
                    if let cut { return .truncated(to: cut) }
                    return isOverwritten(io, content) ? .overwritten : .intact
                }
                let place = status.st_nlink > 0 ? io.place : nil
                return place.map(FileFate.moved) ?? .replaced
            }
            // anything else is a disk that does not answer
            guard errno == ENOENT || errno == ENOTDIR else { return .intact }
            if status.st_nlink > 0 { return io.place.map(FileFate.moved) ?? .deleted }
            let folder = TemporaryName.split(name).folder
            return folder.isEmpty || FileIdentity(named: String(folder)) != nil
                ? .deleted : .folderDeleted
        } ?? .intact
    }

    /// Whether the first bytes are another program's. Without the writer's lock, which a slow disk would hold
    /// up: bytes that the writer renewed meanwhile are looked at the next time.
    private func isOverwritten(_ io: SystemFileIO, _ content: DurableFile?) -> Bool {
        guard let head = content?.knownHead, !head.isEmpty,
            let found = try? io.readAll(head.count, at: 0), found != head
        else { return false }
        return content?.knownHead == head
    }
}
