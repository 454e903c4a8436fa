public import Media

/// What several sources had for one moment, delivered together.
public struct SynchronizedData: Sendable {
    /// The moment: a frame of the first source, or one that it lost (host clock).
    public let time: MediaTime
    /// In the order of the sources that the synchronizer was made of; the first one's is its frame.
    public let sources: [SynchronizedSamples]
    /// Moments just before this one that were not delivered because the handler was still busy (moments).
    public let skippedMoments: Int

    private let identities: [ObjectIdentifier]

    init(
        time: MediaTime, sources: [SynchronizedSamples], skippedMoments: Int,
        identities: [ObjectIdentifier]
    ) {
        self.time = time
        self.sources = sources
        self.skippedMoments = skippedMoments
        self.identities = identities
    }

    func skipping(_ moments: Int) -> SynchronizedData {
        SynchronizedData(
            time: time, sources: sources, skippedMoments: moments, identities: identities)
    }

    /// What a source had; `nil` for one that the synchronizer does not know.
    public subscript(_ source: any SampleSource) -> SynchronizedSamples? {
        identities.firstIndex(of: ObjectIdentifier(source)).map { sources[$0] }
    }
}

/// What one source had for a moment.
public struct SynchronizedSamples: Sendable {
    /// Why there is a sample, or why there is none.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        case delivered
        /// There was one and it was lost: `drops` says why.
        case dropped
        /// The source had none for this moment: it is slower than the first one, interrupted, or has ended.
        case absent
        /// The source had not said anything about this moment when the timeout was over.
        case late
    }

    public let outcome: Outcome
    /// Of a camera's or a detector's output at most one, at most half a frame of the first source from the moment.
    /// Of audio everything from this moment to the next one, cut to the audio frame.
    public let samples: [SampleBuffer]
    /// What was lost of this moment. Audio may have lost some and delivered the rest.
    public let drops: [SampleDrop]

    /// The sample of an output that has one at a time.
    public var sample: SampleBuffer? { samples.first }

    init(_ outcome: Outcome, samples: [SampleBuffer] = [], drops: [SampleDrop] = []) {
        self.outcome = outcome
        self.samples = samples
        self.drops = drops
    }
}
