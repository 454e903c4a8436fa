internal import Media
internal import Writing

/// How far a writer is behind, from one look at it to the next. A pure value.
struct WriterLoad: Sendable {
    /// Frames that have waited this long for their encoder are all that may wait (seconds).
    private static let longestLag = 2.0

    /// Room of the queues (bytes).
    private let videoQueue: Int
    private let diskQueue: Int
    /// Of each track; `nil` for audio and where it is not known.
    private let rates: [FrameRate?]
    /// Seen at the last look (frames).
    private var dropped: [SampleDrop.Cause: Int] = [:]

    init(_ configuration: AssetWriterConfiguration, rates: [FrameRate?]) {
        videoQueue = configuration.videoQueueBytes
        diskQueue = configuration.diskQueueBytes
        self.rates = rates
    }

    /// Adds the fullest queues. One from which something was dropped since the last look is full.
    mutating func look(_ status: AssetWriterStatus, into reading: inout PressureReading) {
        let disk = Double(status.bytesWaiting) / Double(diskQueue)
        let isDiskLate = hasDropped(.diskBehind, status)
        reading.note(isDiskLate ? 1 : min(1, disk), of: .disk)
        let isEncoderLate = hasDropped(.encoderBehind, status)
        // encoders that wait for the disk are not slow
        guard disk < 1, !isDiskLate else { return }
        var fill = isEncoderLate ? 1.0 : 0
        for (track, rate) in zip(status.tracks, rates) where track.mediaType == .video {
            fill = max(fill, Double(track.queuedBytes) / Double(videoQueue))
            let seconds = Double(track.queuedSamples) / max(1, rate?.approximate ?? 30)
            fill = max(fill, seconds / Self.longestLag)
        }
        reading.note(min(1, fill), of: .encoder)
    }

    private mutating func hasDropped(
        _ cause: SampleDrop.Cause, _ status: AssetWriterStatus
    ) -> Bool {
        let count = status.tracks.reduce(0) { $0 + ($1.dropped[cause] ?? 0) }
        defer { dropped[cause] = count }
        return count > (dropped[cause] ?? 0)
    }
}
