/// What is done to colours, as it is typed: `exposure=0.5,saturation=1.2`.
struct GradeValue: Sendable, Equatable {
    /// In order.
    let keys: [(name: String, value: String)]

    static func == (one: GradeValue, other: GradeValue) -> Bool {
        one.keys.map(\.name) == other.keys.map(\.name)
            && one.keys.map(\.value) == other.keys.map(\.value)
    }
}

extension ValueKind where Value == GradeValue {
    static var grade: ValueKind {
        ValueKind(
            "KEY=VALUE[,KEY=VALUE]…", expected: "keys such as exposure=0.5,saturation=1.2"
        ) { text in
            var keys: [(name: String, value: String)] = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let pair = part.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard pair.count == 2, !pair[0].isEmpty else { return nil }
                keys.append((String(pair[0]), String(pair[1])))
            }
            return GradeValue(keys: keys)
        }
    }
}
