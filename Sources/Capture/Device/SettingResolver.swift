internal import Media

/// Finds the controls of a camera that a setting means, and their values. A pure value.
struct SettingResolver: Sendable {
    typealias Values = ControlPlan.Values

    let controls: [DeviceControl]
    let device: CaptureDevice

    /// The value last; before it what must go off for it.
    func values(of setting: CameraSetting) throws(MediaError) -> Values {
        switch setting {
        case .exposure(let exposure): return try exposureValues(exposure, setting)
        case .exposureBias(let bias): return try biasValues(bias, setting)
        case .gain(.automatic): return try on(.automaticGain, setting)
        case .gain(.value(let value)):
            return off(.automaticGain) + [(try control(.gain, setting).name, value)]
        case .focus(.automatic): return try on(.automaticFocus, setting)
        case .focus(.value(let position)):
            let lens = try control(.focus, setting)
            guard (0...1).contains(position) else { throw refusal(setting, "it takes 0 to 1") }
            let span = Double(lens.range.upperBound - lens.range.lowerBound)
            let value = Double(lens.range.upperBound) - position * span
            return off(.automaticFocus) + [(lens.name, lens.nearest(to: value))]
        case .whiteBalance(.automatic): return try on(.automaticWhiteBalance, setting)
        case .whiteBalance(.temperature(let kelvin)):
            let control = try control(.whiteBalance, setting)
            return off(.automaticWhiteBalance)
                + [(control.name, try scaled(control, Double(kelvin), 1, setting))]
        case .whiteBalance(.once):
            return off(.automaticWhiteBalance) + [(try control(.whiteBalanceOnce, setting).name, 1)]
        case .exposurePoint(let point):
            return try pointValues(point, DeviceControl.exposureUse, setting)
        case .focusPoint(let point):
            return try pointValues(point, DeviceControl.focusUse, setting)
        case .zoom(let factor):
            let control = try control(.zoom, setting)
            guard control.range.lowerBound > 0 else {
                throw refusal(
                    setting, "its driver does not say what factors are; set \(control.name)")
            }
            let widest = Double(control.range.lowerBound)
            return [(control.name, try scaled(control, factor, widest, setting))]
        case .pan(let angle): return try single(.pan, angle, 3600, setting)
        case .tilt(let angle): return try single(.tilt, angle, 3600, setting)
        case .panSpeed(let speed): return [(try control(.panSpeed, setting).name, speed)]
        case .tiltSpeed(let speed): return [(try control(.tiltSpeed, setting).name, speed)]
        case .torch(let isOn): return [(try control(.torch, setting).name, isOn ? Int64(2) : 0)]
        case .powerLine(let frequency):
            return [(try control(.powerLine, setting).name, frequency.rawValue)]
        case .native(let name, let value):
            guard controls.contains(where: { $0.name == name }) else {
                if let example = CameraSetting.example(of: name) {
                    throw refusal(setting, "it is no value of it; give one such as \(example)")
                }
                throw .noSuchControl(name, on: device, among: controls.map(\.name))
            }
            return [(name, value)]
        }
    }

    private func exposureValues(
        _ exposure: CameraSetting.Exposure, _ setting: CameraSetting
    ) throws(MediaError) -> Values {
        if case .duration(let duration) = exposure {
            let time = try control(.exposureTime, setting)
            let units = Double(duration.nanoseconds()) / 100_000
            let value = try scaled(time, units, 1, setting)
            guard let mode = first(.exposureMode) else { return [(time.name, value)] }
            let keeps = mode.value == 2 || mode.isReadOnly
            return (keeps ? [] : [(mode.name, Int64(1))]) + [(time.name, value)]
        }
        let mode = try control(.exposureMode, setting)
        let wanted: [Int64] =
            switch exposure {
            // most cameras call their automatic mode aperture priority
            case .automatic: [0, 3]
            case .manual, .duration: [1]
            case .shutterPriority: [2]
            case .aperturePriority: [3]
            }
        let item = wanted.first { value in mode.menu.contains { $0.value == value } }
        return [(mode.name, item ?? wanted[0])]
    }

    private func pointValues(
        _ point: CameraSetting.Adjustment<PointOfInterest>, _ use: Int64, _ setting: CameraSetting
    ) throws(MediaError) -> Values {
        let uses = try control(.pointUses, setting) { $0.range.upperBound & use != 0 }
        let others = (uses.value ?? 0) & ~use
        guard case .value(let place) = point else { return [(uses.name, others)] }
        guard place.isInside else { throw refusal(setting, "it takes two numbers of 0 to 1") }
        let control = try control(.pointOfInterest, setting)
        return [(uses.name, others | use), (control.name, place.code)]
    }

    private func biasValues(
        _ bias: Double, _ setting: CameraSetting
    ) throws(MediaError) -> Values {
        let control = try control(.exposureBias, setting)
        let items = control.menu.compactMap { item in
            Double(item.label).map { (value: item.value, bias: $0 / 1000) }
        }
        guard let item = items.min(by: { abs($0.bias - bias) < abs($1.bias - bias) }),
            abs(item.bias - bias) < 0.17
        else {
            let known = items.map { CameraSetting.exposureBias($0.bias).valueText }
            throw refusal(setting, "it takes \(known.joined(separator: ", "))")
        }
        return [(control.name, item.value)]
    }

    private func single(
        _ role: DeviceControl.Role, _ value: Double, _ scale: Double, _ setting: CameraSetting
    ) throws(MediaError) -> Values {
        let control = try control(role, setting)
        return [(control.name, try scaled(control, value, scale, setting))]
    }

    private func on(
        _ role: DeviceControl.Role, _ setting: CameraSetting
    ) throws(MediaError) -> Values { [(try control(role, setting).name, 1)] }

    /// Nothing where the camera has no such mode, or it is off.
    private func off(_ role: DeviceControl.Role) -> Values {
        guard let mode = first(role), mode.value != 0 else { return [] }
        return [(mode.name, 0)]
    }

    private func first(_ role: DeviceControl.Role) -> DeviceControl? {
        controls.first { $0.role == role }
    }

    /// - Parameter fits: what the control must be besides.
    private func control(
        _ role: DeviceControl.Role, _ setting: CameraSetting,
        where fits: (DeviceControl) -> Bool = { _ in true }
    ) throws(MediaError) -> DeviceControl {
        if let control = first(role), fits(control) { return control }
        let known = CameraSetting.present(among: controls).map(\.name)
        throw refusal(
            setting,
            "it has no control for it; "
                + (known.isEmpty
                    ? "it has none of these settings"
                    : "what can be set is \(known.joined(separator: ", "))"))
    }

    /// The value in the driver's units, rounded to its steps; refused outside its range.
    /// - Parameter scale: of the driver's units to one of the setting's.
    private func scaled(
        _ control: DeviceControl, _ value: Double, _ scale: Double, _ setting: CameraSetting
    ) throws(MediaError) -> Int64 {
        let units = value * scale
        // less than half a step outside is the end
        let slack = Double(control.step) / 2
        guard units > Double(control.range.lowerBound) - slack,
            units < Double(control.range.upperBound) + slack
        else {
            let ends = [control.range.lowerBound, control.range.upperBound].map { end in
                CameraSetting.text(of: control, at: end, among: controls)
            }
            let step = CameraSetting.stepText(of: control, setting)
            throw refusal(setting, "it takes \(ends[0]) to \(ends[1]) in steps of \(step)")
        }
        return control.nearest(to: units)
    }

    private func refusal(_ setting: CameraSetting, _ why: String) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: setting.name,
            message: "Cannot set \(setting.name) of \(device.name) to \(setting.valueText): \(why)."
        )
    }
}

extension DeviceControl {
    /// The value on its steps, within its range.
    func nearest(to value: Double) -> Int64 {
        let steps = ((value - Double(range.lowerBound)) / Double(step)).rounded()
        let count = Int64(max(0, min(steps, Double((range.upperBound - range.lowerBound) / step))))
        return range.lowerBound + count * step
    }
}
