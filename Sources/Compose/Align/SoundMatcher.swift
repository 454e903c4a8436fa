internal import Media

/// Finds where one recording's clock lies on another's, by what both have heard.
///
/// Spans of one profile are looked for in the other; straight lines through the places found are candidates. Each
/// is proved on the audio itself, in windows all over what both would have in common. What is as well proved at
/// another place repeats itself, and is refused. What is left is measured at the full rate.
struct SoundMatcher {
    /// Where a recording lies.
    struct Result: Sendable {
        var line: ClockLine
        /// 0…1.
        var confidence: Double
        /// Windows that agree, and those in which both have something in common (counts).
        var agreeing: Int
        var compared: Int
        /// Of the agreeing windows' errors (seconds; root of the mean square).
        var spread: Double
        /// Part of the recording that both have (seconds of the recording).
        var overlap: ClosedRange<Double>
        var isInverted: Bool
        /// Whether both hold the same, and nothing else.
        var isIdentical: Bool
    }

    enum Outcome: Sendable {
        case found(Result)
        case silent
        /// One of them is shorter than what is needed.
        case short
        /// Nothing is the same, or too little.
        case nothingInCommon
        /// The same is found again some time later (seconds).
        case repeating(after: Double)
        /// One part lies elsewhere than another: something was cut out, or it was paused.
        case broken(LineProof.Break)
        /// Something is the same, but not surely enough.
        case uncertain(Double)
    }

    /// Candidates that are proved.
    private static let candidates = 10
    /// Up to this part of the best one's evidence another candidate may have.
    private static let rivalry = 0.5

    let reference: (sound: any AlignableSound, profile: SoundProfile)
    let recording: (sound: any AlignableSound, profile: SoundProfile)

    /// - Parameter progress: hears how much is done (0…1); what it throws ends the work.
    func outcome(
        _ progress: (Double) throws(MediaError) -> Void
    ) throws(MediaError) -> Outcome {
        guard !reference.profile.isSilent, !recording.profile.isSilent else { return .silent }
        let least = Int(AlignmentScale.leastOverlap * SoundProfile.rate)
        guard min(reference.profile.count, recording.profile.count) >= least else { return .short }
        let search = try ProfileSearch(recording.profile, in: reference.profile)
        let fits = try search.fits { part throws(MediaError) in try progress(part * 0.5) }
        let candidates = LineVote(fits: fits).candidates(Self.candidates)
        var proofs: [LineProof.Evidence] = []
        for (index, candidate) in candidates.enumerated() {
            try progress(0.5 + 0.3 * Double(index) / Double(candidates.count))
            let proof = try LineProof(candidate.line, self)
            if let evidence = try proof?.evidence() { proofs.append(evidence) }
        }
        proofs.sort { $0.strength > $1.strength }
        guard let best = proofs.first(where: { $0.agreeing.count >= LineProof.least }) else {
            return .nothingInCommon
        }
        try progress(0.8)
        let breaks = [best.elsewhere] + proofs.filter { !$0.isSame(as: best) }.map(best.break)
        if let found = breaks.compactMap({ $0 }).first { return .broken(found) }
        return try conclude(best, rival: proofs.first { !$0.isSame(as: best) })
    }

    private func conclude(
        _ best: LineProof.Evidence, rival: LineProof.Evidence?
    ) throws(MediaError) -> Outcome {
        let share = (rival?.strength ?? 0) / best.strength
        if let rival, share > Self.rivalry {
            let time = (best.overlap.lowerBound + best.overlap.upperBound) / 2
            return .repeating(
                after: abs(best.line.reference(at: time) - rival.line.reference(at: time)))
        }
        let confidence = best.agreement * best.amount * min(1, 2 * (1 - share))
        guard confidence >= RecordingAlignment.leastConfidence else {
            return .uncertain(confidence)
        }
        let exact = try LineMeasure(best, self).measure()
        return .found(
            Result(
                line: exact.line, confidence: confidence, agreeing: best.agreeing.count,
                compared: best.compared, spread: exact.spread, overlap: best.overlap,
                isInverted: best.isInverted, isIdentical: exact.isIdentical))
    }

    /// What both recordings have, by a line (seconds of the recording); nil: not enough.
    func overlap(_ line: ClockLine) -> ClosedRange<Double>? {
        let first = max(0, -line.offset / (1 + line.stretch))
        let last = min(
            recording.sound.duration,
            (reference.sound.duration - line.offset) / (1 + line.stretch))
        return last - first >= AlignmentScale.leastOverlap ? first...last : nil
    }
}
