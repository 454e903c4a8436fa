internal import Glibc

/// Small reads from /proc, /sys and /dev. What cannot be read is empty: these only add knowledge.
package enum FolderListing {
    /// Names in a folder, without `.` and `..`.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// Where a symbolic link points, as written in it.
    package static func linkTarget(_ path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The first line of a small file.
    package static func firstLine(of path: String) -> String? {
        SmallTextFile.read(path)?.split(separator: "\n").first.map(String.init)
    }
}
