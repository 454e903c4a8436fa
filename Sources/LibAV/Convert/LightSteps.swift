/// Amounts of light in steps of nearly the same proportion, by which tables are made. What lies beyond the ends belongs
/// to the outermost steps.
///
/// A step is what floats have in common that agree but for the lowest bits: its number costs no logarithm.
struct LightSteps: Sendable {
    let count: Int
    private let least: Float
    private let most: Float
    private let first: Int32
    /// Bits in which the floats of a step differ.
    private let bits: Int32

    /// - Parameters:
    ///   - range: between powers of two.
    ///   - perDoubling: how many steps it takes light to double: a power of two.
    init(_ range: Range<Float>, perDoubling: Int) {
        bits = Int32(Float.significandBitCount - perDoubling.trailingZeroBitCount)
        (least, most) = (range.lowerBound, range.upperBound.nextDown)
        first = Int32(bitPattern: least.bitPattern) >> bits
        count = Int(Int32(bitPattern: most.bitPattern) >> bits - first) + 1
    }

    /// Of the step that an amount belongs to: 0 or more and below `count`. What is no number belongs to the first.
    @inline(__always)
    func index(of light: Float) -> Int32 {
        // in these words each is one instruction of SSE
        let raised = light > least ? light : least
        let held = raised < most ? raised : most
        return Int32(bitPattern: held.bitPattern) &>> bits &- first
    }

    /// In the middle of every step.
    var middles: [Double] {
        (first..<first + Int32(count)).map { step in
            let from = Double(Float(bitPattern: UInt32(step) << UInt32(bits)))
            let to = Double(Float(bitPattern: UInt32(step + 1) << UInt32(bits)))
            return (from + to) / 2
        }
    }
}
