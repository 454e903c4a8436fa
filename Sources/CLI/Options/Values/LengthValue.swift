/// A length on the desk, and an angle.
extension ValueKind where Value == Double {
    /// `20mm`, `12cm` or `0.2m` (m).
    static var length: ValueKind {
        ValueKind("LENGTH", expected: "a length such as 20mm, 12cm or 0.2m, up to 100m") { text in
            for (unit, scale) in [("mm", 1000.0), ("cm", 100), ("m", 1)] where text.hasSuffix(unit)
            {
                guard let digits = scaledDecimal(text.dropLast(unit.count), scale: 6) else {
                    return nil
                }
                let metres = Double(digits) / 1e6 / scale
                return (1e-6...100).contains(metres) ? metres : nil
            }
            return nil
        }
    }

    /// `60deg` (degrees).
    static var fieldOfView: ValueKind {
        ValueKind("ANGLE", expected: "an angle from 1deg to 179deg such as 60deg") { text in
            guard text.hasSuffix("deg"), let digits = scaledDecimal(text.dropLast(3), scale: 3)
            else { return nil }
            let degrees = Double(digits) / 1000
            return (1...179).contains(degrees) ? degrees : nil
        }
    }
}
