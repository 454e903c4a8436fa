/// An effect on areas of clips as it is typed: `mosaic,x=0.4,y=0.3,width=0.2,height=0.3,clip=2`.
struct EffectValue: Sendable, Equatable {
    /// What is done.
    let word: String
    /// In order; a word has an empty value.
    let keys: [KeyText]

    /// Keys that need no value.
    private static let words: Set<String> = ["invert"]

    /// - Parameter text: as it is typed.
    fileprivate init?(typed text: String, of effects: [String]) {
        let (word, keys) = KeyText.split(text, words: Self.words, keepsFirst: true)
        guard effects.contains(word) else { return nil }
        (self.word, self.keys) = (word, keys)
    }
}

extension ValueKind where Value == EffectValue {
    /// - Parameter effects: their names.
    static func effect(_ effects: [String]) -> ValueKind {
        ValueKind(
            effects.joined(separator: "|") + "[,KEY=VALUE]…",
            expected:
                "\(effects.joined(separator: " or ")), perhaps with keys such as "
                + "\(effects[0]),x=0.4,y=0.3,width=0.2,height=0.3",
            completion: .words(effects)
        ) { EffectValue(typed: $0, of: effects) }
    }
}
