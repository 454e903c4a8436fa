internal import Media

/// Proves a line on the audio itself: in windows all over what both recordings have in common, where most happens.
struct LineProof {
    struct Evidence {
        var line: ClockLine
        /// Windows that lie on the line.
        var agreeing: [ClockLine.Point]
        /// Windows in which both have something in common, and those in which both sound (counts).
        var compared: Int
        var sounding: Int
        /// Mean correlation of all windows in which something sounds; of those that do not agree 0.
        var strength: Double
        /// Seconds of the recording.
        var overlap: ClosedRange<Double>
        var isInverted: Bool
        /// Where another part of the recording lies, within reach of this line.
        var elsewhere: Break?

        /// The part of the windows with something in common that agrees.
        var agreement: Double {
            compared > 0 ? Double(agreeing.count) / Double(compared) : 0
        }

        /// How much there is that agrees, 1 for enough.
        var amount: Double {
            let share = LineProof.enoughOfAll * Double(sounding)
            return min(1, Double(agreeing.count) / max(LineProof.enough, share))
        }

        /// Whether another line holds in a part of the recording in which this one does not.
        func `break`(to other: Evidence) -> Break? {
            Break(from: agreeing, line, to: other.agreeing, other.line)
        }

        /// Whether it is another's line, found again.
        func isSame(as other: Evidence) -> Bool {
            let time = (overlap.lowerBound + overlap.upperBound) / 2
            return abs(line.reference(at: time) - other.line.reference(at: time)) < 0.01
        }
    }

    /// Where a recording was cut or paused, or the reference was: behind it, or before it, another line holds.
    struct Break: Sendable, Hashable {
        /// About when (seconds of the recording).
        var time: Double
        /// How much later what follows lies in the reference (seconds).
        var shift: Double

        /// Windows that agree on the other line (count): fewer may be chance.
        private static let least = 3

        /// Nil where both lines hold in the same parts, as of what repeats itself.
        init?(
            from one: [ClockLine.Point], _ line: ClockLine, to other: [ClockLine.Point],
            _ otherLine: ClockLine
        ) {
            let (ones, others) = (one.map(\.time).sorted(), other.map(\.time).sorted())
            guard ones.count >= Self.least, others.count >= Self.least, let first = ones.first,
                let last = ones.last, let otherFirst = others.first, let otherLast = others.last
            else { return nil }
            let follows = otherFirst >= last
            guard follows || otherLast <= first,
                Self.areApart(one.map(\.reference), other.map(\.reference))
            else { return nil }
            time = follows ? (last + otherFirst) / 2 : (otherLast + first) / 2
            let later = otherLine.reference(at: time) - line.reference(at: time)
            shift = follows ? later : -later
        }

        /// What lies twice at one place of the reference repeats itself.
        private static func areApart(_ one: [Double], _ other: [Double]) -> Bool {
            guard let first = one.min(), let last = one.max(), let otherFirst = other.min(),
                let otherLast = other.max()
            else { return false }
            return otherFirst >= last || otherLast <= first
        }
    }

    /// Windows that must agree (count).
    static let least = 5
    /// Of another line, which makes the first one doubtful.
    private static let leastOfRival = 2
    /// Windows that are enough for full confidence (count, and part of those in which both sound).
    fileprivate static let enough = 7.0
    fileprivate static let enoughOfAll = 0.3
    /// Windows compared at most (count).
    private static let most = 24
    /// Lags looked at around the candidate (seconds).
    private static let reach = 0.064
    /// How far a window may lie off the line (seconds).
    private static let tolerance = 0.0005
    private static let band = 150.0...3600.0
    /// What makes a peak: above the rest within reach, and above what is usual there.
    private static let leastClearness = 1.25
    private static let leastSharpness = 7.0

    private let line: ClockLine
    private let matcher: SoundMatcher
    private let overlap: ClosedRange<Double>
    private let comparison: WindowComparison

    /// Nil where the line leaves too little in common.
    init?(_ line: ClockLine, _ matcher: SoundMatcher) throws(MediaError) {
        guard let overlap = matcher.overlap(line) else { return nil }
        self.line = line
        self.matcher = matcher
        self.overlap = overlap
        let isLong = overlap.upperBound - overlap.lowerBound >= 9
        comparison = try WindowComparison(
            length: isLong ? 8192 : 4096, rate: AlignmentScale.searchRate, band: Self.band,
            reach: Self.reach)
    }

    /// Nil where nothing agrees.
    func evidence() throws(MediaError) -> Evidence? {
        var sounding = 0
        var points: [(point: ClockLine.Point, isInverted: Bool)] = []
        for start in starts() {
            guard let found = try match(at: start) else { continue }
            sounding += 1
            let (match, point) = found
            guard match.clearness >= Self.leastClearness, match.sharpness >= Self.leastSharpness
            else { continue }
            points.append((point, match.height < 0))
        }
        let inverted = points.reduce(0) { $0 + ($1.isInverted ? $1.point.weight : 0) }
        let total = points.reduce(0) { $0 + $1.point.weight }
        let isInverted = inverted * 2 > total
        let alike = points.filter { $0.isInverted == isInverted }.map(\.point)
        guard let fit = ClockLine.throughMost(alike, tolerance: Self.tolerance),
            fit.inside.count >= Self.leastOfRival
        else { return nil }
        let off = alike.filter { !fit.inside.contains($0) }
        let other = ClockLine.throughMost(off, tolerance: Self.tolerance)
        return Evidence(
            line: fit.line, agreeing: fit.inside, compared: points.count, sounding: sounding,
            strength: fit.inside.reduce(0) { $0 + $1.weight } / Double(sounding),
            overlap: overlap, isInverted: isInverted,
            elsewhere: other.flatMap {
                Break(from: fit.inside, fit.line, to: $0.inside, $0.line)
            })
    }

    private func match(
        at start: Double
    ) throws(MediaError) -> (WindowComparison.Match, ClockLine.Point)? {
        let rate = Double(AlignmentScale.searchRate)
        let first = Int64((start * rate).rounded())
        let half = Double(comparison.length) / 2 / rate
        let middle = Double(first) / rate + half
        let other = Int64(((line.reference(at: middle) - half) * rate).rounded())
        let match = comparison.match(
            reference: try matcher.reference.sound.read(
                from: other, count: comparison.length, rate: AlignmentScale.searchRate),
            recording: try matcher.recording.sound.read(
                from: first, count: comparison.length, rate: AlignmentScale.searchRate))
        guard let match else { return nil }
        let point = ClockLine.Point(
            time: middle, reference: (Double(other) + match.lag) / rate + half,
            weight: abs(match.height))
        return (match, point)
    }

    /// Where windows begin: one in each of equal parts, where most happens (seconds of the recording).
    private func starts() -> [Double] {
        let length = Double(comparison.length) / Double(AlignmentScale.searchRate)
        let span = overlap.upperBound - overlap.lowerBound
        let count = max(1, min(Self.most, Int(span / length)))
        let part = span / Double(count)
        return (0..<count).map { index in
            let from = overlap.lowerBound + Double(index) * part
            let free = part - length
            let places = max(1, min(64, Int(free / 0.1)))
            let tried = (0..<places).map { from + free * Double($0) / Double(places) }
            let best = tried.max { activity(at: $0, length) < activity(at: $1, length) }
            return best ?? from
        }
    }

    private func activity(at start: Double, _ length: Double) -> Float {
        let first = Int(start * SoundProfile.rate)
        let last = Int((start + length) * SoundProfile.rate)
        let other = Int(line.reference(at: start) * SoundProfile.rate)
        return min(
            matcher.recording.profile.activity(in: first..<last),
            matcher.reference.profile.activity(in: other..<other + last - first))
    }
}
