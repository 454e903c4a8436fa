import Media
import Recording

/// What is said about a take when it is done.
enum TakeSummary {
    /// A few lines for people.
    static func lines(_ report: TakeReport, path: String) -> [String] {
        if report.clocks == nil { return ["nothing was recorded: \(path) was not made"] }
        var lines = [
            "\(path): \(Amounts.clock(report.duration.mediaTime, fractionDigits: 3)), "
                + Amounts.bytes(report.bytes)
        ]
        if !report.pauses.isEmpty {
            let total = report.pauses.compactMap { $0.length?.nanoseconds }.reduce(0, +)
            let cut = total > 0 ? ", \(Amounts.decimal(Double(total) / 1e9, 1)) s cut out" : ""
            lines.append(count(report.pauses.count, "pause") + cut)
        }
        if !report.markers.isEmpty { lines.append(count(report.markers.count, "marker")) }
        if let slates = report.slates { lines.append(count(slates.count, "slate")) }
        for track in report.tracks { lines += trackLines(track) }
        if let verdict = report.verdict { lines.append("verdict: \(verdict.rawValue)") }
        for reason in report.reasons { lines.append("  \(reason)") }
        return lines
    }

    private static func trackLines(_ track: TakeReport.Track) -> [String] {
        let lost = track.drops.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        var lines: [String] = []
        if !lost.isEmpty {
            let causes = lost.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            lines.append("track \(track.index) (\(track.origin.name)) lost \(causes)")
        }
        if let lost = track.dropsInPauses {
            let count = lost.values.reduce(0, +)
            lines.append(
                "track \(track.index) (\(track.origin.name)) lost \(TakeSummary.count(count, "frame")) "
                    + "in pauses; the movie lacks none of them")
        }
        if !track.gaps.isEmpty {
            lines.append(
                "track \(track.index) (\(track.origin.name)) had \(count(track.gaps.count, "gap"))")
        }
        if let detections = track.detections { lines.append(line(detections, track)) }
        for counts in track.filters ?? [] {
            lines.append("track \(track.index) (\(track.origin.name)): \(FilterWords.line(counts))")
        }
        for condition in track.conditions ?? [] {
            let total = Amounts.decimal(Double(condition.total.nanoseconds) / 1e9, 1)
            let spans = condition.count == 1 ? "" : " in \(condition.count) spans"
            let isUnknown = condition.kind == .black && track.granted.isDepth ?? false
            let what = isUnknown ? "knew no distance" : "was \(condition.kind.rawValue)"
            lines.append(
                "track \(track.index) (\(track.origin.name)) \(what) for \(total) s\(spans)")
        }
        return lines
    }

    private static func line(_ counts: DetectionCounts, _ track: TakeReport.Track) -> String {
        let skipped = counts.skipped.filter { $0.value > 0 }
            .sorted { $0.key.rawValue < $1.key.rawValue }
            .map { "\($0.key.rawValue) \($0.value)" }
        // of a stereo pair: its depth is frames
        let isDepth = track.mediaType == .video
        let result =
            isDepth
            ? "\(count(counts.analyzed, "pair")) matched since the start"
            : "\(counts.found) found in \(count(counts.analyzed, "frame")) since the start"
        let rest = isDepth ? ", not matched: " : ", not looked at: "
        return "track \(track.index) (\(track.origin.name)): \(result)"
            + (skipped.isEmpty ? "" : rest + skipped.joined(separator: ", "))
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
