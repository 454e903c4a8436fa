import Media
import TestSupport
import Testing

@testable import Capture

@Suite("Which changes of a camera's controls are others'")
struct ControlLedgerTests {
    private let time = MediaTime.seconds(7)
    private let before = MediaTime.seconds(6)

    /// A camera in manual exposure, with a button.
    private var controls: [DeviceControl] {
        func control(
            _ name: String, _ role: DeviceControl.Role?, _ value: Int64?,
            kind: DeviceControl.Kind = .integer
        ) -> DeviceControl {
            var control = DeviceControl(
                name: name, label: name, kind: kind, range: 0...10_000, defaultValue: 0,
                value: value)
            control.role = role
            return control
        }
        var sensor = control("temperature", nil, 30)
        sensor.isReadOnly = true
        return [
            control("auto_exposure", .exposureMode, 1, kind: .menu),
            control("exposure_time_absolute", .exposureTime, 100),
            control("gain", .gain, 4), control("brightness", nil, 128),
            control("do_white_balance", .whiteBalanceOnce, nil, kind: .button), sensor,
        ]
    }

    private func notice(_ name: String, _ value: Int64) -> ControlLedger.Notice {
        ControlLedger.Notice(name: name, value: value, time: time)
    }

    private func now(_ values: [String: Int64]) -> [DeviceControl] {
        controls.map { control in
            var control = control
            control.value = values[control.name] ?? control.value
            return control
        }
    }

    @Test(
        "a change is reported once, in units where there are words for it, with the driver's time",
        arguments: [
            ("gain", Int64(7), "gain=7"), ("exposure_time_absolute", 50, "exposure=1/200s"),
            ("auto_exposure", 3, "exposure=aperture-priority"), ("brightness", 20, "brightness=20"),
            ("auto_exposure", 0, "exposure=auto"), ("do_white_balance", 0, "do_white_balance=1"),
        ])
    func reported(_ name: String, _ value: Int64, _ words: String) {
        var ledger = ControlLedger(controls)
        let change = ledger.take(notice(name, value))
        #expect(change?.setting.description == words)
        #expect(change?.time == time)
        // a button is pressed again, a value is as it was
        #expect((ledger.take(notice(name, value)) != nil) == (name == "do_white_balance"))
    }

    @Test("what only the camera knows, and what is as it was, is no change")
    func nothing() {
        var ledger = ControlLedger(controls)
        #expect(ledger.take(notice("gain", 4)) == nil)
        #expect(ledger.take(notice("temperature", 50)) == nil)
        #expect(ledger.take(notice("sparkle", 1)) == nil)
    }

    @Test("what this program sets is not reported, whether the driver says it before or after")
    func own() {
        var ledger = ControlLedger(controls)
        ledger.begin()
        #expect(ledger.take(notice("gain", 9)) == nil)
        #expect(ledger.take(notice("do_white_balance", 0)) == nil)
        #expect(ledger.end(["gain", "do_white_balance"], now: now(["gain": 9]), at: before) == [])
        #expect(ledger.take(notice("gain", 9)) == nil)
        #expect(ledger.take(notice("gain", 4))?.setting == .gain(.value(4)))
    }

    @Test("what others set in the very moment of an own setting is reported when that is over")
    func meanwhile() {
        var ledger = ControlLedger(controls)
        ledger.begin()
        ledger.begin()
        #expect(ledger.take(notice("brightness", 3)) == nil)
        #expect(ledger.end(["gain"], now: now(["gain": 9, "brightness": 3]), at: before) == [])
        let changes = ledger.end(["gain"], now: now(["gain": 9, "brightness": 3]), at: before)
        #expect(changes.map(\.setting.description) == ["brightness=3"])
        #expect(ledger.take(notice("brightness", 3)) == nil)
    }

    @Test("the value that comes with an own change of its mode is not reported")
    func ruled() {
        var ledger = ControlLedger(controls)
        ledger.begin()
        var after = now(["auto_exposure": 3, "exposure_time_absolute": 333])
        after[1].isInactive = true
        #expect(ledger.end(["auto_exposure"], now: after, at: before) == [])
        #expect(ledger.take(notice("exposure_time_absolute", 333)) == nil)
        // the control: where the mode is as it was, the same is somebody's doing
        var still = ControlLedger(controls)
        still.begin()
        _ = still.end(["gain"], now: now(["exposure_time_absolute": 333]), at: before)
        #expect(still.take(notice("exposure_time_absolute", 333)) != nil)
    }
}

extension ControlLedgerTests {
    @Test(
        "what a driver says of a value when its mode was set is this program's doing, as it was before too"
    )
    func announcedBefore() {
        var ledger = ControlLedger(controls)
        ledger.begin()
        // uvcvideo: the mode says what it rules, as it is then
        #expect(ledger.take(notice("exposure_time_absolute", 100)) == nil)
        let after = now(["auto_exposure": 1, "exposure_time_absolute": 50])
        #expect(
            ledger.end(["auto_exposure", "exposure_time_absolute"], now: after, at: .seconds(8))
                == [])
        // read late
        #expect(ledger.take(notice("exposure_time_absolute", 100)) == nil)
        // somebody puts it back afterwards
        let later = ControlLedger.Notice(
            name: "exposure_time_absolute", value: 100, time: .seconds(9))
        #expect(ledger.take(later)?.setting.description == "exposure=1/100s")
    }
}

@Suite("Settings that others change while a session runs", .serialized)
struct ForeignSettingTests {
    private func session(
        _ number: Int
    ) async throws -> (CaptureSession, CaptureDevice, DeviceDiscovery) {
        let discovery = DeviceDiscovery(providers: [TestProvider()])
        let device = try discovery.find("test:\(number),size=160x120,exposure=10", kind: .video)
        let session = CaptureSession(discovery: discovery)
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: device), VideoDataOutput())
        }
        try await session.start()
        return (session, device, discovery)
    }

    /// Until the gain is 16, which ends a test.
    private func changes(of session: CaptureSession) async -> [String] {
        var words: [String] = []
        for await event in session.events {
            guard case .settingChangedByOthers(_, let setting, _) = event else { continue }
            if setting == .gain(.value(16)) { break }
            words.append(setting.description)
        }
        return words
    }

    @Test("another program's settings are announced, the session's own are not")
    func others() async throws {
        let (session, device, discovery) = try await session(61)
        let others = try DeviceControls(of: device, discovery: discovery)
        try others.apply([.gain(.value(3))])
        try await session.apply([.exposure(.duration(.milliseconds(5)))], to: device)
        try await session.apply([.gain(.value(5))], to: device)
        try others.apply([.zoom(2), .gain(.value(5))])
        try others.apply([.gain(.value(16))])
        #expect(await changes(of: session) == ["gain=3", "zoom=2x"])
        try await session.stop()
        // one that is closed listens to nothing
        try others.apply([.gain(.value(2))])
    }

    @Test("a setting by its own name overrules one of before when a camera is opened anew")
    func layers() async throws {
        let (session, device, discovery) = try await session(62)
        try await session.apply([.exposure(.duration(.milliseconds(5)))], to: device)
        try await session.apply([.native(name: "auto_exposure", value: 3)], to: device)
        try await session.stop()
        // as after a replug
        try DeviceControls(of: device, discovery: discovery).set([("auto_exposure", 1)])
        try await session.start()
        let control = try DeviceControls(of: device, discovery: discovery)
            .control(named: "auto_exposure")
        #expect(control.value == 3)
        try await session.stop()
    }
}
