internal import Media

extension TakeCore {
    /// The track of a source in the movie as it is made (count from 0); −1: it has none.
    func movieTrack(ofSource source: Int) -> Int {
        let leftOut = leftOut
        guard !leftOut.contains(source) else { return -1 }
        let track = plan.trackOfSource[source]
        return track - leftOut.count { plan.trackOfSource[$0] < track }
    }
}

extension TrackPlan {
    /// Whether the movie cannot be begun before this source has delivered: the first sample of a copied
    /// H.264 or HEVC stream holds what players need to know of its track.
    var needsFirstSample: Bool {
        guard case .copied = output, let video = format.video else { return false }
        return (video.codec == .h264 || video.codec == .hevc) && video.codecConfiguration.isEmpty
    }
}
