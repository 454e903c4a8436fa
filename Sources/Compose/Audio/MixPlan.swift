internal import Media

/// What sounds when, in frames: made from the descriptions once, then only read.
struct MixPlan: Sendable {
    let sampleRate: Int
    let channels: Int
    /// Length of the film (frames).
    let frameCount: Int64
    let mixTracks: [MixTrack]

    /// - Parameter gains: ramps by track, multiplied with the track's own.
    init(
        composition: Composition, mix: AudioMix, gains: [Int: [[VolumeRamp]]] = [:],
        sampleRate: Int, channels: Int, only trackIDs: Set<Int>? = nil
    ) throws(MediaError) {
        guard (8_000...192_000).contains(sampleRate), (1...2).contains(channels) else {
            throw .setting(
                "sound",
                "Cannot mix \(channels) channels at \(sampleRate) Hz; give 1 or 2 channels "
                    + "and 8,000 to 192,000 Hz.")
        }
        try mix.validate()
        self.sampleRate = sampleRate
        self.channels = channels
        frameCount = try Self.frame(composition.duration, sampleRate, "the film")
        var mixTracks: [MixTrack] = []
        for track in composition.tracks
        where track.mediaType == .audio && trackIDs?.contains(track.id) ?? true {
            let input = mix.input(forTrack: track.id)
            let gain = GainCurve(
                volume: input.volume, ramps: [input.volumeRamps] + gains[track.id, default: []],
                sampleRate: sampleRate)
            mixTracks.append(
                MixTrack(
                    trackID: track.id,
                    spans: try Self.spans(of: track, pitch: input.pitch, sampleRate), gain: gain,
                    pan: PanCurve(
                        pan: input.pan, ramps: input.panRamps, sampleRate: sampleRate),
                    treatment: input.treatment, tap: input.tap))
        }
        self.mixTracks = mixTracks
    }

    /// The track's segments as spans; neighbours that continue where the one before ends are one span, so
    /// that a split that moves nothing changes no sample.
    private static func spans(
        of track: CompositionTrack, pitch: PitchPolicy, _ sampleRate: Int
    ) throws(MediaError) -> [AudioSpan] {
        var spans: [AudioSpan] = []
        var last: MediaTimeMapping?
        for segment in track.segments {
            guard let source = segment.source,
                let speed = SpanSpeed(segment, sampleRate: sampleRate)
            else {
                last = nil
                continue
            }
            let subject = "track \(track.id)"
            let start = try frame(segment.mapping.target.start, sampleRate, subject)
            let end = try frame(segment.mapping.target.end, sampleRate, subject)
            let from = try frame(segment.mapping.source.start, sampleRate, subject)
            let to = try frame(segment.mapping.source.end, sampleRate, subject)
            let own = AudioSpan(
                range: start..<end, source: source, sourceFrame: from,
                sourceCount: speed.isOne ? end - start : to - from, speed: speed,
                keepsPitch: pitch == .kept, isReversed: segment.isReversed)
            if let last, let before = spans.last, before.source == source, before.speed == speed,
                last.source.end == segment.mapping.source.start,
                last.target.end == segment.mapping.target.start, !own.isReversed,
                !before.isReversed, !segment.isRamped
            {
                spans[spans.count - 1].range = before.range.lowerBound..<end
                spans[spans.count - 1].sourceCount =
                    speed.isOne ? end - before.range.lowerBound : to - before.sourceFrame
            } else {
                spans.append(own)
            }
            last = segment.mapping
        }
        return spans.filter { $0.count > 0 }
    }

    private static func frame(
        _ time: MediaTime, _ sampleRate: Int, _ subject: String
    ) throws(MediaError) -> Int64 {
        do { return try time.checkedTicks(per: Int32(sampleRate), rounding: .nearest) } catch {
            throw .edit(subject, "The time \(time) of \(subject) is too large to mix audio at.")
        }
    }
}
