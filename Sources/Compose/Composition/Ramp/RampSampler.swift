/// A value that ramps express: straight between two of its kind.
protocol Rampable {
    /// - Parameter part: of the way from one to the other (0…1).
    static func between(_ from: Self, _ to: Self, _ part: Double) -> Self
    /// Whether nobody sees the difference to another one.
    func isNear(_ other: Self) -> Bool
    /// Whether a straight piece may lead to another one at all: not from one to its like, a whole turn later.
    func mayLead(to other: Self) -> Bool
}

extension Rampable {
    func mayLead(to other: Self) -> Bool { true }
}

/// Ramps for a value that changes in any way: straight pieces that differ from it by less than is seen. Where it is
/// straight itself one piece is enough, however long it lasts; where it is not, pieces end at the instants at which it
/// is asked for, so that it is exact there.
struct RampSampler {
    /// From one instant at which the value is asked for to the next: a film frame (ticks of the timeline; positive).
    let step: Int64
    /// One of these instants (ticks).
    var origin: Int64 = 0

    /// A straight piece of a value.
    struct Piece<Value> {
        /// Ticks, counted as the bends are.
        let start: Int64
        let end: Int64
        let from: Value
        let to: Value
    }

    /// - Parameters:
    ///   - bends: instants at which the value may bend or jump, the span's ends among them (ticks; rising).
    ///   - value: at an instant; true: what it comes to from before, where it jumps.
    func pieces<Value: Rampable>(
        _ bends: [Int64], _ value: (Int64, Bool) -> Value
    ) -> [Piece<Value>] {
        var pieces: [Piece<Value>] = []
        for (start, end) in zip(bends, bends.dropFirst()) where start < end {
            add(
                Piece(start: start, end: end, from: value(start, false), to: value(end, true)),
                to: &pieces, value)
        }
        return pieces
    }

    private func add<Value: Rampable>(
        _ piece: Piece<Value>, to pieces: inout [Piece<Value>], _ value: (Int64, Bool) -> Value
    ) {
        // quarters too: an even curve lies on its chord in the middle
        let tried = [2, 1, 3].compactMap { instant(at: $0, of: piece.start, piece.end) }
        let length = Double(piece.end - piece.start)
        let isStraight =
            piece.from.mayLead(to: piece.to)
            && tried.allSatisfy { tick in
                let part = Double(tick - piece.start) / length
                return Value.between(piece.from, piece.to, part).isNear(value(tick, false))
            }
        guard let tick = tried.first, !isStraight else { return pieces.append(piece) }
        let middle = value(tick, false)
        add(.init(start: piece.start, end: tick, from: piece.from, to: middle), to: &pieces, value)
        add(.init(start: tick, end: piece.end, from: middle, to: piece.to), to: &pieces, value)
    }

    /// The instant nearest to a quarter of a span and within it; nil: there is none in it.
    private func instant(at quarter: Int64, of start: Int64, _ end: Int64) -> Int64? {
        let wanted = start + (end - start) / 4 * quarter - origin
        let nearest = (Double(wanted) / Double(step)).rounded()
        let tick = origin + Int64(nearest) * step
        if tick <= start { return tick + step < end ? tick + step : nil }
        if tick >= end { return tick - step > start ? tick - step : nil }
        return tick
    }
}

extension RampSampler {
    /// For gains: every millisecond.
    static let audio = RampSampler(step: 705_600)
}

extension Double {
    /// The number that lies on the way to another one.
    func mixed(_ other: Double, _ part: Double) -> Double {
        part == 0 ? self : part == 1 ? other : self + (other - self) * part
    }
}

extension Double: Rampable {
    static func between(_ from: Double, _ to: Double, _ part: Double) -> Double {
        from.mixed(to, part)
    }

    /// Opacities and gains: an eighth of a step of eight bits.
    func isNear(_ other: Double) -> Bool { (self - other).magnitude < 1.0 / 2048 }
}

extension Rectangle {
    func mixed(_ other: Rectangle, _ part: Double) -> Rectangle {
        Rectangle(
            x: x.mixed(other.x, part), y: y.mixed(other.y, part),
            width: width.mixed(other.width, part), height: height.mixed(other.height, part))
    }
}

extension Transform2D {
    func mixed(_ other: Transform2D, _ part: Double) -> Transform2D {
        Transform2D(
            a: a.mixed(other.a, part), b: b.mixed(other.b, part), c: c.mixed(other.c, part),
            d: d.mixed(other.d, part), tx: tx.mixed(other.tx, part), ty: ty.mixed(other.ty, part))
    }
}

extension Color {
    func mixed(_ other: Color, _ part: Double) -> Color {
        func number(_ path: KeyPath<Color, Double>) -> Double {
            min(1, max(0, self[keyPath: path].mixed(other[keyPath: path], part)))
        }
        return Color(
            red: number(\.red), green: number(\.green), blue: number(\.blue),
            alpha: number(\.alpha))
    }
}
