import Detect
import Media

extension ValueKind where Value == Set<MetadataObjectType> {
    /// `codes`, `faces,bodies`, or `qr,ean13`.
    static var detected: ValueKind {
        let kinds = MetadataObjectType.codes.map(\.rawValue).sorted()
        let words = DetectedKinds.groups.map(\.word)
        return ValueKind(
            "WHAT",
            expected: "\(words.joined(separator: ", ")), or for some codes only "
                + "\(kinds.joined(separator: ", ")); several with commas between",
            completion: .words(words + kinds)
        ) { text in
            var types: Set<MetadataObjectType> = []
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let code = MetadataObjectType(rawValue: String(part))
                if let group = DetectedKinds.groups.first(where: { $0.word == part }) {
                    types.formUnion(group.types)
                } else if MetadataObjectType.codes.contains(code) {
                    types.insert(code)
                } else {
                    return nil
                }
            }
            return types
        }
    }
}

/// The words for what can be found.
enum DetectedKinds {
    static let groups: [(word: String, types: Set<MetadataObjectType>)] = [
        ("codes", MetadataObjectType.codes), ("faces", [.face]), ("bodies", [.humanBody]),
        ("cats", [.catHead]),
    ]

    /// What some types are together: "codes", "faces or cats".
    static func words(for types: Set<MetadataObjectType>) -> String {
        let words = groups.filter { !$0.types.isDisjoint(with: types) }.map(\.word)
        guard let last = words.last, words.count > 1 else { return words.first ?? "codes" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension ValueKind where Value == NormalizedRect {
    /// `0.25,0.25,0.5,0.5`.
    static var region: ValueKind {
        ValueKind(
            "X,Y,W,H",
            expected: "left edge, upper edge, width and height in parts of the frame, such as "
                + "0.25,0.25,0.5,0.5"
        ) { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let scale = 1_000_000
            let values = parts.compactMap { scaledDecimal($0, scale: 6) }
                .map { Double($0) / Double(scale) }
            guard parts.count == 4, values.count == 4 else { return nil }
            let rect = NormalizedRect(
                x: values[0], y: values[1], width: values[2], height: values[3])
            return rect.isPart ? rect : nil
        }
    }
}

extension ValueKind where Value == FrameRate {
    /// `5`, `0.5`, `30000/1001`.
    static var frameRate: ValueKind {
        ValueKind("RATE", expected: "frames per second such as 5, 0.5 or 30000/1001") { text in
            guard case .exactly(let rate) = ValueKind<WantedRate>.rate.parse(text) else {
                return nil
            }
            return rate
        }
    }
}
