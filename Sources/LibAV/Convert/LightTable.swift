/// A function of light from a millionth to 64 times diffuse white, within a thousandth of its argument.
struct LightTable: Sendable {
    /// Light below it has one value.
    static let least = Float(1) / Float(1 << 20)

    private static let bits: UInt32 = 13
    private static let first = least.bitPattern >> bits
    private static let last = Float(64).bitPattern >> bits

    private let values: [Float]

    init(_ body: (Double) -> Double) {
        values = (Self.first..<Self.last).map { index in
            let from = Double(Float(bitPattern: index << Self.bits))
            let to = Double(Float(bitPattern: (index + 1) << Self.bits))
            return Float(body((from + to) / 2))
        }
    }

    subscript(light: Float) -> Float {
        let index = Int(light.bitPattern >> Self.bits) - Int(Self.first)
        return values[max(0, min(values.count - 1, index))]
    }
}
