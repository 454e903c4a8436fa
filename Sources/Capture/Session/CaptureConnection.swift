public import Media

/// How an input's samples reach an output.
public struct CaptureConnection: Sendable, Hashable {
    /// Turn of the camera's pictures (default: none). Pixels are not touched: the format's
    /// orientation says it, and a movie carries it as its display matrix.
    public var rotation: VideoOrientation.Rotation
    /// Whether pictures are mirrored left to right before they are turned (default: no).
    public var isMirrored: Bool
    /// Whether samples pass (default: yes). `setEnabled` of the output changes it while running.
    public var isEnabled: Bool

    public init(
        rotation: VideoOrientation.Rotation = .none, isMirrored: Bool = false,
        isEnabled: Bool = true
    ) {
        self.rotation = rotation
        self.isMirrored = isMirrored
        self.isEnabled = isEnabled
    }

    var orientation: VideoOrientation {
        VideoOrientation(rotation: rotation, isMirrored: isMirrored)
    }
}
