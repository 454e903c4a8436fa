internal import Media

/// Measures a proved line at the full rate, to a fraction of an audio frame, with the clocks' difference taken out
/// of each window.
struct LineMeasure {
    struct Measured {
        var line: ClockLine
        /// Root of the mean square of the windows' errors (seconds).
        var spread: Double
        var isIdentical: Bool
    }

    /// Lags looked at around the line (seconds).
    private static let reach = 0.002
    private static let band = 150.0...8000.0
    private static let leastClearness = 1.05
    /// A window's error counts as a fault beyond so many times the usual one, and never below a frame.
    private static let outlier = 4.0
    /// From this correlation on both hold the same.
    private static let identical = 0.999

    private let evidence: LineProof.Evidence
    private let matcher: SoundMatcher
    private let comparison: WindowComparison

    init(_ evidence: LineProof.Evidence, _ matcher: SoundMatcher) throws(MediaError) {
        self.evidence = evidence
        self.matcher = matcher
        let isLong = evidence.overlap.upperBound - evidence.overlap.lowerBound >= 9
        comparison = try WindowComparison(
            length: isLong ? 32_768 : 16_384, rate: AlignmentScale.exactRate, band: Self.band,
            reach: Self.reach)
    }

    func measure() throws(MediaError) -> Measured {
        var points: [ClockLine.Point] = []
        var isIdentical = true
        for point in evidence.agreeing {
            guard let (match, exact) = try match(around: point.time),
                match.clearness >= Self.leastClearness, (match.height < 0) == evidence.isInverted
            else {
                isIdentical = false
                continue
            }
            isIdentical = isIdentical && match.height >= Self.identical
            points.append(exact)
        }
        let isEnough = points.count * 2 >= evidence.agreeing.count
        let line = Self.line(isEnough ? points : evidence.agreeing) ?? evidence.line
        let kept = isEnough ? points : evidence.agreeing
        let errors = kept.map { abs(line.error($0)) }.sorted().prefix(kept.count * 3 / 4 + 1)
        let square = errors.reduce(0) { $0 + $1 * $1 } / Double(max(1, errors.count))
        return Measured(
            line: line, spread: square.squareRoot(), isIdentical: isEnough && isIdentical)
    }

    /// Least squares without the windows that are far off.
    private static func line(_ points: [ClockLine.Point]) -> ClockLine? {
        guard var line = ClockLine.throughMost(points, tolerance: reach)?.line else { return nil }
        for _ in 0..<3 {
            let errors = points.map { abs(line.error($0)) }.sorted()
            guard !errors.isEmpty else { return line }
            let bound = max(
                1 / Double(AlignmentScale.exactRate), outlier * errors[errors.count / 2])
            let kept = points.filter { abs(line.error($0)) <= bound }
            guard let better = ClockLine.leastSquares(kept, least: 1) else { return line }
            line = better
        }
        return line
    }

    private func match(
        around middle: Double
    ) throws(MediaError) -> (WindowComparison.Match, ClockLine.Point)? {
        let rate = Double(AlignmentScale.exactRate)
        let half = Double(comparison.length) / 2
        let other = Int64((evidence.line.reference(at: middle) * rate - half).rounded())
        let reference = try matcher.reference.sound.read(
            from: other, count: comparison.length, rate: AlignmentScale.exactRate)
        // the recording's time at the reference window's middle
        let time = (Double(other) + half) / rate
        let own = (time - evidence.line.offset) / (1 + evidence.line.stretch)
        let recording = try stretched(around: own)
        guard let match = comparison.match(reference: reference, recording: recording) else {
            return nil
        }
        return (
            match,
            ClockLine.Point(
                time: own, reference: time + match.lag / rate, weight: abs(match.height))
        )
    }

    /// The recording's frames as the reference's clock counts them, around a moment (seconds).
    private func stretched(around middle: Double) throws(MediaError) -> [Float] {
        let rate = Double(AlignmentScale.exactRate)
        let step = 1 / (1 + evidence.line.stretch)
        let half = Double(comparison.length) / 2
        let start = middle * rate - half * step
        let first = Int64(start.rounded(.down)) - 1
        let count = Int((Double(comparison.length) * step).rounded(.up)) + 4
        let frames = try matcher.recording.sound.read(
            from: first, count: count, rate: AlignmentScale.exactRate)
        return (0..<comparison.length).map { index in
            let place = start + Double(index) * step - Double(first)
            let whole = Int(place)
            return hermite(
                frames[whole - 1], frames[whole], frames[whole + 1], frames[whole + 2],
                Float(place - Double(whole)))
        }
    }
}

/// Between two samples, by a cubic through them and their neighbours.
private func hermite(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ part: Float) -> Float {
    let slopeB = (c - a) / 2
    let slopeC = (d - b) / 2
    let bend = slopeB + slopeC - 2 * (c - b)
    let rise = (c - b) - slopeB - bend
    return b + part * (slopeB + part * (rise + part * bend))
}
