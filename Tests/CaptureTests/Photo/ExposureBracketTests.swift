import Foundation
import Media
import TestSupport
import Testing

@testable import Capture

@Suite("Which controls a bracket sets")
struct ExposurePlanTests {
    private let device = CaptureDevice(id: "x:1", name: "Camera", kind: .video, driver: "x")

    private func time(
        _ value: Int64?, range: ClosedRange<Int64> = 3...2047, step: Int64 = 1
    ) -> DeviceControl {
        var control = DeviceControl(
            name: "exposure_time_absolute", label: "Exposure", kind: .integer, range: range,
            step: step, defaultValue: 250, value: value)
        control.role = .exposureTime
        return control
    }

    private func mode(_ value: Int64) -> DeviceControl {
        var control = DeviceControl(
            name: "auto_exposure", label: "Auto Exposure", kind: .menu, range: 0...3,
            defaultValue: 3, value: value,
            menu: [.init(value: 1, label: "Manual"), .init(value: 3, label: "Aperture")])
        control.role = .exposureMode
        return control
    }

    private func bias(_ labels: [String], _ value: Int64) -> DeviceControl {
        var control = DeviceControl(
            name: "exposure_bias", label: "Bias", kind: .menu, range: 0...4, defaultValue: 0,
            value: value,
            menu: labels.enumerated().map { .init(value: Int64($0.offset), label: $0.element) })
        control.role = .exposureBias
        return control
    }

    private func steps(_ plan: ExposurePlan) -> [[String]] {
        plan.steps.map { $0.values.map { "\($0.name)=\($0.value)" } }
    }

    @Test("EV are times of twice and half the light, the mode is set by hand first and back last")
    func biases() throws {
        let plan = try ExposurePlan(
            [.targetBias(-2), .targetBias(0), .targetBias(1)], among: [time(100), mode(3)],
            of: device)
        #expect(
            steps(plan)
                == [25, 100, 200].map {
                    ["auto_exposure=1", "exposure_time_absolute=\($0)"]
                })
        #expect(
            plan.former.map { "\($0.name)=\($0.value)" }
                == ["exposure_time_absolute=100", "auto_exposure=3"])
        #expect(plan.steps[0].granted.duration == .nanoseconds(2_500_000))
        #expect(plan.steps.map { $0.granted.bias ?? 9 } == [-2, 0, 1])
    }

    @Test("times are rounded to what the driver has, and what it took is what is said")
    func rounded() throws {
        let plan = try ExposurePlan(
            [.duration(.nanoseconds(1_234_000)), .targetBias(1)],
            among: [time(20, range: 5...500, step: 5), mode(1)], of: device)
        #expect(steps(plan) == [["exposure_time_absolute=10"], ["exposure_time_absolute=40"]])
        #expect(plan.steps[0].granted == GrantedExposure(duration: .milliseconds(1), bias: nil))
    }

    @Test("a camera that has a bias keeps its automatic mode, but not for times")
    func ownBias() throws {
        let controls = [bias(["-2000", "-1000", "0", "1000", "2000"], 2), time(100), mode(3)]
        let plan = try ExposurePlan(
            [.targetBias(-1), .targetBias(2)], among: controls, of: device)
        #expect(steps(plan) == [["exposure_bias=1"], ["exposure_bias=4"]])
        #expect(plan.former.map { "\($0.name)=\($0.value)" } == ["exposure_bias=2"])
        let times = try ExposurePlan(
            [.duration(.milliseconds(5)), .duration(.milliseconds(10))], among: controls,
            of: device)
        #expect(steps(times)[0] == ["auto_exposure=1", "exposure_time_absolute=50"])
    }

    @Test("what the camera cannot do is refused with what it can")
    func refused() throws {
        let cases: [([BracketedExposure], [DeviceControl], String)] = [
            ([.targetBias(0)], [], "no control of its exposure time"),
            ([.targetBias(-6)], [time(100), mode(3)], "exposes for 0.3 ms to 204.7 ms"),
            ([.targetBias(5)], [time(100), mode(3)], "+5 EV would be 320 ms"),
            ([.duration(.seconds(1))], [time(100), mode(3)], "1000 ms"),
            ([.targetBias(1)], [time(nil), mode(3)], "give times"),
            ([.targetBias(3)], [bias(["-1000", "0", "1000"], 1)], "it has -1 EV, 0 EV, +1 EV"),
            ([.duration(.seconds(1))], [bias(["0"], 0)], "no control of its exposure time"),
        ]
        for (exposures, controls, sentence) in cases {
            let error = #expect(throws: MediaError.self) {
                _ = try ExposurePlan(exposures, among: controls, of: device)
            }
            #expect(error?.code == .invalidSetting)
            #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
        }
    }
}

@Suite("Which frame is exposed as was set")
struct ExposureSettlingTests {
    /// Which frame behind the setting (from 1) is taken, and how.
    private func taken(
        _ levels: [Double], before: Double?, change: Double?, known: Int? = nil
    ) -> (frame: Int, verdict: ExposureSettling.Verdict)? {
        var settling = ExposureSettling(before: before, change: change, known: known)
        for (index, level) in levels.enumerated() {
            let verdict = settling.take(level)
            if verdict != .waits { return (index + 1, verdict) }
        }
        return nil
    }

    @Test(
        "a driver that is late by any number of frames is waited for",
        arguments: [0, 1, 2, 3, 6, 12])
    func late(_ lag: Int) throws {
        let levels = [Double](repeating: 100, count: lag) + [Double](repeating: 25, count: 20)
        let found = try #require(taken(levels, before: 100, change: -2))
        #expect(found.verdict == .settled)
        // the first of the new ones may be exposed in part
        #expect(found.frame >= lag + 2 && found.frame > ExposureSettling.least)
        #expect(found.frame <= max(lag + 2, ExposureSettling.least + 1))
    }

    @Test("a flash in what a slow driver leaves of the wait makes it longer")
    func slowAndFlash() throws {
        let old = [Double](repeating: 100, count: 16)
        let levels = old + [50, 230, 50, 230] + [Double](repeating: 50, count: 9)
        #expect(try #require(taken(levels, before: 100, change: -1)) == (22, .settled))
        #expect(try #require(taken(levels, before: 100, change: -1, known: 24)) == (26, .settled))
        // it ends
        let flashes = (0..<60).map { $0.isMultiple(of: 2) ? 50.0 : 230 }
        #expect(
            try #require(taken(flashes, before: 100, change: -1))
                == (ExposureSettling.longest, .unseen))
    }

    @Test("an automatic mode that comes near slowly is waited for until it is there")
    func slow() throws {
        let levels = [100, 90, 80, 70, 60, 55, 52, 51, 51, 51.0]
        #expect(try #require(taken(levels, before: 100, change: -1)).frame >= 7)
    }

    @Test("frames that show nothing of it are taken at last, and it is said")
    func unseen() throws {
        let found = try #require(
            taken([Double](repeating: 16, count: 40), before: 16, change: 2))
        #expect(found == (ExposureSettling.most, .unseen))
    }

    @Test("where nothing was to change, the frames behind the driver's are enough")
    func unchanged() throws {
        let found = try #require(
            taken([Double](repeating: 100, count: 9), before: 100, change: 0))
        #expect(found == (ExposureSettling.least + 1, .settled))
    }

    @Test("steps that cannot be seen wait as long as those that were, and else are not certain")
    func small() throws {
        for change in [0.1, -0.2, nil] as [Double?] {
            let levels = [Double](repeating: 100, count: 40)
            #expect(
                try #require(taken(levels, before: 100, change: change))
                    == (ExposureSettling.most, .unseen))
            #expect(
                try #require(taken(levels, before: 100, change: change, known: 9))
                    == (11, .settled))
        }
    }

    @Test("a flash, a shadow and light in the other direction are not the setting")
    func otherLight() throws {
        let settled = [Double](repeating: 50, count: 20)
        let flash = [100.0, 100, 100, 100, 230, 100, 100, 100, 100] + settled
        #expect(try #require(taken(flash, before: 100, change: -2)) == (11, .settled))
        let shadow = [100.0, 100, 100, 100, 30, 100, 100, 100, 100] + settled
        #expect(try #require(taken(shadow, before: 100, change: -2)) == (11, .settled))
        let lamp = [Double](repeating: 130, count: 40)
        #expect(try #require(taken(lamp, before: 100, change: -2)).verdict == .unseen)
        // by far too little
        let cloud = [Double](repeating: 88, count: 40)
        #expect(try #require(taken(cloud, before: 100, change: -4)).verdict == .unseen)
        // as the camera's other settings were seen, this one cannot be seen earlier
        #expect(
            try #require(taken(settled, before: 100, change: -2, known: 8)) == (10, .settled))
    }
}

@Suite("Brackets of a camera", .serialized, .tags(.realTime))
struct ExposureBracketTests {
    /// A camera of its own for each test: its controls outlast sessions.
    private static let number = Lock(60)

    private func camera(_ words: String) throws -> CaptureDevice {
        let number = Self.number.withLock { number in
            number += 1
            return number
        }
        return try DeviceDiscovery().find(
            "test:\(number),size=160x120,\(words)", kind: .video)
    }

    /// Mean luma below the strip of cells.
    private func level(_ photo: CapturedPhoto) throws -> Double {
        let (pixels, _) = try photo.frame()
        let top = TestPattern.stripHeight(PixelSize(160, 120))
        let step = pixels.format == .yuyv422 ? 2 : 1
        return pixels.withPlane(0) { plane in
            var sum = 0
            for row in top..<120 { for x in 0..<160 { sum += Int(plane.row(row)[step * x]) } }
            return Double(sum) / Double(160 * (120 - top))
        }
    }

    /// Of the darker of two frames: one in a second is white.
    private func usualLevel(_ photos: PhotoOutput) async throws -> Double {
        let one = try await photos.capturePhoto()
        let other = try await photos.capturePhoto(at: one.presentationTime + .milliseconds(100))
        return min(try level(one), try level(other))
    }

    private func controls(_ device: CaptureDevice) throws -> [Int64?] {
        try DeviceControls(of: device).list().map(\.value)
    }

    @Test(
        "each photo is of its own exposure, however late the driver is, and the controls are set back",
        arguments: [(0, "yuv420p"), (2, "mjpeg"), (5, "yuyv422")])
    func exposed(_ lag: Int, _ format: String) async throws {
        let device = try camera("exposure=10,lag=\(lag),format=\(format)")
        let before = try controls(device)
        let (session, photos) = (CaptureSession(), PhotoOutput())
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: device), photos)
        }
        try await session.start()
        let usual = try await usualLevel(photos)
        let bracketing = try ExposureBracketing(
            of: device,
            [.targetBias(-2), .targetBias(0), .targetBias(-1), .duration(.milliseconds(5))])
        var levels: [Double] = []
        for index in 0..<4 {
            let photo = try await bracketing.capturePhoto(index, with: photos)
            #expect(photo.isExposureSeen == true)
            levels.append(try level(photo))
            let exposure = try #require(photo.exposure)
            let wanted = [2.5, 10, 5, 5][index]
            #expect(abs((exposure.duration ?? .zero).approximateSeconds * 1000 - wanted) < 0.06)
        }
        #expect(try controls(device) != before)
        try bracketing.restore()
        #expect(try controls(device) == before)
        // black is 16 in limited range; the pattern's chroma does not count
        let black = format == "mjpeg" ? 0.0 : 16
        let light = usual - black
        for (level, part) in zip(levels, [0.25, 1, 0.5, 0.5]) {
            #expect(abs((level - black) / light - part) < 0.08, "\(levels) of \(usual)")
        }
        // what comes later is not set any more
        await #expect(throws: MediaError.self) {
            _ = try await bracketing.capturePhoto(0, with: photos)
        }
        #expect(try controls(device) == before)
        try await session.stop()
    }

    @Test(
        "a white frame each second is not taken for the setting, whatever the lag",
        arguments: [2, 6, 8, 12, 15])
    func flashes(_ lag: Int) async throws {
        let device = try camera("exposure=10,lag=\(lag)")
        let (session, photos) = (CaptureSession(), PhotoOutput())
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: device), photos)
        }
        try await session.start()
        // 50 frames and more: one of the flashes lies in nearly every wait of the slow ones
        let biases = [-2.0, 0, 2, -1, 1]
        let bracketing = try ExposureBracketing(of: device, biases.map { .targetBias($0) })
        var levels: [Double] = []
        for index in biases.indices {
            let photo = try await bracketing.capturePhoto(index, with: photos)
            #expect(photo.isExposureSeen == true)
            levels.append(try level(photo))
        }
        try bracketing.restore()
        try await session.stop()
        // -2, -1, 0, +1, +2
        let order = [0, 3, 1, 4, 2].map { levels[$0] }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 + 8 < $1 }, "\(levels)")
    }

    @Test("a setting has an effect some frames late: without waiting the photo is of the old one")
    func control() async throws {
        let device = try camera("exposure=10,lag=4")
        let (session, photos) = (CaptureSession(), PhotoOutput())
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: device), photos)
        }
        try await session.start()
        let usual = try await usualLevel(photos)
        try DeviceControls(of: device).set([("auto_exposure", 1), ("exposure_time_absolute", 10)])
        let next = try level(try await photos.capturePhoto())
        #expect(abs(next - usual) < 10, "\(next) \(usual)")
        try await session.stop()
    }

    @Test("an automatic mode refuses a time, as drivers do")
    func automatic() throws {
        let device = try camera("exposure=10")
        let error = #expect(throws: MediaError.self) {
            try DeviceControls(of: device).set([("exposure_time_absolute", 10)])
        }
        #expect(error?.code == .invalidSetting)
    }
}
