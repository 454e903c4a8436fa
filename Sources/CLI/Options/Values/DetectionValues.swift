import Detect
import Media

extension ValueKind where Value == Set<MetadataObjectType> {
    /// `codes`, or `qr,ean13`.
    static var codes: ValueKind {
        let words = MetadataObjectType.codes.map(\.rawValue).sorted()
        return ValueKind(
            "WHAT",
            expected:
                "codes for all of them, or some of \(words.joined(separator: ", ")) with commas "
                + "between",
            completion: .words(["codes"] + words)
        ) { text in
            if text == "codes" { return MetadataObjectType.codes }
            let parts = text.split(separator: ",", omittingEmptySubsequences: false)
            let types = Set(parts.map { MetadataObjectType(rawValue: String($0)) })
            return types.isSubset(of: MetadataObjectType.codes) ? types : nil
        }
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
