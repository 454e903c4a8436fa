internal import Media

extension Transition {
    /// Reads a transition as it is written for short: `cut`, `dissolve:1s` (or `crossfade:1s`),
    /// `push-left:500ms`, `wipe-up:1s` (`push:1s` and `wipe:1s` go left), `fade:1s` (through black),
    /// `fade-white:1s`, `fade-#336699:1s`. Nil when it is none.
    public init?(projectText text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        if text == "cut" {
            self = .cut
            return
        }
        guard parts.count == 2, let duration = MediaTime(projectText: parts[1]),
            duration > .zero, duration <= Composition.longestDuration
        else { return nil }
        let words = parts[0].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
            .map(String.init)
        let detail = words.count == 2 ? words[1] : nil
        switch (words[0], detail) {
        case ("dissolve", nil), ("crossfade", nil): self = .dissolve(duration)
        case ("push", nil): self = .push(.left, duration)
        case ("wipe", nil): self = .wipe(.left, duration)
        case ("push", let way?):
            guard let direction = Direction(rawValue: way) else { return nil }
            self = .push(direction, duration)
        case ("wipe", let way?):
            guard let direction = Direction(rawValue: way) else { return nil }
            self = .wipe(direction, duration)
        case ("fade", nil): self = .fade(duration)
        case ("fade", let name?):
            guard let color = Color(projectText: name) else { return nil }
            self = .fade(through: color, duration)
        default: return nil
        }
    }

    /// The short form; nil where only the long one says all.
    var projectText: String? {
        let length = ":" + duration.projectText + "s"
        // a rational has no unit
        let time = duration.projectText.contains("/") ? ":" + duration.projectText : length
        switch kind {
        case .cut: return "cut"
        case .dissolve: return "dissolve" + time
        case .push(let direction): return "push-\(direction.rawValue)" + time
        case .wipe(let direction, let softness):
            return softness == 0.02 ? "wipe-\(direction.rawValue)" + time : nil
        case .fade(let color):
            return color == .black ? "fade" + time : "fade-\(color.projectText)" + time
        }
    }
}
