public import Media

/// How an input's samples reach an output.
public struct CaptureConnection: Sendable, Hashable {
    /// Whether frames are first rotated as the device itself says (default: yes): a sensor's mounting
    /// (V4L2_CID_CAMERA_SENSOR_ROTATION), a movie's display matrix. `rotation` and `isMirrored` come
    /// on top of it.
    public var followsDevice: Bool
    /// Rotation of the frames (default: none). See `VideoDataOutput.rotationPolicy` for how it reaches the
    /// listener.
    public var rotation: VideoOrientation.Rotation
    /// Whether frames are mirrored left to right before they are rotated by `rotation` (default: no).
    public var isMirrored: Bool
    /// Most frames a second that pass, evenly by their times (default: all). What is left out is discarded by
    /// intent, not a drop; of audio nothing ever is.
    public var maximumRate: FrameRate?
    /// Whether samples pass (default: yes). `setEnabled` of the output changes it while running.
    public var isEnabled: Bool

    public init(
        rotation: VideoOrientation.Rotation = .none, isMirrored: Bool = false,
        followsDevice: Bool = true, maximumRate: FrameRate? = nil, isEnabled: Bool = true
    ) {
        self.followsDevice = followsDevice
        self.rotation = rotation
        self.isMirrored = isMirrored
        self.maximumRate = maximumRate
        self.isEnabled = isEnabled
    }

    /// What makes the frames of a device upright.
    func orientation(of device: VideoOrientation) -> VideoOrientation {
        let wanted = VideoOrientation(rotation: rotation, isMirrored: isMirrored)
        return followsDevice ? device.followed(by: wanted) : wanted
    }

    /// What happens to the frames of a device, and why, for a person.
    func explanation(of device: VideoOrientation) -> String {
        let result = orientation(of: device)
        let asked = rotation != .none || isMirrored
        switch (followsDevice, asked) {
        case (true, false):
            return device == .upright
                ? "not rotated: the device asks for no rotation"
                : "\(result.words), as the device asks for"
        case (true, true):
            return device == .upright
                ? "\(result.words) as asked for; the device asks for no rotation"
                : "\(result.words): what the device asks for, and then what was asked for"
        case (false, _):
            let own = device == .upright ? "" : ", though the device asks for \(device.words)"
            return "\(result.words) as asked for\(own)"
        }
    }
}

extension VideoOrientation {
    /// For a person.
    var words: String {
        switch (rotation, isMirrored) {
        case (.none, false): "not rotated"
        case (.none, true): "mirrored"
        case (let rotation, false): "rotated by \(rotation.rawValue) degrees clockwise"
        case (let rotation, true):
            "mirrored, then rotated by \(rotation.rawValue) degrees clockwise"
        }
    }
}
