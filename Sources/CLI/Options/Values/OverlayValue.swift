import Media

/// A clip over the film as it is typed: a file, perhaps a part of it, and keys:
/// `cam.mp4@5s..20s,at=3s,place=top-left,shadow`.
struct OverlayValue: Sendable, Equatable {
    /// All of it, which may be the name of a file.
    let text: String
    /// Without the keys.
    let file: String
    /// In order; a key without a value has an empty one.
    let keys: [KeyText]

    /// Keys that need no value, and `key` and `mask`, of which one is missed.
    fileprivate static let words: Set<String> = [
        "shadow", "border", "reverse", "blend", "key", "mask", "mask-invert",
    ]

    /// A chroma key before what is said of it.
    var keysInOrder: [KeyText] {
        keys.filter { $0.name == "key" } + keys.filter { $0.name != "key" }
    }
}

extension ValueKind where Value == OverlayValue {
    static var overlay: ValueKind {
        ValueKind(
            "CLIP[,KEY=VALUE]…",
            expected:
                "a clip such as cam.mp4, or with keys cam.mp4,at=3s,place=top-left,width=0.25",
            completion: .files
        ) { text in
            let (file, keys) = KeyText.split(text, words: OverlayValue.words, keepsFirst: true)
            return file.isEmpty ? nil : OverlayValue(text: text, file: file, keys: keys)
        }
    }
}
