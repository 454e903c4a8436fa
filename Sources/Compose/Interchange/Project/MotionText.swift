extension TimingCurve {
    private static let named: [(name: String, curve: TimingCurve)] = [
        ("linear", .linear), ("ease", .cubicBezier(0.25, 0.1, 0.25, 1)), ("ease-in", .easeIn),
        ("ease-out", .easeOut),
        ("ease-in-out", .easeInOut),
    ]

    /// Reads a curve's name (`linear`, `ease`, `ease-in`, `ease-out`, `ease-in-out`), or four numbers as style sheets write
    /// them: `cubic-bezier(0.2, 0, 0, 1)`, the first and third from 0 to 1. Nil when it is none.
    public init?(projectText text: String) {
        if let known = Self.named.first(where: { $0.name == text }) {
            self = known.curve
            return
        }
        guard text.hasPrefix("cubic-bezier("), text.hasSuffix(")") else { return nil }
        let parts = text.dropFirst(13).dropLast().split(
            separator: ",", omittingEmptySubsequences: false
        )
        .map { Double(String($0).trimmingSpaces) }
        guard parts.count == 4, let x1 = parts[0], let y1 = parts[1], let x2 = parts[2],
            let y2 = parts[3], (0...1).contains(x1), (0...1).contains(x2), y1.magnitude <= 100,
            y2.magnitude <= 100
        else { return nil }
        self = .cubicBezier(x1, y1, x2, y2)
    }

    /// As it is read.
    var projectText: String {
        Self.named.first { $0.curve == self }?.name
            ?? "cubic-bezier(\(x1), \(y1), \(x2), \(y2))"
    }
}

extension PictureMotion {
    /// With the words that projects and options have for them.
    public static let named: [(name: String, motion: PictureMotion)] = [
        ("in", .inwards), ("out", .outwards), ("left", .leftwards), ("right", .rightwards),
        ("up", .upwards), ("down", .downwards),
    ]

    /// Reads a direction by name, or two views: how much larger, and what of the picture is in the middle (per cent
    /// from the left and from the top), such as `1@50,50:1.4@70,30`. Nil when it is none.
    public init?(projectText text: String) {
        if let known = Self.named.first(where: { $0.name == text }) {
            self = known.motion
            return
        }
        let views = text.split(separator: ":", omittingEmptySubsequences: false)
            .map { View(projectText: $0) }
        guard views.count == 2, let from = views[0], let to = views[1] else { return nil }
        self.init(from: from, to: to)
    }
}

extension ClipMotion {
    /// Reads `none`, `auto`, or what `PictureMotion` reads.
    public init?(projectText text: String) {
        switch text {
        case "none": self = .none
        case "auto": self = .automatic
        default:
            guard let motion = PictureMotion(projectText: text) else { return nil }
            self = .views(motion)
        }
    }

    /// Its word; nil: it has none.
    var projectText: String? {
        switch self {
        case .none: "none"
        case .automatic: "auto"
        case .views(let motion): PictureMotion.named.first { $0.motion == motion }?.name
        }
    }
}

extension PictureMotion.View {
    /// Reads how much larger, and what of the picture is in the middle (per cent): `1.4@70,30`. Nil when it is none.
    public init?(projectText text: some StringProtocol) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let zoom = Double(parts[0]), (1...10).contains(zoom) else {
            return nil
        }
        let place = parts[1].split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0) }
        guard place.count == 2, let x = place[0], let y = place[1], (0...100).contains(x),
            (0...100).contains(y)
        else { return nil }
        self.init(zoom: zoom, x: x / 100, y: y / 100)
    }
}

extension String {
    /// Without spaces around it.
    fileprivate var trimmingSpaces: Substring {
        var text = drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}
