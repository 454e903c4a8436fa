internal import Media

/// The exposure controls of a test camera that has them, and what they do to its frames. Thread-safe.
///
/// As a camera's, a setting is seen some frames later, and an automatic mode refuses a time.
final class TestExposure: Sendable {
    static let mode = "auto_exposure"
    static let time = "exposure_time_absolute"
    /// Of the menu of modes, as the kernel numbers them.
    private static let manual: Int64 = 1
    private static let automatic: Int64 = 3

    private struct State {
        var mode = automatic
        /// 100 µs each.
        var time: Int64
        /// What the frames that are on their way are exposed for, the oldest first (100 µs each).
        var underway: [Int64] = []
    }

    // immutable
    /// With which the pattern is as bright as it is drawn, and which the automatic mode takes (100 µs each).
    private let base: Int64
    /// Frames between a setting and the first that shows it (count).
    private let lag: Int
    private let state: Lock<State>

    init(base: Int64, lag: Int) {
        self.base = base
        self.lag = lag
        state = Lock(State(time: base))
    }

    private static let range: ClosedRange<Int64> = 1...10_000

    func list() -> [DeviceControl] {
        let state = state.withLock { $0 }
        var mode = DeviceControl(
            name: Self.mode, label: "Auto Exposure", kind: .menu, range: 0...3,
            defaultValue: Self.automatic, value: state.mode,
            menu: [
                .init(value: Self.manual, label: "Manual Mode"),
                .init(value: Self.automatic, label: "Aperture Priority Mode"),
            ])
        mode.role = .exposureMode
        var time = DeviceControl(
            name: Self.time, label: "Exposure Time, Absolute", kind: .integer, range: Self.range,
            defaultValue: base, value: state.mode == Self.automatic ? base : state.time,
            isInactive: state.mode == Self.automatic)
        time.role = .exposureTime
        return [mode, time]
    }

    func set(
        _ values: [(name: String, value: Int64)], of device: CaptureDevice
    ) throws(MediaError) {
        for (name, value) in values {
            let known = list()
            guard let control = known.first(where: { $0.name == name }) else {
                throw .noSuchControl(name, on: device, among: known.map(\.name))
            }
            try control.check(value, on: device)
            guard !control.isInactive else {
                throw MediaError(
                    code: .invalidSetting, subject: name,
                    message: "Cannot set \(name) of \(device.name) to \(value): "
                        + "\(Self.mode) is automatic; set it to \(Self.manual) first.")
            }
            state.withLock { state in
                if name == Self.mode { state.mode = value } else { state.time = value }
            }
        }
    }

    /// How much brighter the next frame is than the pattern is drawn.
    func nextFactor() -> Double {
        state.withLock { state in
            state.underway.append(state.mode == Self.automatic ? base : state.time)
            let shown =
                state.underway.count > lag ? state.underway.removeFirst() : state.underway[0]
            return Double(shown) / Double(base)
        }
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

    init(_ device: CaptureDevice, _ exposure: TestExposure?) {
        self.device = device
        self.exposure = exposure
    }

    func list() throws(MediaError) -> [DeviceControl] { exposure?.list() ?? [] }

    func set(
        _ values: [(name: String, value: Int64)]
    ) throws(MediaError) -> [DeviceControl] {
        guard let exposure else {
            if let first = values.first { throw .noSuchControl(first.name, on: device, among: []) }
            return []
        }
        try exposure.set(values, of: device)
        let names = Set(values.map(\.name))
        return exposure.list().filter { names.contains($0.name) }
    }
}
