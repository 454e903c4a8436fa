/// What the controls of one camera mean, and which of them rules which. A pure value.
struct ControlRoles: Sendable {
    typealias Item = (name: String, value: Int64)

    private let roles: [String: DeviceControl.Role]

    init(_ controls: [DeviceControl]) {
        roles = Dictionary(
            controls.compactMap { control in control.role.map { (control.name, $0) } }
        ) { first, _ in first }
    }

    subscript(name: String) -> DeviceControl.Role? { roles[name] }

    /// The values that automatic modes rule.
    static let ruled: [DeviceControl.Role: DeviceControl.Role] = [
        .exposureMode: .exposureTime, .automaticGain: .gain, .automaticFocus: .focus,
        .automaticWhiteBalance: .whiteBalance,
    ]

    /// 0 is switched off before values are set, 1 is a value, 2 is switched on behind them.
    static func rank(_ role: DeviceControl.Role?, _ value: Int64) -> Int {
        switch role {
        case .exposureMode: [1, 2].contains(value) ? 0 : 2
        case .automaticGain, .automaticFocus, .automaticWhiteBalance, .otherAutomatic:
            value == 0 ? 0 : 2
        default: 1
        }
    }

    func rank(_ item: Item) -> Int { Self.rank(roles[item.name], item.value) }

    /// What is ruled by a mode that is switched on.
    func ruled(by item: Item) -> DeviceControl.Role? {
        rank(item) == 2 ? roles[item.name].flatMap { Self.ruled[$0] } : nil
    }

    /// Whether what is set above takes an item back: the same control, an automatic mode that rules it, or a value that
    /// it would rule.
    func isOverruled(_ item: Item, by above: [Item]) -> Bool {
        let ownRuled = ruled(by: item)
        return above.contains { other in
            if other.name == item.name { return true }
            if let role = roles[item.name], ruled(by: other) == role { return true }
            return ownRuled != nil && ownRuled == roles[other.name]
        }
    }
}
