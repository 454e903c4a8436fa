internal import Media

/// How fast a clip plays, exactly: seconds of the source in a number of seconds of the film.
public struct Speed: Sendable, Hashable {
    /// Of the source (positive).
    public let numerator: Int32
    /// Of the film (positive).
    public let denominator: Int32

    /// - Precondition: both parts are positive.
    public init(_ numerator: Int32, per denominator: Int32 = 1) {
        // a rate in lowest terms is what this is as well
        let rate = FrameRate(numerator, per: denominator)
        self.numerator = rate.numerator
        self.denominator = rate.denominator
    }

    public static let normal = Speed(1)

    /// For printing only.
    public var approximate: Double { Double(numerator) / Double(denominator) }

    /// The length on the timeline of a length of the source, rounded down to the timeline's grid; nil
    /// when it does not fit.
    func ticks(of length: MediaTime) -> Int64? {
        let dividend =
            Int128(length.value) * Int128(Composition.timescale) * Int128(denominator)
        let divisor = Int128(length.timescale) * Int128(numerator)
        return Int64(exactly: dividend / divisor)
    }
}
