public import Media

/// What a camera is to do, in units that do not depend on its driver. As words (`exposure=1/60s`) it is read and
/// written by `CameraSetting+Words.swift` alone.
public enum CameraSetting: Sendable, Hashable {
    case exposure(Exposure)
    /// Of an automatic exposure (EV).
    case exposureBias(Double)
    /// In the driver's own units (ISO, or a factor).
    case gain(Adjustment<Int64>)
    /// The lens position (0 nearest … 1 farthest of what the lens reaches).
    case focus(Adjustment<Double>)
    /// Where in the picture the automatic exposure looks.
    case exposurePoint(Adjustment<PointOfInterest>)
    /// Where in the picture the automatic focus looks.
    case focusPoint(Adjustment<PointOfInterest>)
    case whiteBalance(WhiteBalance)
    /// Against the widest angle (1 and more).
    case zoom(Double)
    /// Degrees; positive to the right.
    case pan(Double)
    /// Degrees; positive upwards.
    case tilt(Double)
    /// In the driver's own units; 0 stops.
    case panSpeed(Int64)
    /// In the driver's own units; 0 stops.
    case tiltSpeed(Int64)
    case torch(Bool)
    case powerLine(PowerLine)
    /// A control by its V4L2 name in snake case.
    case native(name: String, value: Int64)

    /// How long a frame is exposed, and who decides.
    public enum Exposure: Sendable, Hashable {
        case automatic
        /// As it is now.
        case manual
        /// The time is the user's, the aperture the camera's.
        case shutterPriority
        /// The aperture is the user's, the time the camera's.
        case aperturePriority
        case duration(MediaTime)
    }

    /// A value, or the camera's own choice.
    public enum Adjustment<Value: Sendable & Hashable>: Sendable, Hashable {
        case automatic
        case value(Value)
    }

    public enum WhiteBalance: Sendable, Hashable {
        case automatic
        /// Kelvin.
        case temperature(Int64)
        /// By what the camera sees at this moment, and then kept.
        case once
    }

    /// Lamps that flicker.
    public enum PowerLine: Int64, Sendable, Hashable, CaseIterable {
        case off, hz50, hz60, automatic
    }
}

/// A setting, and what a camera made of it.
public struct GrantedCameraSetting: Sendable, Hashable {
    /// What was asked for.
    public let wanted: CameraSetting
    /// What was read back; `nil` where it cannot be read, as a button.
    public let granted: CameraSetting?
    /// The V4L2 names of what was set.
    public let controls: [String]

    package init(wanted: CameraSetting, granted: CameraSetting?, controls: [String]) {
        self.wanted = wanted
        self.granted = granted
        self.controls = controls
    }
}

extension GrantedCameraSetting: CustomStringConvertible {
    /// `exposure=1/60s (the camera took 16.7ms)`.
    public var description: String {
        guard let granted, granted.description != wanted.description else {
            return wanted.description
        }
        return "\(wanted) (the camera took \(granted.valueText))"
    }
}
