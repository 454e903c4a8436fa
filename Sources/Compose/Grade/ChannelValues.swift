/// A number for each of red, green and blue.
public struct ChannelValues: Sendable, Hashable {
    public var red: Double
    public var green: Double
    public var blue: Double

    /// One for all.
    public init(_ all: Double) { (red, green, blue) = (all, all, all) }

    /// One for each.
    public init(red: Double, green: Double, blue: Double) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    var vector: SIMD3<Double> { SIMD3(red, green, blue) }
    var isEven: Bool { red == green && green == blue }

    func mixed(_ other: ChannelValues, _ part: Double) -> ChannelValues {
        ChannelValues(
            red: red.mixed(other.red, part), green: green.mixed(other.green, part),
            blue: blue.mixed(other.blue, part))
    }
}
