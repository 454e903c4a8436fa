internal import Glibc

/// What the machine's processors have done since it was switched on, in the kernel's ticks.
///
/// Source: proc_stat(5): the first line of /proc/stat.
struct ProcessorTicks: Sendable, Hashable {
    /// Of time that nobody took, or only what gives way; waiting for a disk takes none.
    let idle: Int64
    let all: Int64

    /// - Parameter text: of /proc/stat, from its beginning.
    init?(_ text: String) {
        guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else {
            return nil
        }
        // user, nice, system, idle, iowait, irq, softirq, steal; a guest's time is the user's
        let fields = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int64($0) }
        guard fields.count >= 5 else { return nil }
        // what runs at a lower priority gives way
        idle = fields[1] + fields[3] + fields[4]
        all = fields.reduce(0, +)
    }

    /// `nil` also where the program may not take all of the machine (a container's quota): what is left there says
    /// nothing of it.
    static func now() -> ProcessorTicks? {
        guard !hasQuota else { return nil }
        let file = open("/proc/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = read(file, &bytes, bytes.count)
        return ProcessorTicks(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self))
    }

    /// Source: the kernel's cgroup-v2: `max 100000` in cpu.max is no quota.
    private static let hasQuota: Bool = {
        let file = open("/sys/fs/cgroup/cpu.max", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(file, &bytes, bytes.count)
        return count > 0 && !bytes.prefix(count).starts(with: "max".utf8)
    }()
}
