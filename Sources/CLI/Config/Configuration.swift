import Media

/// What configuration files and the environment say, before the options say otherwise.
///
/// A file has one object per verb, with the verb's long options as keys, `aliases`: device selectors
/// under names of the user's own, and `presets`: those of films.
struct Configuration: Sendable {
    private(set) var aliases: [String: String] = [:]
    private var presets = OwnPresets()
    private var entries: [String: [String: Arguments.Entry]] = [:]  // by verb, then option

    private let commands: [Command]

    init(_ commands: [Command]) {
        self.commands = commands
    }

    /// Reads the files that are there, later ones over earlier ones.
    mutating func load(_ files: [String]) throws(CommandFailure) {
        for path in files {
            switch SmallFile.read(path, limit: 1 << 20) {
            case .absent: continue
            case .unreadable(let reason):
                throw CommandFailure(.configuration, "cannot read \(path): \(reason)")
            case .bytes(let bytes):
                try load(bytes, path)
            }
        }
    }

    /// Puts what is configured for the verb, and the environment's word over it, under the options.
    func apply(
        to arguments: inout Arguments, of command: Command, environment: [String: String]
    ) throws(CommandFailure) {
        arguments.aliases = aliases
        var lower = entries[command.name] ?? [:]
        for option in command.options where option.long != Command.help.spec.long {
            if let entry = try fromEnvironment(option, environment) { lower[option.long] = entry }
        }
        arguments.entries.merge(lower) { given, _ in given }
        if command.options.contains(where: { $0.long == ExportOptions.preset.spec.long }) {
            try presets.apply(to: &arguments)
        }
    }

    private mutating func load(_ bytes: [UInt8], _ path: String) throws(CommandFailure) {
        let root = try JSON5File.parse(bytes, named: path)
        guard let members = root.members else {
            throw CommandFailure(.configuration, "\(path) must hold one object of verbs")
        }
        for member in members {
            if member.key == "aliases" {
                try loadAliases(member.value, path)
            } else if member.key == "presets" {
                try loadPresets(member.value, path)
            } else if let command = commands.first(where: { $0.name == member.key }) {
                try load(member.value, of: command, path)
            } else {
                throw unknown(
                    member.key, among: commands.map(\.name) + ["aliases", "presets"], path)
            }
        }
    }

    private mutating func loadAliases(_ value: JSONValue, _ path: String) throws(CommandFailure) {
        guard let members = value.members else {
            throw CommandFailure(.configuration, "\(path): aliases must be an object of selectors")
        }
        for member in members {
            guard let selector = member.value.text, !selector.isEmpty else {
                throw CommandFailure(
                    .configuration, "\(path): the alias \(member.key) must be a device selector")
            }
            aliases[member.key] = selector
        }
    }

    private mutating func loadPresets(_ value: JSONValue, _ path: String) throws(CommandFailure) {
        guard let members = value.members else {
            throw CommandFailure(.configuration, "\(path): presets must be an object of presets")
        }
        for member in members {
            let key = "presets.\(member.key)"
            guard OwnPresets.isName(member.key), !ExportOptions.presetNames.contains(member.key)
            else {
                throw CommandFailure(
                    .configuration,
                    "\(path): \(key) "
                        + (OwnPresets.isName(member.key)
                            ? "has the name of a preset of vcap's: choose another"
                            : "is no name: use letters, digits, - and _"))
            }
            let own = try read(member.value, key, OwnPresets.options, path) {
                .preset(path: path, key: $0)
            }
            if let base = own[ExportOptions.preset.spec.long]?.texts.last,
                !ExportOptions.presetNames.contains(base)
            {
                throw CommandFailure(
                    .configuration,
                    "\(path): the key \(key).preset takes one of "
                        + ExportOptions.presetNames.joined(separator: ", ") + ", not \"\(base)\"")
            }
            presets.add(member.key, own)
        }
    }

    private mutating func load(
        _ value: JSONValue, of command: Command, _ path: String
    ) throws(CommandFailure) {
        let options = command.options.filter { $0.long != Command.help.spec.long }
        let read = try read(value, command.name, options, path) { .file(path: path, key: $0) }
        entries[command.name, default: [:]].merge(read) { _, later in later }
    }

    /// The options that an object holds.
    private func read(
        _ value: JSONValue, _ name: String, _ options: [OptionSpec], _ path: String,
        origin: (String) -> Arguments.Origin
    ) throws(CommandFailure) -> [String: Arguments.Entry] {
        guard let members = value.members else {
            throw CommandFailure(.configuration, "\(path): \(name) must be an object")
        }
        var read: [String: Arguments.Entry] = [:]
        for member in members {
            let key = "\(name).\(member.key)"
            guard let option = options.first(where: { $0.long == member.key }) else {
                throw unknown(key, among: options.map { "\(name).\($0.long)" }, path)
            }
            let texts = try texts(member.value, of: option, key, path)
            for text in texts {
                guard let expected = option.complaint(text) else { continue }
                throw .badValue(text, of: option, expected: expected, origin(key), name)
            }
            read[option.long] = .init(texts: texts, origin: origin(key))
        }
        return read
    }

    private func texts(
        _ value: JSONValue, of option: OptionSpec, _ key: String, _ path: String
    ) throws(CommandFailure) -> [String] {
        if option.placeholder == nil {
            if let isOn = value.boolean { return isOn ? [""] : [] }
            throw CommandFailure(.configuration, "\(path): the key \(key) must be true or false")
        }
        switch value.content {
        case .string(let text): return [text]
        case .number(let text):
            return [value.wholeNumber.map(String.init) ?? value.number.map { "\($0)" } ?? text]
        case .array(let values) where option.isRepeatable:
            var all: [String] = []
            for value in values { all += try texts(value, of: option, key, path) }
            return all
        case .object(let members) where option.isRepeatable:
            return members.compactMap { member in
                (member.value.wholeNumber.map(String.init) ?? member.value.text).map {
                    "\(member.key)=\($0)"
                }
            }
        default:
            throw CommandFailure(
                .configuration, "\(path): the key \(key) has a value of no use here")
        }
    }

    private func fromEnvironment(
        _ option: OptionSpec, _ environment: [String: String]
    ) throws(CommandFailure) -> Arguments.Entry? {
        let variable = Configuration.variable(for: option)
        guard let text = environment[variable], !text.isEmpty else { return nil }
        let origin = Arguments.Origin.environment(variable: variable)
        if option.placeholder == nil {
            let words = [
                "1": true, "true": true, "yes": true, "0": false, "false": false, "no": false,
            ]
            guard let isOn = words[text.lowercased()] else {
                throw .badValue(text, of: option, expected: "1 or 0", origin, "")
            }
            return .init(texts: isOn ? [""] : [], origin: origin)
        }
        if let expected = option.complaint(text) {
            throw .badValue(text, of: option, expected: expected, origin, "")
        }
        return .init(texts: [text], origin: origin)
    }

    /// The environment variable of an option: `--audio-codec` is `VCAP_AUDIO_CODEC`.
    static func variable(for option: OptionSpec) -> String {
        "VCAP_" + option.long.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    private func unknown(_ key: String, among known: [String], _ path: String) -> CommandFailure {
        let hint = nearest(to: key, among: known).map { "; did you mean \($0)?" } ?? ""
        return CommandFailure(.configuration, "\(path): unknown key \(key)\(hint)")
    }
}
