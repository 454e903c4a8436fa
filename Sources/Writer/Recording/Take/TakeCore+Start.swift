internal import Media

extension TakeCore {
    /// The recording begins without sources that died or say nothing, if others are there. A source that
    /// delivers later is recorded from then on.
    /// - Returns: whether it can; the others' next samples then begin it.
    func excuse(_ sources: [Int], at now: Int64) -> Bool {
        guard !sources.isEmpty, !sources.contains(where: { plans[$0].needsFirstSample }) else {
            return false
        }
        return control.withLock { control in
            guard control.machine.life == .waitingForSources, control.gate.excuse(sources) else {
                return false
            }
            control.startDeadline = now + settings.startTimeout.nanoseconds()
            return true
        }
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
