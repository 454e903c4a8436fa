internal import Media

/// What lies in a track and has tracks of its own: its clips become the track's, what lies over those is laid over the
/// track.
extension OTIOReader {
    /// Of stacks in stacks.
    static let deepest = 8

    /// The enabled tracks of a stack. What is no track is one of its own.
    mutating func tracks(of stack: JSONValue, _ parent: String? = nil) -> [OTIOTrack] {
        var tracks: [OTIOTrack] = []
        for (index, child) in (stack["children"]?.elements ?? []).enumerated() {
            let own = "track \(index + 1) (\(child["name"]?.text ?? ""))"
            let name = parent.map { "\(own) of \($0)" } ?? own
            switch schema(child) {
            case "Track": if isEnabled(child) { tracks.append(OTIOTrack(child, name)) }
            case "Clip", "Stack", "Gap":
                let alone = JSONValue.object([
                    ("OTIO_SCHEMA", .string("Track.1")), ("kind", .string("Video")),
                    ("children", .array([child])),
                ])
                tracks.append(OTIOTrack(alone, name))
            case let other: notCarried.append("\(name): it is a \(other), not a track")
            }
        }
        return tracks
    }

    /// A stack, or a track, in a track of frames.
    mutating func readNested(
        _ node: JSONValue, _ after: String, _ cut: inout OTIOCut
    ) throws(JSONFailure) {
        let name = stackName(node, after)
        let length = try length(of: node, name)
        guard isEnabled(node) else { return cut.leave(length) }
        guard let length else {
            if try states(node, nothing: name) { return }
            notCarried.append("\(name): it is left out, because it has no length")
            return
        }
        guard depth < Self.deepest else {
            notCarried.append("\(name): it is black, because it lies too deep in others")
            return cut.leave(length)
        }
        noteEffects(of: node, name)
        var inner = OTIOReader(finder: finder, starts: starts, resolve: resolve)
        (inner.depth, inner.notCarried) = (depth + 1, notCarried)
        let losses = notCarried.count
        let isTrack = schema(node) == "Track"
        let tracks = isTrack ? [OTIOTrack(node, name)] : inner.tracks(of: node, name)
        let part = isTrack ? nil : try window(node, name)
        let isShown = try inner.readAllFrames(tracks.filter(\.isOfFrames), within: part)
        let reach = inner.rows.map { $0.end ?? .max }.max() ?? 0
        guard isShown, reach <= length else {
            notCarried.append(
                "\(name): it is black, because its range begins or ends where no clip can")
            return cut.leave(length)
        }
        try inner.readAudio(
            ofStack: tracks.filter { !$0.isOfFrames }, within: part,
            hasClips: isTrack ? hasClips(node) : hasAudioClips(node))
        let isEmpty = inner.rows.allSatisfy(\.isEmpty) && inner.voicesOfStacks.isEmpty
        if isEmpty, part != nil, inner.notCarried.count == losses {
            inner.notCarried.append("\(name): it is black, because nothing lies in its range")
        }
        if !isTrack { try inner.readMarkers(node, name, from: -(part?.lowerBound ?? 0)) }
        take(inner, name, lasting: length, &cut)
    }

    func stackName(_ node: JSONValue, _ place: String) -> String {
        let name = node["name"]?.text ?? ""
        return name.isEmpty ? "a \(schema(node)) \(place)" : "the stack \(name)"
    }

    mutating func noteEffects(of node: JSONValue, _ name: String) {
        for effect in node["effects"]?.elements ?? [] where isEnabled(effect) {
            notCarried.append(
                "the effect \(effect["effect_name"]?.text ?? schema(effect)) of \(name): it is left out"
            )
        }
    }

    /// What was read of a stack, into the track.
    private mutating func take(
        _ inner: OTIOReader, _ name: String, lasting length: Int64, _ cut: inout OTIOCut
    ) {
        notCarried = inner.notCarried
        let (start, rows) = (cut.place, inner.rows)
        let above = rows.dropFirst()
        if let lowest = rows.first, !lowest.isEmpty, let end = lowest.end {
            if cut.over != nil, !above.isEmpty {
                notCarried.append(
                    "the transition into \(name): what lies over its lowest track does not take part"
                )
            }
            var (videos, places) = (
                lowest.videos, lowest.places.map { $0.moved(by: start) }
            )
            let gap = videos[0].gap.timelineTicks
            cut.leave(gap)
            places[0].over = join(&videos[0], cut)
            timeline.videos += videos
            self.places += places
            cut.append(end - gap)
            if end < length { cut.leave(length - end) }
            if end == length, !above.isEmpty { cut.layered = name }
        } else {
            cut.leave(length)
        }
        guard let start else {
            if !above.isEmpty || !inner.voicesOfStacks.isEmpty || !inner.timeline.chapters.isEmpty {
                notCarried.append(
                    "the upper tracks, audio and markers of \(name): a clip before it does not state its length"
                )
            }
            return
        }
        layers += above.enumerated().map { OTIOLayer(level: $0, at: start, row: $1) }
        voicesOfStacks += inner.voicesOfStacks.map { $0.moved(by: start) }
        timeline.chapters += inner.timeline.chapters.map {
            Chapter($0.title, at: .timeline($0.time.timelineTicks + start))
        }
    }

    /// The clips of frames of all tracks.
    private var rows: [OTIORow] {
        let videos = [timeline.videos] + timeline.overlays.map(\.videos)
        return zip(videos, placesOfTracks).map { OTIORow($0, $1) }
    }
}

/// A track and what messages call it.
struct OTIOTrack {
    let node: JSONValue
    let name: String

    init(_ node: JSONValue, _ name: String) { (self.node, self.name) = (node, name) }

    var isOfFrames: Bool { node["kind"]?.text == "Video" }
}

/// What lies over the lowest clips of a stack in a track.
struct OTIOLayer {
    /// Of the rows over them; 0: the lowest.
    let level: Int
    /// Where the stack begins in the track (ticks).
    let at: Int64
    let row: OTIORow
}

extension [OTIOLayer] {
    /// One row of each level.
    var rows: [OTIORow] {
        (0..<(map { $0.level + 1 }.max() ?? 0)).map { level in
            filter { $0.level == level }.reduce(into: OTIORow()) { $0.append($1.row, at: $1.at) }
        }
    }
}

extension AudioItem {
    /// Later in the film (ticks).
    func moved(by ticks: Int64) -> AudioItem {
        var item = self
        item.at = .timeline(at.timelineTicks + ticks)
        return item
    }

    /// What of it lies in a range of the film, in the range's time; nil: nothing.
    func trimmed(to window: Range<Int64>) -> AudioItem? {
        var item = self
        let (begin, first) = (at.timelineTicks, start.timelineTicks)
        let stop = end.map { begin + $0.timelineTicks - first } ?? window.upperBound
        let (from, to) = (Swift.max(begin, window.lowerBound), Swift.min(stop, window.upperBound))
        guard from < to else { return nil }
        item.at = .timeline(from - window.lowerBound)
        if from > begin { item.start = .timeline(first + from - begin) }
        if to < stop || end == nil { item.end = .timeline(first + to - begin) }
        return item
    }
}
