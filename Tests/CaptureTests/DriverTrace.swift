import Foundation

/// What the kernel's own trace says about the buffers of the video driver: each that was filled, and how often the
/// driver had none left to fill. A frame that it skips while it has one is its own loss.
struct DriverTrace {
    struct Value {
        /// Buffers that the driver had filled when the last of these was taken.
        var filled = 0
        /// Stamps of the buffers that were taken from it (ns), in their order.
        var taken: [Int64] = []
        /// How often the driver had no buffer left.
        var shortages = 0
        /// Of these, how often because all others were in use: then at most the one that was just filled waits to be
        /// taken. Where more wait, the thread that takes them was not run in time.
        var shortagesByUse = 0
    }

    private static let tracing = "/sys/kernel/tracing"
    /// What is filled is counted until nothing is taken any more.
    private static let events = ["v4l2/v4l2_dqbuf", "vb2/vb2_buf_done"]

    /// Begins to trace; mounts the kernel's traces where nobody has.
    init() throws {
        if !FileManager.default.fileExists(atPath: Self.tracing + "/trace") {
            let mount = Process()
            mount.executableURL = URL(fileURLWithPath: "/bin/mount")
            mount.arguments = ["-t", "tracefs", "tracefs", Self.tracing]
            try mount.run()
            mount.waitUntilExit()
        }
        // lines of all processors are merged by their times, which two processors' own clocks do not share
        try Self.write("mono", to: Self.tracing + "/trace_clock")
        // for twenty thousand lines of one processor
        try Self.write("8192", to: Self.tracing + "/buffer_size_kb")
        try Self.write("", to: Self.tracing + "/trace")
        try Self.setEnabled(true)
    }

    private static func setEnabled(_ isEnabled: Bool) throws {
        for event in events {
            try write(isEnabled ? "1" : "0", to: "\(tracing)/events/\(event)/enable")
        }
    }

    /// Ends the trace; called while the stream runs, because a stopped one gives all its buffers back.
    func end() throws -> Value {
        try Self.setEnabled(false)
        // in pieces: such a file has no size, and a short read is not its end
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: Self.tracing + "/trace"))
        var text = Data()
        while let part = try file.read(upToCount: 1 << 16), !part.isEmpty { text += part }
        try file.close()
        var value = Value()
        var filled = 0
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            if line.contains("vb2_buf_done:") {
                filled += 1
                guard Self.number("owned_by_drv", in: line) == 0 else { continue }
                value.shortages += 1
                if Self.number("queued", in: line) ?? 0 <= 1 { value.shortagesByUse += 1 }
            } else if line.contains("v4l2_dqbuf:"), let stamp = Self.number("timestamp", in: line) {
                value.taken.append(stamp)
                value.filled = filled
            }
        }
        return value
    }

    private static func number(_ name: String, in line: Substring) -> Int64? {
        line.range(of: "\(name) = ").flatMap {
            Int64(line[$0.upperBound...].prefix { $0.isNumber })
        }
    }

    /// Such files take one write and no rename.
    private static func write(_ text: String, to path: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        if text.isEmpty {
            try file.truncate(atOffset: 0)
        } else {
            try file.write(contentsOf: Data(text.utf8))
        }
        try file.close()
    }
}
