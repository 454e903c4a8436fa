/// How a frame must be rotated to be upright: mirrored first (left to right), then rotated.
/// These are the eight orientations of EXIF and of a display matrix.
public struct VideoOrientation: Sendable, Hashable, Codable {
    /// Clockwise turn (degrees; 0, 90, 180 or 270).
    public var rotation: Rotation
    /// Whether the frame is mirrored left to right before it is rotated.
    public var isMirrored: Bool

    public enum Rotation: Int, Sendable, Hashable, Codable, CaseIterable {
        case none = 0
        case clockwise90 = 90
        case half = 180
        case clockwise270 = 270
    }

    public init(rotation: Rotation = .none, isMirrored: Bool = false) {
        self.rotation = rotation
        self.isMirrored = isMirrored
    }

    public static let upright = VideoOrientation()

    /// Whether width and height change places.
    public var swapsAxes: Bool { rotation == .clockwise90 || rotation == .clockwise270 }

    /// What undoes it: how upright pixels must be turned to lie so.
    package var undone: VideoOrientation {
        // a mirror before a rotation is undone by the two of them again
        isMirrored
            ? self
            : VideoOrientation(
                rotation: Rotation(rawValue: (360 - rotation.rawValue) % 360) ?? .none)
    }

    /// This orientation followed by another one.
    public func followed(by next: VideoOrientation) -> VideoOrientation {
        // a mirror reverses the sense of a rotation that came before it
        let own = next.isMirrored ? (360 - rotation.rawValue) % 360 : rotation.rawValue
        let degrees = (own + next.rotation.rawValue) % 360
        return VideoOrientation(
            rotation: Rotation(rawValue: degrees) ?? .none,
            isMirrored: isMirrored != next.isMirrored)
    }
}
