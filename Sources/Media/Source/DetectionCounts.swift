/// What became of the frames that a detector was to look at.
public struct DetectionCounts: Sendable, Hashable, Codable {
    /// Frames that it looked at (frames).
    public var analyzed = 0
    /// Frames that it did not look at, by why (frames).
    public var skipped: [Skip: Int] = [:]
    /// What it found in all of them: what stays in the frame is found in each (count).
    public var found = 0

    public enum Skip: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable {
        /// It was still looking at an earlier frame.
        case busy
        /// It failed.
        case failed
        /// It took so long that its result was no longer waited for.
        case late
        /// It was left out because the machine was pressed.
        case pressure
        /// The frame could not be decoded, or one that it builds on was lost.
        case undecodable
        /// The other camera of a stereo pair had no frame of the moment.
        case unpaired
    }

    public init() {}

    /// Without what was counted before.
    package func since(_ before: DetectionCounts) -> DetectionCounts {
        var counts = self
        counts.analyzed -= before.analyzed
        counts.found -= before.found
        counts.skipped = skipped.reduce(into: [:]) { skipped, entry in
            let count = entry.value - (before.skipped[entry.key] ?? 0)
            if count > 0 { skipped[entry.key] = count }
        }
        return counts
    }
}

/// A source of what a detector finds; its counts are in a take's report.
public protocol DetectingSource: SampleSource {
    /// Since the source was made.
    var detectionCounts: DetectionCounts { get }
}
