import Compose
internal import Glibc
import Media

/// The titles of `--add-title`.
struct TitleWords {
    let arguments: Arguments

    func add(to timeline: inout Timeline) throws(CommandFailure) {
        if let name = try arguments(ComposeOptions.titleTheme),
            let theme = TitleTheme.named.first(where: { $0.name == name })?.theme
        {
            timeline.settings.theme = theme
        }
        for value in try arguments.all(ComposeOptions.addedTitle) {
            timeline.titles.append(try item(value))
        }
        if timeline.titles.isEmpty, arguments.isTyped(ComposeOptions.titleTheme.spec) {
            throw CommandFailure(
                .usage,
                "--title-theme is for titles, and there is none: give --title or --add-title, or leave it out"
            )
        }
    }

    private func item(_ value: TitleValue) throws(CommandFailure) -> TitleItem {
        var item = TitleItem(value.words)
        try TypedKey<TitleItem>.read(value.keys, of: Self.keys, into: &item) {
            refusal(value, $0)
        }
        guard !item.text.allSatisfy(\.isWhitespace) || item.image != nil || item.style.needsNoText
        else {
            throw refusal(value, "it is empty; give it a text or an image")
        }
        if let image = item.image, access(image, R_OK) != 0 {
            throw CommandFailure(
                .noInput,
                "cannot read the image \(image) of --add-title: "
                    + "\(String(cString: strerror(errno))); name a file that is there")
        }
        return item
    }

    private func refusal(_ value: TitleValue, _ reason: String) -> CommandFailure {
        let name = value.words.prefix { !$0.isNewline }.prefix(40)
        return CommandFailure(.usage, "--add-title \"\(name)\": \(reason)")
    }

    /// What `--add-title` knows.
    private static let keys: [TypedKey<TitleItem>] = [
        .init("style", .titleStyle) { $1.style = $0 },
        .init("at", .instant) { $1.at = $0 },
        .init("duration", .duration) { $1.duration = $0 },
        .text("image", "an image file") { $1.image = $0 },
        .text("font", "a family's name") { $1.look.family = $0 },
        .init("color", .color) { $1.look.color = $0 },
        .init("accent", .color) { $1.look.accent = $0 },
        .share("x", -4...4) { $1.placement.x = $0 },
        .share("y", -4...4) { $1.placement.y = $0 },
        .share("scale", 0...10) { $1.placement.scale = $0 },
        .share("rotation", -36_000...36_000) { $1.placement.rotation = $0 },
        .share("opacity", 0...1) { $1.placement.opacity = $0 },
    ]
}
