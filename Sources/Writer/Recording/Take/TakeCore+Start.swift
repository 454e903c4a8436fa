internal import Media

extension TakeCore {
    /// The recording begins without sources that died or say nothing, if others are there. A source that
    /// delivers later is recorded from then on, but for a copied stream that the movie's header cannot describe
    /// without its first sample: it has no track.
    /// - Returns: whether it can; the others' next samples then begin it.
    func excuse(_ sources: [Int], at now: Int64) -> Bool {
        guard !sources.isEmpty else { return false }
        return control.withLock { control in
            guard control.machine.life == .starting, control.gate.excuse(sources) else {
                return false
            }
            for source in sources where plans[source].needsFirstSample {
                guard control.leftOut.insert(source).inserted else { continue }
                control.writer?.leaveOut(track: plan.trackOfSource[source])
            }
            control.startDeadline = now + settings.startTimeout.nanoseconds()
            return true
        }
    }

    /// The track of a source in the movie as it is made (count from 0); −1: it has none.
    func movieTrack(ofSource source: Int) -> Int {
        let leftOut = control.withLock { $0.leftOut }
        guard !leftOut.contains(source) else { return -1 }
        let track = plan.trackOfSource[source]
        return track - leftOut.count { plan.trackOfSource[$0] < track }
    }
}

extension TrackPlan {
    /// Whether the movie cannot be begun before this source has delivered: the first sample of a copied
    /// H.264 or HEVC stream holds what players need to know of its track.
    fileprivate var needsFirstSample: Bool {
        guard case .copied = output, let video = format.video else { return false }
        return (video.codec == .h264 || video.codec == .hevc) && video.codecConfiguration.isEmpty
    }
}
