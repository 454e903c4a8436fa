internal import Glibc
import Media

/// The one line that tells how a recording stands.
enum StatusLine {
    /// The parts that fit into `width` columns, the most important first; never longer than that.
    static func text(_ snapshot: RecordingSnapshot, width: Int) -> String {
        var line = ""
        for part in parts(snapshot) {
            let longer = line.isEmpty ? part : line + "  " + part
            // the last column stays free: writing it wraps some terminals
            if longer.count >= width { break }
            line = longer
        }
        return line
    }

    private static func parts(_ snapshot: RecordingSnapshot) -> [String] {
        var parts = [symbol(snapshot.state), time(snapshot)]
        for source in snapshot.silentSources {
            let silence = Amounts.roughly(seconds: source.silence?.approximateSeconds ?? 0)
            parts.append("\(source.name) gone \(silence)")
        }
        if let rate = snapshot.measuredRate {
            let nominal = snapshot.nominalRate.map { "/\(trimmed($0))" } ?? ""
            parts.append("\(Amounts.decimal(rate, 1))\(nominal) fps")
        }
        parts.append(drops(snapshot))
        if let peak = snapshot.audioPeak { parts.append("\(Amounts.decimal(peak, 0)) dB") }
        parts.append(Amounts.bytes(snapshot.bytes))
        if let left = snapshot.secondsLeft {
            parts.append("\(Amounts.roughly(seconds: left)) left on disk")
        }
        return parts
    }

    private static func symbol(_ state: RecordingSnapshot.State) -> String {
        switch state {
        case .recording: "● rec"
        case .paused, .pausing, .resuming: "‖ paused"
        case .starting: "… starting"
        case .finishing, .finished, .failed: "■ finishing"
        }
    }

    private static func time(_ snapshot: RecordingSnapshot) -> String {
        let now = Amounts.clock(snapshot.duration)
        guard let wanted = snapshot.wanted, let fraction = snapshot.fraction else { return now }
        let filled = Int(fraction * 10)
        let bar = String(repeating: "▰", count: filled) + String(repeating: "▱", count: 10 - filled)
        return "\(now)/\(Amounts.clock(wanted)) \(bar)"
    }

    private static func drops(_ snapshot: RecordingSnapshot) -> String {
        if snapshot.droppedFrames == 0 { return "0 dropped" }
        let causes = snapshot.drops.filter { $0.value > 0 }
            .sorted {
                $0.value != $1.value ? $0.value > $1.value : $0.key.rawValue < $1.key.rawValue
            }
            .map { "\($0.key.rawValue) \($0.value)" }
        return "\(snapshot.droppedFrames) dropped (\(causes.joined(separator: ", ")))"
    }

    private static func trimmed(_ value: Double) -> String {
        value == value.rounded() ? Amounts.decimal(value, 0) : Amounts.decimal(value, 2)
    }

    /// Columns of a terminal; 80 when it does not say.
    static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
