import Compose
import Media

/// A key of an option's value such as `at=3s`: what it holds, and where that goes.
struct TypedKey<Item>: Sendable {
    let name: String
    /// For messages, after "must be".
    let expected: String
    /// - Returns: whether the text is one.
    let read: @Sendable (String, inout Item) -> Bool

    init(
        _ name: String, expected: String,
        reading read: @escaping @Sendable (String, inout Item) -> Bool
    ) {
        (self.name, self.expected, self.read) = (name, expected, read)
    }

    init<Value>(
        _ name: String, expected: String, _ parse: @escaping @Sendable (String) -> Value?,
        _ put: @escaping @Sendable (Value, inout Item) -> Void
    ) {
        self.init(name, expected: expected) { text, item in
            guard let value = parse(text) else { return false }
            put(value, &item)
            return true
        }
    }

    init<Value>(
        _ name: String, _ kind: ValueKind<Value>,
        _ put: @escaping @Sendable (Value, inout Item) -> Void
    ) {
        self.init(name, expected: kind.expected, kind.parse, put)
    }

    /// A number of a range.
    static func share(
        _ name: String, _ range: ClosedRange<Double>,
        _ put: @escaping @Sendable (Double, inout Item) -> Void
    ) -> TypedKey { TypedKey(name, .share(range), put) }

    /// Any text that is not empty.
    static func text(
        _ name: String, _ expected: String, _ put: @escaping @Sendable (String, inout Item) -> Void
    ) -> TypedKey { TypedKey(name, .text("TEXT", expected), put) }

    /// A word that has no value.
    static func word(
        _ name: String, _ put: @escaping @Sendable (inout Item) -> Void
    ) -> TypedKey {
        TypedKey(name, expected: "without a value") { text, item in
            guard text.isEmpty else { return false }
            put(&item)
            return true
        }
    }

    /// Reads keys as they are typed, each once.
    /// - Parameter refusal: what is said of a reason.
    static func read(
        _ keys: [KeyText], of all: [TypedKey], into item: inout Item,
        refusal: (String) -> CommandFailure
    ) throws(CommandFailure) {
        var seen: Set<String> = []
        for key in keys {
            guard seen.insert(key.name).inserted else {
                throw refusal("\(key.name) is there twice")
            }
            guard let form = all.first(where: { $0.name == key.name }) else {
                let near = nearest(to: key.name, among: all.map(\.name))
                throw refusal(
                    "it has no key \"\(key.name)\"; "
                        + (near.map { "did you mean \"\($0)\"?" }
                            ?? "it knows \(all.map(\.name).joined(separator: ", "))"))
            }
            guard form.read(key.value, &item) else {
                throw refusal("\(key.name) must be \(form.expected), not \"\(key.value)\"")
            }
        }
    }
}

/// A key as it is typed behind a comma: `key=value`, or a word that needs no value.
struct KeyText: Sendable, Equatable {
    let name: String
    /// Empty of a word.
    let value: String

    /// - Parameter words: that need no value.
    init?(typed text: String, words: Set<String> = []) {
        // a space behind the comma is none of the name
        let typed = text.drop { $0 == " " }
        let pair = typed.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        name = pair.first.map(String.init) ?? ""
        value = pair.count == 2 ? String(pair[1]) : ""
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0 == "-") }),
            pair.count == 2 || words.contains(name)
        else { return nil }
    }

    /// A text's keys, from its end on, and what is before them, which may hold commas of its own.
    /// - Parameters:
    ///   - keepsFirst: whether the first part is no key, whatever it looks like.
    ///   - escapes: whether a backslash before a comma makes it the text's.
    static func split(
        _ text: String, words: Set<String> = [], keepsFirst: Bool, escapes: Bool = false
    ) -> (rest: String, keys: [KeyText]) {
        var parts =
            escapes
            ? Self.parts(of: text)
            : text.split(
                separator: ",", omittingEmptySubsequences: false
            ).map(String.init)
        var keys: [KeyText] = []
        while parts.count > (keepsFirst ? 1 : 0), let last = parts.last,
            let key = KeyText(typed: last, words: words)
        {
            keys.insert(key, at: 0)
            parts.removeLast()
        }
        return (parts.joined(separator: ","), keys)
    }

    /// Between commas that have no backslash before them.
    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var isEscaped = false
        for character in text {
            if character == ",", !isEscaped {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return parts
    }
}
