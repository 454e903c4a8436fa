internal import Glibc

/// What distinguishes one state of a picture's file from another.
struct PictureState: Sendable, Hashable {
    private let number: UInt64
    private let size: Int64
    private let time: Int64

    /// Nil: there is none.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        number = UInt64(info.st_ino)
        size = Int64(info.st_size)
        time = Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
    }
}
