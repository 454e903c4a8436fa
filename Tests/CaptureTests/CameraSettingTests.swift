import Media
import TestSupport
import Testing

@testable import Capture

@Suite("Settings of a camera, in words and units")
struct CameraSettingTests {
    @Test(
        "what is read is written by the same words",
        arguments: [
            "exposure=auto", "exposure=manual", "exposure=shutter-priority",
            "exposure=aperture-priority", "exposure=1/60s", "exposure=16.7ms", "exposure=2s",
            "exposure-bias=-0.333EV", "gain=4", "gain=auto", "focus=0.35", "focus=auto",
            "white-balance=5200K", "white-balance=auto", "white-balance=once", "zoom=2x",
            "zoom=1.5x", "pan=10deg", "tilt=-2.5deg", "pan-speed=-3", "tilt-speed=0", "torch=on",
            "torch=off", "power-line=50Hz", "power-line=60Hz", "power-line=auto", "power-line=off",
            "brightness=140",
        ])
    func words(_ text: String) throws {
        let setting = try #require(CameraSetting(words: text))
        #expect(setting.description == text)
        #expect(setting.isNative == (text == "brightness=140"))
    }

    @Test("a value without its unit is a control of the driver's, and what is neither is nothing")
    func natives() {
        #expect(
            CameraSetting(words: "Exposure-Auto=off") == .native(name: "exposure_auto", value: 0))
        #expect(CameraSetting(words: "pan=-3600") == .native(name: "pan", value: -3600))
        #expect(CameraSetting(words: "exposure=500us") == CameraSetting(words: "exposure=0.5ms"))
        for wrong in [
            "exposure", "exposure=", "exposure=1/0s", "exposure=0ms", "focus=1.5", "zoom=0.5x",
            "exposure=infs", "exposure=nans", "white-balance=warm", "=3", "a b=3",
            "power-line=55Hz",
        ] {
            #expect(CameraSetting(words: wrong) == nil, "\(wrong)")
        }
    }

    private func camera(_ number: Int) throws -> CaptureDevice {
        try DeviceDiscovery().find("test:\(number),size=160x120,exposure=10", kind: .video)
    }

    private func settings(_ words: [String]) throws -> [CameraSetting] {
        try words.map { try #require(CameraSetting(words: $0)) }
    }

    @Test(
        "a value beyond all measure is refused in a sentence, as is one without its unit",
        arguments: [
            "zoom=99999999999999999999999x", "pan=99999999999999999999deg",
            "exposure-bias=-99999999999999999999EV", "focus=9", "pan=10", "gain=-5",
            "exposure=1/999999999999999s",
        ])
    func beyond(_ text: String) throws {
        let controls = try DeviceControls(of: try camera(79))
        let setting = try #require(CameraSetting(words: text))
        let error = #expect(throws: MediaError.self) { try controls.apply([setting]) }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.hasPrefix("Cannot set ") == true, "\(error?.message ?? "")")
    }

    @Test("of the library's own numbers none traps", arguments: [Double.nan, .infinity, -1, 2e300])
    func numbers(_ number: Double) throws {
        let controls = try DeviceControls(of: try camera(78))
        for setting in [
            CameraSetting.focus(.value(number)), .zoom(number), .pan(number), .tilt(number),
            .exposureBias(number),
        ] {
            #expect(throws: MediaError.self) { try controls.apply([setting]) }
            #expect(setting.description.contains("="))
        }
    }

    @Test(
        "an automatic mode goes off before the value that it ruled, in whatever order they are given"
    )
    func order() throws {
        let controls = try DeviceControls(of: try camera(80))
        // sorted by name the value comes first, and an automatic mode refuses it
        let error = #expect(throws: MediaError.self) {
            try controls.set([("focus_absolute", 100), ("focus_automatic_continuous", 0)])
        }
        #expect(error?.message.contains("is automatic") == true)
        try controls.apply(
            settings(["focus_absolute=100", "focus_automatic_continuous=0"]))
        #expect(try controls.control(named: "focus_absolute").value == 100)

        var wanted = VideoInputSettings()
        wanted.controls = ["exposure_time_absolute": 50, "white_balance_temperature": 3000]
        wanted.controls["white_balance_automatic"] = 0
        wanted.cameraSettings = try settings(["exposure=manual"])
        let device = try camera(81)
        let stream = try TestProvider.standard.openVideo(
            device, settings: wanted, clock: HostClock())
        stream.stop()
        let set = try DeviceControls(of: device)
        #expect(try set.control(named: "exposure_time_absolute").value == 50)
        #expect(try set.control(named: "white_balance_temperature").value == 3000)
    }

    @Test("a value switches its automatic mode off, and what the driver made of it is said")
    func granted() throws {
        let controls = try DeviceControls(of: try camera(82))
        let granted = try controls.apply(
            settings([
                "exposure=1/60s", "gain=4", "focus=0.35", "white-balance=5204K", "zoom=2x",
                "power-line=60Hz",
            ]))
        #expect(
            granted.map(\.description) == [
                "exposure=1/60s (the camera took 16.7ms)", "gain=4",
                "focus=0.35 (the camera took 0.34)", "white-balance=5204K (the camera took 5200K)",
                "zoom=2x", "power-line=60Hz",
            ])
        #expect(
            try controls.settings().map(\.description) == [
                "exposure=16.7ms", "exposure-point=auto", "gain=4", "focus=0.34",
                "focus-point=auto", "white-balance=5200K", "zoom=2x", "power-line=60Hz",
            ])
        let back = try controls.apply(
            settings(["exposure=auto", "focus=auto", "white-balance=auto"]))
        #expect(back.allSatisfy { $0.granted == $0.wanted }, "\(back)")
    }

    @Test(
        "what is outside of a range, or not there, is refused with what there is, and nothing is set",
        arguments: [
            ("exposure=2s", "to 2s: it takes 1/10000s to 1s in steps of 1/10000s."),
            ("white-balance=9000K", "it takes 2800K to 6500K in steps of 10K."),
            ("zoom=5x", "it takes 1x to 4x in steps of 0.01x."),
            ("gain=17", "it takes 1 to 16."),
            (
                "torch=on",
                "it has no control for it; what can be set is exposure, exposure-point, gain"
            ),
            ("exposure=shutter-priority", "it takes 1 (Manual Mode), 3 (Aperture Priority Mode)"),
            ("sparkle=1", "has no control sparkle"),
        ])
    func refused(_ words: String, _ sentence: String) throws {
        let controls = try DeviceControls(of: try camera(83))
        let before = try controls.list()
        let error = #expect(throws: MediaError.self) {
            try controls.apply(settings(["power-line=60Hz", words]))
        }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
        #expect(try controls.list() == before)
    }

    @Test("a driver that does not say what its zoom's units are has no factors")
    func unknownZoom() throws {
        var zoom = DeviceControl(
            name: "zoom_absolute", label: "Zoom", kind: .integer, range: 0...60, defaultValue: 0,
            value: 0)
        zoom.role = .zoom
        let error = #expect(throws: MediaError.self) {
            _ = try ControlPlan([.zoom(2)], among: [zoom], of: try camera(1))
        }
        #expect(error?.message.contains("set zoom_absolute") == true)
    }

    @Test("the last word of several counts, also against a value by its native name")
    func lastWord() throws {
        let device = try camera(84)
        let known = try DeviceControls(of: device).list()
        let plan = try ControlPlan(
            settings([
                "exposure_time_absolute=50", "auto_exposure=1", "gain=2", "exposure=auto", "gain=3",
            ]),
            among: known, of: device)
        #expect(plan.values.map { "\($0.name)=\($0.value)" } == ["gain=3", "auto_exposure=3"])
    }
}

@Suite("Settings over others, such as a command line over a profile")
struct LayeredSettingTests {
    private func plan(
        _ words: [String], over profile: [String], automatic: Bool = true
    ) throws -> [String] {
        let device = try DeviceDiscovery().find("test:77,size=160x120,exposure=10", kind: .video)
        var known = try DeviceControls(of: device).list()
        if !automatic {
            for (name, value) in [
                ("auto_exposure", Int64(1)), ("focus_automatic_continuous", 0),
            ] {
                let index = try #require(known.firstIndex { $0.name == name })
                known[index].value = value
            }
        }
        func settings(_ words: [String]) throws -> [CameraSetting] {
            try words.map { try #require(CameraSetting(words: $0)) }
        }
        let plan = try ControlPlan(
            settings(words), over: [settings(profile)], among: known, of: device)
        return plan.values.map { "\($0.name)=\($0.value)" }
    }

    @Test(
        "an automatic mode takes back the value that it rules, by whatever name either has",
        arguments: [
            (["exposure=auto"], ["exposure=1/60s"], ["auto_exposure=3"]),
            (["auto_exposure=3"], ["exposure=1/60s"], ["auto_exposure=3"]),
            (["exposure=auto"], ["exposure_time_absolute=50"], ["auto_exposure=3"]),
            (
                ["auto_exposure=3"], ["exposure_time_absolute=50", "auto_exposure=1", "gain=2"],
                ["gain=2", "auto_exposure=3"]
            ),
            (
                ["focus_automatic_continuous=1"], ["focus=0.2", "zoom=2x"],
                ["zoom_absolute=200", "focus_automatic_continuous=1"]
            ),
        ])
    func modes(_ words: [String], _ profile: [String], _ values: [String]) throws {
        #expect(try plan(words, over: profile) == values)
        #expect(try plan(words, over: profile, automatic: false) == values)
    }

    @Test(
        "a value takes back an automatic mode, and keeps the manual one that it needs",
        arguments: [
            (
                ["exposure=1/100s"], ["exposure=auto"],
                ["auto_exposure=1", "exposure_time_absolute=100"]
            ),
            (
                ["exposure=1/100s"], ["auto_exposure=3"],
                ["auto_exposure=1", "exposure_time_absolute=100"]
            ),
            (["exposure_time_absolute=50"], ["exposure=auto"], ["exposure_time_absolute=50"]),
            (["exposure_time_absolute=50"], ["auto_exposure=3"], ["exposure_time_absolute=50"]),
            (
                ["exposure_time_absolute=50"], ["exposure=1/60s"],
                ["auto_exposure=1", "exposure_time_absolute=50"]
            ),
            (
                ["focus_absolute=30"], ["focus=0.2"],
                ["focus_automatic_continuous=0", "focus_absolute=30"]
            ),
        ])
    func values(_ words: [String], _ profile: [String], _ values: [String]) throws {
        #expect(try plan(words, over: profile) == values)
    }

    @Test("of several lists each is overruled by the next, and what is left is what is answered")
    func several() throws {
        let device = try DeviceDiscovery().find("test:76,size=160x120,exposure=10", kind: .video)
        let controls = try DeviceControls(of: device)
        let granted = try controls.apply(
            [.zoom(2)],
            over: [
                [.exposure(.duration(.milliseconds(5))), .gain(.value(2)), .zoom(3)],
                [.native(name: "auto_exposure", value: 3), .gain(.value(4))],
            ])
        #expect(granted.map(\.description) == ["auto_exposure=3", "gain=4", "zoom=2x"])
        #expect(try controls.control(named: "zoom_absolute").value == 200)
        // within one list they stand as they are given: two that contradict each other are refused
        #expect(throws: MediaError.self) {
            try controls.apply([
                .native(name: "exposure_time_absolute", value: 50),
                .native(name: "auto_exposure", value: 3),
            ])
        }
    }
}

/// In real time: a camera's script of unplugging runs by the clock.
@Suite("Settings of a camera that is unplugged", .serialized, .tags(.realTime))
struct ReplugSettingTests {
    @Test(
        "of two nodes with the same controls none takes for others' what the other one set",
        .timeLimit(.minutes(1)))
    func siblings() async throws {
        let discovery = DeviceDiscovery(providers: [TestProvider()])
        let devices = try ["160x120", "192x144"].map {
            try discovery.find("test:87,exposure=10,size=\($0)", kind: .video)
        }
        let session = CaptureSession(discovery: discovery)
        try await session.configure { configuration in
            for device in devices {
                try configuration.add(CaptureDeviceInput(camera: device), VideoDataOutput())
            }
        }
        let events = session.events
        try await session.start()
        _ = try await session.apply([.gain(.value(4))], to: devices[0])
        _ = try await session.apply([.exposure(.duration(.milliseconds(5)))], to: devices[1])
        // a control: what another program sets is said by both
        try DeviceControls(of: devices[0], discovery: discovery).set([("gain", 9)])
        try await session.stop()
        var said: [String] = []
        for await event in events {
            if case .settingChangedByOthers(let device, let setting, _) = event {
                said.append("\(device.id) \(setting)")
            }
            if said.count == 2 { break }
        }
        #expect(said.sorted() == devices.map { "\($0.id) gain=9" }.sorted())
    }

    @Test(
        "a manual mode that is set later keeps the time that was given before, after a replug too")
    func keptTime() async throws {
        let discovery = DeviceDiscovery(providers: [TestProvider()])
        let device = try discovery.find(
            "test:86,size=160x120,exposure=10,unplug=1.5+0.7", kind: .video)
        let (session, output) = (CaptureSession(discovery: discovery), VideoDataOutput())
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: device), output)
        }
        _ = try await session.apply([.exposure(.duration(.milliseconds(2)))], to: device)
        _ = try await session.apply([.exposure(.manual)], to: device)
        try await session.start()
        for await event in session.events {
            if case .reopenFailed(_, let error) = event { Issue.record("\(error)") }
            if case .resumed = event { break }
        }
        let controls = try DeviceControls(of: device, discovery: discovery)
        #expect(try controls.control(named: "exposure_time_absolute").value == 20)
        #expect(try controls.control(named: "auto_exposure").value == 1)
        // and an automatic mode behind it takes it back
        _ = try await session.apply([.exposure(.automatic)], to: device)
        #expect(try controls.settings().contains(.exposure(.aperturePriority)))
        try await session.stop()
    }

    @Test(
        "what was set while a session runs is announced with its time, and set again after a replug"
    )
    func replugged() async throws {
        // device time of its own, which begins with the session
        let discovery = DeviceDiscovery(providers: [TestProvider()])
        let device = try discovery.find(
            "test:85,size=160x120,exposure=10,unplug=3+0.7", kind: .video)
        let (session, output) = (CaptureSession(discovery: discovery), VideoDataOutput())
        try await session.configure { configuration in
            try configuration.add(
                CaptureDeviceInput(
                    camera: device,
                    settings: VideoInputSettings(cameraSettings: [
                        .exposure(.duration(.milliseconds(5)))
                    ])),
                output)
        }
        let before = HostClock().now()
        let (granted, time) = try await session.apply(
            [.gain(.value(4)), .exposure(.automatic)], to: device)
        #expect(time >= before && time <= HostClock().now())
        #expect(granted.map(\.wanted.description) == ["gain=4", "exposure=auto"])
        try await session.start()
        var announced: MediaTime?
        for await event in session.events {
            if case .settingsApplied(_, _, let at) = event { announced = at }
            if case .reopenFailed(_, let error) = event { Issue.record("\(error)") }
            if case .resumed = event { break }
        }
        #expect(announced == time)
        #expect(
            try DeviceControls(of: device, discovery: discovery).settings().prefix(3).map(
                \.description)
                == ["exposure=aperture-priority", "exposure-point=auto", "gain=4"])
        try await session.stop()
    }
}
