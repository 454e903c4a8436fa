internal import Media

extension CameraSetting {
    /// What controls that are there are set to, as far as there are words for it.
    /// - Parameter controls: as the camera has them now.
    package static func present(among controls: [DeviceControl]) -> [CameraSetting] {
        let settings =
            controls.compactMap { control in
                control.value.flatMap { setting(of: control, at: $0, among: controls) }
            } + points(among: controls)
        return names.compactMap { name in
            let all = settings.filter { $0.name == name }
            // an automatic mode that is on stands before the value
            return all.first { $0.valueText == "auto" } ?? all.first
        }
    }

    /// Where the automatic modes look that the camera can tie to a point.
    private static func points(among controls: [DeviceControl]) -> [CameraSetting] {
        guard let place = controls.first(where: { $0.role == .pointOfInterest })?.value,
            let control = controls.first(where: { $0.role == .pointUses }), let uses = control.value
        else { return [] }
        func adjustment(_ use: Int64) -> Adjustment<PointOfInterest>? {
            guard control.range.upperBound & use != 0 else { return nil }
            return uses & use == 0 ? .automatic : .value(PointOfInterest(code: place))
        }
        return [
            adjustment(DeviceControl.exposureUse).map { .exposurePoint($0) },
            adjustment(DeviceControl.focusUse).map { .focusPoint($0) },
        ].compactMap(\.self)
    }

    /// What a value of a control means; `nil` where another control says it.
    static func setting(
        of control: DeviceControl, at value: Int64, among controls: [DeviceControl]
    ) -> CameraSetting? {
        switch control.role {
        case .exposureMode:
            let time = controls.contains { $0.role == .exposureTime }
            return switch value {
            case 0: .exposure(.automatic)
            case 1: time ? nil : .exposure(.manual)
            case 2: time ? nil : .exposure(.shutterPriority)
            default: .exposure(.aperturePriority)
            }
        case .exposureTime:
            let mode = controls.first { $0.role == .exposureMode }?.value
            return mode == 0 || mode == 3
                ? nil : .exposure(.duration(.nanoseconds(value * 100_000)))
        case .exposureBias:
            let label = control.menu.first { $0.value == value }?.label
            return label.flatMap { Double($0) }.map { .exposureBias($0 / 1000) }
        case .gain: return .gain(.value(value))
        case .automaticGain: return value == 1 ? .gain(.automatic) : nil
        case .focus:
            let span = Double(control.range.upperBound - control.range.lowerBound)
            guard span > 0 else { return nil }
            return .focus(.value(Double(control.range.upperBound - value) / span))
        case .automaticFocus: return value == 1 ? .focus(.automatic) : nil
        case .whiteBalance: return .whiteBalance(.temperature(value))
        case .automaticWhiteBalance: return value == 1 ? .whiteBalance(.automatic) : nil
        case .zoom:
            guard control.range.lowerBound > 0 else { return nil }
            return .zoom(Double(value) / Double(control.range.lowerBound))
        case .pan: return .pan(Double(value) / 3600)
        case .tilt: return .tilt(Double(value) / 3600)
        case .panSpeed: return .panSpeed(value)
        case .tiltSpeed: return .tiltSpeed(value)
        case .torch: return .torch(value == 2)
        case .powerLine: return PowerLine(rawValue: value).map { .powerLine($0) }
        case .pointOfInterest:
            let uses = controls.first { $0.role == .pointUses }?.value ?? 0
            let point = Adjustment.value(PointOfInterest(code: value))
            if uses & DeviceControl.exposureUse != 0 { return .exposurePoint(point) }
            return uses & DeviceControl.focusUse != 0 ? .focusPoint(point) : nil
        case .whiteBalanceOnce, .otherAutomatic, .pointUses, nil: return nil
        }
    }

    /// A value in the setting's unit.
    static func text(
        of control: DeviceControl, at value: Int64, among controls: [DeviceControl]
    ) -> String {
        switch control.role {
        case .exposureTime:
            CameraSetting.exposure(.duration(.nanoseconds(max(1, value) * 100_000))).valueText
        default: setting(of: control, at: value, among: controls)?.valueText ?? "\(value)"
        }
    }

    static func stepText(of control: DeviceControl, _ setting: CameraSetting) -> String {
        let step = control.step
        return switch control.role {
        case .exposureTime:
            CameraSetting.exposure(.duration(.nanoseconds(step * 100_000))).valueText
        case .whiteBalance: "\(step)K"
        case .zoom: CameraSetting.zoom(Double(step) / Double(control.range.lowerBound)).valueText
        case .pan, .tilt: CameraSetting.pan(Double(step) / 3600).valueText
        default: "\(step)"
        }
    }
}
