import Media
import Recording

/// How far work has come, in ffmpeg's progress words and three of our own.
enum ProgressReport {
    enum Form: String, Sendable, CaseIterable {
        /// `key=value` lines that end with `progress=continue` or `progress=end`.
        case keyValue = "key-value"
        /// One JSON object a line.
        case ndjson
    }

    static func text(_ snapshot: ProgressSnapshot, isEnd: Bool, form: Form) -> String {
        switch form {
        case .keyValue: keyValue(snapshot, isEnd: isEnd)
        case .ndjson: json(snapshot, isEnd: isEnd).compact + "\n"
        }
    }

    private static func keyValue(_ snapshot: ProgressSnapshot, isEnd: Bool) -> String {
        let bitrate = snapshot.bitrate.map { Amounts.decimal($0 / 1000, 1) + "kbits/s" }
        var lines = [
            "frame=\(snapshot.frames)",
            "fps=\(Amounts.decimal(snapshot.rate ?? 0, 2))",
            "bitrate=\(bitrate ?? "N/A")",
            "total_size=\(snapshot.bytes)",
            "out_time_us=\(microseconds(snapshot))",
            "out_time=\(Amounts.clock(snapshot.duration, fractionDigits: 6))",
            "dup_frames=\(snapshot.repeatedFrames)",
            "drop_frames=\(snapshot.droppedFrames)",
            "speed=\(Amounts.decimal(snapshot.speed, 2))x",
        ]
        if !snapshot.tracks.isEmpty {
            lines.append("sources_gone=\(snapshot.tracks.count { $0.isInterrupted })")
            for kind in TrackCondition.allCases {
                let count = snapshot.tracks.count { $0.condition?.kind == kind }
                lines.append("sources_\(kind.rawValue)=\(count)")
            }
        }
        if let fraction = snapshot.fraction {
            lines.append("percent=\(Amounts.decimal(fraction * 100, 1))")
        }
        if let eta = eta(snapshot, isEnd: isEnd) { lines.append("eta_us=\(eta)") }
        lines.append("state=\(snapshot.state)")
        lines.append("progress=\(isEnd ? "end" : "continue")")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func json(_ snapshot: ProgressSnapshot, isEnd: Bool) -> JSONValue {
        .members([
            "frame": .integer(snapshot.frames),
            "fps": snapshot.rate.map(JSONValue.number),
            "bitrate": snapshot.bitrate.map { .integer(Int64($0)) },
            "total_size": .integer(snapshot.bytes),
            "out_time_us": .integer(microseconds(snapshot)),
            "dup_frames": .integer(snapshot.repeatedFrames),
            "drop_frames": .integer(snapshot.droppedFrames),
            "speed": .number(snapshot.speed),
            "sources": snapshot.tracks.isEmpty ? nil : .array(snapshot.tracks.map(\.json)),
            "slates": snapshot.slates == 0 ? nil : .integer(Int64(snapshot.slates)),
            "last_slate": snapshot.lastSlate?.json,
            "percent": snapshot.fraction.map { .number($0 * 100) },
            "eta_us": eta(snapshot, isEnd: isEnd).map { .integer($0) },
            "state": .string(snapshot.state),
            "progress": .string(isEnd ? "end" : "continue"),
        ])
    }

    private static func microseconds(_ snapshot: ProgressSnapshot) -> Int64 {
        snapshot.duration.ticks(per: 1_000_000, rounding: .nearest)
    }

    private static func eta(_ snapshot: ProgressSnapshot, isEnd: Bool) -> Int64? {
        guard let left = snapshot.remaining else { return nil }
        return isEnd ? 0 : Int64(left * 1_000_000)
    }
}
