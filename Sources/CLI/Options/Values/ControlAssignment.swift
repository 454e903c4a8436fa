/// A camera control and the value it is to get.
struct ControlAssignment: Sendable, Equatable {
    /// The V4L2 name in snake case (`exposure_time_absolute`).
    let name: String
    let value: Int64
}

extension ValueKind where Value == ControlAssignment {
    /// `name=value`; on and off, true and false are 1 and 0.
    static var control: ValueKind {
        ValueKind("NAME=VALUE", expected: "a control such as exposure_time_absolute=200") { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            let name = parts[0].lowercased()
            guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }) else {
                return nil
            }
            let words: [String: Int64] = ["on": 1, "true": 1, "off": 0, "false": 0]
            let word = String(parts[1])
            guard let value = words[word] ?? Int64(word) else { return nil }
            return ControlAssignment(
                name: String(name.map { $0 == "-" ? "_" : $0 }), value: value)
        }
    }
}
