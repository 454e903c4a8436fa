import Foundation
import Media
import TestSupport
import Testing

@testable import Capture

private let vivid = "/sys/bus/platform/drivers/vivid"

/// Against the kernel's own virtual camera; run inside the lab's guest.
@Suite(
    "a V4L2 driver", .serialized,
    .enabled(
        if: FileManager.default.fileExists(atPath: vivid + "/vivid.0"),
        "the vivid driver is not loaded: Tests/Lab/scenarios/v4l2.sh runs these"))
struct V4L2DriverTests {
    private let provider = V4L2Provider()

    private func cameras() throws -> [CaptureDevice] {
        try provider.devices(of: .video).filter { $0.driver == "vivid" }
    }

    private func camera() throws -> CaptureDevice { try #require(try cameras().first) }

    private func small(
        _ format: String? = nil, rate: FrameRate = FrameRate(30)
    ) -> VideoInputSettings {
        VideoInputSettings(
            size: PixelSize(320, 180), rate: .exactly(rate),
            inputFormat: format.map { .named($0) } ?? .automatic)
    }

    private func open(
        _ device: CaptureDevice, _ settings: VideoInputSettings
    ) throws -> any CaptureStream {
        try provider.openVideo(device, settings: settings, clock: HostClock())
    }

    private func run(
        _ stream: any CaptureStream, samples: Int
    ) throws -> EventCollector {
        let events = EventCollector()
        try stream.start(handler: events.handler)
        #expect(events.wait(samples: samples))
        stream.stop()
        return events
    }

    @Test(
        "five listeners of one camera, of which one sleeps all the while: the movie's gets every frame the driver had"
    )
    func manyListeners() async throws {
        // at the camera's highest rate: 9 s, or 167 s
        let count = Sweep.isWhole ? 10_000 : 540
        let session = CaptureSession(discovery: DeviceDiscovery(providers: [provider]))
        let rate = FrameRate(60)
        let input = CaptureDeviceInput(camera: try camera(), settings: small("YUYV", rate: rate))
        // on the driver's own memory, as a recorder takes it
        let movie = VideoDataOutput(queueLimit: 32)
        let preview = VideoDataOutput(
            wantedFormat: .bgra, wantedSize: PixelSize(160, 90), lateFrames: .dropOldest)
        let photo = VideoDataOutput(wantedFormat: .yuv420p)
        let detector = VideoDataOutput(wantedFormat: .nv12, lateFrames: .dropOldest)
        let sleeper = VideoDataOutput(lateFrames: .dropOldest)
        let gate = BlockingLock(false)
        sleeper.setHandler { _ in gate.wait { $0 ? () : nil } }
        let (recorded, shown) = (FrameTally(rate: rate), FrameTally(rate: rate))
        let (photos, detected) = (FrameTally(rate: rate), FrameTally(rate: rate))
        movie.setHandler(recorded.handler)
        preview.setHandler(shown.handler)
        photo.setHandler { [weak photo] event in
            guard case .sample = event else { return }
            photo?.setEnabled(false)
            photos.handler(event)
        }
        detector.setHandler(detected.handler)
        try await session.configure { configuration in
            try configuration.add(input, movie)
            try configuration.add(
                input, preview, CaptureConnection(maximumRate: FrameRate(5)))
            for output in [photo, detector, sleeper] { try configuration.add(input, output) }
        }
        let trace = try DriverTrace()
        try await session.start()
        #expect(recorded.wait(frames: count))
        let driver = try trace.end()
        let tally = recorded.value
        gate.withLock { $0 = true }
        try await session.stop()
        // Tests/Lab/DriverTests.swift looks for this line
        print(
            "five listeners: \(tally.description); no buffer left \(driver.shortages) times, by use \(driver.shortagesByUse)"
        )
        #expect(tally.otherDrops == 0)
        #expect(tally.unreported.isEmpty, "\(tally.unreported)")
        // all that was filled was taken, but for what the driver still has, and all that was taken is in the movie
        #expect((0...8).contains(driver.filled - driver.taken.count), "\(driver.filled)")
        // the camera stamps the end of a frame, and a sample its start
        let duration = rate.frameDuration.nanoseconds()
        let taken = driver.taken.prefix(count).map { ($0 - duration) / 1000 }
        #expect(Array(tally.stamps.prefix(count)) == taken)
        // a gap is not the driver's own when the listeners keep its buffers from it
        #expect(driver.shortagesByUse == 0)
        let ofFive = (tally.frames + tally.driverGaps) / 12
        #expect((ofFive * 9 / 10...ofFive * 23 / 20).contains(shown.value.frames))
        #expect(photos.value.frames == 1 && detected.value.frames > 0)
    }

    @Test("a driver whose buffers are all kept from it is seen to have none")
    func starvedDriver() throws {
        let stream = try open(try camera(), small())
        let events = EventCollector()
        let trace = try DriverTrace()
        try stream.start { event in
            events.handler(event)
            if case .sample = event, events.samples.count == 5 { usleep(1_500_000) }
        }
        #expect(events.wait(samples: 10))
        let driver = try trace.end()
        stream.stop()
        #expect(driver.shortages > 0)
    }

    @Test("every listed format delivers frames, in one memory plane or several")
    func everyFormat() throws {
        var (seen, sensors) = (0, 0)
        for device in try cameras() {
            for format in device.formats.compactMap(\.video) {
                let settings = VideoInputSettings(
                    size: PixelSize(320, 180), inputFormat: .named(format.fourCC))
                let stream: any CaptureStream
                do { stream = try open(device, settings) } catch let error as MediaError {
                    #expect(error.code == .unsupportedFormat, "\(format.fourCC): \(error)")
                    continue
                }
                let events = EventCollector(keepsFrames: true)
                try stream.start(handler: events.handler)
                let isDelivering = events.wait(samples: 2)
                stream.stop()
                #expect(isDelivering, "\(format.fourCC)")
                let sample = try #require(events.samples.first)
                if let bayer = stream.format.video?.bayer {
                    let values = sample.block?.withUnsafeBytes {
                        bayer.values(in: $0, width: 320, height: 180)
                    }
                    let levels = Set(try #require(values, "\(format.fourCC)"))
                    #expect(levels.count > 1, "\(format.fourCC)")
                    #expect(levels.allSatisfy { $0 <= bayer.whiteLevel }, "\(format.fourCC)")
                    sensors += 1
                } else {
                    let frame = try #require(sample.pixelBuffer)
                    #expect(frame.width == 320 && frame.height == 180)
                    #expect(frame.format == stream.format.video?.pixelFormat)
                }
                seen += 1
            }
        }
        #expect(seen > 10 && sensors >= 4, "\(seen) \(sensors)")
    }

    @Test("stamps lie on the host clock and rise by the frame duration")
    func stamps() throws {
        let before = HostClock().now()
        let events = try run(try open(try camera(), small()), samples: 30)
        let times = events.samples.map(\.presentationTime)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(try #require(times.first) > before - .seconds(1))
        #expect(try #require(times.last) < HostClock().now() + .seconds(1))
        let lost = events.drops.map(\.count).reduce(0, +)
        let span = try #require(times.last) - (try #require(times.first))
        let expected = Double(times.count - 1 + lost) / 30
        #expect(abs(span.approximateSeconds - expected) < 0.1)
    }

    @Test("lost buffers are counted exactly", arguments: [1, 10, 50])
    func drops(percent: Int64) throws {
        let controls = try DeviceControls(
            of: try camera(), discovery: DeviceDiscovery(providers: [provider]))
        try controls.set([("percentage_of_dropped_buffers", percent)])
        defer { _ = try? controls.set([("percentage_of_dropped_buffers", 0)]) }
        let events = try run(try open(try camera(), small(rate: FrameRate(60))), samples: 60)
        // vivid gives a number twice when its thread wakes a moment early
        let numbers = Set(events.samples.compactMap(\.attachments.sequence))
        let span = try #require(numbers.max()) - (try #require(numbers.min())) + 1
        let reported = events.dropsBeforeLastSample.map(\.count).reduce(0, +)
        let beforeFirst = events.samples.first?.attachments.lostBefore ?? 0
        #expect(Int(span) == numbers.count + reported - beforeFirst)
        if percent == 50 { #expect(reported > 15) }
    }

    @Test("a sequence number that wraps is no loss")
    func wraps() throws {
        let controls = try DeviceControls(
            of: try camera(), discovery: DeviceDiscovery(providers: [provider]))
        try controls.set([("wrap_sequence_number", 1)])
        defer { _ = try? controls.set([("wrap_sequence_number", 0)]) }
        let events = try run(try open(try camera(), small(rate: FrameRate(60))), samples: 180)
        #expect(events.drops.allSatisfy { $0.count < 30 })
        let numbers = events.samples.compactMap(\.attachments.sequence)
        #expect(try #require(numbers.last) > UInt64(UInt32.max))
    }

    @Test("stamps of a wrapped clock come back to the host clock", arguments: [Int64(1), 2])
    func wrappedStamps(kind: Int64) throws {
        let controls = try DeviceControls(
            of: try camera(), discovery: DeviceDiscovery(providers: [provider]))
        try controls.set([("wrap_timestamp", kind)])
        defer { _ = try? controls.set([("wrap_timestamp", 0)]) }
        let events = try run(try open(try camera(), small()), samples: 30)
        let now = HostClock().now()
        for sample in events.samples {
            #expect(abs((now - sample.presentationTime).approximateSeconds) < 5)
        }
    }

    @Test("errors the driver takes back are survived; others interrupt")
    func injected() throws {
        let controls = try DeviceControls(
            of: try camera(), discovery: DeviceDiscovery(providers: [provider]))
        for name in ["inject_vidioc_reqbufs_error", "inject_vidioc_streamon_error"] {
            try controls.set([(name, 0)])
            _ = try run(try open(try camera(), small()), samples: 3)
        }
        let stream = try open(try camera(), small())
        let events = EventCollector()
        try stream.start(handler: events.handler)
        #expect(events.wait(samples: 3))
        try controls.set([("inject_vidioc_qbuf_error", 0)])
        #expect(events.wait(samples: 10))
        try controls.set([("inject_v4l2_buf_flag_error", 0)])
        #expect(events.wait(samples: 20))
        #expect(events.drops.contains { $0.cause == .damaged && $0.count == 1 })
        try controls.set([("inject_fatal_streaming_error", 0)])
        #expect(events.waitForInterruption())
        stream.stop()
        _ = try run(try open(try camera(), small()), samples: 3)
    }

    @Test("a device taken by another stream says who has it")
    func busy() throws {
        let stream = try open(try camera(), small())
        let error = #expect(throws: MediaError.self) { try open(try camera(), small()) }
        #expect(error?.code == .deviceBusy)
        #expect(error?.message.contains("this program itself") == true, "\(error as Any)")
        stream.stop()
        _ = try run(try open(try camera(), small()), samples: 1)
    }

    @Test("a frame still held does not keep a stopped camera busy")
    func heldFrame() throws {
        let holder = EventCollector(keepsFrames: true)
        let stream = try open(try camera(), small())
        try stream.start(handler: holder.handler)
        #expect(holder.wait(samples: 2))
        stream.stop()
        let frame = try #require(holder.samples.first?.pixelBuffer)
        #expect(frame.holdLimit != nil)
        _ = try run(try open(try camera(), small()), samples: 1)
        #expect(frame.withPlane(0) { $0.row(10)[20] } > 0)
    }

    @Test("while configuration is exclusive nobody else can set a control")
    func exclusive() throws {
        let controls = try DeviceControls(
            of: try camera(), discovery: DeviceDiscovery(providers: [provider]))
        let before = try controls.control(named: "contrast").value
        try controls.withExclusiveConfiguration { mine throws(MediaError) in
            try mine.set([("contrast", 77)])
            let refused = #expect(throws: MediaError.self) {
                try controls.set([("contrast", 78)])
            }
            #expect(refused?.code == .deviceBusy)
        }
        #expect(try controls.control(named: "contrast").value == 77)
        try controls.set([("contrast", before ?? 128)])
    }

    @Test("an unplugged camera comes back to the session under its identity")
    func unplug() async throws {
        let discovery = DeviceDiscovery(providers: [provider])
        let device = try camera()
        let session = CaptureSession(discovery: discovery)
        let output = VideoDataOutput(wantedFormat: .yuv420p)
        let settings = small()
        try await session.configure { configuration throws(MediaError) in
            try configuration.add(
                CaptureDeviceInput(camera: device, settings: settings), output)
        }
        let events = EventCollector()
        output.setHandler(events.handler)
        try await session.start()
        #expect(events.wait(samples: 5))
        for round in 1...3 {
            let had = events.samples.count
            try "vivid.0".write(toFile: vivid + "/unbind", atomically: false, encoding: .utf8)
            #expect(
                events.wait { events in
                    events.count { if case .interrupted = $0 { true } else { false } } == round
                })
            try "vivid.0".write(toFile: vivid + "/bind", atomically: false, encoding: .utf8)
            #expect(events.wait(samples: had + 10))
        }
        try await session.stop()
        let kinds = events.all.compactMap { event in
            switch event {
            case .interrupted(let interruption): interruption.reason.rawValue
            case .resumed: "resumed"
            default: nil
            }
        }
        #expect(kinds == Array(repeating: ["device-gone", "resumed"], count: 3).flatMap { $0 })
        for sample in events.samples { #expect(sample.format.video?.pixelFormat == .yuv420p) }
    }

    @Test("a camera that goes and comes is reported, though nobody listed it before")
    func appearsAndDisappears() async throws {
        let changes = ChangeCollector(DeviceDiscovery(providers: [V4L2Provider()]))
        let id = try camera().id
        for round in 1...2 {
            try "vivid.0".write(toFile: vivid + "/unbind", atomically: false, encoding: .utf8)
            #expect(try await changes.wait(for: 2 * round - 1).last == "-\(id)")
            try "vivid.0".write(toFile: vivid + "/bind", atomically: false, encoding: .utf8)
            #expect(try await changes.wait(for: 2 * round).last == "+\(id)")
        }
    }

    @Test("opening and streaming again and again leaks no descriptor and no mapping")
    func leaks() throws {
        func count() -> (Int, Int) {
            let descriptors = FolderListing.names(in: "/proc/self/fd").count
            let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
            return (descriptors, maps.split(separator: "\n").count { $0.contains("/dev/video") })
        }
        _ = try run(try open(try camera(), small()), samples: 2)
        let before = count()
        for _ in 0..<5 { _ = try run(try open(try camera(), small()), samples: 2) }
        let after = count()
        #expect(after.0 <= before.0)
        #expect(after.1 == 0)
    }
}
