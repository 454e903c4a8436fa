internal import Media

/// The tracks of audio.
extension OTIOReader {
    /// What we call a track that has the audio of clips of frames.
    static let kindOfClipsAudio = "clips"

    /// The clips of frames are heard only where an audio track has them, as other programs mean it, unless the file
    /// is ours.
    /// - Parameters:
    ///   - whole: the part of the timeline that is used; nil: all of it.
    ///   - hasClips: whether there are clips in tracks of audio, switched off or not.
    mutating func readAudioTracks(
        _ tracks: [OTIOTrack], within whole: Range<Int64>?, isOurs: Bool, hasClips: Bool
    ) throws(JSONFailure) {
        var heard: Set<Clip> = []
        for track in tracks {
            let kind = track.node["metadata"]?["vcap"]?["kind"]?.text
            if isOurs, kind == Self.kindOfClipsAudio { continue }
            try readAudioTracks(track.node, track.name, within: whole, &heard)
        }
        guard !isOurs else { return }
        guard hasClips else {
            timeline.voiceOvers += voicesOfStacks
            let places = placesOfTracks
            mute { places[$0.track][$0.index].isSilentInStack }
            return
        }
        for voice in voicesOfStacks where !timeline.voiceOvers.contains(voice) {
            let place = voice.at.spoken
            notCarried.append(
                "the audio \(OTIOAddress.name(voice.name, voice.path)) at \(place) of a stack: the film has "
                    + "tracks of audio, and it is in none")
        }
        mute { !heard.contains($0) }
    }

    /// The audio of a stack in a track of frames, which decides which of its clips are heard.
    mutating func readAudio(
        ofStack tracks: [OTIOTrack], within part: Range<Int64>?, hasClips: Bool
    ) throws(JSONFailure) {
        guard hasClips else { return }
        var heard: Set<Clip> = []
        for track in tracks {
            try readAudioTracks(track.node, track.name, within: part, &heard)
        }
        for track in placesOfTracks.indices {
            for index in placesOfTracks[track].indices {
                placesOfTracks[track][index].isSilentInStack =
                    !heard.contains(Clip(track: track, index: index))
            }
        }
        (voicesOfStacks, timeline.voiceOvers) = (timeline.voiceOvers, [])
    }

    func hasClips(_ node: JSONValue) -> Bool {
        (node["children"]?.elements ?? []).contains { child in
            schema(child) == "Clip" || hasClips(child)
        }
    }

    /// Whether a stack has tracks of audio with clips.
    func hasAudioClips(_ stack: JSONValue) -> Bool {
        (stack["children"]?.elements ?? []).contains {
            schema($0) == "Track" && $0["kind"]?.text != "Video" && hasClips($0)
        }
    }

    private mutating func mute(where isSilent: (Clip) -> Bool) {
        for index in timeline.videos.indices where isSilent(Clip(track: 0, index: index)) {
            timeline.videos[index].volume = 0
        }
        for track in timeline.overlays.indices {
            for index in timeline.overlays[track].videos.indices
            where isSilent(Clip(track: track + 1, index: index)) {
                timeline.overlays[track].videos[index].volume = 0
            }
        }
    }

    /// Which clip of frames: of track 0, the film's own, or of an overlay.
    struct Clip: Hashable {
        let track: Int
        let index: Int
    }

    /// The clip whose audio something is, the lowest one of which no other audio is; nil: it is none's.
    private func clip(heardIn place: OTIOPlace, besides heard: Set<Clip>) -> Clip? {
        var found: Clip?
        for (track, places) in placesOfTracks.enumerated() {
            for index in places.indices where places[index].isHeard(in: place) {
                let clip = Clip(track: track, index: index)
                if !heard.contains(clip) { return clip }
                found = found ?? clip
            }
        }
        return found
    }

    /// - Parameter base: where what is used of the track begins in the film (ticks).
    private mutating func readAudioTracks(
        _ track: JSONValue, _ name: String, within whole: Range<Int64>?, from base: Int64 = 0,
        _ heard: inout Set<Clip>
    ) throws(JSONFailure) {
        let window = try window(track, name, within: whole)
        noteEffects(of: track, name)
        var ticks: Int64 = 0
        // whether the clip before was one's of frames, and the transition that comes after it
        var isOwn = true
        var over: (back: Int64, on: Int64)?
        for child in track["children"]?.elements ?? [] {
            let clip = "the clip \(child["name"]?.text ?? "") in \(name)"
            let length = try length(of: child, clip)
            switch schema(child) {
            case "Gap": break
            case "Transition":
                let back = try time(child["in_offset"], "a transition's in_offset in \(name)")
                let on = try time(child["out_offset"], "a transition's out_offset in \(name)")
                over = ((back ?? .zero).timelineTicks, (on ?? .zero).timelineTicks)
                if !isOwn { noteCrossing(in: name) }
                continue
            case "Clip":
                let wasOwn = isOwn
                var place: OTIOPlace?
                isOwn =
                    isEnabled(child)
                    ? try readAudio(child, name, at: ticks, length, window, base, &heard, &place)
                    : true
                if let over, wasOwn, !isOwn || place.map({ !$0.crosses(like: over) }) ?? false {
                    noteCrossing(in: name)
                }
                guard length != nil else {
                    notCarried.append(
                        "what comes after \(clip): the clip does not state its length")
                    return
                }
            case "Stack", "Track":
                if isEnabled(child), let length {
                    try readStack(child, name, at: ticks, length, window, base, &heard)
                }
            case let other: notCarried.append("a \(other) in \(name): it is left out")
            }
            over = nil
            if schema(child) != "Clip" { isOwn = true }
            ticks += length ?? 0
        }
        try readMarkers(track, name, from: base - (window?.lowerBound ?? 0))
    }

    /// The audio of a stack, or a track, in a track of audio.
    private mutating func readStack(
        _ node: JSONValue, _ track: String, at ticks: Int64, _ length: Int64,
        _ window: Range<Int64>?, _ base: Int64, _ heard: inout Set<Clip>
    ) throws(JSONFailure) {
        let name = stackName(node, "in \(track)")
        let isTrack = schema(node) == "Track"
        let start = isTrack ? 0 : try self.window(node, name)?.lowerBound ?? 0
        let from = max(ticks, window?.lowerBound ?? ticks)
        let to = min(ticks + length, window?.upperBound ?? ticks + length)
        guard from < to else { return }
        guard depth < Self.deepest else {
            return notCarried.append("\(name): it is silent, because it lies too deep in others")
        }
        noteEffects(of: node, name)
        depth += 1
        // one of frames alone is heard as its clips are
        let isSilent = !isTrack && !hasAudioClips(node)
        for inner in isTrack ? [OTIOTrack(node, name)] : tracks(of: node, name)
        where isTrack || isSilent || !inner.isOfFrames {
            try readAudioTracks(
                inner.node, inner.name, within: start + from - ticks..<start + to - ticks,
                from: base + from - (window?.lowerBound ?? 0), &heard)
        }
        depth -= 1
    }

    /// The audio of clips of frames crosses over as these do.
    private mutating func noteCrossing(in track: String) {
        notCarried.append("a transition in \(track): audio does not cross over there")
    }

    /// How much faster than its source something plays in all; negative: backwards.
    func warp(of node: JSONValue) -> Double {
        (node["effects"]?.elements ?? []).reduce(1) { warp, effect in
            guard isEnabled(effect), schema(effect) == "LinearTimeWarp" else { return warp }
            return warp * (effect["time_scalar"]?.number ?? 1)
        }
    }

    /// - Returns: whether it is the audio of a clip of frames, which comes with that.
    private mutating func readAudio(
        _ node: JSONValue, _ track: String, at ticks: Int64, _ length: Int64?,
        _ window: Range<Int64>?, _ base: Int64, _ heard: inout Set<Clip>,
        _ ownPlace: inout OTIOPlace?
    ) throws(JSONFailure) -> Bool {
        let name = node["name"]?.text ?? ""
        let generator = try generated(node, name)?.generator
        let file = generator == nil ? try address(node, name) : nil
        guard let path = generator.map(OTIOPlace.path(of:)) ?? file else {
            notCarried.append("the clip \(name) in \(track): it names no file")
            return false
        }
        let span = try span(node, .normal, name, of: file)
        var (at, start, end) = (ticks, span.start.timelineTicks, span.end?.timelineTicks)
        if let window {
            let (from, to) = (max(at, window.lowerBound), window.upperBound)
            if from >= min(length.map { at + $0 } ?? to, to) { return true }
            let most = start + (to - at)
            (start, end) = (start + from - at, min(end ?? most, most))
            at = from - window.lowerBound
        }
        at += base
        let own = node["metadata"]?["vcap"]
        let place = OTIOPlace(
            path: path, name: name, warp: warp(of: node), at: at, start: start,
            length: end.map { $0 - start } ?? length)
        // the audio of a clip, as other programs write it, comes with its frames
        if own == nil, let clip = clip(heardIn: place, besides: heard) {
            heard.insert(clip)
            ownPlace = placesOfTracks[clip.track][clip.index]
            return true
        }
        guard generator == nil else {
            notCarried.append("the clip \(name) in \(track): it names no file")
            return false
        }
        for effect in node["effects"]?.elements ?? [] where isEnabled(effect) {
            notCarried.append(
                "the effect \(effect["effect_name"]?.text ?? schema(effect)) of the clip \(name) in "
                    + "\(track): it is left out")
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
        return false
    }
}
