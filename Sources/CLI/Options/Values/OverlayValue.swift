import Media

/// A clip over the film as it is typed: a file, perhaps a part of it, and keys:
/// `cam.mp4@5s..20s,at=3s,place=top-left,shadow`.
struct OverlayValue: Sendable, Equatable {
    /// All of it, which may be the name of a file.
    let text: String
    /// Without the keys.
    let file: String
    /// In order; a key without a value has an empty one.
    let keys: [Key]

    struct Key: Sendable, Equatable {
        let name: String
        let value: String
    }

    /// A chroma key before what is said of it.
    var keysInOrder: [Key] { keys.filter { $0.name == "key" } + keys.filter { $0.name != "key" } }
}

extension ValueKind where Value == OverlayValue {
    static var overlay: ValueKind {
        ValueKind(
            "CLIP[,KEY=VALUE]…",
            expected:
                "a clip such as cam.mp4, or with keys cam.mp4,at=3s,place=top-left,width=0.25",
            completion: .files
        ) { text in
            var parts = text.split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            var keys: [OverlayValue.Key] = []
            // a name may hold commas of its own
            while parts.count > 1, let last = parts.last, let key = OverlayValue.Key(typed: last) {
                keys.insert(key, at: 0)
                parts.removeLast()
            }
            let file = parts.joined(separator: ",")
            return file.isEmpty ? nil : OverlayValue(text: text, file: file, keys: keys)
        }
    }
}

extension OverlayValue.Key {
    /// `key=value`, or a word that needs no value.
    fileprivate init?(typed text: String) {
        let pair = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(pair[0])
        guard !name.isEmpty, name.allSatisfy({ $0.isASCII && ($0.isLowercase || $0 == "-") }),
            pair.count == 2 || ["shadow", "border", "reverse", "blend"].contains(name)
        else { return nil }
        self.init(name: name, value: pair.count == 2 ? String(pair[1]) : "")
    }
}
