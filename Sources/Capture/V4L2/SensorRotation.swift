internal import CV4L2
internal import Media

/// How a camera's sensor is mounted, as its driver says.
///
/// Source: V4L2_CID_CAMERA_SENSOR_ROTATION (Linux 5.11): degrees *counter-clockwise* by which captured
/// frames must be rotated. Few drivers have it; USB cameras do not.
enum SensorRotation {
    /// What makes the frames upright; upright when the driver does not say.
    static func orientation(among controls: [V4L2Controls.Entry]) -> VideoOrientation {
        let entry = controls.first { $0.id == vcap_V4L2_CID_CAMERA_SENSOR_ROTATION }
        return orientation(degrees: entry?.control.value ?? 0)
    }

    /// To the nearest quarter turn.
    static func orientation(degrees: Int64) -> VideoOrientation {
        let clockwise = (360 - degrees % 360 + 360) % 360
        let quarter = (clockwise + 45) / 90 % 4 * 90
        return VideoOrientation(rotation: .init(rawValue: Int(quarter)) ?? .none)
    }
}
