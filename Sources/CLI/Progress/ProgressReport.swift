import Media

/// How a recording stands, in ffmpeg's progress words and three of our own.
enum ProgressReport {
    enum Form: String, Sendable, CaseIterable {
        /// `key=value` lines that end with `progress=continue` or `progress=end`.
        case keyValue = "key-value"
        /// One JSON object a line.
        case ndjson
    }

    static func text(_ snapshot: RecordingSnapshot, isEnd: Bool, form: Form) -> String {
        switch form {
        case .keyValue: keyValue(snapshot, isEnd: isEnd)
        case .ndjson: json(snapshot, isEnd: isEnd).compact + "\n"
        }
    }

    private static func keyValue(_ snapshot: RecordingSnapshot, isEnd: Bool) -> String {
        let microseconds = snapshot.duration.ticks(per: 1_000_000, rounding: .nearest)
        var lines = [
            "frame=\(snapshot.frames)",
            "fps=\(Amounts.decimal(snapshot.measuredRate ?? 0, 2))",
            "bitrate=\(bitrate(snapshot).map { Amounts.decimal($0 / 1000, 1) + "kbits/s" } ?? "N/A")",
            "total_size=\(snapshot.bytes)",
            "out_time_us=\(microseconds)",
            "out_time=\(Amounts.clock(snapshot.duration, fractionDigits: 6))",
            "dup_frames=\(snapshot.repeatedFrames)",
            "drop_frames=\(snapshot.droppedFrames)",
            "speed=\(speed(snapshot))x",
        ]
        if let percent = percent(snapshot, isEnd: isEnd) {
            lines.append("percent=\(Amounts.decimal(percent, 1))")
        }
        if let eta = eta(snapshot, isEnd: isEnd) { lines.append("eta_us=\(eta)") }
        lines.append("state=\(snapshot.state.rawValue)")
        lines.append("progress=\(isEnd ? "end" : "continue")")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func json(_ snapshot: RecordingSnapshot, isEnd: Bool) -> JSONValue {
        .members([
            "frame": .integer(snapshot.frames),
            "fps": snapshot.measuredRate.map(JSONValue.number),
            "bitrate": bitrate(snapshot).map { .integer(Int64($0)) },
            "total_size": .integer(snapshot.bytes),
            "out_time_us": .integer(snapshot.duration.ticks(per: 1_000_000, rounding: .nearest)),
            "dup_frames": .integer(snapshot.repeatedFrames),
            "drop_frames": .integer(snapshot.droppedFrames),
            "percent": percent(snapshot, isEnd: isEnd).map(JSONValue.number),
            "eta_us": eta(snapshot, isEnd: isEnd).map { .integer($0) },
            "state": .string(snapshot.state.rawValue),
            "progress": .string(isEnd ? "end" : "continue"),
        ])
    }

    /// Bits per second of the movie so far.
    private static func bitrate(_ snapshot: RecordingSnapshot) -> Double? {
        let seconds = snapshot.duration.approximateSeconds
        return seconds > 0 ? Double(snapshot.bytes) * 8 / seconds : nil
    }

    /// A camera delivers in real time; while paused the movie stands still.
    private static func speed(_ snapshot: RecordingSnapshot) -> String {
        snapshot.state == .recording ? "1.00" : "0.00"
    }

    private static func percent(_ snapshot: RecordingSnapshot, isEnd: Bool) -> Double? {
        snapshot.fraction.map { $0 * 100 }
    }

    private static func eta(_ snapshot: RecordingSnapshot, isEnd: Bool) -> Int64? {
        guard let left = snapshot.remaining else { return nil }
        return isEnd ? 0 : Int64(left * 1_000_000)
    }
}
