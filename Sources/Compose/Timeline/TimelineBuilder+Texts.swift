internal import Media
internal import Movie
internal import Reading

extension TimelineBuilder {
    /// Puts the clips' subtitles on tracks, one a language, and their metadata, one for all with the same keys: of
    /// two clips that overlap the second one's begin in the middle of the transition, where the first one's end.
    /// - Returns: the track that is drawn, if one is.
    func insertTimed(
        of clips: [PlacedClip], into composition: inout Composition
    ) throws(MediaError) -> [BurntTextTrack] {
        var destinations: [TimedDestination: Int] = [:]
        for clip in clips {
            for (destination, part) in timed(of: clip) {
                let id = destinations[destination] ?? composition.addTrack(part.track.mediaType)
                destinations[destination] = id
                try composition.place(part, of: clip, from: clip.asset, inTrack: id)
            }
        }
        let drawn = destinations.first { $0.key.kind == .drawn }?.value
        return drawn.map { [BurntTextTrack(trackID: $0, look: timeline.clipSubtitleLook)] } ?? []
    }

    /// A clip's subtitles and metadata, as far as they are wanted.
    private func timed(
        of clip: PlacedClip
    ) -> [(destination: TimedDestination, part: PlacedClip.Part)] {
        let own = clip.timed
        switch timeline.clipSubtitles {
        case .tracks: return own
        case .leftOut: return own.filter { $0.part.track.mediaType != .text }
        case .burnt(let language):
            let wanted = LanguageCode.threeLetters(language)
            let drawn = own.firstIndex {
                $0.part.track.mediaType == .text
                    && (language == nil
                        || LanguageCode.threeLetters($0.part.track.language) == wanted)
            }
            return own.enumerated().map { index, found in
                index == drawn
                    ? (TimedDestination(kind: .drawn, number: 0), found.part) : found
            }
        }
    }

    func hasDrawnSubtitles(_ clip: PlacedClip) -> Bool {
        timed(of: clip).contains { $0.destination.kind == .drawn }
    }

    /// What of the clips' subtitles the film does not have.
    func textNotes(_ clip: PlacedClip) -> [ConformNote] {
        let tracks = timed(of: clip).filter { $0.destination.kind != .drawn }.map(\.part)
        return tracks.filter { $0.track.mediaType == .text }.map { part in
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

/// Which of a film's tracks of text and metadata a source's goes to.
struct TimedDestination: Hashable {
    enum Kind: Hashable {
        /// Drawn into the frames.
        case drawn
        case text(language: String?)
        case metadata(MetadataFormat)
    }

    let kind: Kind
    /// Among those of the kind.
    let number: Int
}

extension PlacedClip {
    /// Its subtitles and metadata as far as the clip shows them.
    var timed: [(destination: TimedDestination, part: Part)] {
        guard item.freeze == nil, let lead = picture ?? sound else { return [] }
        var counts: [TimedDestination.Kind: Int] = [:]
        return asset.tracks.compactMap { track in
            let kind: TimedDestination.Kind
            switch track.format {
            case .text where item.isReversed: return nil
            case .text: kind = .text(language: LanguageCode.threeLetters(track.language))
            // it would say in words what is hidden in the frames
            case .metadata where item.hidesSomething && track.isOfDetections: return nil
            case .metadata(let format): kind = .metadata(format)
            case .video, .audio, nil: return nil
            }
            defer { counts[kind, default: 0] += 1 }
            guard let range = lead.range.clipped(to: track) else { return nil }
            return (
                TimedDestination(kind: kind, number: counts[kind] ?? 0),
                Part(track: track, range: range)
            )
        }
    }
}

extension Composition {
    /// Puts text or metadata at a clip's place and speed, but for the halves of its transitions that are the other
    /// clips'.
    /// - Parameter asset: what they are of.
    mutating func place(
        _ part: PlacedClip.Part, of clip: PlacedClip, from asset: Asset, inTrack id: Int
    ) throws(MediaError) {
        var piece = Composition()
        let destination = piece.addTrack(part.track.mediaType)
        // what is too short to have a length at its speed is left out
        guard let run = clip.run(of: part) else { return }
        try piece.place(part, of: clip, from: asset, run, at: 0, in: destination)
        let before = clip.overlapBefore - clip.overlapBefore / 2
        let last = clip.ticks - clip.overlapAfter / 2
        let end = piece.duration.timelineTicks
        if end > last { try piece.remove(.ticks(last, end - last)) }
        try piece.remove(.ticks(0, before))
        guard let segments = piece.track(destination)?.segments else { return }
        let index = try index(of: id)
        for segment in segments {
            tracks[index].insert(segment, at: clip.start + before + segment.start)
        }
        let track = part.track
        if track.mediaType == .text, tracks[index].language == nil {
            tracks[index].language = track.language
        }
        if track.mediaType == .text, tracks[index].name == nil {
            (tracks[index].name, tracks[index].isForced) = (track.name, track.isForced)
        }
        if track.mediaType == .metadata { tracks[index].metadataFormat = track.format?.metadata }
    }
}
