internal import Glibc
internal import Media

/// Which controls a bracket sets, to what and in which order, and what sets them back. A pure value.
///
/// Source: Linux's camera control reference (V4L2_CID_EXPOSURE_ABSOLUTE in units of 100 µs, V4L2_CID_EXPOSURE_AUTO,
/// V4L2_CID_AUTO_EXPOSURE_BIAS in thousandths of an EV).
struct ExposurePlan: Sendable {
    typealias Values = [(name: String, value: Int64)]

    /// One photo's exposure.
    struct Step: Sendable {
        let values: [Setting]
        let granted: GrantedExposure
        /// Against what the camera exposed before the row, as well as can be known (EV).
        let change: Double?
    }

    struct Setting: Sendable, Hashable {
        let name: String
        let value: Int64
    }

    let steps: [Step]
    /// The former values, in the order in which they are set.
    let former: [Setting]

    /// - Throws: `invalidSetting` where the controls cannot do it.
    init(
        _ exposures: [BracketedExposure], among controls: [DeviceControl], of device: CaptureDevice
    ) throws(MediaError) {
        let isOfTimes = exposures.contains { if case .duration = $0 { true } else { false } }
        let bias = controls.first { $0.role == .exposureBias && !$0.isInactive && !$0.isReadOnly }
        if !isOfTimes, let bias {
            steps = try exposures.map { exposure throws(MediaError) in
                try Self.biased(exposure, bias, device)
            }
            former = bias.value.map { [Setting(name: bias.name, value: $0)] } ?? []
            return
        }
        guard let time = controls.first(where: { $0.role == .exposureTime && !$0.isReadOnly })
        else { throw Self.refusal(device, "it has no control of its exposure time") }
        let mode = controls.first { $0.role == .exposureMode }
        let gain = controls.first { $0.role == .automaticGain && $0.value == 1 }
        var first: [Setting] = []
        if let mode, mode.value != 1 {
            guard mode.menu.contains(where: { $0.value == 1 }), !mode.isReadOnly else {
                throw Self.refusal(device, "its exposure cannot be set by hand (\(mode.name))")
            }
            first.append(Setting(name: mode.name, value: 1))
        }
        if let gain { first.append(Setting(name: gain.name, value: 0)) }
        steps = try exposures.map { exposure throws(MediaError) in
            let value = try Self.value(exposure, time, device)
            return Step(
                values: first + [Setting(name: time.name, value: value)],
                granted: Self.granted(value, exposure, time),
                change: Self.bias(of: value, time))
        }
        // the time first: an automatic mode would refuse it
        former = [time, gain, mode].compactMap { $0 }.compactMap { control in
            control.value.map { Setting(name: control.name, value: $0) }
        }
    }

    /// Of a control of 100 µs.
    private static let unit: Int64 = 100_000

    static func granted(
        _ value: Int64, _ exposure: BracketedExposure, _ time: DeviceControl
    ) -> GrantedExposure {
        var granted = GrantedExposure(duration: .nanoseconds(value * unit), bias: nil)
        if case .targetBias = exposure { granted.bias = bias(of: value, time) }
        return granted
    }

    private static func bias(of value: Int64, _ time: DeviceControl) -> Double? {
        guard let base = time.value, base > 0, value > 0 else { return nil }
        return log2(Double(value) / Double(base))
    }

    private static func value(
        _ exposure: BracketedExposure, _ time: DeviceControl, _ device: CaptureDevice
    ) throws(MediaError) -> Int64 {
        let wanted: Double
        switch exposure {
        case .duration(let duration): wanted = Double(duration.nanoseconds()) / Double(unit)
        case .targetBias(let bias):
            guard let base = time.value, base > 0 else {
                throw refusal(
                    device, "it does not state how long it exposes now; give times (5ms,10ms,20ms)")
            }
            wanted = Double(base) * exp2(bias)
        }
        let steps = ((wanted - Double(time.range.lowerBound)) / Double(time.step)).rounded()
        let value = Double(time.range.lowerBound) + steps * Double(time.step)
        guard value >= Double(time.range.lowerBound), value <= Double(time.range.upperBound),
            // a time that is shorter than the shortest by less than half a step is not the shortest
            wanted >= Double(time.range.lowerBound) * 0.99
        else {
            throw refusal(
                device,
                "\(text(exposure)) would be \(text(wanted)), and it exposes for "
                    + "\(text(Double(time.range.lowerBound))) to \(text(Double(time.range.upperBound)))"
            )
        }
        return Int64(value)
    }

    private static func biased(
        _ exposure: BracketedExposure, _ bias: DeviceControl, _ device: CaptureDevice
    ) throws(MediaError) -> Step {
        guard case .targetBias(let wanted) = exposure else {
            preconditionFailure("a bias is not a time")
        }
        let items = bias.menu.compactMap { item in
            Double(item.label).map { (value: item.value, bias: $0 / 1000) }
        }
        let item = items.min { abs($0.bias - wanted) < abs($1.bias - wanted) }
        guard let item, abs(item.bias - wanted) < 0.17 else {
            let known = items.map { text(.targetBias($0.bias)) }.joined(separator: ", ")
            throw refusal(device, "it has no bias of \(text(exposure)); it has \(known)")
        }
        let present = items.first { $0.value == bias.value }?.bias
        return Step(
            values: [Setting(name: bias.name, value: item.value)],
            granted: GrantedExposure(duration: nil, bias: item.bias),
            change: present.map { item.bias - $0 })
    }

    private static func text(_ exposure: BracketedExposure) -> String {
        switch exposure {
        case .targetBias(let bias): (bias > 0 ? "+" : "") + decimal(bias) + " EV"
        case .duration(let time): text(Double(time.nanoseconds()) / Double(unit))
        }
    }

    /// - Parameter units: of 100 µs.
    private static func text(_ units: Double) -> String { decimal(units / 10) + " ms" }

    private static func decimal(_ number: Double) -> String {
        let rounded = (number * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    private static func refusal(_ device: CaptureDevice, _ why: String) -> MediaError {
        MediaError(
            code: .invalidSetting, subject: device.id,
            message: "Cannot bracket the exposure of \(device.name): \(why).")
    }
}
