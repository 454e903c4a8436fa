internal import Glibc

/// Who has a device node open, as far as /proc lets us see.
enum DeviceHolder {
    /// `guvcview (process 4711)`; `nil` when nobody can be seen.
    static func description(of node: String) -> String? {
        guard let target = realPath(node) else { return nil }
        for entry in FolderListing.names(in: "/proc") {
            guard let process = Int32(entry), process != getpid(), holds(process, target) else {
                continue
            }
            let name = FolderListing.firstLine(of: "/proc/\(process)/comm") ?? "a program"
            return "\(name) (process \(process))"
        }
        return holds(getpid(), target) ? "this program itself" : nil
    }

    private static func holds(_ process: Int32, _ target: String) -> Bool {
        let folder = "/proc/\(process)/fd"
        return FolderListing.names(in: folder).contains { name in
            FolderListing.linkTarget("\(folder)/\(name)") == target
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
