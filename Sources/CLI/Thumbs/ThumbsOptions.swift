import Compose
import Media

/// The options of `vcap thumbs`, as declared.
enum ThumbsOptions {
    static let output = Option<String>(
        "o", "output", .path(),
        "pictures numbered by %04d (.jpg, .png), or a storyboard for web players (.vtt, its sheets .jpg beside it); %n "
            + "is the input's name without its ending, %v a counter, strftime patterns are replaced, folders made",
        default: .value("%n-%04d.jpg"))
    static let overwrite = Switch("y", "overwrite", "replace existing files")
    static let every = Option<MediaTime>(
        nil, "every", .duration, "a picture after each such time",
        default: .described("10s, or a tenth of what is shorter than 100 s"))
    static let count = Option<Int>(
        "n", "count", .integer("N", in: 1...ThumbsPlan.most),
        "so many, from the middles of equal parts")
    static let at = Option<MediaTime>(
        nil, "at", .instant, "a picture at this time", isRepeatable: true)
    static let range = Option<TimeSpan>(
        nil, "range", .timeSpan, "only of this part", default: .described("all of it"))
    static let size = Option<PictureSize>(
        "s", "size", .size, "a box that pictures fit into; none is made larger (pixels)",
        default: .described("as large as they are; 160x160 for a storyboard"))

    static let groups = [
        Command.Group(
            title: "Pictures",
            options: [
                output.spec, overwrite.spec, every.spec, count.spec, at.spec, range.spec, size.spec,
                Verbs.mediaRoot.spec, VariableOptions.set.spec,
            ]),
        Command.Group(
            title: "Reporting", options: [StandardOptions.json.spec] + StandardOptions.messages),
    ]
}
