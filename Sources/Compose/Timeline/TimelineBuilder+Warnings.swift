internal import LibAV
internal import Media
internal import Movie
internal import Reading

extension TimelineBuilder {
    /// What the film does not have of its clips, and what it cannot show well.
    func warnings(
        _ clips: [PlacedClip], _ sounds: [PlacedAudio], _ video: VideoComposition?,
        until end: Int64
    ) -> [String] {
        var warnings: [String] = []
        var used: [String: Set<Int>] = [:]
        for clip in clips {
            let tracks =
                [clip.picture?.track.id].compactMap(\.self) + clip.voices.map(\.part.track.id)
            used[clip.asset.path, default: []].formUnion(tracks)
        }
        for (index, title) in timeline.titles.enumerated() {
            let cut = title.at.timelineTicks + title.duration.timelineTicks - end
            guard let video, cut >= video.frameDuration.timelineTicks else { continue }
            warnings.append(
                "\(ItemName.title(index, title)): its last \(MediaTime.timeline(cut).spoken) are cut off, where "
                    + "the film ends")
        }
        for clip in clips {
            for (type, isChosen, track) in [
                (MediaType.video, clip.item.track != nil, clip.picture?.track),
                (.audio, clip.item.voices != nil, clip.sound?.track),
            ] where !isChosen {
                let others = clip.asset.others(
                    than: track, type, except: used[clip.asset.path] ?? [])
                if !others.isEmpty { warnings.append("\(clip.name): \(others) left out") }
            }
            if clip.isOverlay,
                !clips.contains(where: { !$0.isOverlay && $0.asset.path == clip.asset.path })
            {
                let what = [
                    (clip.timed.contains { $0.part.track.mediaType == .text }, "subtitles"),
                    (!clip.asset.chapters.isEmpty, "chapters"),
                ].filter(\.0).map(\.1).joined(separator: " and ")
                if !what.isEmpty {
                    warnings.append(
                        "\(clip.name): its \(what) are left out; those of clips that are no overlays are "
                            + "carried")
                }
            }
            if clip.item.hidesSomething, !clip.isOverlay, clip.item.freeze == nil,
                clip.asset.tracks.contains(where: \.isOfDetections)
            {
                warnings.append(
                    "\(clip.name): what was detected in it is left out, because its effects or its mask hide something "
                        + "of it")
            }
            if clip.item.isReversed {
                let what = [
                    (clip.asset.tracks.contains { $0.mediaType == .text }, "subtitles"),
                    (!clip.asset.chapters.isEmpty, "chapters"),
                ].filter(\.0).map(\.1).joined(separator: " and ")
                if !what.isEmpty {
                    warnings.append(
                        "\(clip.name): its \(what) are left out, because it plays backwards")
                }
            }
            warnings +=
                clip.losses + clip.unusedChanges(in: video?.renderSize, timeline.settings.fit)
            if let reason = clip.reasonNotMixed(at: video?.frameDuration) {
                warnings.append("\(clip.name): no frames of it are mixed, because \(reason)")
            }
            if let video, let reason = clip.reasonUnseen(in: video, timeline.settings.fit) {
                warnings.append("\(clip.name) is not seen: \(reason)")
            }
            if !clip.asset.metadata.covers.isEmpty {
                warnings.append(
                    "\(clip.name): its cover art is left out; a film has its own frames")
            }
            warnings += clip.asset.unread
                .filter { $0.mediaType != .video || clip.picture != nil }
                .map { "\(clip.name): \($0.absence)" }
            if let video, let light = clip.format?.color.lightWarning(in: video.color) {
                warnings.append("\(clip.name): \(light)")
            }
            if let track = clip.picture?.track, track.isInterlaced {
                if track.format?.video?.codec == .hevc {
                    warnings.append(
                        "\(clip.name): its frames are interlaced and shown as they are; what moves may have combs"
                    )
                } else if !Deinterlacer.isAvailable {
                    warnings.append(
                        "\(clip.name): its frames are interlaced and shown as they are, because libavfilter is not "
                            + "installed (Debian's libavfilter8); what moves may have combs")
                }
            }
        }
        // what all clips have does not mean the silent ones
        // one for every clip may be meant for some of them
        if !clips.contains(where: { $0.levelRule != nil }) {
            warnings += clips.filter { $0.item.loudness != nil }.map {
                "\($0.name): it has no audio that its loudness could change"
            }
        }
        let treated = Set(clips.filter { !$0.voices.isEmpty }.map(\.item.treatment))
        for clip in clips where clip.voices.isEmpty && !treated.contains(clip.item.treatment) {
            guard let what = clip.item.treatment.named else { continue }
            warnings.append("\(clip.name): no audio of it is heard that its \(what) could change")
        }
        for (index, title) in timeline.titles.enumerated() {
            warnings += title.unusedChanges(ItemName.title(index, title))
        }
        for sound in sounds {
            warnings += sound.item.keyframes.unused(sound.name, lasting: sound.ticks)
            if !sound.asset.metadata.covers.isEmpty {
                warnings.append("\(sound.name): its cover art is left out")
            }
            let others = sound.asset.others(than: sound.track, .audio)
            if !others.isEmpty { warnings.append("\(sound.name): \(others) left out") }
            warnings += sound.asset.unread.filter { $0.mediaType == .audio }
                .map { "\(sound.name): \($0.absence)" }
        }
        if let video, let reason = timeline.watermark?.reasonUnseen(in: video, until: end) {
            warnings.append("the watermark is not seen: \(reason)")
        }
        if let last = clips.last(where: { !$0.isOverlay }),
            last.end + timeline.gapAtEnd.timelineTicks < end
        {
            let note = ConformNote(
                item: last.name, kind: .length,
                text:
                    "the background is shown for \(MediaTime.timeline(end - last.end).spoken) "
                    + "after it, because \(clips.contains { $0.end == end } ? "an overlay" : "a voice-over") "
                    + "lasts longer than the clips")
            warnings.append(note.description)
        }
        return warnings
    }
}

extension PlacedClip {
    /// Why its frames cannot be shown, one sentence; nil: they can, or it has none.
    var unreadPictures: String? {
        guard picture == nil, let track = asset.unread.first(where: { $0.mediaType == .video })
        else { return nil }
        return
            "Cannot show the frames of \(name), because \(track.reasonUnread): bring them into "
            + "another codec with another program, leave the clip out, or write audio only (the "
            + "preset audio)."
    }
}

extension PlacedClip {
    /// Audio behind its video, and transparency that is not read.
    fileprivate var losses: [String] {
        guard let picture, !picture.track.isStill else { return [] }
        var losses: [String] = []
        let longest = voices.map(\.part.track.reach).max() ?? .zero
        let rest = longest - picture.track.reach - .timeline(max(0, heard.end - end))
        if item.end == nil, item.freeze == nil, rest > .milliseconds(250) {
            let rest = MediaTime(
                value: rest.ticks(per: 10, rounding: .nearest), timescale: 10)
            losses.append(
                "\(name): its audio lasts \(rest.spoken) longer than its video and is cut there; it can be "
                    + "added as a voice-over")
        }
        if picture.track.hasUnreadOpacity {
            losses.append("\(name): its transparency is not read, so it is opaque")
        }
        return losses
    }

    /// Why none of its frames are mixed though that is asked for.
    /// - Parameter frameDuration: of the film (seconds; nil: it shows nothing).
    func reasonNotMixed(at frameDuration: MediaTime?) -> String? {
        guard item.blendsFrames else { return nil }
        guard let track = picture?.track, let frameDuration else { return "it has no video" }
        if track.isStill { return "it is a still picture" }
        let isEven = item.speed == .normal && course == nil && !track.hasVariableRate
        return isEven && isMovie && FrameRate.film(of: track).frameDuration == frameDuration
            ? "it plays at its own speed and rate" : nil
    }

    fileprivate func reasonUnseen(in video: VideoComposition, _ fit: FitMode) -> String? {
        guard format != nil else { return nil }
        if isTransparent { return "its opacity is 0" }
        return liesOutside(video.renderSize, fit) ? "it lies outside of the frame" : nil
    }
}

extension ColorDescription {
    /// What a film in other colours shows otherwise of frames of a high dynamic range; nil: nothing.
    fileprivate func lightWarning(in film: ColorDescription) -> String? {
        guard let name = rangeName, film.rangeName == nil else { return nil }
        return
            "its frames are \(name) and the film is SDR: highlights are compressed into its range; a film "
            + "whose first movie is HDR stays HDR"
    }
}

extension AssetTrack {
    /// For messages: that it is left out and why.
    fileprivate var absence: String {
        let (kind, verb) =
            switch mediaType {
            case .video: ("video", "is")
            case .audio: ("audio", "is")
            case .text: ("subtitles", "are")
            case .metadata: ("metadata", "is")
            }
        return "the \(kind) of track \(id) \(verb) left out, because \(reasonUnread)"
    }
}

extension Asset {
    /// Tracks that nothing here reads.
    fileprivate var unread: [AssetTrack] { tracks.filter { $0.format == nil } }

    /// For messages: the readable tracks of a kind but for those that the film has, and "is" or "are"; empty: there
    /// are none.
    fileprivate func others(
        than used: AssetTrack?, _ type: MediaType, except all: Set<Int> = []
    ) -> String {
        let others = tracks.filter {
            $0.mediaType == type && $0.format != nil && $0.reach > .zero && $0.id != used?.id
                && !all.contains($0.id)
        }
        guard !others.isEmpty, let used else { return "" }
        let names = others.prefix(5).map { track in
            "track \(track.id)" + (track.ownName.map { " \"\($0.prefix(40))\"" } ?? "")
        }
        let rest = others.count - names.count
        let what = type == .video ? "video" : "audio"
        return "its first \(what) track, \(used.id), is used; "
            + names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
            + (others.count == 1 ? " is" : " are")
    }
}

extension AssetTrack {
    /// The name, unless it is what muxers call every track of the kind.
    fileprivate var ownName: String? {
        name.flatMap { $0.hasSuffix("Handler") || $0.hasPrefix("Core Media") ? nil : $0 }
    }
}
