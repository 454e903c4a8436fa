internal import Glibc

/// What has become of a file that is being written.
package enum FileFate: Sendable, Hashable {
    case intact
    /// Its name is gone, or names another file; it lies there now.
    case moved(to: String)
    /// It has no name any more; its name is free.
    case deleted
    /// The folder it lay in is gone too.
    case folderDeleted
    /// It has no name any more; its name is another file's.
    case replaced
    /// Another program has made it this short (bytes).
    case truncated(to: Int64)

    /// What somebody did to the file.
    func deed(to path: String) -> String {
        switch self {
        case .intact: "left \(path) alone"
        case .moved(let place): "moved \(path) to \(place)"
        case .deleted: "deleted \(path)"
        case .folderDeleted: "deleted \(path) together with its folder"
        case .replaced: "put another file in the place of \(path)"
        case .truncated(let bytes): "cut \(path) to \(bytes) bytes"
        }
    }
}

extension GrowingFile {
    /// Looks whether the file still has its name and its bytes: two or three calls that read nothing.
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
                    return cut.map(FileFate.truncated) ?? .intact
                }
                let place = status.st_nlink > 0 ? whereabouts(io) : nil
                return place.map(FileFate.moved) ?? .replaced
            }
            // anything else is a disk that does not answer
            guard errno == ENOENT || errno == ENOTDIR else { return .intact }
            if status.st_nlink > 0 { return whereabouts(io).map(FileFate.moved) ?? .deleted }
            let folder = TemporaryName.split(name).folder
            return folder.isEmpty || FileIdentity(named: String(folder)) != nil
                ? .deleted : .folderDeleted
        } ?? .intact
    }

    /// Where the file lies now, as the kernel tells.
    private func whereabouts(_ io: SystemFileIO) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(io.processPath, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        let bytes = buffer[..<count].map { UInt8(bitPattern: $0) }
        guard let path = String(validating: bytes, as: UTF8.self) else { return nil }
        return FileIdentity(named: path) == identity ? path : nil
    }
}
