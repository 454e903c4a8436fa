internal import Media

/// The controls of a test camera that has them, and what exposure and gain do to its frames. Thread-safe.
///
/// As a camera's, a setting is seen some frames later, and an automatic mode refuses the value it rules.
final class TestExposure: Sendable {
    static let mode = "auto_exposure"
    static let time = "exposure_time_absolute"
    static let gain = "gain"
    static let place = "region_of_interest_rectangle"
    static let uses = "region_of_interest_auto_ctrls"
    /// Of the menu of modes, as the kernel numbers them.
    private static let manual: Int64 = 1
    private static let automatic: Int64 = 3

    private struct State {
        var values: [String: Int64] = [:]
        /// What the frames that are on their way are exposed for, times their gain, the oldest first (100 µs each).
        var underway: [Int64] = []
        /// Of the cameras that run.
        var watches: [ControlWatch] = []
    }

    // immutable
    /// With which the pattern is as bright as it is drawn, and which the automatic mode takes (100 µs each).
    private let base: Int64
    /// Frames between a setting and the first that shows it (count).
    private let lag: Int
    private let controls: [DeviceControl]
    private let state = Lock(State())

    init(base: Int64, lag: Int) {
        self.base = base
        self.lag = lag
        controls = Self.controls(base)
    }

    /// Values that an automatic mode rules.
    private static let rulers = [
        time: mode, "white_balance_temperature": "white_balance_automatic",
        "focus_absolute": "focus_automatic_continuous",
    ]

    /// As they are after they were plugged in.
    private static func controls(_ base: Int64) -> [DeviceControl] {
        [
            menu(
                mode, "Auto Exposure", .exposureMode, automatic,
                [(manual, "Manual Mode"), (automatic, "Aperture Priority Mode")]),
            number(time, "Exposure Time, Absolute", .exposureTime, 1...10_000, base),
            number(gain, "Gain", .gain, 1...16, 1),
            number(
                "white_balance_automatic", "White Balance, Automatic", .automaticWhiteBalance,
                0...1,
                1, kind: .boolean),
            number(
                "white_balance_temperature", "White Balance Temperature", .whiteBalance,
                2800...6500, 4600, step: 10),
            number(
                "focus_automatic_continuous", "Focus, Automatic Continuous", .automaticFocus, 0...1,
                1, kind: .boolean),
            number("focus_absolute", "Focus, Absolute", .focus, 0...250, 0, step: 5),
            number("zoom_absolute", "Zoom, Absolute", .zoom, 100...400, 100),
            menu(
                "power_line_frequency", "Power Line Frequency", .powerLine, 1,
                [(0, "Disabled"), (1, "50 Hz"), (2, "60 Hz"), (3, "Auto")]),
            number(
                uses, "Region of Interest Auto Ctrls", .pointUses,
                0...(DeviceControl.exposureUse | DeviceControl.focusUse), 0, kind: .bitmask),
            number(
                place, "Region of Interest Rectangle", .pointOfInterest, PointOfInterest.codes,
                PointOfInterest(x: 0.5, y: 0.5).code, kind: .point),
        ]
    }

    private static func number(
        _ name: String, _ label: String, _ role: DeviceControl.Role, _ range: ClosedRange<Int64>,
        _ value: Int64, step: Int64 = 1, kind: DeviceControl.Kind = .integer
    ) -> DeviceControl {
        var control = DeviceControl(
            name: name, label: label, kind: kind, range: range, step: step, defaultValue: value,
            value: value)
        control.role = role
        return control
    }

    private static func menu(
        _ name: String, _ label: String, _ role: DeviceControl.Role, _ value: Int64,
        _ items: [(Int64, String)]
    ) -> DeviceControl {
        var control = number(name, label, role, 0...3, value, kind: .menu)
        control.menu = items.map { .init(value: $0.0, label: $0.1) }
        return control
    }

    func list() -> [DeviceControl] {
        let values = state.withLock { $0.values }
        return controls.map { control in
            var control = control
            control.isInactive = isRuled(control.name, values)
            let isChosen = control.isInactive && control.name == Self.time
            if !isChosen { control.value = values[control.name] ?? control.defaultValue }
            return control
        }
    }

    private func isRuled(_ name: String, _ values: [String: Int64]) -> Bool {
        guard let ruler = Self.rulers[name] else { return false }
        let known = controls.first { $0.name == ruler }?.defaultValue
        let value = values[ruler] ?? known
        return ruler == Self.mode ? value == Self.automatic : value == 1
    }

    /// - Parameter watch: of the camera that sets them, which gets no notice; `nil`: another program.
    func set(
        _ values: [(name: String, value: Int64)], of device: CaptureDevice,
        by watch: ControlWatch? = nil
    ) throws(MediaError) {
        for (name, value) in values {
            let known = list()
            guard let control = known.first(where: { $0.name == name }) else {
                throw .noSuchControl(name, on: device, among: known.map(\.name))
            }
            try control.check(value, on: device)
            guard !control.isInactive else {
                let ruler = Self.rulers[name] ?? ""
                throw MediaError(
                    code: .invalidSetting, subject: name,
                    message: "Cannot set \(name) of \(device.name) to \(value): "
                        + "\(ruler) is automatic; set it to \(ruler == Self.mode ? 1 : 0) first.")
            }
            // drivers round
            let taken = control.kind == .integer ? control.nearest(to: Double(value)) : value
            state.withLock { $0.values[name] = taken }
            announce(name, taken, except: watch)
            // as uvcvideo does: what a mode rules is said to everybody, also to who set the mode
            for ruled in list() where Self.rulers[ruled.name] == name && !ruled.isInactive {
                if let value = ruled.value { announce(ruled.name, value, except: nil) }
            }
        }
    }

    /// As a driver does to every program that listens, but for the one that set it.
    private func announce(_ name: String, _ value: Int64, except own: ControlWatch?) {
        let notice = ControlLedger.Notice(name: name, value: value, time: HostClock().now())
        let watches = state.withLock { $0.watches }
        for watch in watches where watch !== own { watch.take(notice) }
    }

    func add(_ watch: ControlWatch) { state.withLock { $0.watches.append(watch) } }

    func remove(_ watch: ControlWatch) { state.withLock { $0.watches.removeAll { $0 === watch } } }

    /// The camera's own button: the strongest gain, and the weakest again.
    func pressButton() {
        let gain = state.withLock { state in
            let gain: Int64 = state.values[Self.gain] == 16 ? 1 : 16
            state.values[Self.gain] = gain
            return gain
        }
        announce(Self.gain, gain, except: nil)
    }

    /// The camera is plugged out, and forgets everything.
    func forget() {
        state.withLock { state in
            state.values = [:]
            state.underway = []
        }
    }

    /// How much brighter the next frame is than the pattern is drawn.
    func nextFactor() -> Double {
        state.withLock { state in
            let isAutomatic = isRuled(Self.time, state.values)
            let time = isAutomatic ? base : state.values[Self.time] ?? base
            state.underway.append(time * (state.values[Self.gain] ?? 1))
            let shown =
                state.underway.count > lag ? state.underway.removeFirst() : state.underway[0]
            return Double(shown) / Double(base)
        }
    }

    /// How much brighter the automatic exposure makes a frame than it is drawn, so that the place that it is tied to has
    /// half of the range.
    /// - Parameters:
    ///   - orientation: what makes the frames of the camera upright.
    ///   - strip: rows of cells, which it does not look at.
    func metering(
        _ frame: PixelBuffer, _ orientation: VideoOrientation, strip: Int, black: UInt8,
        white: UInt8
    ) -> Double {
        let place = state.withLock { state -> PointOfInterest? in
            guard isRuled(Self.time, state.values),
                (state.values[Self.uses] ?? 0) & DeviceControl.exposureUse != 0
            else { return nil }
            return PointOfInterest(
                code: state.values[Self.place] ?? PointOfInterest(x: 0.5, y: 0.5).code)
        }
        guard let point = place?.shown(orientation) else { return 1 }
        let (left, top) = (
            Int(point.x * Double(frame.width - 1)), Int(point.y * Double(frame.height - 1))
        )
        let columns =
            max(0, left - frame.width / 20)...min(frame.width - 1, left + frame.width / 20)
        let rows =
            max(
                strip, top - frame.height / 20)...max(
                strip, min(frame.height - 1, top + frame.height / 20))
        let step = frame.format == .yuyv422 ? 2 : 1
        var (sum, count) = (0, 0)
        frame.withPlane(0) { plane in
            for row in rows {
                for column in columns { sum += Int(plane.row(row)[step * column]) }
                count += columns.count
            }
        }
        let light = max(1, Double(sum) / Double(max(1, count)) - Double(black))
        return (Double(white) - Double(black)) / 2 / light
    }

    /// Exposes what is below the strip of cells.
    static func expose(
        _ frame: inout PixelBuffer, by factor: Double, strip: Int, levels: TestPattern.Levels
    ) {
        guard factor != 1 else { return }
        let (black, white) = (Double(levels.black), Double(levels.white))
        let codes = (0...255).map { code in
            UInt8(min(white, max(black, black + (Double(code) - black) * factor)))
        }
        let step = frame.format == .yuyv422 ? 2 : 1
        let width = frame.width
        frame.withMutablePlanes { planes in
            for row in strip..<planes[0].rows {
                let line = planes[0].row(row)
                for column in 0..<width {
                    line[step * column] = codes[Int(line[step * column])]
                }
            }
        }
    }
}

/// The controls of a test camera, which may have none.
final class TestControlAccess: DeviceControlAccess {
    private let device: CaptureDevice
    private let exposure: TestExposure?
    /// Of the camera that sets them.
    private let watch: ControlWatch?

    init(_ device: CaptureDevice, _ exposure: TestExposure?, by watch: ControlWatch? = nil) {
        self.device = device
        self.exposure = exposure
        self.watch = watch
    }

    func list() throws(MediaError) -> [DeviceControl] { exposure?.list() ?? [] }

    func set(
        _ values: [(name: String, value: Int64)]
    ) throws(MediaError) -> [DeviceControl] {
        guard let exposure else {
            if let first = values.first { throw .noSuchControl(first.name, on: device, among: []) }
            return []
        }
        try exposure.set(values, of: device, by: watch)
        return exposure.list()
    }
}
