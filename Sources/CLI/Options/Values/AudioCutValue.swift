import Compose

/// An audio cut as it is typed: `j:500ms`, `l:1s,crossfade=200ms,clip=3`.
struct AudioCutValue: Sendable, Equatable {
    let cut: AudioCut
    /// In order.
    let keys: [KeyText]
}

extension ValueKind where Value == AudioCutValue {
    static var audioCut: ValueKind {
        ValueKind(
            "j:LENGTH|l:LENGTH|crossfade:LENGTH[,KEY=VALUE]…",
            expected: "an audio cut such as j:500ms, l:1s or crossfade:200ms, perhaps with clip=2",
            completion: .words(["j:500ms", "l:500ms", "crossfade:200ms"])
        ) { text in
            let (word, keys) = KeyText.split(text, keepsFirst: true)
            return AudioCut(projectText: word).map { AudioCutValue(cut: $0, keys: keys) }
        }
    }
}
