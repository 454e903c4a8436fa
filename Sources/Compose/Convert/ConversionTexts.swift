internal import Media
internal import Movie
internal import Reading

/// The subtitles and markers of a source by the new movie's time.
struct ConversionTexts {
    private(set) var tracks: [TextTrack] = []
    private(set) var notes: [String] = []

    /// Reads every text track once. Blocks.
    init(_ asset: Asset, _ plan: ConversionPlan) throws(MediaError) {
        let frame = asset.tracks.first { $0.mediaType == .video }?.format?.video?.uprightPixelSize
        for track in plan.tracks where track.treatment == .carryText {
            do throws(MediaError) {
                let found = try asset.cues(of: track.source)
                if found.cutCount > 0 {
                    notes.append(
                        "\(found.cutCount) subtitles of track \(track.source.id) of \(asset.path) "
                            + "are longer than \(TextCue.longestText >> 10) KiB and were cut.")
                }
                if found.styledCount > 0 {
                    notes.append(
                        "\(found.styledCount) of the subtitles of track \(track.source.id) of "
                            + "\(asset.path) lose their looks or places: their text alone is carried."
                    )
                }
                var text = TextTrack(
                    cues: found.cues.compactMap { $0.cut(to: plan.range) },
                    language: track.source.language, name: track.source.name)
                text.isDefault = track.source.isDefault
                text.isForced = track.source.isForced
                if let frame {
                    text.frame = TextFormat.Frame(width: frame.width, height: frame.height)
                }
                if !text.cues.isEmpty { tracks.append(text) }
            } catch {
                // nothing that pictures and sound would suffer from
                guard error.code == .unsupported else { throw error }
                notes.append("Subtitles are left out. \(error.message)")
            }
        }
    }
}

extension TextCue {
    /// What of the cue lies in a range, by the time since the range began.
    fileprivate func cut(to range: MediaTimeRange) -> TextCue? {
        let (from, to) = (range.start.timelineTicks, range.end.timelineTicks)
        let first = max(from, timeRange.start.timelineTicks)
        let last = min(to, timeRange.end.timelineTicks)
        guard first < last else { return nil }
        return TextCue(
            timeRange: MediaTimeRange(
                start: .timeline(first - from), duration: .timeline(last - first)), text: text)
    }
}

extension Asset {
    /// Markers within a range as chapters, by the time since it began; the chapter that is running where it
    /// begins is the first.
    func chapters(
        in range: MediaTimeRange
    ) -> [(chapter: Compose.Chapter, isRunning: Bool)] {
        let inside = markers.filter { range.contains($0.time) }.map {
            (chapter: Compose.Chapter($0.text, at: $0.time.since(range.start)), isRunning: false)
        }
        // a chapter lasts until the next one
        guard let running = markers.last(where: { $0.time < range.start }),
            inside.first?.chapter.time != .zero
        else { return inside }
        return [(Compose.Chapter(running.text, at: .zero), true)] + inside
    }
}
