public import Media

/// One exposure of a row of photos of one scene.
public enum BracketedExposure: Sendable, Hashable {
    /// Brighter or darker than the camera exposes now (EV; -10…10; 1 is twice the light).
    case targetBias(Double)
    /// Exposed for so long (seconds; positive).
    case duration(MediaTime)
}

/// How a photo of a bracket was exposed, as the camera took the setting.
public struct GrantedExposure: Sendable, Hashable {
    /// How long (seconds); `nil` where the camera keeps that to itself.
    public var duration: MediaTime?
    /// Against what the camera exposed before the row (EV); `nil` where only times were asked for.
    public var bias: Double?

    public init(duration: MediaTime?, bias: Double?) {
        self.duration = duration
        self.bias = bias
    }
}
