internal import Glibc
import Media
import Recording

/// The one line that says how a recording stands.
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
        _ status: RecorderStatus, _ around: Surroundings = Surroundings(), width: Int,
        look: TerminalLook = .plain
    ) -> String {
        fitting(status, around, width: width).map { $0.text(look) }.joined(separator: "  ")
    }

    /// As `text`, part by part, two columns between them.
    static func fitting(
        _ status: RecorderStatus, _ around: Surroundings, width: Int
    ) -> [StatusPart] {
        var fitting: [StatusPart] = []
        var length = 0
        for part in parts(status, around) {
            let longer = length + (length > 0 ? 2 : 0) + part.width
            // the last column stays free: writing it wraps some terminals
            if longer >= width { break }
            fitting.append(part)
            length = longer
        }
        return fitting
    }

    private static func parts(
        _ status: RecorderStatus, _ around: Surroundings
    ) -> [StatusPart] {
        var parts = [symbol(status.state, around.pausedTime), StatusPart(time(status))]
        for track in status.interruptedTracks {
            let silence = Amounts.roughly(seconds: track.silence?.approximateSeconds ?? 0)
            parts.append(StatusPart("\(track.name) gone \(silence)", .red))
        }
        for track in status.tracks {
            guard !track.isInterrupted, let condition = track.condition else { continue }
            let length = Amounts.roughly(seconds: condition.length.approximateSeconds)
            parts.append(StatusPart("\(track.name) \(condition.kind.rawValue) \(length)", .yellow))
        }
        if let rate = status.measuredRate {
            let nominal = status.nominalRate.map { "/\(trimmed($0.approximate))" } ?? ""
            parts.append(StatusPart("\(Amounts.decimal(rate, 1))\(nominal) fps"))
        }
        parts.append(drops(status))
        parts += around.behind.map { StatusPart(behind($0), .red) }
        if !around.levels.isEmpty {
            parts += around.levels
        } else if let peak = status.audioPeak {
            parts.append(StatusPart("\(Amounts.decimal(peak, 0)) dB"))
        }
        parts.append(StatusPart(Amounts.bytes(status.bytesWritten)))
        if let left = status.secondsLeft {
            parts.append(StatusPart("\(Amounts.roughly(seconds: Double(left))) left on disk"))
        }
        return parts
    }

    private static func symbol(
        _ state: RecorderState, _ pausedTime: MediaTime?
    ) -> StatusPart {
        switch state {
        case .recording: return StatusPart("● rec", .red)
        case .paused, .pausing, .resuming:
            let length = pausedTime.map { " \(Amounts.clock($0))" } ?? ""
            return StatusPart("‖ paused" + length, .yellow)
        case .idle, .starting: return StatusPart("… starting")
        case .finishing, .finished, .failed: return StatusPart("■ finishing")
        }
    }

    private static func behind(_ cause: SampleDrop.Cause) -> String {
        cause == .diskBehind ? "disk behind" : "encoder behind"
    }

    private static func time(_ status: RecorderStatus) -> String {
        let now = Amounts.clock(status.elapsed)
        guard let wanted = status.wantedLength, let fraction = status.fraction else { return now }
        let filled = Int(fraction * 10)
        let bar = String(repeating: "▰", count: filled) + String(repeating: "▱", count: 10 - filled)
        return "\(now)/\(Amounts.clock(wanted)) \(bar)"
    }

    private static func drops(_ status: RecorderStatus) -> StatusPart {
        if status.dropCount == 0 { return StatusPart("0 dropped") }
        let causes = status.drops.filter { $0.value > 0 }
            .sorted {
                $0.value != $1.value ? $0.value > $1.value : $0.key.rawValue < $1.key.rawValue
            }
            .map { "\($0.key.rawValue) \($0.value)" }
        return StatusPart(
            "\(status.dropCount) dropped (\(causes.joined(separator: ", ")))", .red)
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
