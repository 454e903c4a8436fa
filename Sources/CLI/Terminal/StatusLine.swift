internal import Glibc
import Media
import Recording

/// The one line that tells how a recording stands.
enum StatusLine {
    /// What is known beside the recording's own figures.
    struct Surroundings: Sendable, Equatable {
        /// How long the pause that is on has lasted.
        var pausedTime: MediaTime?
        /// What does not keep up with the sources now.
        var behind: [SampleDrop.Cause] = []
        /// The microphones' levels, in the place of the loudest of them.
        var levels: [StatusPart] = []
    }

    /// The parts that fit into `width` columns, the most important first; never longer than that.
    static func text(
        _ snapshot: RecordingSnapshot, _ around: Surroundings = Surroundings(), width: Int,
        look: TerminalLook = .plain
    ) -> String {
        var line = ""
        var length = 0
        for part in parts(snapshot, around) {
            let longer = length + (length > 0 ? 2 : 0) + part.width
            // the last column stays free: writing it wraps some terminals
            if longer >= width { break }
            line += (length > 0 ? "  " : "") + part.text(look)
            length = longer
        }
        return line
    }

    private static func parts(
        _ snapshot: RecordingSnapshot, _ around: Surroundings
    ) -> [StatusPart] {
        var parts = [symbol(snapshot.state, around.pausedTime), StatusPart(time(snapshot))]
        for source in snapshot.silentSources {
            let silence = Amounts.roughly(seconds: source.silence?.approximateSeconds ?? 0)
            parts.append(StatusPart("\(source.name) gone \(silence)", .red))
        }
        for source in snapshot.sources {
            guard source.silence == nil, let condition = source.condition else { continue }
            let length = Amounts.roughly(seconds: condition.length.approximateSeconds)
            parts.append(StatusPart("\(source.name) \(condition.kind.rawValue) \(length)", .yellow))
        }
        if let rate = snapshot.measuredRate {
            let nominal = snapshot.nominalRate.map { "/\(trimmed($0))" } ?? ""
            parts.append(StatusPart("\(Amounts.decimal(rate, 1))\(nominal) fps"))
        }
        parts.append(drops(snapshot))
        parts += around.behind.map { StatusPart(behind($0), .red) }
        if !around.levels.isEmpty {
            parts += around.levels
        } else if let peak = snapshot.audioPeak {
            parts.append(StatusPart("\(Amounts.decimal(peak, 0)) dB"))
        }
        parts.append(StatusPart(Amounts.bytes(snapshot.bytes)))
        if let left = snapshot.secondsLeft {
            parts.append(StatusPart("\(Amounts.roughly(seconds: left)) left on disk"))
        }
        return parts
    }

    private static func symbol(
        _ state: RecordingSnapshot.State, _ pausedTime: MediaTime?
    ) -> StatusPart {
        switch state {
        case .recording: return StatusPart("● rec", .red)
        case .paused, .pausing, .resuming:
            let length = pausedTime.map { " \(Amounts.clock($0))" } ?? ""
            return StatusPart("‖ paused" + length, .yellow)
        case .starting: return StatusPart("… starting")
        case .finishing, .finished, .failed: return StatusPart("■ finishing")
        }
    }

    private static func behind(_ cause: SampleDrop.Cause) -> String {
        cause == .diskBehind ? "disk behind" : "encoder behind"
    }

    private static func time(_ snapshot: RecordingSnapshot) -> String {
        let now = Amounts.clock(snapshot.duration)
        guard let wanted = snapshot.wanted, let fraction = snapshot.fraction else { return now }
        let filled = Int(fraction * 10)
        let bar = String(repeating: "▰", count: filled) + String(repeating: "▱", count: 10 - filled)
        return "\(now)/\(Amounts.clock(wanted)) \(bar)"
    }

    private static func drops(_ snapshot: RecordingSnapshot) -> StatusPart {
        if snapshot.droppedFrames == 0 { return StatusPart("0 dropped") }
        let causes = snapshot.drops.filter { $0.value > 0 }
            .sorted {
                $0.value != $1.value ? $0.value > $1.value : $0.key.rawValue < $1.key.rawValue
            }
            .map { "\($0.key.rawValue) \($0.value)" }
        return StatusPart(
            "\(snapshot.droppedFrames) dropped (\(causes.joined(separator: ", ")))", .red)
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
