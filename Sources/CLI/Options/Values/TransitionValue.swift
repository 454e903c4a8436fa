import Compose

extension ValueKind where Value == Transition {
    /// As project files write it for short; a length that is not given is 1 s.
    static var transition: ValueKind {
        ValueKind(
            "KIND[:LENGTH[:CURVE]]",
            expected:
                "a transition such as dissolve:1s, push-left:0.5s:ease-in-out, wipe:1s, fade:1s, zoom:1s, "
                + "iris:1s, luma-PICTURE:1s or cut",
            completion: .words([
                "cut", "dissolve:1s", "push-left:1s", "wipe-left:1s", "fade:1s", "zoom:1s",
                "zoom-out:1s", "iris:1s", "iris-close:1s",
            ])
        ) { text in
            // a picture's name may have colons
            let isWhole = text.contains(":") && !text.hasPrefix("luma-")
            return Transition(projectText: text)
                ?? (isWhole ? nil : Transition(projectText: text + ":1s"))
        }
    }
}
