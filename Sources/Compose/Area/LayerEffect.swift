public import Media

/// An effect on an area of a layer's frame.
public struct LayerEffect: Sendable, Hashable {
    public var effect: any AreaEffect
    /// In order of time. Empty: all of the frame.
    public var areas: [AreaRamp]

    public init(_ effect: any AreaEffect, areas: [AreaRamp] = []) {
        (self.effect, self.areas) = (effect, areas)
    }

    /// At an instant of the timeline; nil: all of the frame.
    public func area(at time: MediaTime) -> FrameArea? { areas.value(at: time) }

    public static func == (one: LayerEffect, other: LayerEffect) -> Bool {
        one.areas == other.areas && one.effect.isEqual(to: other.effect)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(areas)
        hasher.combine(effect)
    }
}

extension AreaEffect {
    /// Whether another one, perhaps of another kind, does the same.
    func isEqual(to other: any AreaEffect) -> Bool { other as? Self == self }
}
