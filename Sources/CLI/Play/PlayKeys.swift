/// What the keys of a player do.
enum PlayKeys {
    enum Action: Sendable, Equatable, CaseIterable {
        case toggle, faster, pause, backwards
        case frameBack, frameOn, secondBack, secondOn, tenBack, tenOn
        case start, end, previousCut, nextCut, goTo
        case setIn, setOut, mark, still
        case louder, quieter, mute, loop
        case fullScreen, help, quit

        var keys: [Key] {
            switch self {
            case .toggle: [Key(" ")]
            case .faster: [Key("l")]
            case .pause: [Key("k")]
            case .backwards: [Key("j")]
            case .frameBack: [Key(",")]
            case .frameOn: [Key(".")]
            case .secondBack: [Key(.left)]
            case .secondOn: [Key(.right)]
            case .tenBack: [Key(.down)]
            case .tenOn: [Key(.up)]
            case .start: [Key("0")]
            case .end: [Key("9")]
            case .previousCut: [Key("p")]
            case .nextCut: [Key("n")]
            case .goTo: [Key("g")]
            case .setIn: [Key("i"), Key("[")]
            case .setOut: [Key("o"), Key("]")]
            case .mark: [Key("m")]
            case .still: [Key("s")]
            case .louder: [Key("+"), Key("=")]
            case .quieter: [Key("-")]
            case .mute: [Key("a")]
            case .loop: [Key("r")]
            case .fullScreen: [Key("f")]
            case .help: [Key("?")]
            case .quit: [Key("q")]
            }
        }
    }

    static func action(for key: Key) -> Action? {
        Action.allCases.first { $0.keys.contains(key) }
    }

    /// A page for people, a line each.
    static let page: [String] = {
        let lines = [
            ("space", "play or pause"),
            ("j k l", "back, pause, forwards; again: 2, 4, 8 times as fast"),
            ("left right", "a second back or on"),
            ("down up", "ten seconds back or on"),
            (", .", "a frame back or on"),
            ("0 9", "to the beginning, to the last frame"),
            ("p n", "to the cut or chapter before, to the next one"),
            ("g", "go to a time (3.2, 1:30, 00:01:30:12); Enter goes"),
            ("i o", "in: a part begins here; out: it ends with this frame"),
            ("[ ]", "in and out, too"),
            ("m", "set a marker"),
            ("s", "write the frame (with --still-on-s)"),
            ("+ = - a", "louder, quieter, audio off or on"),
            ("r", "begin again at the end, or not"),
            ("f", "fill the screen with the window, or not"),
            ("? q", "this page; quit"),
        ]
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { "\($0.0.padded(to: width))  \($0.1)" }
    }()
}

extension Key {
    fileprivate init(_ character: Character) { self.init(byte: character.asciiValue ?? 0) }
}
