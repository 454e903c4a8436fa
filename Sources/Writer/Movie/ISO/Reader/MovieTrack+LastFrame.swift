internal import Media

extension MovieTrack {
    /// Gives the frame shown last the time of the one before, where the file gives it none. Android's muxer and others
    /// do not know how long it lasts: they write 0, or end the track (its media and the edit list) at its
    /// beginning, and it would not be shown at all.
    mutating func settleLastFrame(movieTimescale: Int32) {
        guard header.mediaType == .video, samples.count > 1,
            let last = samples.indices.max(by: { shown($0) < shown($1) })
        else { return }
        let start = shown(last)
        let decoded = samples[samples.count - 1].decodeTime
        let isCutOff =
            statedDuration > 0 && statedDuration <= decoded - samples[0].decodeTime
            && samples.allSatisfy { $0.compositionOffset == 0 }
        guard samples[last].duration == 0 || isCutOff else { return }
        let before = samples.indices.lazy.filter { $0 != last }.map(shown).max() ?? start
        guard let step = UInt32(exactly: start - before), step > 0 else { return }
        if samples[last].duration == 0 { samples[last].duration = step }
        extendEdit(endingAt: start, by: Int64(samples[last].duration), movieTimescale)
    }

    /// Lets a last sample without a length, or with more than is left, last until the movie's end.
    /// - Parameter movieEnd: nil: there is nothing else that has an end.
    mutating func settleOpenMetadata(movieEnd: MediaTime?) {
        guard let last = samples.last else { return }
        var left: UInt32?
        if let movieEnd {
            let end = movieEnd.ticks(per: timescale, rounding: .nearest)
                .addingReportingOverflow(movieShift).partialValue
            let ticks = end.subtractingReportingOverflow(last.decodeTime).partialValue
            left = UInt32(clamping: max(1, ticks))
        }
        samples[samples.count - 1].duration =
            last.duration == 0 ? left ?? 1 : min(last.duration, left ?? .max)
    }

    private func shown(_ place: Int) -> Int64 { samples[place].presentationTime }

    /// Where the last edit ends at a time of the track, less than a tick of the movie off.
    private mutating func extendEdit(
        endingAt end: Int64, by length: Int64, _ movieTimescale: Int32
    ) {
        guard let edit = edits.last, let media = edit.mediaTime, edit.rate != 0, edit.duration > 0,
            movieTimescale > 0
        else { return }
        func ticks(_ length: Int64) -> Int64 {
            MediaTime(value: length, timescale: timescale)
                .ticks(per: movieTimescale, rounding: .nearest)
        }
        let shown = ticks(end - media)
        guard shown > 0, abs(Int64(clamping: edit.duration) - shown) <= 1 else { return }
        edits[edits.count - 1].duration = UInt64(ticks(end + length - media))
    }
}
