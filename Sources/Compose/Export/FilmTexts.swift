internal import Media
internal import Movie
internal import Reading

/// A film's text tracks as an export writes them: the cues of all sources on the film's time line, cut to
/// what is exported.
struct FilmTexts {
    private(set) var tracks: [TextTrack] = []
    private(set) var notes: [String] = []

    /// Reads every source's text once. Blocks.
    init(
        _ film: Film, plan: ExportPlan, container: OutputContainer, shelf: SourceShelf
    ) throws(MediaError) {
        if plan.size == nil, !(film.videoComposition?.burntTracks ?? []).isEmpty {
            note("they are drawn, and there is no video to draw them on")
        }
        if plan.size != nil { try noteUndrawn(of: film, shelf) }
        let tracks = film.textTracks
        guard !tracks.isEmpty else { return }
        guard let size = plan.size else {
            note("the film has no video to show them on")
            return
        }
        guard container.textCodec != nil else {
            note(
                "a .\(container.rawValue) file has no place for text; choose mp4, mov, mkv or webm")
            return
        }
        let frame = TextFormat.Frame(width: size.width, height: size.height)
        var known: [MediaSource: [TextCue]] = [:]
        for track in tracks {
            var text = TextTrack(
                cues: [], language: track.language, name: track.name, frame: frame)
            text.isForced = track.isForced
            for segment in track.segments {
                guard let source = segment.source else { continue }
                if known[source] == nil { known[source] = try cues(of: source, shelf) }
                text.cues += segment.texts(known[source] ?? [], in: plan.range)
            }
            let (flat, cutCount) = text.flattened(timescale: Self.timescale)
            if cutCount > 0 {
                notes.append(
                    "\(cutCount) subtitles are cut, because more text than players take would be shown "
                        + "at once.")
            }
            if !flat.cues.isEmpty { self.tracks.append(flat) }
        }
    }

    /// Ticks per second of text in MP4 and QuickTime.
    private static let timescale: Int32 = 90_000

    private mutating func note(_ reason: String) {
        let note = ConformNote(
            item: "film", kind: .text, text: "its subtitles are left out, because \(reason)")
        notes.append(note.description)
    }

    /// Reports texts that are too long, too large or too many to be drawn, also where no frame is drawn at all.
    private mutating func noteUndrawn(of film: Film, _ shelf: SourceShelf) throws(MediaError) {
        guard let frames = film.videoComposition else { return }
        var seen: Set<MediaSource> = []
        for burnt in frames.burntTracks {
            for segment in film.composition.track(burnt.trackID)?.segments ?? [] {
                guard let source = segment.source, seen.insert(source).inserted else { continue }
                let (asset, track) = try shelf.track(source)
                let count = try SubtitleScript(
                    asset, track, burnt.look, film: frames.renderSize
                ).leftOutCount
                guard count > 0 else { continue }
                let (texts, they) = count == 1 ? ("text", "it is") : ("texts", "they are")
                notes.append(
                    "\(count) \(texts) of track \(track.id) of \(asset.path) \(count == 1 ? "is" : "are") not drawn, "
                        + "because \(they) too long, too large or too many at once.")
            }
        }
    }

    private mutating func cues(
        of source: MediaSource, _ shelf: SourceShelf
    ) throws(MediaError) -> [TextCue] {
        let (asset, track) = try shelf.track(source)
        do throws(MediaError) {
            let found = try asset.cues(of: track)
            if found.cutCount > 0 {
                notes.append(
                    "\(found.cutCount) subtitles of track \(track.id) of \(asset.path) are longer than "
                        + "\(TextCue.longestText >> 10) KiB and were cut.")
            }
            return found.cues
        } catch {
            // nothing that frames and audio would suffer from
            guard error.code == .unsupported else { throw error }
            notes.append("Subtitles are left out. \(error.message)")
            return []
        }
    }
}

extension TrackSegment {
    /// The cues that the segment shows within a range of the timeline, by the time since the range began.
    fileprivate func texts(_ cues: [TextCue], in range: MediaTimeRange) -> [TextCue] {
        cues.compactMap { cue in
            place(of: cue.timeRange, in: range).map { TextCue(timeRange: $0, text: cue.text) }
        }
    }
}

extension Film {
    /// Those that a file of the film has: what is drawn into its frames is none.
    var textTracks: [CompositionTrack] {
        let burnt = Set((videoComposition?.burntTracks ?? []).map(\.trackID))
        return composition.tracks(of: .text).filter { track in
            !burnt.contains(track.id) && track.segments.contains { !$0.isEmpty }
        }
    }
}

extension FilmTexts {
    /// For the export's report.
    var report: [ExportReport.TextTrack] {
        tracks.map { ExportReport.TextTrack(language: $0.language, cues: $0.cues.count) }
    }
}
