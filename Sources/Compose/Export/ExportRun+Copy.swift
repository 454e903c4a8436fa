internal import Media
internal import Movie
internal import Reading

/// An export that copies coded samples and encodes nothing.
extension ExportRun {
    func copy(
        to path: String, as container: OutputContainer?
    ) throws(MediaError) -> Made {
        let shelf = SourceShelf(film.assets)
        let plan = try ExportPlanner(film: film, settings: settings).plan(shelf)
        let kind = try copyContainer(path, container)
        let (draft, _) = try claim(path, container, for: plan)
        var made = Made(
            plan: plan, texts: try texts(plan, path, kind, shelf),
            groups: try groups(plan, path, kind, shelf), draft: draft)
        let result = try job.copy(
            try plan.copiedTracks(shelf), texts: made.texts.tracks,
            groups: made.groups.tracks, chapters: plan.chapters(of: film),
            duration: plan.range.duration, to: draft.output, as: kind,
            metadata: film.metadata(settings.metadata, of: plan.range))
        made.draft.duration = result.duration
        made.draft.bytes = result.fileBytes
        made.draft.frames = plan.size == nil ? 0 : Int64(result.shownCounts.first ?? 0)
        made.tally.audioFrames = plan.audioFrameCount
        return made
    }

    private func copyContainer(
        _ path: String, _ container: OutputContainer?
    ) throws(MediaError) -> OutputContainer {
        guard let kind = container ?? OutputContainer(path: path), MovieCopy.applies(to: kind)
        else {
            throw .setting(
                "preset",
                "Cannot copy samples to \(path): only mp4 and mov can show a part of what they "
                    + "hold; take one of them, or another preset.")
        }
        return kind
    }
}

extension ExportPlan {
    /// Those of a film that are exported, by the time since the range began.
    func chapters(of film: Film) -> [Chapter] {
        film.chapters.compactMap { chapter in
            let into = chapter.time.timelineTicks - range.start.timelineTicks
            guard into >= 0, MediaTime.timeline(into) < range.duration else { return nil }
            return Chapter(chapter.title, at: .timeline(into))
        }
    }

    /// The tracks of a film that is copied: frames first.
    func copiedTracks(_ shelf: SourceShelf) throws(MediaError) -> [CopiedTrack] {
        var tracks: [CopiedTrack] = []
        for spans in [size == nil ? [] : spans, size == nil ? spans : audioSpans]
        where !spans.isEmpty {
            var copied: [CopiedTrack.Span] = []
            for span in spans {
                guard case .copy(let source, let from) = span.work else { continue }
                let (asset, track) = try shelf.track(source)
                let start = span.range.start.timelineTicks - range.start.timelineTicks
                copied.append(
                    CopiedTrack.Span(
                        asset: asset, track: track, from: from,
                        target: .ticks(start, span.range.duration.timelineTicks)))
            }
            tracks.append(CopiedTrack(spans: copied))
        }
        return tracks
    }
}
