internal import Media

extension ControlPlan {
    /// Settings that make a camera again what it is: in units where they say it to the driver's last unit, else by the
    /// names of its controls. What cannot be set, or is ruled by an automatic mode, is left out.
    /// - Parameter controls: as they are now.
    static func restoring(
        _ controls: [DeviceControl], of device: CaptureDevice
    ) -> [CameraSetting] {
        var settings: [CameraSetting] = []
        var said: Set<String> = []
        for setting in CameraSetting.present(among: controls) {
            guard let values = exactValues(of: setting, controls, device) else { continue }
            settings.append(setting)
            said.formUnion(values.map(\.name))
        }
        for control in controls where !said.contains(control.name) {
            guard let value = control.value, control.kind != .button, !control.isInactive,
                control.kind != .point,  // nothing looks at it
                !isRuled(control, among: controls), !isOff(control, for: said, controls)
            else { continue }
            let setting = CameraSetting.native(name: control.name, value: value)
            if exactValues(of: setting, controls, device) != nil { settings.append(setting) }
        }
        return settings
    }

    /// What a setting sets; `nil` where that is not what the camera has already, or cannot be set.
    private static func exactValues(
        of setting: CameraSetting, _ controls: [DeviceControl], _ device: CaptureDevice
    ) -> Values? {
        let values: Values
        do throws(MediaError) {
            values = try ControlPlan([setting], among: controls, of: device).values
        } catch { return nil }  // read-only, or a value that its own driver does not list
        let isExact = values.allSatisfy { name, value in
            controls.contains { $0.name == name && $0.value == value }
        }
        return isExact ? values : nil
    }

    /// Whether it is a mode that goes off by itself when what it rules is set.
    private static func isOff(
        _ mode: DeviceControl, for said: Set<String>, _ controls: [DeviceControl]
    ) -> Bool {
        guard let role = mode.role, role != .exposureMode, let ruled = ControlRoles.ruled[role]
        else {
            return false
        }
        return mode.value == 0 && controls.contains { $0.role == ruled && said.contains($0.name) }
    }

    private static func isRuled(
        _ control: DeviceControl, among controls: [DeviceControl]
    ) -> Bool {
        controls.contains { mode in
            guard let role = mode.role, let value = mode.value, let ruled = ControlRoles.ruled[role]
            else {
                return false
            }
            return ruled == control.role && ControlRoles.rank(role, value) == 2
        }
    }
}
