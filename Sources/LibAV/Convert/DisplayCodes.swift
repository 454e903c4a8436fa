/// Codes of 16 bits for light up to a display's white, within a ten-thousandth of the code.
struct DisplayCodes: Sendable {
    /// Added to light, so that its steps are alike in the dark: there the root of half a step is a quarter of a code
    /// of ten bits.
    private static let lift: Float = 0x1p-16

    private let steps: LightSteps
    /// By `index(of:)`.
    let values: [UInt16]

    /// - Parameter code: 0…1, by light of 0…1.
    init(_ code: (Double) -> Double) {
        let steps = LightSteps(Self.lift..<1, perDoubling: 2048)
        self.steps = steps
        values = steps.middles.enumerated().map { index, middle in
            // no light and all of it are exact
            let inner = index == steps.count - 1 ? 1 : middle - Double(Self.lift)
            let light = index == 0 ? 0 : inner
            return UInt16((max(0, min(1, code(light))) * 65_535).rounded())
        }
    }

    /// Less than none is none, and more than 1 is 1.
    @inline(__always)
    func index(of light: Float) -> Int32 { steps.index(of: light + Self.lift) }
}
