/// How often an animation is shown.
enum LoopCount: Sendable, Equatable {
    case times(Int)
    /// As often as the file says.
    case file
}

extension ValueKind where Value == LoopCount {
    /// `3`, `file`.
    static var loopCount: ValueKind {
        ValueKind(
            "N|file", expected: "a number of times from 1 to 1000, or file",
            completion: .words(["file"])
        ) { text in
            if text == "file" { return .file }
            return Int(text).flatMap { (1...1000).contains($0) ? .times($0) : nil }
        }
    }
}
