internal import Glibc

/// Who may open a device node, and who has it open: what error messages tell.
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

    /// A process that has the node open, as `name (process 123)`; `nil` when none is visible to
    /// this user.
    static func holder(of node: String) -> String? {
        for entry in entries(of: "/proc") {
            guard let process = Int32(entry) else { continue }
            for descriptor in entries(of: "/proc/\(process)/fd")
            where destination(of: "/proc/\(process)/fd/\(descriptor)") == node {
                return describe(process: process)
            }
        }
        return nil
    }

    /// `name (process 123)`.
    static func describe(process: Int32) -> String {
        let name = SmallTextFile.read("/proc/\(process)/comm")?.split(separator: "\n").first
        return "\(name.map(String.init) ?? "a process") (process \(process))"
    }

    /// The names in a folder, sorted; none when it cannot be read.
    static func entries(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Where a symbolic link points.
    static func destination(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(link, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
