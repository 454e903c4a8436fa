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
    /// What it means for exposure; `nil` for all others, and where its family does not say.
    package var role: Role?

    /// Controls that decide how long a frame is exposed. Names differ between drivers, these do not.
    package enum Role: Sendable, Hashable {
        /// 100 µs each.
        case exposureTime
        /// A menu in which 1 is manual.
        case exposureMode
        /// A menu whose labels are thousandths of an EV.
        case exposureBias
        case automaticGain
    }

    public enum Kind: String, Sendable, Hashable, Codable {
        case integer, boolean, menu, bitmask, button
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
