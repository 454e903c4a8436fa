import Detect
import Media

/// The options of `vcap slate`, as declared.
enum SlateOptions {
    static let title = Option<String>(
        nil, "title", .text("TEXT", "a text"), "what is filmed: the movie's title")
    static let scene = Option<String>(nil, "scene", .text("TEXT", "a text"), "the scene, such as 2")
    static let take = Option<String>(nil, "take", .text("TEXT", "a text"), "the take, such as 3")
    static let marker = Option<String>(
        nil, "marker", .text("TEXT", "a text"),
        "the words of the marker that it sets", default: .described("title, scene and take"))
    static let ask = Option<String>(
        nil, "ask", .choice(SlateAction.allCases.map(\.rawValue)),
        "what it asks a recording for; record --slate-allow says whether that is done")
    static let clock = Option<MediaTime>(
        nil, "clock", .duration,
        "a running clock of this length (1s to 1h) instead, as a movie for a telephone's screen: vcap align finds by it "
            + "how cameras that saw it lie to each other")
    static let output = Option<String>(
        "o", "output", .path(),
        "the file: .png or .svg for a code, .mp4 or .mov for a clock",
        default: .described("a code in characters on standard output"))
    static let overwrite = Switch("y", "overwrite", "replace an existing file")

    static let groups = [
        Command.Group(
            title: "What it says",
            options: [title.spec, scene.spec, take.spec, marker.spec, ask.spec, clock.spec]),
        Command.Group(title: "Output", options: [output.spec, overwrite.spec]),
        Command.Group(
            title: "Reporting", options: [StandardOptions.json.spec] + StandardOptions.messages),
    ]
}
