/// One kind of option value: how it is written, read and completed.
struct ValueKind<Value: Sendable>: Sendable {
    /// Stands for the value in a synopsis ("DURATION").
    let placeholder: String
    /// What is expected, for errors ("a duration such as 90, 1m30s or 00:01:30").
    let expected: String
    let completion: Completion
    /// The value, or `nil` when the text is not one.
    let parse: @Sendable (String) -> Value?

    init(
        _ placeholder: String, expected: String, completion: Completion = .none,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.placeholder = placeholder
        self.expected = expected
        self.completion = completion
        self.parse = parse
    }
}

/// What a shell may offer for a value or operand.
enum Completion: Sendable, Equatable {
    case none
    case files
    case words([String])
}

extension ValueKind where Value == String {
    /// Any text that is not empty.
    static func text(_ placeholder: String, _ expected: String) -> ValueKind {
        ValueKind(placeholder, expected: expected) { $0.isEmpty ? nil : $0 }
    }

    static func path(_ placeholder: String = "PATH") -> ValueKind {
        ValueKind(placeholder, expected: "a path", completion: .files) { text in
            text.isEmpty || text.utf8.contains { $0 < 0x20 || $0 == 0x7F } ? nil : text
        }
    }

    /// One of a few words.
    static func choice(_ words: [String]) -> ValueKind {
        ValueKind(
            words.joined(separator: "|"), expected: "one of " + words.joined(separator: ", "),
            completion: .words(words)
        ) { words.contains($0) ? $0 : nil }
    }
}

extension ValueKind where Value == Int {
    static func integer(_ placeholder: String, in range: ClosedRange<Int>) -> ValueKind {
        ValueKind(
            placeholder,
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}
