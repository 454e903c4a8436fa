/// A layer tree that is a track of its own: layer instructions name it as they name the composition's
/// video tracks, so that it lies under, between or over frames, and is moved, faded and cropped as
/// they are. Its frame has the size of the render area and is transparent where nothing is drawn.
public struct LayerTrack: Sendable, Hashable {
    /// None of the composition's.
    public var id: Int
    /// Its times are timeline times, its pixels those of the render area.
    public var layer: Layer

    public init(id: Int, layer: Layer) {
        self.id = id
        self.layer = layer
    }
}
