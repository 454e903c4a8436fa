internal import LibAV
internal import Media

/// Looks at a camera's frames one after the other, a few a second. Thread-bound.
struct FrameLook {
    /// What the last look has found, from `since` to `time` (host ns).
    struct Finding: Sendable, Hashable {
        var condition: TrackCondition?
        var since: Int64
        var time: Int64
    }

    private let conditions: Set<TrackCondition>
    private var last: (glance: FrameGlance, time: Int64)?

    init(for conditions: Set<TrackCondition>) { self.conditions = conditions }

    /// - Returns: `nil` for a frame that cannot be looked at.
    mutating func look(at sample: SampleBuffer) -> Finding? {
        guard let format = sample.format.video else { return nil }
        let time = sample.presentationTime.nanoseconds()
        let glance: FrameGlance
        if let frame = sample.pixelBuffer {
            glance = FrameGlance(
                frame, range: format.color.range, isDepth: format.depth != nil)
        } else {
            guard let frame = Self.decoded(sample, format) else { return nil }
            glance = frame
        }
        defer { last = (glance, time) }
        var finding = Finding(since: time, time: time)
        let isRecoded = format.codec == .h264 || format.codec == .hevc
        if conditions.contains(.black), glance.isBlack {
            finding.condition = .black
        } else if conditions.contains(.frozen), let last,
            glance.isSame(as: last.glance, isRecoded: isRecoded)
        {
            finding.condition = .frozen
            finding.since = last.time
        }
        return finding
    }

    /// A sync sample by itself.
    private static func decoded(_ sample: SampleBuffer, _ format: VideoFormat) -> FrameGlance? {
        guard sample.isSync, let decoder = try? VideoDecoder(format: format) else { return nil }
        guard var frames = try? decoder.decode(sample) else { return nil }
        if frames.isEmpty { frames = (try? decoder.finish()) ?? [] }
        guard let first = frames.first, let frame = first.pixelBuffer else { return nil }
        return FrameGlance(
            frame, range: first.format.video?.color.range ?? .unspecified,
            isDepth: format.depth != nil)
    }
}
