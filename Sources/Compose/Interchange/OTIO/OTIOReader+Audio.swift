internal import Media

/// The tracks of audio.
extension OTIOReader {
    /// - Parameters:
    ///   - whole: the part of the timeline that is used; nil: all of it.
    ///   - replacesOwn: whether the clips of frames are heard only where an audio track has them,
    ///   as other programs mean it.
    mutating func readAudioTracks(
        _ tracks: [(node: JSONValue, name: String)], within whole: Range<Int64>?,
        replacingOwn replacesOwn: Bool
    ) throws(JSONFailure) {
        var heard: Set<Clip> = []
        var hasClips = false
        for track in tracks {
            hasClips =
                hasClips
                || (track.node["children"]?.elements ?? []).contains {
                    schema($0) == "Clip"
                }
            try readAudioTracks(track.node, track.name, within: whole, &heard)
        }
        guard replacesOwn, hasClips else { return }
        for index in timeline.videos.indices where !heard.contains(Clip(track: 0, index: index)) {
            timeline.videos[index].volume = 0
        }
        for track in timeline.overlays.indices {
            for index in timeline.overlays[track].videos.indices
            where !heard.contains(Clip(track: track + 1, index: index)) {
                timeline.overlays[track].videos[index].volume = 0
            }
        }
    }

    /// Which clip of frames: of track 0, the film's own, or of an overlay.
    struct Clip: Hashable {
        let track: Int
        let index: Int
    }

    /// The clip whose audio something is, the lowest one; nil: it is none's.
    private func clip(heardIn place: OTIOPlace) -> Clip? {
        for (track, places) in placesOfTracks.enumerated() {
            if let index = places.firstIndex(where: { $0.isHeard(in: place) }) {
                return Clip(track: track, index: index)
            }
        }
        return nil
    }

    private mutating func readAudioTracks(
        _ track: JSONValue, _ name: String, within whole: Range<Int64>?, _ heard: inout Set<Clip>
    ) throws(JSONFailure) {
        let window = try window(track, name, within: whole)
        var ticks: Int64 = 0
        for child in track["children"]?.elements ?? [] {
            let clip = "the clip \(child["name"]?.text ?? "") in \(name)"
            let length = try length(of: child, clip)
            switch schema(child) {
            case "Gap": break
            case "Transition":
                notCarried.append("a transition in \(name): audio does not cross over there")
                continue
            case "Clip":
                if isEnabled(child) {
                    try readAudio(child, name, at: ticks, length, window, &heard)
                }
                guard length != nil else {
                    notCarried.append(
                        "what comes after \(clip): the clip does not state its length")
                    return
                }
            case let other: notCarried.append("a \(other) in \(name): it is left out")
            }
            ticks += length ?? 0
        }
        try readMarkers(track, name, from: -(window?.lowerBound ?? 0))
    }

    private mutating func readAudio(
        _ node: JSONValue, _ track: String, at ticks: Int64, _ length: Int64?,
        _ window: Range<Int64>?, _ heard: inout Set<Clip>
    ) throws(JSONFailure) {
        let name = node["name"]?.text ?? ""
        guard let path = try address(node, name) else {
            notCarried.append("the clip \(name) in \(track): it names no file")
            return
        }
        for effect in node["effects"]?.elements ?? [] where isEnabled(effect) {
            notCarried.append(
                "the effect \(effect["effect_name"]?.text ?? schema(effect)) of the clip \(name) in "
                    + "\(track): it is left out")
        }
        let span = try span(node, .normal, name)
        var (at, start, end) = (ticks, span.start.timelineTicks, span.end?.timelineTicks)
        if let window {
            let (from, to) = (max(at, window.lowerBound), window.upperBound)
            if from >= min(length.map { at + $0 } ?? to, to) { return }
            let most = start + (to - at)
            (start, end) = (start + from - at, min(end ?? most, most))
            at = from - window.lowerBound
        }
        let own = node["metadata"]?["vcap"]
        let place = OTIOPlace(
            path: path, name: name, at: at, start: start, length: end.map { $0 - start } ?? length)
        // the audio of a clip, as other programs write it, comes with its frames
        if own == nil, let clip = clip(heardIn: place) {
            heard.insert(clip)
            return
        }
        var item = AudioItem(path, name: ownName(name, path))
        if let own {
            var reader = ProjectReader(resolve: resolve)
            try ProjectTables.music.read(own, only: OTIOWriter.soundKeys, into: &item, &reader)
        }
        item.at = .timeline(at)
        (item.start, item.end) =
            window == nil ? (span.start, span.end) : (.timeline(start), end.map { .timeline($0) })
        if own?["kind"]?.text == "music" {
            timeline.music.append(item)
        } else {
            item.loops = false
            timeline.voiceOvers.append(item)
        }
    }
}
