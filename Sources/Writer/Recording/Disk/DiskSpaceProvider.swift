internal import Glibc

/// Says how much can still be written. Injected, so that tests own the disk.
protocol DiskSpaceProvider: Sendable {
    /// Space an ordinary user may fill on the disk of `path` (bytes); `nil` when it cannot be read.
    func freeBytes(forFileAt path: String) -> Int64?
}

/// `statvfs(3)` on the file's folder.
struct FileSystemSpace: DiskSpaceProvider {
    func freeBytes(forFileAt path: String) -> Int64? {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        var information = statvfs()
        // some network file systems do not count their blocks
        guard statvfs(folder, &information) == 0, information.f_blocks > 0 else { return nil }
        let (bytes, overflow) = UInt64(information.f_bavail)
            .multipliedReportingOverflow(by: UInt64(information.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }
    /// Whether anything, a dangling link included, has this name.
    static func exists(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0
    }
}
