/// An option of one value that was given more than once.
struct OverriddenOption: Sendable, Equatable {
    let name: String
    /// The value that counts.
    let value: String

    /// One sentence.
    var note: String { "\(name) is given more than once: \"\(value)\", the last one, counts" }
}

/// What a verb was asked: option values by origin, and operands.
struct Arguments: Sendable {
    /// Where a value was written, for errors.
    enum Origin: Sendable, Equatable {
        case commandLine
        case environment(variable: String)
        case file(path: String, key: String)
        /// A preset of the user's own, which was chosen.
        case preset(path: String, key: String)
    }

    struct Entry: Sendable, Equatable {
        var texts: [String]
        var origin: Origin
    }

    let verb: String
    var entries: [String: Entry] = [:]
    var operands: [String] = []
    /// Options of one value that were given others before on the command line, which do not count (`--size`).
    private(set) var overridden: [OverriddenOption] = []
    /// Devices under the user's own names, from the configuration.
    var aliases: [String: String] = [:]
    /// The user's own preset that was chosen, whose values are among the options.
    var ownPreset: String?
    /// What is to be done when the verb is done (`--then`); a list holds at most one.
    var following: [Arguments] = []
    /// The same as it was typed.
    var followingWords: [String] = []

    init(verb: String) {
        self.verb = verb
    }

    /// Takes a word of the command line.
    mutating func add(_ text: String, to option: OptionSpec) {
        var entry = entries[option.long] ?? .init(texts: [], origin: .commandLine)
        // as people append to a line they have: the last one counts
        if !option.isRepeatable, option.placeholder != nil {
            if let last = entry.texts.last, last != text {
                overridden.removeAll { $0.name == option.name }
                overridden.append(OverriddenOption(name: option.name, value: text))
            }
            entry.texts.removeAll()
        }
        entry.texts.append(text)
        entries[option.long] = entry
    }

    /// The value given, or the declared default, or `nil`.
    func callAsFunction<Value>(_ option: Option<Value>) throws(CommandFailure) -> Value? {
        if let entry = entries[option.spec.long] {
            guard let text = entry.texts.last else { return nil }
            return try read(text, option, entry.origin)
        }
        guard case .value(let text) = option.spec.fallback else { return nil }
        return option.kind.parse(text)
    }

    /// Every value given, in order.
    func all<Value>(_ option: Option<Value>) throws(CommandFailure) -> [Value] {
        guard let entry = entries[option.spec.long] else { return [] }
        var values: [Value] = []
        for text in entry.texts { values.append(try read(text, option, entry.origin)) }
        return values
    }

    func isOn(_ option: Switch) -> Bool { count(option) > 0 }

    /// Whether a document is asked for: here, or behind another verb, whose it is then.
    var writesJSON: Bool {
        isOn(StandardOptions.json) || following.contains { $0.isOn(StandardOptions.json) }
    }

    func count(_ option: Switch) -> Int { entries[option.spec.long]?.texts.count ?? 0 }

    private func read<Value>(
        _ text: String, _ option: Option<Value>, _ origin: Origin
    ) throws(CommandFailure) -> Value {
        if let value = option.kind.parse(text) { return value }
        throw .badValue(text, of: option.spec, expected: option.kind.expected, origin, verb)
    }
}

extension CommandFailure {
    /// An option's value that cannot be read, said with the place it was written in.
    static func badValue(
        _ text: String, of option: OptionSpec, expected: String, _ origin: Arguments.Origin,
        _ verb: String, hint: String = ""
    ) -> CommandFailure {
        switch origin {
        case .commandLine:
            CommandFailure(
                .usage,
                "\(option.name) takes \(expected), not \"\(text)\"\(hint); see vcap help \(verb)")
        case .environment(let variable):
            CommandFailure(
                .configuration,
                "the environment variable \(variable) takes \(expected), not \"\(text)\"\(hint)")
        case .file(let path, let key), .preset(let path, let key):
            CommandFailure(
                .configuration, "\(path): the key \(key) takes \(expected), not \"\(text)\"\(hint)")
        }
    }
}
