internal import Glibc
internal import Media

/// Who may open a device node, and who has it open: what error messages say.
enum DeviceNodeAccess {
    /// The group that owns a node; `nil` when the node is not there.
    static func group(of node: String) -> String? {
        var status = stat()
        guard stat(node, &status) == 0 else { return nil }
        guard let entry = getgrgid(status.st_gid), let name = entry.pointee.gr_name else {
            return nil
        }
        return String(cString: name)
    }

    /// Whether a node is there but closed to this program (its effective user and groups) for reading and writing, as
    /// drivers open it.
    static func isClosed(_ node: String) -> Bool {
        guard faccessat(AT_FDCWD, node, R_OK | W_OK, AT_EACCESS) != 0 else { return false }
        return errno == EACCES || errno == EPERM
    }

    /// Who has a node open, as far as /proc lets this user see: `guvcview (process 4711)`, several
    /// with "and" between them; `this program itself`; `nil` when nobody can be seen.
    /// - Parameter attempts: how many descriptors of this program's are those of the failed attempt.
    static func holder(of node: String, besides attempts: Int = 0) -> String? {
        guard let target = realPath(node) else { return nil }
        let processes = FolderListing.names(in: "/proc").compactMap { Int32($0) }.sorted()
        let others = processes.filter { $0 != getpid() && descriptors(of: $0, target) > 0 }
        if !others.isEmpty { return others.map(describe(process:)).joined(separator: " and ") }
        return descriptors(of: getpid(), target) > attempts ? "this program itself" : nil
    }

    private static func describe(process: Int32) -> String {
        let name = FolderListing.firstLine(of: "/proc/\(process)/comm")
        return "\(name ?? "a program") (process \(process))"
    }

    private static func descriptors(of process: Int32, _ target: String) -> Int {
        let folder = "/proc/\(process)/fd"
        return FolderListing.names(in: folder).count { name in
            FolderListing.linkTarget("\(folder)/\(name)") == target
        }
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
