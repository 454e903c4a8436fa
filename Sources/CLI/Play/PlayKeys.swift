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

        var words: String {
            switch self {
            case .toggle: "play or pause"
            case .faster: "forwards; again: 2, 4, 8 times as fast"
            case .pause: "pause"
            case .backwards: "backwards; again: 2, 4, 8 times as fast"
            case .frameBack: "a frame back"
            case .frameOn: "a frame on"
            case .secondBack: "a second back"
            case .secondOn: "a second on"
            case .tenBack: "ten seconds back"
            case .tenOn: "ten seconds on"
            case .start: "to the beginning"
            case .end: "to the last frame"
            case .previousCut: "to the cut or chapter before"
            case .nextCut: "to the next cut or chapter"
            case .goTo: "go to a time (3.2, 1:30, 00:01:30:12); Enter goes"
            case .setIn: "in: a part begins here"
            case .setOut: "out: the part ends behind this frame"
            case .mark: "set a marker"
            case .still: "write the frame (with --still-on-s)"
            case .louder: "louder"
            case .quieter: "quieter"
            case .mute: "audio off or on"
            case .loop: "begin again at the end, or not"
            case .fullScreen: "fill the screen with the window, or not"
            case .help: "this page"
            case .quit: "quit"
            }
        }
    }

    static func action(for key: Key) -> Action? {
        Action.allCases.first { $0.keys.contains(key) }
    }

    /// A page for people, a line each.
    static var page: [String] {
        let lines = Action.allCases.map { action in
            (action.keys.map(\.name).joined(separator: " or "), action.words)
        }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { "\($0.0.padded(to: width))  \($0.1)" }
    }
}

extension Key {
    fileprivate init(_ character: Character) { self.init(byte: character.asciiValue ?? 0) }
}
