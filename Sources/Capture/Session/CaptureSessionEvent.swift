public import Media

/// What happens to a running session. Times are on the host clock.
public enum CaptureSessionEvent: Sendable {
    /// An input fell silent; the session waits for the same identity on any node.
    case interrupted(CaptureDevice, SourceInterruption)
    /// The device is back under its identity (its node may be another) and delivers again.
    case resumed(CaptureDevice, at: MediaTime)
    /// The device is back but could not be opened; it is tried again.
    case reopenFailed(CaptureDevice, MediaError)
    /// An input will deliver nothing any more.
    case ended(CaptureDevice, at: MediaTime)
    /// An output could not keep up and dropped frames.
    case pressure(CaptureDevice, SampleDrop)
    /// How hard the machine is pressed has changed, or is above nominal already when the session starts (only with a
    /// `PressureMonitor`).
    case systemPressure(PressureState, at: MediaTime)
    /// Something was given up because of that, or is as it was asked for again.
    case pressureStep(PressureStep)
    /// A camera was set otherwise by `CaptureSession.apply`: what it made of it, and when it had taken it.
    case settingsApplied(CaptureDevice, [GrantedCameraSetting], at: MediaTime)
    /// A camera was set otherwise than by `apply`: by another program, by itself, as by a button of its own, or by this
    /// program's own `DeviceControls` and `ExposureBracketing`; and when its driver said so.
    /// Drivers without control events say nothing. It is not set so again after a replug.
    case settingChangedByOthers(CaptureDevice, CameraSetting, at: MediaTime)
}

/// What an input was granted.
public struct CaptureGrant: Sendable {
    public let device: CaptureDevice
    public let format: FormatDescription
    /// What was chosen of what the device has, and why: one sentence for a person.
    public let explanation: String
    /// What makes its frames the picture that the first listener gets, in which points of interest lie (default:
    /// upright, of a microphone too).
    public let orientation: VideoOrientation

    init(
        device: CaptureDevice, format: FormatDescription, explanation: String,
        orientation: VideoOrientation = .upright
    ) {
        self.device = device
        self.format = format
        self.explanation = explanation
        self.orientation = orientation
    }
}
