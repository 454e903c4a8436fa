import Capture
import Media

extension VideoInputSettings {
    /// With what a profile holds of the camera, which is set where nothing else is wanted.
    func following(_ profile: CameraProfile?, of device: CaptureDevice) -> VideoInputSettings {
        guard let profile else { return self }
        var settings = self
        settings.underlyingSettings = [profile.settings(of: device)]
        return settings
    }
}

/// Says what cameras made of settings where it is something else.
enum CameraWishes {
    /// - Parameters:
    ///   - device: as it was opened with these settings.
    ///   - orientation: what makes its frames upright.
    static func report(
        _ settings: VideoInputSettings, of device: CaptureDevice, _ discovery: DeviceDiscovery,
        orientation: VideoOrientation
    ) async throws {
        let (wanted, underlying) = (settings.cameraSettings, settings.underlyingSettings)
        guard !wanted.isEmpty || !underlying.isEmpty else { return }
        let granted = try await NamedThread.run("vcap-work") { () throws(MediaError) in
            try DeviceControls(of: device, discovery: discovery, orientation: orientation)
                .granted(wanted, over: underlying)
        }
        report(granted, of: device)
    }

    static func report(_ granted: [GrantedCameraSetting], of device: CaptureDevice) {
        for setting in granted where setting.granted != nil && setting.granted != setting.wanted {
            Console.shared.notice("\(device.name): \(setting)")
        }
    }
}
