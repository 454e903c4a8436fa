/// One option of a verb, as the table declares it.
struct OptionSpec: Sendable {
    enum Default: Sendable, Equatable {
        case none
        /// The text that stands for the option when it is not given.
        case value(String)
        /// A default that is found at run time, described for people.
        case described(String)
    }

    let short: Character?
    let long: String
    /// Stands for the value; `nil` for a switch.
    let placeholder: String?
    /// The value where none is given (`--live` for `--live=google`), which then stands in the option's own word only.
    let bare: String?
    let summary: String
    let fallback: Default
    let isRepeatable: Bool
    let completion: Completion
    /// What is wrong with a value, said as what is expected; `nil` when it is fine.
    let complaint: @Sendable (String) -> String?

    /// As an error names it: "--fps".
    var name: String { "--\(long)" }

    /// Whether the word behind it is its value.
    var takesNextWord: Bool { placeholder != nil && bare == nil }
}

/// An option with a value.
struct Option<Value: Sendable>: Sendable {
    let spec: OptionSpec
    let kind: ValueKind<Value>

    init(
        _ short: Character? = nil, _ long: String, _ kind: ValueKind<Value>, _ summary: String,
        default fallback: OptionSpec.Default = .none, isRepeatable: Bool = false,
        bare: String? = nil
    ) {
        self.kind = kind
        spec = OptionSpec(
            short: short, long: long, placeholder: kind.placeholder, bare: bare, summary: summary,
            fallback: fallback, isRepeatable: isRepeatable, completion: kind.completion,
            complaint: { kind.parse($0) == nil ? kind.expected : nil })
    }
}

/// An option without a value; giving it more than once counts where that means something (`-vv`).
struct Switch: Sendable {
    let spec: OptionSpec

    init(
        _ short: Character? = nil, _ long: String, _ summary: String, isRepeatable: Bool = false
    ) {
        spec = OptionSpec(
            short: short, long: long, placeholder: nil, bare: nil, summary: summary,
            fallback: .none,
            isRepeatable: isRepeatable, completion: .none, complaint: { _ in nil })
    }
}
