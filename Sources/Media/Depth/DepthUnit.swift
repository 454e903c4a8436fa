/// What one step of a depth map's values is.
public enum DepthUnit: Sendable, Hashable {
    /// Depth: the distance from the camera's plane, so many metres a step.
    case metres(Double)
    /// Disparity as 1 / distance, so many 1/m a step.
    case inverseMetres(Double)
    /// Disparity as a rectified pair of cameras sees it: how far a point of the left frame lies to the left of it
    /// in the right one, so many pixels of the map a step. How far away that is only a `DepthCalibration` says.
    case pixels(Double)

    /// Whether values grow with the distance or shrink.
    public var kind: DepthKind {
        if case .metres = self { .depth } else { .disparity }
    }

    /// What a step counts (m, 1/m or pixels).
    public var step: Double {
        switch self {
        case .metres(let step), .inverseMetres(let step), .pixels(let step): step
        }
    }

    /// Steps that a map can have (m, 1/m or pixels).
    static let steps = 1e-9...1e6
}

/// The two things that a depth map can count.
public enum DepthKind: String, Sendable, Hashable, CaseIterable {
    /// Grows with the distance.
    case depth
    /// Shrinks with the distance.
    case disparity
}

/// What two cameras that make a depth map must be for their disparity to be a distance.
public struct DepthCalibration: Sendable, Hashable {
    /// Distance of the optical centre from the image plane (pixels of the map; positive).
    public var focalLength: Double
    /// Distance of the two cameras from each other (metres; positive).
    public var baseline: Double

    /// - Parameters:
    ///   - focalLength: distance of the optical centre from the image plane (pixels of the map).
    ///   - baseline: distance of the two cameras from each other (metres).
    public init(focalLength: Double, baseline: Double) {
        self.focalLength = focalLength
        self.baseline = baseline
    }

    /// What disparity in pixels times distance in metres is (pixels × m).
    var product: Double { focalLength * baseline }
}
