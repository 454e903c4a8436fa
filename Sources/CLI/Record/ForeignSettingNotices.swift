import Capture
import Media

/// Says what others have set, the same thing of a camera at most once a second: one may announce it with every frame.
struct ForeignSettingNotices {
    private static let rest = MediaTime.seconds(1)
    private var last: [String: MediaTime] = [:]

    /// - Parameter time: when the driver said so.
    /// - Returns: nil where it was said just now.
    mutating func words(
        for setting: CameraSetting, of device: CaptureDevice, at time: MediaTime
    ) -> String? {
        let key = "\(device.id) \(setting.name)"
        if let last = last[key], time - last < Self.rest { return nil }
        last[key] = time
        return
            "\(device.name): \(setting), not by this recording: another program or the camera itself has set it"
    }
}
