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
    }

    private func item(_ value: TitleValue) throws(CommandFailure) -> TitleItem {
        var item = TitleItem(value.words)
        var seen: Set<String> = []
        for key in value.keys {
            guard seen.insert(key.name).inserted else {
                throw refusal(value, "\(key.name) is there twice")
            }
            guard let form = TitleKey.all.first(where: { $0.name == key.name }) else {
                let near = nearest(to: key.name, among: TitleKey.all.map(\.name))
                throw refusal(
                    value,
                    "it has no key \"\(key.name)\"; "
                        + (near.map { "did you mean \"\($0)\"?" }
                            ?? "it knows \(TitleKey.all.map(\.name).joined(separator: ", "))"))
            }
            guard form.read(key.value, &item) else {
                throw refusal(
                    value, "\(key.name) must be \(form.expected), not \"\(key.value)\"")
            }
        }
        guard !item.text.isEmpty || item.image != nil || item.style.needsNoText else {
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
}

/// A key of `--add-title`: what it holds, and where that goes.
private struct TitleKey: Sendable {
    let name: String
    let expected: String
    /// - Returns: whether the text is one.
    let read: @Sendable (String, inout TitleItem) -> Bool

    static let all: [TitleKey] = [
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

    private init<Value>(
        _ name: String, _ kind: ValueKind<Value>,
        _ put: @escaping @Sendable (Value, inout TitleItem) -> Void
    ) {
        self.name = name
        expected = kind.expected
        read = { text, item in
            guard let value = kind.parse(text) else { return false }
            put(value, &item)
            return true
        }
    }

    private static func text(
        _ name: String, _ expected: String,
        _ put: @escaping @Sendable (String, inout TitleItem) -> Void
    ) -> TitleKey {
        TitleKey(name, .text("TEXT", expected), put)
    }

    private static func share(
        _ name: String, _ range: ClosedRange<Double>,
        _ put: @escaping @Sendable (Double, inout TitleItem) -> Void
    ) -> TitleKey { TitleKey(name, .share(range), put) }
}
