internal import Media
internal import Reading

extension TimelineBuilder {
    /// The timeline's chapters, or where it has none those of the clips at the clips' places, and what is to be
    /// reported of them.
    func carriedChapters(
        _ clips: [PlacedClip], until end: Int64
    ) -> (chapters: [Chapter], notes: [ConformNote], warnings: [String]) {
        var (carried, notes, warnings): ([Chapter], [ConformNote], [String]) = ([], [], [])
        for (index, clip) in clips.enumerated() {
            let continues = index > 0 && clip.continues(from: clips[index - 1])
            let own = clip.chapters(continues: continues).filter { $0.time.timelineTicks < end }
            if timeline.chapters.isEmpty {
                carried += own
                guard !own.isEmpty else { continue }
                notes.append(
                    ConformNote(
                        item: clip.name, kind: .chapters,
                        text: own.count == 1
                            ? "its chapter is carried" : "its \(own.count) chapters are carried"))
                continue
            }
            let lost = own.filter { chapter in !timeline.chapters.contains { chapter.isLike($0) } }
            guard !lost.isEmpty else { continue }
            warnings.append(
                "\(clip.name): "
                    + (lost.count == 1 ? "a chapter of it is" : "\(lost.count) chapters of it are")
                    + " left out, because the film has chapters of its own")
        }
        let chapters = timeline.chapters.isEmpty ? carried : timeline.chapters
        return (chapters.sorted { $0.time < $1.time }, notes, warnings)
    }
}

extension PlacedClip {
    /// Whether it shows what follows in the file that the clip before shows.
    fileprivate func continues(from before: PlacedClip) -> Bool {
        guard let own = picture ?? sound, let other = before.picture ?? before.sound else {
            return false
        }
        return asset.path == before.asset.path
            && abs(own.range.start.timelineTicks - other.range.end.timelineTicks) <= 1
    }

    /// The chapters of the source within the clip, by the film's time; the one that is running where the clip
    /// begins comes with the clip, unless the clip before has it already.
    fileprivate func chapters(continues: Bool) -> [Chapter] {
        guard item.freeze == nil, !item.isReversed, let range = (picture ?? sound)?.range else {
            return []
        }
        return asset.chapters(in: range).compactMap { chapter in
            let into = chapter.chapter.time.timelineTicks
            if chapter.isRunning, continues { return nil }
            let (numerator, denominator) = (item.speed.numerator, item.speed.denominator)
            let ticks =
                course?.target(ofSource: into)
                ?? Int64(Int128(into) * Int128(denominator) / Int128(numerator))
            guard ticks < self.ticks else { return nil }
            return Chapter(chapter.chapter.title, at: .timeline(start + ticks))
        }
    }
}

extension Chapter {
    /// Whether the other one is this one, as far as rounding goes.
    fileprivate func isLike(_ other: Chapter) -> Bool {
        title == other.title
            && abs(time.timelineTicks - other.time.timelineTicks)
                <= Int64(Composition.timescale) / 1000
    }
}
