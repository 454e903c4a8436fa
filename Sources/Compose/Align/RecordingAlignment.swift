public import Media
internal import Reading

/// Where recordings of one event lie on the clock of the first of them, their reference.
public struct RecordingAlignment: Sendable {
    /// Below this confidence a recording is not aligned (0…1).
    public static let leastConfidence = 0.5
    /// Clocks that differ by more are not of one event (parts per million).
    public static let greatestDrift = AlignmentScale.greatestDrift * 1e6
    /// What a recording and the reference must have in common (seconds).
    public static let leastOverlap = MediaTime.milliseconds(
        Int64(AlignmentScale.leastOverlap * 1000))

    /// One of the recordings.
    public struct Recording: Sendable {
        public let path: String
        /// Of the file (seconds).
        public let duration: MediaTime
        /// Of the audio that is compared, from the movie's beginning (seconds).
        let audioDuration: MediaTime
        /// Whether it has frames that can be read.
        public let hasVideo: Bool
        /// Where it lies, or why nobody can say: `not-aligned`, or what its file answered.
        public let placement: Result<Placement, MediaError>
        /// What one should know of it, one sentence each.
        public let notes: [String]
    }

    /// Where a recording lies.
    public struct Placement: Sendable, Hashable {
        /// When its time zero is (movie time of the reference; negative: before that begins).
        public let offset: MediaTime
        /// How much faster its clock runs than the reference's (parts per million): in an hour of the reference it
        /// counts so many times 3.6 ms more.
        public let drift: Double
        /// How sure this is (0…1; at least `leastConfidence`).
        public let confidence: Double
        /// How far single measurements are off (seconds; root of the mean square).
        public let spread: Double
        /// Measurements that agree (count).
        public let measurements: Int
        /// The part of it that the reference has too (movie time of the recording).
        public let overlap: MediaTimeRange
        /// Whether its audio is upside down against the reference's.
        public let isInverted: Bool
        /// Whether its audio is the reference's, as of a copy.
        public let isSameAudio: Bool
        /// By what it was found: `sound`, or `slate`: a running clock, which says nothing of the drift (0).
        public let method: AlignmentMethod

        /// When one of its moments is.
        /// - Parameter time: movie time of the recording.
        /// - Returns: movie time of the reference.
        public func referenceTime(of time: MediaTime) -> MediaTime {
            (offset + time.onTimeline())
                .offset(by: -time.approximateSeconds * drift * 1e-6 / (1 + drift * 1e-6))
        }

        /// When it has one of the reference's moments.
        /// - Parameter time: movie time of the reference.
        /// - Returns: movie time of the recording; outside of it where it was not recording.
        public func time(ofReference time: MediaTime) -> MediaTime {
            let since = time.onTimeline() - offset
            return since.offset(by: since.approximateSeconds * drift * 1e-6)
        }
    }

    /// In the order in which they were given; the reference is the first.
    public let recordings: [Recording]

    /// The first moment at which every recording that is aligned has begun (movie time of the reference).
    public var commonStart: MediaTime {
        recordings.compactMap { try? $0.placement.get().offset }.max() ?? .timeline(0)
    }
}

extension RecordingAlignment.Recording {
    init(
        _ asset: Asset, _ placement: Result<RecordingAlignment.Placement, MediaError>,
        notes: [String]
    ) {
        path = asset.path
        duration = asset.duration
        audioDuration = asset.usable(.audio)?.duration ?? .zero
        hasVideo = asset.usable(.video) != nil
        self.placement = placement
        self.notes = notes
    }
}

extension RecordingAlignment.Placement {
    /// The reference's own.
    static func reference(_ duration: MediaTime) -> Self {
        Self(
            offset: .timeline(0), drift: 0, confidence: 1, spread: 0, measurements: 0,
            overlap: MediaTimeRange(start: .zero, duration: duration), isInverted: false,
            isSameAudio: false, method: .sound)
    }

    /// By a running clock.
    /// - Parameters:
    ///   - offset: when its time zero is (seconds of the reference).
    ///   - uncertainty: how far that may be off (seconds).
    ///   - measurements: frames that show the clock (count).
    ///   - lengths: of the recording and of the reference (seconds).
    init(
        clock offset: Double, uncertainty: Double, measurements: Int,
        lengths: (own: Double, reference: Double)
    ) {
        let first = min(max(0, -offset), lengths.own)
        let end = min(max(first, lengths.reference - offset), lengths.own)
        self.init(
            offset: .timeline(0).offset(by: offset), drift: 0, confidence: 1,
            spread: uncertainty, measurements: measurements,
            overlap: MediaTimeRange(
                from: .timeline(0).offset(by: first), to: .timeline(0).offset(by: max(first, end))),
            isInverted: false, isSameAudio: false, method: .slate)
    }

    init(_ result: SoundMatcher.Result) {
        let drift = 1 / (1 + result.line.stretch) - 1
        self.init(
            offset: .timeline(0).offset(by: result.line.offset), drift: drift * 1e6,
            confidence: result.confidence, spread: result.spread, measurements: result.agreeing,
            overlap: MediaTimeRange(
                from: .timeline(0).offset(by: result.overlap.lowerBound),
                to: .timeline(0).offset(by: result.overlap.upperBound)),
            isInverted: result.isInverted, isSameAudio: result.isIdentical, method: .sound)
    }
}

extension MediaTime {
    /// Later by a length that was measured (seconds), on the timeline's grid.
    fileprivate func offset(by seconds: Double) -> MediaTime {
        self
            + MediaTime(
                value: Int64((seconds * Double(Composition.timescale)).rounded()),
                timescale: Composition.timescale)
    }
}
