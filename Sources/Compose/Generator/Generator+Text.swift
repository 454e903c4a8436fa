internal import Media

extension Generator {
    /// Reads a generator as it is written for short: `color:#336699`, `gradient:white:#336699:45` (with its angle in
    /// degrees, or `radial`), `bars`, `bars:ebu`, `counter`, `counter:down`, `counter:1m`, `counter:down:10s` (with what
    /// it counts from). Nil when it is none.
    public init?(projectText text: String) {
        let words = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let rest = Array(words.dropFirst())
        switch words[0] {
        case "color":
            guard rest.count == 1, let color = Color(projectText: rest[0]) else { return nil }
            self = .color(color)
        case "gradient":
            guard let gradient = Gradient(words: rest) else { return nil }
            self = .gradient(gradient)
        case "bars":
            guard rest.count < 2, let bars = Bars(rawValue: rest.first ?? "smpte") else {
                return nil
            }
            self = .bars(bars)
        case "counter":
            guard let counter = Counter(words: rest) else { return nil }
            self = .counter(counter)
        default: return nil
        }
    }

    /// The short form; colours between two steps of 8 bits go to the nearer one.
    public var projectText: String {
        switch self {
        case .color(let color): "color:\(color.projectText)"
        case .gradient(let gradient):
            (["gradient"] + gradient.colors.map(\.projectText) + gradient.ending)
                .joined(separator: ":")
        case .bars(let bars): bars == .smpte ? "bars" : "bars:\(bars.rawValue)"
        case .counter(let counter):
            "counter" + (counter.direction == .down ? ":down" : "")
                + (counter.from.map { ":\($0.projectText)" + ($0.isDecimal ? "s" : "") } ?? "")
        }
    }

    /// The words with which the short forms begin.
    static let words = ["color", "gradient", "bars", "counter"]

    /// Its word.
    var word: String {
        switch self {
        case .color: "color"
        case .gradient: "gradient"
        case .bars: "bars"
        case .counter: "counter"
        }
    }
}

extension Generator.Gradient {
    fileprivate init?(words: [String]) {
        var words = words
        self.init([])
        if words.last == "radial" {
            shape = .radial
            words.removeLast()
        } else if let last = words.last, let angle = Double(last), (-360...360).contains(angle) {
            self.angle = angle
            words.removeLast()
        }
        colors = words.compactMap { Color(projectText: $0) }
        guard colors.count == words.count, (2...16).contains(colors.count) else { return nil }
    }

    /// What follows its colours.
    fileprivate var ending: [String] {
        if shape == .radial { return ["radial"] }
        return angle == 90 ? [] : [angle == angle.rounded() ? "\(Int(angle))" : "\(angle)"]
    }
}

extension Generator.Counter {
    fileprivate init?(words: [String]) {
        var rest = words[...]
        self.init()
        if let direction = rest.first.flatMap(Direction.init(rawValue:)) {
            self.direction = direction
            rest.removeFirst()
        }
        guard !rest.isEmpty else { return }
        // a clock has colons of its own
        guard let time = MediaTime(projectText: rest.joined(separator: ":")), time >= .zero,
            time < Composition.longestDuration
        else { return nil }
        from = time
    }
}

extension MediaTime {
    /// Whether its text is a decimal; a rational has no unit.
    fileprivate var isDecimal: Bool { !projectText.contains("/") }
}
