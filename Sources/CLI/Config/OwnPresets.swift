import Media

/// Presets of films of the user's own, from the configuration: the options of `compose` and `export` that say how a film is
/// coded, under a name for `--preset`.
struct OwnPresets: Sendable {
    /// By name, then option.
    private var presets: [String: [String: Arguments.Entry]] = [:]

    /// What one may hold.
    static let options =
        [ExportOptions.preset.spec] + CodingOptions.ofVideo + CodingOptions.ofAudio
        + [ExportOptions.loudness.spec, ExportOptions.networkReady.spec]

    /// - Parameter name: none of vcap's own.
    mutating func add(_ name: String, _ entries: [String: Arguments.Entry]) {
        presets[name] = entries
    }

    /// Whether a text can be a preset's name.
    static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 64 && !text.hasPrefix("-")
            && text.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil
                    || "-_.".unicodeScalars.contains($0)
            }
    }

    /// Puts what a chosen preset holds under what was typed.
    func apply(to arguments: inout Arguments) throws(CommandFailure) {
        let preset = ExportOptions.preset.spec
        guard let entry = arguments.entries[preset.long], let name = entry.texts.last,
            !ExportOptions.presetNames.contains(name)
        else { return }
        guard let own = presets[name] else {
            let known = ExportOptions.presetNames + presets.keys.sorted()
            let hint = nearest(to: name, among: known).map { "; did you mean \($0)?" } ?? ""
            throw .badValue(
                name, of: preset, expected: "one of " + known.joined(separator: ", "),
                entry.origin, arguments.verb, hint: hint)
        }
        var base = own[preset.long]?.texts.last ?? ExportOptions.presetNames[0]
        for (long, value) in own where arguments.entries[long]?.origin != .commandLine {
            if long == CodingOptions.codec.spec.long, value.texts.last == "copy" {
                base = "passthrough"
            } else {
                arguments.entries[long] = value
            }
        }
        arguments.entries[preset.long] = .init(texts: [base], origin: entry.origin)
        arguments.ownPreset = name
    }
}
