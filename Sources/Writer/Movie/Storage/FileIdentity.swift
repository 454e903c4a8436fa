internal import Glibc

/// Which file it is, whatever its names are.
package struct FileIdentity: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Of the file that has this name; a symbolic link is itself. `nil` when there is none.
    package init?(named path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Of an open file.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}
