internal import Media
internal import Movie

extension TakeReport {
    /// A track of which so much was filled or lost makes the take bad (share of the movie) …
    static let badShare = 0.5
    /// … and so does a camera that delivered no more than this share of its nominal rate: one that low light
    /// slows to half of it is a degraded take still.
    static let badRate = 0.4
    /// A track that is black, frozen or silent for this share of the movie is so throughout, and the take degraded.
    static let throughoutShare = 0.95

    /// Judges the take by what is in the report.
    mutating func judge() {
        var worst = Verdict.good
        var found: [String] = []
        func note(_ verdict: Verdict, _ reason: String) {
            worst = max(worst, verdict)
            found.append(reason)
        }
        if let failure { note(.bad, "The take ended by a failure: \(failure)") }
        if tracks.isEmpty || clocks == nil { note(.bad, "Nothing was recorded.") }
        if let missingEnd, state != .recovered {
            note(
                .bad,
                "The last \(Double(missingEnd.nanoseconds / 1_000_000) / 1e3) s did not reach the file."
            )
        }
        if state == .recovered {
            note(
                .degraded,
                "The take was cut by a crash: what was on its way (\(RepairReport.onItsWay)) is not "
                    + "in the movie.")
        }
        if let diskLosses {
            let times = diskLosses == 1 ? "" : " \(diskLosses) times"
            note(
                .degraded,
                "The disk lost bytes of the movie\(times), which were written again: it is failing; "
                    + "save what is on it and replace it.")
        }
        for track in tracks where clocks != nil {
            guard track.movieTrack >= 0 else {
                note(
                    .bad,
                    "\(track.origin.name) delivered nothing before the take began, and its coded "
                        + "frames cannot join one that runs: the movie has no track of it.")
                continue
            }
            if duration > .zero, track.mediaType.setsLength, track.isEmpty(in: duration) {
                note(.bad, "\(track.origin.name) delivered nothing.")
            }
            for reason in track.shortcomings { note(.degraded, reason) }
            for reason in track.filterFaults {
                note(track.isHardlyFiltered ? .bad : .degraded, reason)
            }
            for reason in track.conditionsThroughout(duration) { note(.degraded, reason) }
            if let share = track.badShare(of: duration) {
                note(
                    .bad,
                    "\(Int((share * 100).rounded())) % of what \(track.origin.name) should have "
                        + "delivered is missing from the movie.")
            }
        }
        verdict = worst
        reasons = found
    }
}

extension TakeReport.Gap {
    /// Whether the source was disabled, and would have delivered.
    fileprivate var isMeant: Bool { cause == SourceInterruption.Reason.disabled.rawValue }
}

extension TakeReport.Track {
    /// Whether the movie has nothing of the source but what the recorder filled.
    fileprivate func isEmpty(in duration: TakeTime) -> Bool {
        frames == filledFrames || gaps.contains { $0.length >= duration }
    }

    /// How much of the movie the track misses (0…1), where that makes the take bad.
    fileprivate func badShare(of duration: TakeTime) -> Double? {
        let meant = gaps.filter(\.isMeant).reduce(0) { $0 + $1.length.nanoseconds }
        let seconds = Double(duration.nanoseconds - meant) / 1e9
        guard seconds > 0 else { return nil }
        var share = losses.reduce(0) { $0 + Double($1.length.nanoseconds) / 1e9 } / seconds
        if let nominal, nominal > 0 {
            let expected = max(1, nominal * seconds)
            share = max(share, Double(drops.values.reduce(0, +)) / expected)
            let arrived = Double(max(0, frames - filledFrames)) / expected
            if arrived <= TakeReport.badRate { share = max(share, 1 - arrived) }
        }
        return share >= TakeReport.badShare ? min(1, share) : nil
    }

    /// Frames that a filter did not process.
    fileprivate var filterFaults: [String] {
        (filters ?? []).filter { $0.unprocessed > 0 }.map { counts in
            let count = counts.unprocessed
            let causes = [("late", counts.late), ("failed", counts.failed)]
                .filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
            let shown = counts.fallback == .black ? "black" : "as they came"
            return
                "\(count) of \(count + counts.processed) frames of \(origin.name) are \(shown), "
                + "because the filter \(counts.name) did not process them (\(causes))."
        }
    }

    /// Whether a filter left out half of the frames or more.
    fileprivate var isHardlyFiltered: Bool {
        (filters ?? []).contains { $0.unprocessed > 0 && $0.unprocessed >= $0.processed }
    }

    /// Gaps that nobody asked for.
    private var losses: [TakeReport.Gap] { gaps.filter { !$0.isMeant } }

    fileprivate func conditionsThroughout(_ duration: TakeTime) -> [String] {
        let least = Double(duration.nanoseconds) * TakeReport.throughoutShare
        return (conditions ?? []).filter { Double($0.total.nanoseconds) >= least }
            .map { condition in
                switch condition.kind {
                case .black where granted.isDepth ?? false:
                    "\(origin.name) knew no distance throughout."
                case .black: "\(origin.name) was black throughout."
                case .frozen: "\(origin.name) showed one frame throughout."
                case .silent: "\(origin.name) was silent throughout."
                }
            }
    }

    /// Everything that keeps the track from being as it was in front of the device.
    fileprivate var shortcomings: [String] {
        var found: [String] = []
        for (cause, count) in drops.sorted(by: { $0.key < $1.key }) where count > 0 {
            let unit =
                switch mediaType {
                case .video: "frames"
                case .audio: "audio frames"
                case .text, .metadata: "samples"
                }
            found.append("\(origin.name) lost \(count) \(unit) (\(cause)).")
        }
        if !losses.isEmpty {
            let total = losses.reduce(0) { $0 + $1.length.nanoseconds }
            let count = losses.count == 1 ? "a gap" : "\(losses.count) gaps"
            found.append("\(origin.name) had \(count), \(Self.seconds(total)) s in all.")
        }
        if let driftPPM, abs(driftPPM) > DriftSteering.limit, isLongEnoughForDrift {
            found.append("\(origin.name) drifts by \(Int(driftPPM)) ppm, more than is corrected.")
        }
        if let largestError, largestError.nanoseconds > 10_000_000 {
            found.append(
                "\(origin.name) was up to \(largestError.nanoseconds / 1_000_000) ms out of place.")
        }
        if let clockSteps {
            let times = clockSteps == 1 ? "once" : "\(clockSteps) times"
            found.append(
                "\(origin.name) set its clock anew, \(times): its audio may be out of place since.")
        }
        if let measuredRate, let nominal, measuredRate * droppedShare < nominal * 0.9 {
            found.append(
                "\(origin.name) delivered \(Self.tenths(measuredRate)) of \(Self.tenths(nominal)) "
                    + "frames a second.")
        }
        return found
    }

    /// Within a few seconds the stamps' jitter on a busy machine looks like a thousand ppm.
    private var isLongEnoughForDrift: Bool {
        frames >= 10 * Int64(granted.sampleRate ?? 0)
    }

    /// Frames that were taken for each that arrived: drops are reported by themselves.
    private var droppedShare: Double {
        let arrived = Double(max(1, frames - filledFrames))
        return (arrived + Double(drops.values.reduce(0, +))) / arrived
    }

    private var nominal: Double? {
        guard let rate = granted.rate else { return nil }
        let parts = rate.split(separator: "/").compactMap { Double($0) }
        return parts.count == 2 ? parts[0] / parts[1] : parts.first
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    private static func seconds(_ nanoseconds: Int64) -> Double {
        (Double(nanoseconds) / 1e6).rounded() / 1e3
    }
}
