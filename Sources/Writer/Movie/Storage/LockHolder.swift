internal import Glibc

/// The process that has a file locked, for sentences that say who writes it.
package enum LockHolder {
    /// - Returns: such as "vcap (process 4711)"; `nil` when nobody is seen to hold a lock.
    package static func name(ofFileAt path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return process(holding: FileIdentity(status)).map(describe)
    }

    /// The lines of `/proc/locks`: `1: FLOCK  ADVISORY  WRITE 4711 00:2f:1234 0 EOF`. The device there is
    /// the file system's own, which `stat` does not give on btrfs and overlays: then the inode and
    /// what the process has open decide.
    private static func process(holding file: FileIdentity) -> Int32? {
        var others: [Int32] = []
        for line in text(of: "/proc/locks").split(separator: "\n") {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            guard let kind = fields.firstIndex(of: "FLOCK"), fields.count > kind + 4,
                let process = Int32(fields[kind + 3]), process > 0
            else { continue }
            let place = fields[kind + 4].split(separator: ":")
            guard place.count == 3, UInt64(place[2]) == file.inode else { continue }
            let (major, minor) = (UInt64(place[0], radix: 16), UInt64(place[1], radix: 16))
            if major == Self.major(file.device), minor == Self.minor(file.device) {
                return process
            }
            others.append(process)
        }
        return others.first { hasOpen(file, $0) }
    }

    private static func hasOpen(_ file: FileIdentity, _ process: Int32) -> Bool {
        let folder = "/proc/\(process)/fd"
        guard let listing = opendir(folder) else { return false }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            if stat("\(folder)/\(name)", &status) == 0, FileIdentity(status) == file {
                return true
            }
        }
        return false
    }

    private static func describe(_ process: Int32) -> String {
        let name = text(of: "/proc/\(process)/comm").split(separator: "\n").first ?? "a program"
        return "\(name) (process \(process))"
    }

    /// As glibc's `gnu_dev_major` and `gnu_dev_minor`, which are macros.
    private static func major(_ device: UInt64) -> UInt64 {
        (device >> 8) & 0xFFF | (device >> 32) & 0xFFFF_F000
    }

    private static func minor(_ device: UInt64) -> UInt64 {
        device & 0xFF | (device >> 12) & 0xFFFF_FF00
    }

    private static func text(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
