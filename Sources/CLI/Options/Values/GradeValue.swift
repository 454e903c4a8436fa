/// What is done to colours, as it is typed: `exposure=0.5,saturation=1.2`.
struct GradeValue: Sendable, Equatable {
    /// In order.
    let keys: [KeyText]
}

extension ValueKind where Value == GradeValue {
    static var grade: ValueKind {
        ValueKind(
            "KEY=VALUE[,KEY=VALUE]…", expected: "keys such as exposure=0.5,saturation=1.2"
        ) { text in
            var keys: [KeyText] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let key = KeyText(typed: String(part)) else { return nil }
                keys.append(key)
            }
            return GradeValue(keys: keys)
        }
    }
}
