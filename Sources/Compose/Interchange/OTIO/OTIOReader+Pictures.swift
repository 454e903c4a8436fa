internal import Media

/// The tracks of frames: the lowest one is the film's, the others lie over it.
extension OTIOReader {
    /// - Parameter whole: the part of the timeline that is used; nil: all of it.
    /// - Returns: whether the film is that part; else all of every track is shown.
    mutating func readAllFrames(
        _ tracks: [OTIOTrack], within whole: Range<Int64>?
    ) throws(JSONFailure) -> Bool {
        var trial = self
        let isTrimmed = try trial.readFrames(tracks, within: whole)
        guard whole != nil, !isTrimmed, tracks.count > 1 else {
            self = trial
            return isTrimmed
        }
        // one track alone is not moved against the others
        _ = try readFrames(tracks, within: nil)
        return false
    }

    private mutating func readFrames(
        _ tracks: [OTIOTrack], within whole: Range<Int64>?
    ) throws(JSONFailure) -> Bool {
        guard let track = tracks.first else { return true }
        var (isTrimmed, above) = try readFrames(of: track, within: whole)
        let (videos, gapAtEnd) = (timeline.videos, timeline.gapAtEnd)
        let lowest = places
        var lasts = [end]
        for other in tracks.dropFirst() {
            (timeline.videos, places, end) = ([], [], 0)
            let (isWhole, upper) = try readFrames(of: other, within: whole)
            isTrimmed = isWhole && isTrimmed
            lasts.append(timeline.videos.isEmpty ? 0 : end)
            above.append(OTIORow(timeline.videos, places))
            above += upper
        }
        above.removeAll { $0.videos.isEmpty }
        (timeline.videos, timeline.gapAtEnd) = (videos, videos.isEmpty ? .zero : gapAtEnd)
        timeline.overlays = above.map { OverlayTrack($0.videos) }
        places = lowest
        placesOfTracks = [places] + above.map(\.places)
        end = lasts.contains(nil) ? nil : lasts.compactMap(\.self).max()
        return isTrimmed
    }

    /// - Returns: whether the track is the part that is asked for, and what lies in it over its clips.
    private mutating func readFrames(
        of track: OTIOTrack, within whole: Range<Int64>?
    ) throws(JSONFailure) -> (isTrimmed: Bool, above: [OTIORow]) {
        var cut = OTIOCut()
        let firstMarker = timeline.chapters.count
        let firstVoice = voicesOfStacks.count
        layers = []
        noteEffects(of: track.node, track.name)
        for child in track.node["children"]?.elements ?? [] { try read(child, &cut) }
        if cut.over != nil {
            notCarried.append("the transition at the end of \(track.name): nothing comes after it")
        }
        timeline.gapAtEnd = timeline.videos.isEmpty ? .zero : .timeline(cut.gap)
        end = cut.place
        let own = try window(track.node, track.name)
        var window = try window(track.node, track.name, within: whole)
        var isTrimmed = true
        let row = OTIORow(timeline.videos, places)
        var above = layers.rows
        layers = []
        if let asked = window, !([row] + above).allSatisfy({ $0.isTrimmable(to: asked) }) {
            isTrimmed = false
            if own != nil { notCarried.append("the range of \(track.name): all of it is shown") }
            window = nil
        }
        try readMarkers(track.node, track.name)
        if let window {
            moveMarkers(since: firstMarker, back: window.lowerBound)
            trimVoices(since: firstVoice, to: window)
            let trimmed = row.trimmed(to: window)
            let shown = window.lowerBound + (trimmed.end ?? 0)
            let last = min(window.upperBound, end ?? shown)
            (timeline.videos, places) = (trimmed.videos, trimmed.places)
            timeline.gapAtEnd = trimmed.isEmpty ? .zero : .timeline(max(0, last - shown))
            end = max(shown, last) - window.lowerBound
            above = above.map { $0.trimmed(to: window) }
        }
        return (isTrimmed, above)
    }

    /// Audio of stacks in the track, by the time since its range begins.
    private mutating func trimVoices(since first: Int, to window: Range<Int64>) {
        let voices = voicesOfStacks[first...].compactMap { $0.trimmed(to: window) }
        voicesOfStacks.replaceSubrange(first..., with: voices)
    }

    /// Markers of the track and of its clips, by the time since its range begins.
    private mutating func moveMarkers(since first: Int, back start: Int64) {
        let markers = timeline.chapters[first...]
        timeline.chapters.removeSubrange(first...)
        for marker in markers {
            let ticks = marker.time.timelineTicks - start
            guard ticks >= 0 else {
                notCarried.append("the marker \(marker.title): it lies before what is shown")
                continue
            }
            timeline.chapters.append(Chapter(marker.title, at: .timeline(ticks)))
        }
    }

    private mutating func read(_ child: JSONValue, _ cut: inout OTIOCut) throws(JSONFailure) {
        let after = "after clip \(timeline.videos.count)"
        switch schema(child) {
        case "Clip": try readClip(child, &cut)
        case "Transition":
            let back = try time(child["in_offset"], "a transition's in_offset \(after)")
            let on = try time(child["out_offset"], "a transition's out_offset \(after)")
            guard let back, let on, back >= .zero, on >= .zero, max(back, on) > .zero else {
                notCarried.append("a transition \(after): it has no length")
                return
            }
            cut.over = (back, on, child["transition_type"]?.text == "SMPTE_Dissolve")
        case "Stack", "Track": try readNested(child, after, &cut)
        case "Gap": cut.leave(try length(of: child, "a gap \(after)") ?? 0)
        case let other:
            let length = try length(of: child, "a \(other) \(after)")
            notCarried.append(
                "a \(other) \(after): \(length == nil ? "it is left out" : "it is black")")
            cut.leave(length)
        }
    }

    private mutating func readClip(
        _ child: JSONValue, _ cut: inout OTIOCut
    ) throws(JSONFailure) {
        let name = child["name"]?.text ?? ""
        let length = try length(of: child, "the clip \(name)")
        if length == nil, try states(child, nothing: "the clip \(name)") {
            notCarried.append("the clip \(name): its range has no length, so it is left out")
            return
        }
        guard isEnabled(child), let found = try clip(child) else {
            if isEnabled(child) || length == nil {
                let what = isEnabled(child) ? absence(child) : "it is switched off"
                let shown = length.map { "; black is shown for \(MediaTime.timeline($0).spoken)" }
                notCarried.append("the clip \(name): \(what)\(shown ?? "")")
            }
            return cut.leave(length)
        }
        var item = found.item
        var place = OTIOPlace(
            path: item.generator.map(OTIOPlace.path(of:)) ?? item.path, name: name, at: cut.place,
            start: item.start.timelineTicks,
            length: length)
        place.warp = warp(of: child)
        if item.isReversed || item.isRamped {
            if !(child["markers"]?.elements ?? []).isEmpty {
                let why = item.isReversed ? "it plays backwards" : "its speed changes"
                notCarried.append("the markers of the clip \(name): \(why)")
            }
        } else if let start = cut.place {
            try readMarkers(
                child, "the clip \(name)",
                from: start - item.speed.film(item.start.timelineTicks + found.mediaStart),
                speed: item.speed)
        } else if !(child["markers"]?.elements ?? []).isEmpty {
            notCarried.append(
                "the markers of the clip \(name): a clip before it does not state its length")
        }
        place.over = join(&item, cut)
        cut.append(length)
        places.append(place)
        timeline.videos.append(item)
    }

    /// Why a clip is not shown.
    private func absence(_ node: JSONValue) -> String {
        guard let reference = reference(of: node), schema(reference) == "GeneratorReference" else {
            return "it names no file"
        }
        return "its generator \(reference["generator_kind"]?.text ?? "") is none that vcap has"
    }

    /// Puts a gap or the transition before a clip: each reaches over the cut by its own offset.
    /// - Returns: how far the transition reaches (ticks); nil: there is none.
    mutating func join(
        _ item: inout VideoItem, _ cut: OTIOCut
    ) -> (back: Int64, on: Int64)? {
        item.gap = .timeline(cut.gap)
        guard let over = cut.over, !timeline.videos.isEmpty, cut.gap == 0 else {
            if cut.over != nil {
                notCarried.append(
                    "the transition before clip \(timeline.videos.count + 1): black lies between")
            }
            item.transition = .cut
            return nil
        }
        if let stack = cut.layered {
            notCarried.append(
                "the transition after \(stack): what lies over its lowest track does not take part")
        }
        var (back, on) = (over.back.timelineTicks, over.on.timelineTicks)
        let most = handle(before: item)
        // a millisecond is rounding
        if most < back - Int64(Composition.timescale / 1000) {
            notCarried.append(
                "\(MediaTime.timeline(back - most).spoken) of the transition before clip "
                    + "\(timeline.videos.count + 1): the clip has no more before its range")
            back = most
        }
        guard back + on > 0 else {
            item.transition = .cut
            return nil
        }
        let last = timeline.videos.count - 1
        reach(&timeline.videos[last], on, isAtEnd: true)
        if let freeze = timeline.videos[last].freeze {
            timeline.videos[last].freeze = .timeline(freeze.timelineTicks + on)
        }
        if let freeze = item.freeze {
            item.freeze = .timeline(freeze.timelineTicks + back)
        } else {
            let early = item.speed.source(back) - item.start.timelineTicks
            reach(&item, back, isAtEnd: false)
            // what is generated has more before its beginning, and a still picture
            if early > 0, item.generator != nil || item.isStillFile {
                item.end = item.end.map { .timeline($0.timelineTicks + early) }
            }
        }
        let isOwn = item.transition.kind == .dissolve || !over.isDissolve
        if item.transition.kind == .cut || !isOwn { item.transition = .dissolve(.zero) }
        item.transition.duration = .timeline(back + on)
        return (back, on)
    }

    /// How much more a clip can show before its range (ticks of the film).
    private func handle(before item: VideoItem) -> Int64 {
        let isFree =
            item.freeze != nil || item.generator != nil || item.isStillFile || item.isReversed
            || item.isRamped
        return isFree ? .max : item.speed.film(item.start.timelineTicks)
    }

    /// Lets a clip show more of its source in the film.
    /// - Parameter isAtEnd: of the film; backwards that is its source's beginning.
    private func reach(_ item: inout VideoItem, _ ticks: Int64, isAtEnd: Bool) {
        // one whose speed changes has all of it
        guard !item.isRamped else { return }
        let more = item.speed.source(ticks)
        if isAtEnd != item.isReversed {
            item.end = item.end.map { .timeline($0.timelineTicks + more) }
        } else {
            item.start = .timeline(max(0, item.start.timelineTicks - more))
        }
    }

    /// How long something lasts in its track (ticks); nil: it does not state.
    func length(of node: JSONValue, _ name: String) throws(JSONFailure) -> Int64? {
        let own = try time(node["source_range"]?["duration"], "the length of \(name)")
        let whole = try time(
            reference(of: node)?["available_range"]?["duration"], "the length of \(name)'s media")
        if let stated = own ?? whole { return stated > .zero ? stated.timelineTicks : nil }
        return try lengthOfChildren(of: node, name)
    }

    /// Whether it lasts no time, as it states, or as nothing in it does.
    func states(_ node: JSONValue, nothing name: String) throws(JSONFailure) -> Bool {
        if let own = try time(node["source_range"]?["duration"], "the length of \(name)") {
            return own <= .zero
        }
        guard schema(node) == "Track" || schema(node) == "Stack" else { return false }
        for child in node["children"]?.elements ?? [] where schema(child) != "Transition" {
            guard try states(child, nothing: name) else { return false }
        }
        return true
    }

    /// Of a stack the longest child's, of a track all of them together.
    private func lengthOfChildren(
        of node: JSONValue, _ name: String
    ) throws(JSONFailure) -> Int64? {
        let isTrack = schema(node) == "Track"
        guard isTrack || schema(node) == "Stack" else { return nil }
        var (sum, longest): (Int64, Int64) = (0, 0)
        for child in node["children"]?.elements ?? [] where schema(child) != "Transition" {
            guard let length = try length(of: child, name) else {
                if try states(child, nothing: name) { continue }
                return nil
            }
            sum += length
            longest = max(longest, length)
        }
        let length = isTrack ? sum : longest
        return length > 0 ? length : nil
    }
}
