public import Media

/// What a span of the film is made of.
public struct Instruction: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// Behind all layers.
    public var background: Color
    /// Front first.
    public var layers: [LayerInstruction]

    public init(
        timeRange: MediaTimeRange, background: Color = .black, layers: [LayerInstruction] = []
    ) {
        self.timeRange = timeRange
        self.background = background
        self.layers = layers
    }
}
