import Compose
import Media

/// The one line that says how an export stands.
enum ExportLine {
    static func text(_ progress: ExportProgress) -> String {
        let filled = Int(progress.fraction * 20)
        let bar = String(repeating: "▰", count: filled) + String(repeating: "▱", count: 20 - filled)
        var parts = [
            "\(bar) \(Amounts.decimal(progress.fraction * 100, 0)) %",
            "\(Amounts.clock(progress.time))/\(Amounts.clock(progress.duration))",
        ]
        if progress.passes > 1 {
            parts.append("pass \(progress.pass) of \(progress.passes)")
        }
        if progress.speed > 0 { parts.append("\(Amounts.decimal(progress.speed, 1))x") }
        if let left = progress.timeLeft {
            parts.append("\(Amounts.roughly(seconds: left.approximateSeconds)) left")
        }
        return parts.joined(separator: "  ")
    }
}
