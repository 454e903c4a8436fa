internal import Media
internal import Movie
internal import Reading

extension ConversionPlanner {
    /// What becomes of time code that the new file has no place for; nil: it is kept, or there is none.
    func timeCodeLoss(in range: MediaTimeRange) -> String? {
        guard let code = asset.metadata.timeCode?.from(range.start, to: range.end),
            !container.isAudioOnly
        else { return nil }
        guard container.holdsTimeCode else {
            return
                "The time code of \(asset.path) is left out, because a .\(container.rawValue) file "
                + "has no place for it."
        }
        let jumps = code.jumps.count
        guard jumps > 0, !container.holdsTimeCodeJumps else { return nil }
        return "The time code of \(asset.path) begins at \(code.start) and counts on: the "
            + "\(jumps == 1 ? "jump" : "\(jumps) jumps") in it \(jumps == 1 ? "is" : "are") left out, because a "
            + ".\(container.rawValue) file has no place for \(jumps == 1 ? "it" : "them")."
    }
}
