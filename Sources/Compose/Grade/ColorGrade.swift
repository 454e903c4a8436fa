/// What is done to a clip's colours, in this order, once they are the film's: the table for its input, white balance and
/// exposure in linear light, contrast, saturation, lift, gamma and gain, curves, the table of its look, own effects.
public struct ColorGrade: Sendable, Hashable {
    /// A `.cube` file that makes the film's colours of those that the camera coded (default none).
    public var inputTable: String?
    /// How much warmer (mired as filters state it; below 0 colder; -100…100; default 0).
    public var temperature = 0.0
    /// Towards magenta (below 0 towards green; -100…100; default 0).
    public var tint = 0.0
    /// How much lighter (stops; -8…8; default 0).
    public var exposure = 0.0
    /// About middle grey (factor; 0…4; default 1).
    public var contrast = 1.0
    /// About the luma of each colour (factor; 0…4; default 1).
    public var saturation = 1.0
    /// What is added to black, and less of it the lighter a colour is (-1…1; default 0).
    public var lift = ChannelValues(0)
    /// What makes what lies between black and white lighter (exponent; 0.1…10; default 1).
    public var gamma = ChannelValues(1)
    /// What white becomes (factor; 0…8; default 1).
    public var gain = ChannelValues(1)
    /// Of red, green and blue alike (default none).
    public var curve: ToneCurve?
    /// After the curve of all (default none).
    public var redCurve: ToneCurve?
    public var greenCurve: ToneCurve?
    public var blueCurve: ToneCurve?
    /// A `.cube` file with a look (default none).
    public var table: String?
    /// How much of that look (0…1; default 1).
    public var tableStrength = 1.0
    /// Others, applied last.
    public var effects: [any ColorEffect] {
        get { own.map(\.effect) }
        set { own = newValue.map(HashedEffect.init) }
    }
    private var own: [HashedEffect] = []

    /// A grade that changes nothing.
    public init() {}

    /// Whether nothing changes.
    public var isEmpty: Bool {
        var plain = self
        if plain.table == nil || plain.tableStrength == 0 {
            (plain.table, plain.tableStrength) = (nil, 1)
        }
        if plain.curve == .identity { plain.curve = nil }
        if plain.redCurve == .identity { plain.redCurve = nil }
        if plain.greenCurve == .identity { plain.greenCurve = nil }
        if plain.blueCurve == .identity { plain.blueCurve = nil }
        return plain == ColorGrade()
    }

    /// The files it needs.
    var tablePaths: [String] { [inputTable, tableStrength > 0 ? table : nil].compactMap(\.self) }
}

/// An effect that can be compared.
private struct HashedEffect: Sendable, Hashable {
    let effect: any ColorEffect

    static func == (one: HashedEffect, other: HashedEffect) -> Bool {
        AnyHashable(one.effect) == AnyHashable(other.effect)
    }

    func hash(into hasher: inout Hasher) { effect.hash(into: &hasher) }
}

extension ColorGrade {
    /// A grade on the way to another one: each number by itself. Of two tables the first one stays until the other one
    /// is reached; a look that only one has comes or goes by its strength.
    /// - Parameter part: a curve may lead beyond 0…1; no number leaves what it can be.
    func mixed(_ other: ColorGrade, _ part: Double) -> ColorGrade {
        if part == 0 { return self }
        if part == 1 { return other }
        func number(
            _ path: KeyPath<ColorGrade, Double>, _ range: ClosedRange<Double>
        ) -> Double {
            self[keyPath: path].mixed(other[keyPath: path], part).clamped(range)
        }
        func channels(
            _ path: KeyPath<ColorGrade, ChannelValues>, _ range: ClosedRange<Double>
        ) -> ChannelValues {
            let mixed = self[keyPath: path].mixed(other[keyPath: path], part)
            return ChannelValues(
                red: mixed.red.clamped(range), green: mixed.green.clamped(range),
                blue: mixed.blue.clamped(range))
        }
        func curve(_ path: KeyPath<ColorGrade, ToneCurve?>) -> ToneCurve? {
            let (from, to) = (self[keyPath: path], other[keyPath: path])
            guard from != nil || to != nil else { return nil }
            return (from ?? .identity).mixed(to ?? .identity, part)
        }
        var grade = self
        grade.temperature = number(\.temperature, Self.whiteRange)
        grade.tint = number(\.tint, Self.whiteRange)
        grade.exposure = number(\.exposure, Self.exposureRange)
        grade.contrast = number(\.contrast, Self.factorRange)
        grade.saturation = number(\.saturation, Self.factorRange)
        grade.lift = channels(\.lift, Self.liftRange)
        grade.gamma = channels(\.gamma, Self.gammaRange)
        grade.gain = channels(\.gain, Self.gainRange)
        grade.curve = curve(\.curve)
        grade.redCurve = curve(\.redCurve)
        grade.greenCurve = curve(\.greenCurve)
        grade.blueCurve = curve(\.blueCurve)
        grade.table = table ?? other.table
        let strengths = (
            table == nil ? 0 : tableStrength, other.table == nil ? 0 : other.tableStrength
        )
        grade.tableStrength =
            grade.table == nil ? 1 : strengths.0.mixed(strengths.1, part).clamped(0...1)
        return grade
    }

    static let whiteRange = -100.0...100
    static let exposureRange = -8.0...8
    static let factorRange = 0.0...4
    static let liftRange = -1.0...1
    static let gammaRange = 0.1...10
    static let gainRange = 0.0...8
}

extension Double {
    fileprivate func clamped(_ range: ClosedRange<Double>) -> Double {
        Swift.min(range.upperBound, Swift.max(range.lowerBound, self))
    }
}
