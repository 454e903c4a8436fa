internal import Media

/// Still pictures, which have no time of their own: other programs take any part of an endless one.
extension OTIOReader {
    /// As `span`, of a still picture: it shows for as long as its range lasts, wherever that lies.
    func stillSpan(
        _ node: JSONValue, _ speed: Speed, _ name: String
    ) throws(JSONFailure) -> (start: MediaTime, end: MediaTime?, mediaStart: Int64) {
        let what = "the clip \(name)"
        let available = reference(of: node)?["available_range"]
        let begin = try time(available?["start_time"], "the start of \(what)'s media") ?? .zero
        let range = node["source_range"]
        let first = try time(range?["start_time"], "the start of \(what)") ?? begin
        let own = try time(range?["duration"], "the length of \(what)")
        let whole = try time(available?["duration"], "the length of \(what)'s media")
        guard let length = own ?? whole, length > .zero else {
            return (.zero, nil, first.timelineTicks)
        }
        let shown = speed == .normal ? length : .timeline(speed.source(length.timelineTicks))
        if let start = try? first.adding(-begin), start >= .zero,
            case let end = (try? start.adding(shown))
                ?? .timeline(start.timelineTicks + shown.timelineTicks),
            end <= Composition.longestDuration
        {
            return (start, end, begin.timelineTicks)
        }
        return (.zero, shown, first.timelineTicks)
    }
}

extension VideoItem {
    private static let stillEndings: Set<String> = [
        "png", "jpg", "jpeg", "tif", "tiff", "heic", "heif", "avif", "webp",
    ]

    /// Whether its file is one of a still picture, by its name.
    var isStillFile: Bool {
        guard generator == nil, sequence == nil, let dot = path.lastIndex(of: ".") else {
            return false
        }
        return Self.stillEndings.contains(path[path.index(after: dot)...].lowercased())
    }
}
