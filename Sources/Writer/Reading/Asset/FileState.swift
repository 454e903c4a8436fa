internal import Glibc

/// What distinguishes one state of a file from another one, and from another file of its name.
package struct FileState: Sendable, Hashable {
    package let number: UInt64
    /// Bytes.
    package let size: Int64
    /// When it was written to last (nanoseconds since 1970).
    package let time: Int64

    /// Nil: there is none.
    package init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        number = UInt64(info.st_ino)
        size = Int64(info.st_size)
        time = Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
    }
}
