internal import Media

/// Whether this program may use a device.
///
/// There is no "not determined": Linux asks nobody. Who may open a device's node, or reach the sound server, may use
/// the device; and the answer can change at any time (udev hands nodes to the user who sits at the machine).
public enum CaptureAuthorizationStatus: Sendable, Hashable {
    case authorized
    /// Not by this user: why, and what to do about it, as one sentence.
    case denied(String)
}

extension CaptureDevice {
    /// Whether this program may use the device now. Opens no device; a sound server is asked whether it answers, which
    /// blocks for milliseconds. A device that is gone is not denied: opening it says so.
    public var authorizationStatus: CaptureAuthorizationStatus {
        DeviceDiscovery().authorizationStatus(of: self)
    }
}

extension DeviceDiscovery {
    /// Whether this program may use a device now (see `CaptureDevice.authorizationStatus`).
    public func authorizationStatus(of device: CaptureDevice) -> CaptureAuthorizationStatus {
        do throws(MediaError) {
            return try provider(of: device).authorizationStatus(of: device)
        } catch {
            return .denied(error.message)
        }
    }
}
