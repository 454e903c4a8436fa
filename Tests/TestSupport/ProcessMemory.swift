internal import CLinux
internal import Glibc

/// What this process holds: asked in a process of its own, because others' tests allocate too.
public struct ProcessMemory: Sendable {
    /// Handed out by the C heap and not given back (bytes).
    public let heap: Int
    /// Most pages held since `restartPeak` (bytes).
    public let peak: Int

    /// As it is now.
    public init() {
        let info = mallinfo2()
        heap = Int(info.uordblks + info.hblkhd)
        peak = Self.status("VmHWM")
    }

    /// Pages held now count as the most (Linux 4.0; proc(5), clear_refs).
    public static func restartPeak() {
        malloc_trim(0)
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    private static func status(_ name: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            guard text.hasPrefix(name + ":") else { continue }
            return 1024 * (Int(text.split { !$0.isNumber }.first ?? "") ?? 0)
        }
        return 0
    }
}
