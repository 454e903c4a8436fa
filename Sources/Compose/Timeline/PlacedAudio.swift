internal import Media
internal import Reading

/// A voice or a piece of music and where it lies.
struct PlacedAudio {
    private(set) var item: AudioItem
    let name: String
    let asset: Asset
    let track: AssetTrack
    /// One after the other from `start` on (movie time of the source, ticks of the timeline).
    var spans: [(range: MediaTimeRange, ticks: Int64)]
    /// Ticks of the timeline.
    let start: Int64
    /// Whether the fade at its end is shorter than was asked for.
    var hasShortFade = false

    var ticks: Int64 { spans.reduce(0) { $0 + $1.ticks } }
    var end: Int64 { start + ticks }

    /// The item played once.
    init(_ item: AudioItem, _ name: String, _ asset: Asset) throws(MediaError) {
        guard let track = asset.usable(.audio) else {
            throw MediaError(
                code: .unsupported, subject: item.path,
                message: "\(name) has no audio that vcap can read")
        }
        let range = try track.span(from: item.start, to: item.end, name)
        let ticks = range.duration.ticks(per: Composition.timescale, rounding: .down)
        guard ticks > 0 else {
            throw .setting(name, "\(name) has no length; give it more of its source")
        }
        self.item = item
        self.name = name
        self.asset = asset
        self.track = track
        start = item.at.timelineTicks
        spans = [(range, ticks)]
    }

    /// Repeated, or cut, so that it ends with the film.
    mutating func fit(until end: Int64) throws(MediaError) {
        let span = spans[0]
        guard start < end else {
            throw .setting(
                name,
                "\(name) begins at \(item.at.spoken), but the film ends at "
                    + MediaTime.timeline(end).spoken)
        }
        let (whole, rest) = (end - start).quotientAndRemainder(dividingBy: span.ticks)
        let repeats = item.loops ? whole : min(whole, 1)
        guard repeats <= 10_000 else {
            throw .setting(
                name, "\(name) would be repeated \(repeats) times; at most 10000 are possible")
        }
        spans = Array(repeating: span, count: Int(repeats))
        if rest > 0, item.loops || whole == 0 {
            spans.append((span.range.cut(rest, of: span.ticks).0, rest))
        }
    }

    /// Music that lasts as long as the film does fades out over what a short film has of it.
    /// - Returns: whether that is less than was asked for.
    mutating func shortenFade() -> Bool {
        let left = max(0, ticks - item.fadeIn.timelineTicks)
        guard item.loops, item.fadeOut.timelineTicks > left else { return false }
        item.fadeOut = .timeline(left)
        return true
    }

    func checkFades() throws(MediaError) {
        let fades = item.fadeIn.timelineTicks + item.fadeOut.timelineTicks
        guard fades <= ticks else {
            throw .setting(
                name,
                "the fades of \(name) last \(MediaTime.timeline(fades).spoken) together, but it "
                    + "plays for \(MediaTime.timeline(ticks).spoken); shorten them")
        }
    }
}

extension TimelineBuilder {
    func placedVoices() throws(MediaError) -> [PlacedAudio] {
        var placed: [PlacedAudio] = []
        for (index, item) in timeline.voiceOvers.enumerated() {
            let name = ItemName.voiceOver(index, item)
            let audio = try PlacedAudio(item, name, asset(item.path, name))
            try audio.checkFades()
            placed.append(audio)
        }
        return placed
    }

    func placedMusic(until end: Int64) throws(MediaError) -> [PlacedAudio] {
        var placed: [PlacedAudio] = []
        for (index, item) in timeline.music.enumerated() {
            let name = ItemName.music(index, item)
            var audio = try PlacedAudio(item, name, asset(item.path, name))
            try audio.fit(until: end)
            audio.hasShortFade = audio.shortenFade()
            try audio.checkFades()
            placed.append(audio)
        }
        return placed
    }
}
