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
}

/// What an input was granted.
public struct CaptureGrant: Sendable {
    public let device: CaptureDevice
    public let format: FormatDescription
    /// What was chosen of what the device has, and why: one sentence for a person.
    public let explanation: String
}
