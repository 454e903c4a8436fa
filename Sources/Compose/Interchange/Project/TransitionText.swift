internal import Media

extension Transition {
    /// Reads a transition as it is written for short: `cut`, `dissolve:1s` (or `crossfade:1s`),
    /// `push-left:500ms`, `wipe-up:1s` (`push:1s` and `wipe:1s` go left), `fade:1s` (through black),
    /// `fade-white:1s`, `fade-#336699:1s`, `zoom:1s`, `zoom-out:1s`, `iris:1s`, `iris-close:1s`, and `luma-FILE:1s`, whose
    /// file ends at the last colon before the length. A curve may follow: `push-left:1s:ease-in-out`. Nil when it is
    /// none.
    public init?(projectText text: String) {
        if text == "cut" {
            self = .cut
            return
        }
        var rest = text[...]
        var curve = TimingCurve.linear
        // a length begins with a digit, a curve with a letter
        if let colon = rest.lastIndex(of: ":"),
            let found = TimingCurve(projectText: String(rest[rest.index(after: colon)...]))
        {
            (curve, rest) = (found, rest[..<colon])
        }
        let isOfFile = rest.hasPrefix("luma-")
        guard let colon = isOfFile ? rest.lastIndex(of: ":") : rest.firstIndex(of: ":"),
            let duration = MediaTime(projectText: String(rest[rest.index(after: colon)...])),
            duration > .zero, duration <= Composition.longestDuration
        else { return nil }
        let words = rest[..<colon].split(
            separator: "-", maxSplits: 1, omittingEmptySubsequences: false
        ).map(String.init)
        guard let kind = Kind(word: words[0], detail: words.count == 2 ? words[1] : nil) else {
            return nil
        }
        self.init(kind, duration: duration, curve: curve)
    }

    /// The short form; nil where only the long one says all, and of one's own.
    public var projectText: String? {
        let length = duration.projectText
        // a rational has no unit
        let time = ":" + length + (length.contains("/") ? "" : "s")
        let way = curve == .linear ? "" : ":" + curve.projectText
        return kind == .cut ? "cut" : kind.word.map { $0 + time + way }
    }
}

extension Transition.Kind {
    /// - Parameter detail: what stands behind the first dash.
    fileprivate init?(word: String, detail: String?) {
        switch (word, detail) {
        case ("dissolve", nil), ("crossfade", nil): self = .dissolve
        case ("push", nil): self = .push(.left)
        case ("wipe", nil): self = .wipe(.left, softness: 0.02)
        case ("push", let way?):
            guard let direction = Transition.Direction(rawValue: way) else { return nil }
            self = .push(direction)
        case ("wipe", let way?):
            guard let direction = Transition.Direction(rawValue: way) else { return nil }
            self = .wipe(direction, softness: 0.02)
        case ("fade", nil): self = .fade(through: .black)
        case ("fade", let name?):
            guard let color = Color(projectText: name) else { return nil }
            self = .fade(through: color)
        case ("zoom", nil): self = .zoom(ZoomTransition(.inward))
        case ("zoom", "out"): self = .zoom(ZoomTransition(.outward))
        case ("iris", nil): self = .iris(IrisTransition(.opening))
        case ("iris", "close"): self = .iris(IrisTransition(.closing))
        case ("luma", let path?) where !path.isEmpty: self = .luma(LumaTransition(path))
        default: return nil
        }
    }

    /// Without its length; nil where a word does not say all.
    fileprivate var word: String? {
        switch self {
        case .cut: "cut"
        case .dissolve: "dissolve"
        case .push(let direction): "push-\(direction.rawValue)"
        case .wipe(let direction, let softness):
            softness == 0.02 ? "wipe-\(direction.rawValue)" : nil
        case .fade(let color): color == .black ? "fade" : "fade-\(color.projectText)"
        case .zoom(let zoom): zoom.direction == .inward ? "zoom" : "zoom-out"
        case .iris(let iris):
            iris == IrisTransition(.opening)
                ? "iris" : iris == IrisTransition(.closing) ? "iris-close" : nil
        case .luma(let luma): luma == LumaTransition(luma.path) ? "luma-\(luma.path)" : nil
        case .custom: nil
        }
    }
}
