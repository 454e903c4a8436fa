internal import Media
internal import Movie
internal import Reading

extension TimelineBuilder {
    /// Puts the subtitles of files on tracks of their own.
    /// - Returns: those that are drawn, the last one in front.
    func insertSubtitles(
        beside clips: [PlacedClip], into composition: inout Composition
    ) throws(MediaError) -> [BurntTextTrack] {
        var burnt: [BurntTextTrack] = []
        for (index, item) in timeline.subtitles.enumerated() {
            let name = ItemName.subtitles(index, item)
            let (asset, track) = try subtitles(item, name)
            guard track.duration > .zero else { continue }
            let id = composition.addTrack(.text)
            if let clip = item.clip {
                guard let part = clips[clip].part(of: track) else { continue }
                try composition.place(part, of: clips[clip], from: asset, inTrack: id)
            } else {
                try composition.insert(
                    MediaTimeRange(start: .zero, duration: track.duration), of: asset,
                    track: track, at: .zero, into: id)
            }
            composition.describe(
                id, language: item.language ?? SubtitleFile.language(inName: item.path),
                name: item.name, isForced: item.isForced)
            if item.isBurnt { burnt.append(BurntTextTrack(trackID: id, look: item.look)) }
        }
        return burnt
    }

    /// What of the subtitles of files the film does not have.
    func subtitleWarnings(
        _ clips: [PlacedClip], until end: Int64, hasVideo: Bool
    ) throws(MediaError) -> [String] {
        var warnings: [String] = []
        for (index, item) in timeline.subtitles.enumerated() {
            let name = ItemName.subtitles(index, item)
            let (asset, track) = try subtitles(item, name)
            guard let file = asset.subtitleFile(of: track) else { continue }
            func leave(_ count: Int, _ one: String, _ several: String) {
                guard count > 0 else { return }
                warnings.append(
                    count == 1
                        ? "\(name): 1 of its texts is left out, because it \(one)"
                        : "\(name): \(count) of its texts are left out, because they \(several)")
            }
            leave(file.unreadCount, "is empty or cannot be read", "are empty or cannot be read")
            let early = "its delay brings"
            leave(
                file.earlyCount, "ends before the beginning, where \(early) it",
                "end before the beginning, where \(early) them")
            if item.isBurnt, file.isStyled, item.look != SubtitleLook() {
                warnings.append(
                    "\(name) has styles of its own, so the font, size, colours and place that it is given are not used"
                )
            }
            if let clip = item.clip {
                if let reason = clips[clip].reasonWithout(file, track) {
                    warnings.append("\(name) is left out, because \(clips[clip].name) \(reason)")
                }
            } else {
                let place = "behind the film's end at \(MediaTime.timeline(end).spoken)"
                leave(
                    file.lateCount + file.starts.count { $0.timelineTicks >= end },
                    "begins \(place)",
                    "begin \(place)")
            }
            if item.isBurnt, !hasVideo {
                warnings.append("\(name) is left out, because the film has no video to draw it on")
            }
        }
        return warnings + crowdedSubtitles + missingClipSubtitles(clips)
    }

    /// Texts without places of their own that are drawn at one.
    private var crowdedSubtitles: [String] {
        let drawn = timeline.subtitles.enumerated().filter { index, item in
            let track = assets[item.path]?.subtitleTrack(item.request)
            let file = track.flatMap { assets[item.path]?.subtitleFile(of: $0) }
            return item.isBurnt && !(file?.isStyled ?? true)
        }
        for (number, (index, item)) in drawn.enumerated() {
            let other = drawn[..<number].first { other in
                other.element.look.place == item.look.place
                    && (other.element.clip == item.clip || other.element.clip == nil
                        || item.clip == nil)
            }
            guard let other else { continue }
            return [
                "\(ItemName.subtitles(other.offset, other.element)) and \(ItemName.subtitles(index, item)) are drawn at one "
                    + "place, where they may hide each other; give one of them another place"
            ]
        }
        return []
    }

    private func missingClipSubtitles(_ clips: [PlacedClip]) -> [String] {
        guard case .burnt(let language) = timeline.clipSubtitles,
            !clips.contains(where: { hasDrawnSubtitles($0) })
        else { return [] }
        return [
            "no clip has subtitles" + (language.map { " in \"\($0)\"" } ?? "")
                + " that could be drawn"
        ]
    }

    /// What of their looks the tracks do not have.
    func subtitleNotes() throws(MediaError) -> [ConformNote] {
        var notes: [ConformNote] = []
        for (index, item) in timeline.subtitles.enumerated() where !item.isBurnt {
            let name = ItemName.subtitles(index, item)
            let (asset, track) = try subtitles(item, name)
            let styled = asset.subtitleFile(of: track)?.styledCount ?? 0
            guard styled > 0 else { continue }
            notes.append(
                ConformNote(
                    item: name, kind: .text,
                    text:
                        "the styles and positions of \(styled) of its texts are left out; burn keeps them"
                ))
        }
        return notes
    }

    /// Each file once.
    var subtitleAssets: [Asset] {
        var seen: Set<String> = []
        return timeline.subtitles.filter { seen.insert($0.path).inserted }
            .compactMap { assets[$0.path] }
    }

    /// The track that an item stands for.
    private func subtitles(
        _ item: SubtitleItem, _ name: String
    ) throws(MediaError) -> (Asset, AssetTrack) {
        let asset = try asset(item.path, name)
        guard let track = asset.subtitleTrack(item.request) else {
            throw MediaError(
                code: .unsupported, subject: item.path,
                message:
                    "\(name) is no file of subtitles (.srt, .vtt, .ass); those of a movie come along with its clip"
            )
        }
        return (asset, track)
    }
}

extension PlacedClip {
    /// What of a text by the clip's own times it shows; nil: nothing.
    fileprivate func part(of track: AssetTrack) -> Part? {
        guard item.freeze == nil, !item.isReversed, let lead = picture ?? sound else { return nil }
        return lead.range.clipped(to: track).map { Part(track: track, range: $0) }
    }

    /// Why none of a file's texts is shown; nil: some are.
    fileprivate func reasonWithout(_ file: SubtitleFile, _ track: AssetTrack) -> String? {
        if item.isReversed { return "plays backwards" }
        if item.freeze != nil { return "stands still" }
        guard let part = part(of: track), file.count(in: part.range) > 0 else {
            return "shows none of its times"
        }
        return nil
    }
}

extension Composition {
    /// Says what players show of a text track.
    fileprivate mutating func describe(
        _ id: Int, language: String?, name: String?, isForced: Bool
    ) {
        guard let index = tracks.firstIndex(where: { $0.id == id }) else { return }
        tracks[index].language = language
        tracks[index].name = name
        tracks[index].isForced = isForced
    }
}
