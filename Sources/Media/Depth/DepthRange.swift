/// How the codes of a depth image stand for distances, as photos have it: between a near and a far one, evenly, or
/// evenly in 1 / distance. A pure value.
///
/// Every `DepthFormat` has a range in which each of its values is a code of its own, and both mean the same distance:
/// nothing is rounded. Code 0 is *nothing is known* there, and *near* to a reader that does not know of it.
///
/// ```
///   metres (step s)    code = value            near 0,            far 65535 s      distance = code × s
///   1/m (step s)       code = 65536 - value    near 1/(65536 s),  far 1/s          1/distance = (65536 - code) × s
/// ```
///
/// Source: Dynamic Depth 1.0 (DepthMap); Google's Depthmap Metadata, Encoding.
package struct DepthRange: Sendable, Hashable {
    package enum Form: String, Sendable, Hashable, CaseIterable {
        /// Codes grow with the distance, evenly.
        case linear = "RangeLinear"
        /// Codes grow with the distance; they shrink evenly with 1 / distance.
        case inverse = "RangeInverse"
    }

    package let form: Form
    /// The distance of code 0, and of the largest one (m, where `isMetric`).
    package let near: Double
    package let far: Double
    /// Whether distances are metres; else they are known up to a factor.
    package let isMetric: Bool

    /// The range in which a format's values are exact.
    package init(of format: DepthFormat) {
        let step = format.unit.step
        let product = format.calibration.map(\.product)
        switch format.unit {
        case .metres: (form, near, far) = (.linear, 0, 65_535 * step)
        case .inverseMetres: (form, near, far) = (.inverse, 1 / (65_536 * step), 1 / step)
        case .pixels:
            let whole = product ?? 1
            (form, near, far) = (.inverse, whole / (65_536 * step), whole / step)
        }
        isMetric =
            format.accuracy == .absolute
            && (product != nil || !format.unit.countsPixels)
    }

    /// What a file states.
    /// - Returns: nil for one that none can be.
    package init?(_ form: Form, near: Double, far: Double, isMetric: Bool) {
        guard near.isFinite, far.isFinite, near >= 0, far > near, form == .linear || near > 0
        else { return nil }
        (self.form, self.near, self.far, self.isMetric) = (form, near, far, isMetric)
    }

    /// The code of a value of the format whose range this is, and the value of a code: the same change both ways.
    package func swapped(_ value: UInt16) -> UInt16 { form == .linear ? value : 0 &- value }

    /// What a code means to a reader that knows only the range (m, where `isMetric`).
    /// - Parameter largest: the largest code (255 or 65535).
    package func distance(of code: Int, largest: Int) -> Double {
        let part = Double(code) / Double(largest)
        switch form {
        case .linear: return near + part * (far - near)
        case .inverse: return far * near / (far - part * (far - near))
        }
    }

    /// A format that holds the distances of a range of which nothing more is known, each rounded once.
    /// - Returns: nil where no unit does.
    package var nearestFormat: DepthFormat? {
        let unit: DepthUnit =
            form == .linear ? .metres(far / 65_535) : .inverseMetres(1 / (near * 65_535))
        let format = DepthFormat(unit: unit, accuracy: isMetric ? .absolute : .relative)
        do throws(MediaError) { try format.validate() } catch { return nil }
        return format
    }

    /// The value of a code in that format.
    /// - Parameter isWanted: whether the format was asked for, so that it may have no value for a distance.
    package func value(
        of code: Int, largest: Int, in format: DepthFormat, isWanted: Bool = false
    ) -> UInt16 {
        let distance = distance(of: code, largest: largest)
        // a distance of nothing is one that is not known
        guard distance > 0 else { return 0 }
        let value = format.value(of: distance)
        return isWanted ? value : max(1, value)
    }

    /// Whether both mean the same, but for what numbers lose as text.
    package func agrees(with other: DepthRange) -> Bool {
        func isNear(_ one: Double, _ other: Double) -> Bool {
            abs(one - other) <= 1e-9 * max(abs(one), abs(other))
        }
        return form == other.form && isMetric == other.isMetric && isNear(near, other.near)
            && isNear(far, other.far)
    }
}

extension Double {
    /// Every digit it takes to be the same number again, and no exponent, which not every reader takes.
    package var plainText: String {
        let text = "\(self)"
        guard let mark = text.firstIndex(of: "e"), let power = Int(text[text.index(after: mark)...])
        else { return text }
        let sign = text.hasPrefix("-") ? "-" : ""
        let number = text[..<mark].drop { $0 == "-" }.split(separator: ".")
        let whole = String(number[0])
        let fraction = number.count > 1 && number[1] != "0" ? String(number[1]) : ""
        if power < 0 {
            return sign + "0." + String(repeating: "0", count: -power - 1) + whole + fraction
        }
        let zeros = String(repeating: "0", count: max(0, power - fraction.count))
        return sign + whole + fraction + zeros + ".0"
    }
}
