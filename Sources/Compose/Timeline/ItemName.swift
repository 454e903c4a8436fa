/// How messages call an item: what it is, its number, and what it shows.
enum ItemName {
    static func clip(_ index: Int, _ item: VideoItem) -> String {
        named("clip \(index + 1)", item.name, item.label)
    }

    /// - Parameter count: of the clips of its track.
    static func overlay(_ track: Int, _ index: Int, of count: Int, _ item: VideoItem) -> String {
        named(
            count == 1 ? "overlay \(track + 1)" : "clip \(index + 1) of overlay \(track + 1)",
            item.name, item.label)
    }

    static func voiceOver(_ index: Int, _ item: AudioItem) -> String {
        named("voice-over \(index + 1)", item.name, item.path)
    }

    static func music(_ index: Int, _ item: AudioItem) -> String {
        named("music \(index + 1)", item.name, item.path)
    }

    static func title(_ index: Int, _ item: TitleItem) -> String {
        let line = item.text.prefix { !$0.isNewline }
        return "title \(index + 1) (\"\(line.prefix(40))\")"
    }

    static func chapter(_ index: Int, _ chapter: Chapter) -> String {
        "chapter \(index + 1) (\"\(chapter.title.prefix(40))\")"
    }

    static func subtitles(_ index: Int, _ item: SubtitleItem) -> String {
        named("subtitles \(index + 1)", nil, item.path)
    }

    static func keyframe(_ index: Int, of item: String) -> String {
        "key frame \(index + 1) of \(item)"
    }

    static func mask(of item: String) -> String { "the mask of \(item)" }

    static func effect(_ index: Int, of item: String) -> String {
        "effect \(index + 1) of \(item)"
    }

    static func transition(_ index: Int, _ item: VideoItem) -> String {
        transition(to: clip(index, item))
    }

    static func transition(to clip: String) -> String { "the transition to \(clip)" }

    private static func named(_ what: String, _ name: String?, _ path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return "\(what) (\(name ?? file))"
    }
}
