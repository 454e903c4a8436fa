internal import Media

/// Makes a timeline of OpenTimelineIO's JSON: the tracks of frames, their transitions, gaps and speeds,
/// tracks of audio, markers as chapters. What a timeline has no room for goes into a list.
struct OTIOReader {
    /// Of media that are not where they are named.
    let finder: MediaFinder
    /// Of media whose beginning is not stated.
    let starts: MovieStarts
    let resolve: (String, TextPosition) throws(JSONFailure) -> String
    var timeline = Timeline()
    var notCarried: [String] = []
    /// Where the clips of the track that is read lie, as the file says it, in the order of `timeline.videos`.
    var places: [OTIOPlace] = []
    /// Those of the film's own clips, then of each overlay.
    var placesOfTracks: [[OTIOPlace]] = []
    /// Until when there are frames (ticks); nil: a clip does not state its length.
    var end: Int64? = 0
    /// What lies over the clips of the track that is read, of stacks in it.
    var layers: [OTIOLayer] = []
    /// Audio of stacks in the tracks of frames, which is heard unless there are tracks of audio.
    var voicesOfStacks: [AudioItem] = []
    /// In how many stacks the one that is read lies.
    var depth = 0

    init(
        finder: MediaFinder, starts: MovieStarts = MovieStarts(),
        resolve: @escaping (String, TextPosition) throws(JSONFailure) -> String
    ) {
        self.finder = finder
        self.starts = starts
        self.resolve = resolve
    }

    mutating func read(_ root: JSONValue) throws(JSONFailure) {
        guard schema(root) == "Timeline", let stack = root["tracks"] else {
            throw JSONFailure(
                position: root.position, message: "this is no timeline of OpenTimelineIO")
        }
        let own = root["metadata"]?["vcap"]
        if let own {
            var reader = ProjectReader(resolve: resolve)
            timeline = try ProjectTables.project.read(own, &reader)
        }
        if timeline.settings.title == nil, let name = root["name"]?.text, !name.isEmpty, own == nil
        {
            timeline.settings.title = name
        }
        try readStart(root["global_start_time"], isOurs: own != nil)
        noteEffects(of: stack, "the timeline")
        let tracks = tracks(of: stack)
        var whole = try window(stack, "the timeline")
        let isOurs = own != nil
        // what stands in the project's own words has times of the whole film
        let isShown = try readAllFrames(
            tracks.filter(\.isOfFrames), within: isOurs ? nil : whole)
        if whole != nil, isOurs || !isShown {
            notCarried.append("the range of the whole timeline: all of it is made")
            whole = nil
        }
        try readAudioTracks(
            tracks.filter { !$0.isOfFrames }, within: whole, isOurs: isOurs,
            hasClips: hasAudioClips(stack))
        settleGenerators()
        try readMarkers(stack, "the timeline", from: -(whole?.lowerBound ?? 0))
        dropLateChapters()
        timeline.chapters.sort { $0.time < $1.time }
    }

    // MARK: Of any node

    func schema(_ node: JSONValue) -> String {
        String((node["OTIO_SCHEMA"]?.text ?? "thing").prefix { $0 != "." })
    }

    func isEnabled(_ node: JSONValue) -> Bool { node["enabled"]?.boolean ?? true }

    /// Nil where there is none.
    /// - Throws: for what is there and no time.
    func time(_ node: JSONValue?, _ what: String) throws(JSONFailure) -> MediaTime? {
        guard let node, node != .null else { return nil }
        guard let time = OTIOTime.time(node) else {
            throw JSONFailure(
                position: node.position, message: "\(what) is no time that a film can have")
        }
        return time
    }

    /// The part of a track or stack that is used (ticks of its own time); nil: all of it.
    func window(_ node: JSONValue, _ name: String) throws(JSONFailure) -> Range<Int64>? {
        let range = node["source_range"]
        guard let start = try time(range?["start_time"], "the start of \(name)"),
            let length = try time(range?["duration"], "the length of \(name)"), length >= .zero
        else { return nil }
        return start.timelineTicks..<start.timelineTicks + length.timelineTicks
    }

    /// The part of a track that is used, of a stack of which a part is used: the track's time begins in the stack
    /// where its own range begins.
    func window(
        _ track: JSONValue, _ name: String, within whole: Range<Int64>?
    ) throws(JSONFailure) -> Range<Int64>? {
        let own = try window(track, name)
        guard let whole else { return own }
        let start = (own?.lowerBound ?? 0) + whole.lowerBound
        let end = (own?.lowerBound ?? 0) + whole.upperBound
        return start..<max(start, min(end, own?.upperBound ?? end))
    }

    // MARK: Markers

    /// - Parameter start: where the node's own time begins in the film (ticks).
    mutating func readMarkers(
        _ node: JSONValue, _ name: String, from start: Int64 = 0, speed: Speed = .normal
    ) throws(JSONFailure) {
        for marker in node["markers"]?.elements ?? [] {
            let title = marker["name"]?.text ?? ""
            let what = "the marker \(title) of \(name)"
            guard let own = try time(marker["marked_range"]?["start_time"], what) else {
                notCarried.append("\(what): it has no time")
                continue
            }
            let ticks = start + speed.film(own.timelineTicks)
            guard ticks >= 0 else {
                notCarried.append("\(what): it lies before what is shown")
                continue
            }
            timeline.chapters.append(Chapter(title, at: .timeline(ticks)))
        }
    }

    private mutating func dropLateChapters() {
        guard let end, end > 0, timeline.voiceOvers.isEmpty else { return }
        for chapter in timeline.chapters where chapter.time.timelineTicks >= end {
            notCarried.append(
                "the marker \(chapter.title) at \(chapter.time.spoken): the film ends before it")
        }
        timeline.chapters.removeAll { $0.time.timelineTicks >= end }
    }
}
