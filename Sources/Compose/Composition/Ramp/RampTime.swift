internal import Media

extension MediaTimeRange {
    /// How much of the range has passed (0 before and at its start, 1 at its end and after).
    func progress(at time: MediaTime) -> Double {
        if time < start || (time == start && duration > .zero) { return 0 }
        if duration == .zero || time >= end { return 1 }
        let from = start.timelineTicks
        return Double(time.timelineTicks - from) / Double(end.timelineTicks - from)
    }
}

extension Array where Element == MediaTimeRange {
    /// Checks that ramps follow one another.
    func checkRamps(_ kind: String, _ subject: String) throws(MediaError) {
        for (ramp, next) in zip(self, dropFirst()) where next.start < ramp.end {
            throw .setting(
                subject,
                "two \(kind) ramps of \(subject) overlap at \(next.start.spoken): one lasts until "
                    + "\(ramp.end.spoken); ramps must be in order of time")
        }
    }
}
