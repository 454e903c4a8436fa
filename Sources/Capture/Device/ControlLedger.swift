package import Media

/// What the controls of a running camera are known to be set to, by which what others change is known from what this
/// program sets. A pure value.
///
/// Drivers announce a change to everybody, some of them also what follows from a change of one's own: a mode that is
/// switched on or off brings the value that it rules. Announcements may be read before or after the call that caused them returned.
struct ControlLedger: Sendable {
    /// As a driver announces it.
    struct Notice: Sendable, Hashable {
        let name: String
        let value: Int64
        /// On the host clock.
        let time: MediaTime
    }

    private var known: [String: DeviceControl] = [:]
    private var order: [String] = []
    /// Calls of this program's own that have not returned.
    private var underway = 0
    /// What came meanwhile.
    private var pending: [Notice] = []
    /// Until when what is announced of a control is this program's own doing (host clock).
    private var settled: [String: MediaTime] = [:]

    /// - Parameter controls: as they are now.
    init(_ controls: [DeviceControl]) {
        order = controls.map(\.name)
        for control in controls { known[control.name] = control }
    }

    /// - Returns: what somebody else did, if that is what it is, and if that is known already.
    mutating func take(_ notice: Notice) -> ControlChange? {
        guard underway == 0 else {
            pending.append(notice)
            return nil
        }
        // announced before an own setting was read back: as it was, or what the mode that was set first brought
        if let own = settled[notice.name], notice.time <= own { return nil }
        guard var control = known[notice.name], !control.isReadOnly,
            control.kind == .button || control.value != notice.value
        else { return nil }
        let isButton = control.kind == .button
        if !isButton { control.value = notice.value }
        known[notice.name] = control
        let native = CameraSetting.native(name: notice.name, value: isButton ? 1 : notice.value)
        let words = CameraSetting.setting(
            of: control, at: notice.value, among: order.compactMap { known[$0] })
        return ControlChange(setting: words ?? native, time: notice.time)
    }

    /// This program is about to set controls.
    mutating func begin() { underway += 1 }

    /// It has, or was refused.
    /// - Parameters:
    ///   - names: what it set.
    ///   - controls: as they are now.
    ///   - time: when they were read (host clock).
    /// - Returns: what somebody else did meanwhile.
    mutating func end(
        _ names: Set<String>, now controls: [DeviceControl], at time: MediaTime
    ) -> [ControlChange] {
        // a mode that is set says what it rules, whether that changes or not
        let roles = ControlRoles(controls)
        let ruled = Set(names.compactMap { roles[$0].flatMap { ControlRoles.ruled[$0] } })
        for control in controls {
            let isOther = known[control.name]?.isInactive != control.isInactive
            let isRuled = control.role.map(ruled.contains) ?? false
            guard names.contains(control.name) || isRuled || isOther else { continue }
            known[control.name] = control
            settled[control.name] = time
        }
        underway -= 1
        guard underway == 0 else { return [] }
        let waiting = pending.filter { notice in
            // one's own button
            !(names.contains(notice.name) && known[notice.name]?.kind == .button)
        }
        pending = []
        return waiting.compactMap { take($0) }
    }
}

/// A control of a camera that somebody else has changed: another program, or the camera's own button.
package struct ControlChange: Sendable, Hashable {
    /// What it is now, in units where there are words for it.
    package let setting: CameraSetting
    /// When the driver said so (host clock).
    package let time: MediaTime
}
