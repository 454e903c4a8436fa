/// A function of light from a millionth to 128 times diffuse white, within a thousandth of its argument.
struct LightTable: Sendable {
    /// Light below it has one value.
    static let least = Float(1) / Float(1 << 20)

    let steps: LightSteps
    /// By the numbers of the steps.
    let values: [Float]

    init(_ body: (Double) -> Double) {
        steps = LightSteps(Self.least..<128, perDoubling: 1024)
        values = steps.middles.map { Float(body($0)) }
    }

    subscript(light: Float) -> Float { values[Int(steps.index(of: light))] }
}
