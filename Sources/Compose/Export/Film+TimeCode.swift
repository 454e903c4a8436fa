internal import Media
internal import Movie

extension Film {
    /// What a movie of a part of the film says about itself: what is wanted, and the film's time code there.
    func metadata(_ wanted: MovieMetadata, of range: MediaTimeRange) -> MovieMetadata {
        var metadata = wanted
        metadata.timeCode =
            wanted.timeCode ?? startTimeCode.map { MovieTimeCode($0).from(range.start) }
        return metadata
    }

    /// What becomes of the time code in a container without a place for it.
    func timeCodeLoss(in container: OutputContainer?) -> [String] {
        guard let startTimeCode, let container, !container.holdsTimeCode, !container.isAudioOnly
        else { return [] }
        return [
            "film: its time code from \(startTimeCode) on is left out, because a .\(container.rawValue) file "
                + "has no place for it."
        ]
    }
}
