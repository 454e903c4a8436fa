/// One adjustable property of a device with its present value.
public struct DeviceControl: Sendable, Hashable {
    /// V4L2's name in snake case (`exposure_time_absolute`).
    public var name: String
    /// What the driver calls it.
    public var label: String
    public var kind: Kind
    /// Smallest and largest value.
    public var range: ClosedRange<Int64>
    /// Distance between values (positive; 1 where the driver says nothing).
    public var step: Int64
    public var defaultValue: Int64
    /// The present value; `nil` for buttons and write-only controls.
    public var value: Int64?
    /// Names of the values of a menu.
    public var menu: [MenuItem]
    /// Cannot be set at all.
    public var isReadOnly: Bool
    /// Has no effect now, because another control (an automatic mode) rules it.
    public var isInactive: Bool
    /// What it means; `nil` where its family does not say. Names differ between drivers, this does not.
    package var role: Role?

    /// Source: Linux's camera, user and flash control references.
    package enum Role: Sendable, Hashable {
        /// 100 µs each.
        case exposureTime
        /// A menu in which 0 is automatic, 1 manual, 2 shutter priority and 3 aperture priority.
        case exposureMode
        /// A menu whose labels are thousandths of an EV.
        case exposureBias
        case gain, automaticGain
        /// A larger value is nearer.
        case focus
        case automaticFocus
        /// Kelvin.
        case whiteBalance
        case automaticWhiteBalance
        /// A button.
        case whiteBalanceOnce
        /// A focal length in units of the driver's own.
        case zoom
        /// Seconds of arc.
        case pan, tilt
        case panSpeed, tiltSpeed
        /// A menu in which 0 is off and 2 is a torch.
        case torch
        /// A menu in which 0 is off, 1 is 50 Hz, 2 is 60 Hz and 3 automatic.
        case powerLine
        /// Where the automatic modes of `pointUses` look.
        case pointOfInterest
        /// Bits for automatic modes: `exposureUse`, `focusUse`.
        case pointUses
        /// An automatic mode of a value that has no setting of its own.
        case otherAutomatic
    }

    /// Bits of `pointUses`, as UVC has them (V4L2_UVC_REGION_OF_INTEREST_AUTO_*).
    static let exposureUse: Int64 = 1
    static let focusUse: Int64 = 8

    public enum Kind: String, Sendable, Hashable, Codable {
        case integer, boolean, menu, bitmask, button
        /// A place in the frame as the camera delivers it: x × 65,536 + y, in ten-thousandths of the sides.
        case point
    }

    public struct MenuItem: Sendable, Hashable {
        public var value: Int64
        public var label: String

        public init(value: Int64, label: String) {
            self.value = value
            self.label = label
        }
    }

    public init(
        name: String, label: String, kind: Kind, range: ClosedRange<Int64>, step: Int64 = 1,
        defaultValue: Int64, value: Int64?, menu: [MenuItem] = [], isReadOnly: Bool = false,
        isInactive: Bool = false
    ) {
        self.name = name
        self.label = label
        self.kind = kind
        self.range = range
        self.step = step
        self.defaultValue = defaultValue
        self.value = value
        self.menu = menu
        self.isReadOnly = isReadOnly
        self.isInactive = isInactive
    }
}
