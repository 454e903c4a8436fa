internal import Media
internal import Movie
internal import Reading

extension TimelineBuilder {
    /// Puts the clips' subtitles on tracks, one a language: of two clips that overlap the second one's begin
    /// in the middle of the transition, where the first one's end.
    func insertTexts(
        of clips: [PlacedClip], into composition: inout Composition
    ) throws(MediaError) {
        var lanes: [TextLane: Int] = [:]
        for clip in clips {
            for (lane, part) in clip.texts {
                let id = lanes[lane] ?? composition.addTrack(.text)
                lanes[lane] = id
                try composition.place(part, of: clip, inTextTrack: id)
            }
        }
    }

    /// What of the clips' subtitles the film does not have.
    func textNotes(_ clip: PlacedClip) -> [ConformNote] {
        clip.texts.map { _, part in
            let styles =
                part.track.format?.text?.codec == .ass
                ? "without their styles and positions" : "as plain text"
            return ConformNote(
                item: clip.name, kind: .text,
                text:
                    "its subtitles (\(part.track.language ?? "no language")) are carried \(styles)")
        }
    }
}

/// Which of a film's text tracks a source's goes to.
struct TextLane: Hashable {
    let language: String?
    /// Among those of the language.
    let number: Int
}

extension PlacedClip {
    /// Its subtitles as far as the clip shows them.
    var texts: [(lane: TextLane, part: Part)] {
        guard let lead = picture ?? sound else { return [] }
        var counts: [String?: Int] = [:]
        return asset.tracks.compactMap { track in
            guard track.mediaType == .text, track.format != nil else { return nil }
            let language = LanguageCode.threeLetters(track.language)
            defer { counts[language, default: 0] += 1 }
            guard let range = lead.range.clipped(to: track) else { return nil }
            return (
                TextLane(language: language, number: counts[language] ?? 0),
                Part(track: track, range: range)
            )
        }
    }
}

extension Composition {
    /// Puts a clip's text at the clip's place and speed, but for the halves of its transitions that are
    /// the other clips'.
    fileprivate mutating func place(
        _ part: PlacedClip.Part, of clip: PlacedClip, inTextTrack id: Int
    ) throws(MediaError) {
        var piece = Composition()
        let lane = piece.addTrack(.text)
        try piece.insert(part.range, of: clip.asset, track: part.track, at: .zero, into: lane)
        if clip.item.speed != .normal {
            // text too short to have a length at this speed is none
            guard let ticks = clip.item.speed.ticks(of: part.range.duration), ticks > 0 else {
                return
            }
            try piece.scale(
                .ticks(0, piece.duration.timelineTicks), toDuration: .timeline(ticks))
        }
        let before = clip.overlapBefore - clip.overlapBefore / 2
        let last = clip.ticks - clip.overlapAfter / 2
        let end = piece.duration.timelineTicks
        if end > last { try piece.remove(.ticks(last, end - last)) }
        try piece.remove(.ticks(0, before))
        guard let segments = piece.track(lane)?.segments else { return }
        let index = try index(of: id)
        for segment in segments {
            tracks[index].insert(segment, at: clip.start + before + segment.start)
        }
        if tracks[index].language == nil { tracks[index].language = part.track.language }
    }
}
