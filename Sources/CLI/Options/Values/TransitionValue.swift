import Compose

extension ValueKind where Value == Transition {
    /// As project files write it for short; a length that is not given is 1 s.
    static var transition: ValueKind {
        ValueKind(
            "KIND[:LENGTH]",
            expected:
                "a transition such as dissolve:1s, push-left:0.5s, wipe:1s, fade:1s or cut",
            completion: .words(["cut", "dissolve:1s", "push-left:1s", "wipe-left:1s", "fade:1s"])
        ) { text in
            Transition(projectText: text)
                ?? (text.contains(":") ? nil : Transition(projectText: text + ":1s"))
        }
    }
}
