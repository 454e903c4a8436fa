public import Media

/// What a span of the film is made of.
public struct Instruction: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// Behind all layers.
    public var background: Color
    /// Front first.
    public var layers: [LayerInstruction]
    /// Tracks whose frames a custom compositor gets, with those of the layers, which it always gets; of the
    /// composition or layer tracks (default none).
    public var requiredSourceTrackIDs: [Int] = []
    /// The track that alone is the frame: the built-in compositor shows it as its layer here says (without one at
    /// the top left, in its own size) over the background, and a custom compositor is not asked (default nil).
    public var passthroughTrackID: Int?
    /// Whether the film's titles (`VideoComposition.animation`) lie over this span (default yes).
    public var enablePostProcessing = true

    public init(
        timeRange: MediaTimeRange, background: Color = .black, layers: [LayerInstruction] = []
    ) {
        self.timeRange = timeRange
        self.background = background
        self.layers = layers
    }
}

extension Instruction {
    /// Every track whose frames are needed, each once: those that are shown first.
    var sourceTrackIDs: [Int] {
        if let passthroughTrackID { return [passthroughTrackID] }
        var seen: Set<Int> = []
        return (layers.map(\.trackID) + requiredSourceTrackIDs).filter { seen.insert($0).inserted }
    }

    /// What the built-in compositor shows.
    var shownLayers: [LayerInstruction] {
        guard let id = passthroughTrackID else { return layers }
        return [layers.first { $0.trackID == id } ?? LayerInstruction(trackID: id)]
    }

    /// Whether a ramp of a layer goes from one value to another one, so that frames of one and the same picture
    /// may differ.
    public var containsTweening: Bool {
        shownLayers.contains(where: \.isTweening)
    }
}
