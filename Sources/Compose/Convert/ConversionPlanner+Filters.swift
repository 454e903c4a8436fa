internal import Media
internal import Reading

/// What filters change of a source, and what they leave as it is.
extension ConversionPlanner {
    /// The filters of a track: those of the conversion, but none of depth, whose steps they would make 8 bits.
    func filters(of format: VideoFormat) -> [any FrameProcessor] {
        format.depth == nil ? conversion.filters : []
    }

    /// Filters remember the frames of one track, and are there to change what is seen.
    /// - Throws: where there is none that they change, or more than one.
    func requireOneFiltered(_ tracks: [ConversionPlan.Track]) throws(MediaError) {
        guard let filter = conversion.filters.first else { return }
        let video = tracks.filter { $0.source.mediaType == .video && $0.treatment != .leaveOut }
        let seen = video.filter { !$0.source.isDepth }
        if seen.isEmpty, !video.isEmpty { throw depthRefusal(filter) }
        guard seen.count > 1 else { return }
        throw .setting(
            "filters",
            "The filter \(filter.name) is for one video track, and \(asset.path) has \(seen.count): make a "
                + "movie of each first.")
    }

    func depthRefusal(_ filter: any FrameProcessor) -> MediaError {
        .setting(
            "filters",
            "The filter \(filter.name) changes frames that are seen, and the video of \(asset.path) is depth: "
                + "leave the filter out.")
    }

    /// What filters leave out, or leave as it is; one sentence each.
    func filterNotes(_ tracks: [ConversionPlan.Track]) -> [String] {
        guard !conversion.filters.isEmpty else { return [] }
        var notes: [String] = []
        if !asset.metadata.covers.isEmpty {
            notes.append(
                "Cover art of \(asset.path) is left out, because it would show what is filtered.")
        }
        for track in tracks where track.source.isDepth && track.treatment != .leaveOut {
            notes.append("Track \(track.source.id) of \(asset.path) is depth and is not filtered.")
        }
        return notes
    }
}

extension AssetTrack {
    /// Whether its frames are distances.
    var isDepth: Bool { format?.video?.depth != nil }
}
