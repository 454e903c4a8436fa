import LibAV
import Media
import TestSupport
import Testing

@testable import Capture

private final class ScriptedPressure: PressureReader {
    let reading = Lock(PressureReading())
    func read() -> PressureReading { reading.withLock { $0 } }
    func set(_ values: [PressureCause: Double]) {
        reading.withLock { $0 = PressureReading(values) }
    }
}

@Suite("a session under pressure", .tags(.realTime))
struct SessionPressureTests {
    let clock = ManualClock(at: .seconds(50))
    let discovery = DeviceDiscovery(providers: [TestProvider()])
    private let machine = ScriptedPressure()
    private static let policy = PressurePolicy(
        steps: PressurePolicy.standard.steps, calm: .seconds(4))

    /// Lets seconds pass, a hundred frames each, with a look at the machine after each. Waits for everybody, so
    /// that nothing is dropped on a busy machine.
    private func run(
        _ seconds: Int, _ monitor: PressureMonitor, _ movie: EventCollector,
        beside others: [EventCollector] = []
    ) {
        for _ in 0..<seconds {
            for _ in 0..<10 {
                clock.advance(by: .milliseconds(100))
                let frames = (clock.now() - .seconds(50)).nanoseconds() / 10_000_000
                #expect(movie.wait(samples: Int(frames) + 1))
                // one of twenty frames is the least that anybody gets
                let due = clock.now() - .milliseconds(400)
                #expect(
                    waitUntil {
                        others.allSatisfy { ($0.samples.last?.presentationTime ?? due) >= due }
                    })
            }
            monitor.tick()
        }
    }

    /// Frames that came between two instants (seconds since the start).
    private func count(_ events: EventCollector, _ from: Int64, _ to: Int64) -> Int {
        events.samples.count { sample in
            let time = sample.presentationTime
            return time >= .seconds(50 + from) && time < .seconds(50 + to)
        }
    }

    @Test(
        "pressure that is there already when a session starts is an event of it",
        arguments: [0, 0.95])
    func alreadyPressed(load: Double) async throws {
        let monitor = PressureMonitor(Self.policy, machine, clock)
        machine.set([.processor: load])
        monitor.tick()
        let session = CaptureSession(discovery: discovery, clock: clock, pressure: monitor)
        let input = CaptureDeviceInput(
            camera: try discovery.find("test:size=64x48,fps=100", kind: .video))
        let output = VideoDataOutput()
        try await session.configure { try $0.add(input, output) }
        try await session.start()
        machine.set([.processor: 0.6])
        monitor.tick()
        try await session.stop()
        for await event in session.events {
            guard case .systemPressure(let state, let time) = event else { continue }
            #expect(state.level == (load > 0 ? .serious : .fair))
            #expect(time == .seconds(50))
            break
        }
    }

    @Test(
        "previews and detectors get half, then a quarter of their frames, and all again; the movie has each",
        arguments: ["yuv420p", "mjpeg"])
    func thinned(format: String) async throws {
        let monitor = PressureMonitor(Self.policy, machine, clock)
        let session = CaptureSession(discovery: discovery, clock: clock, pressure: monitor)
        let input = CaptureDeviceInput(
            camera: try discovery.find("test:size=64x48,fps=100,format=\(format)", kind: .video))
        let movie = VideoDataOutput(queueLimit: 64)
        let preview = VideoDataOutput(queueLimit: 64, role: .preview)
        let detector = VideoDataOutput(
            wantedFormat: .nv12, queueLimit: 64, role: .detection)
        let (movies, previews, detections) = (
            EventCollector(), EventCollector(), EventCollector()
        )
        movie.setHandler(movies.handler)
        preview.setHandler(previews.handler)
        detector.setHandler(detections.handler)
        try await session.configure { configuration in
            try configuration.add(input, movie)
            try configuration.add(input, preview)
            try configuration.add(
                input, detector, CaptureConnection(maximumRate: FrameRate(20)))
        }
        try await session.start()
        #expect(movies.wait(samples: 1))
        run(2, monitor, movies, beside: [previews, detections])
        machine.set([.processor: 0.95])
        run(6, monitor, movies, beside: [previews, detections])
        machine.set([.processor: 0])
        run(16, monitor, movies, beside: [previews, detections])
        try await session.stop()

        #expect(movies.drops.isEmpty)
        #expect(movies.samples.count >= 2_400, "the movie has each frame")
        // 0…3 s all, 3…5 s a half, 5…8 s a quarter
        #expect((195...201).contains(count(previews, 0, 2)), "\(count(previews, 0, 2))")
        #expect((48...53).contains(count(previews, 3, 4)), "\(count(previews, 3, 4))")
        #expect((48...53).contains(count(previews, 6, 8)), "\(count(previews, 6, 8))")
        #expect((95...101).contains(count(previews, 23, 24)), "\(count(previews, 23, 24))")
        #expect((38...41).contains(count(detections, 0, 2)), "\(count(detections, 0, 2))")
        #expect((9...11).contains(count(detections, 3, 4)), "\(count(detections, 3, 4))")
        #expect((9...11).contains(count(detections, 6, 8)), "\(count(detections, 6, 8))")
        var words: [String] = []
        for await event in session.events {
            switch event {
            case .systemPressure(let state, _): words.append(state.level.rawValue)
            case .pressureStep(let step):
                words.append("\(step.isTaken ? "+" : "-")\(step.measure.name)")
            default: break
            }
            if words.count == 7 { break }
        }
        #expect(
            words == [
                "serious", "+spare-frames/2", "+spare-frames/4", "fair", "nominal",
                "-spare-frames/4", "-spare-frames/2",
            ])
    }

    @Test("an output that joins under pressure begins thinned; one that leaves is itself again")
    func joins() async throws {
        let monitor = PressureMonitor(Self.policy, machine, clock)
        let session = CaptureSession(discovery: discovery, clock: clock, pressure: monitor)
        let input = CaptureDeviceInput(
            camera: try discovery.find("test:size=64x48,fps=100", kind: .video))
        let movie = VideoDataOutput(queueLimit: 64)
        let preview = VideoDataOutput(queueLimit: 64, role: .preview)
        let other = VideoDataOutput(queueLimit: 64, role: .preview)
        let (movies, others) = (EventCollector(), EventCollector())
        movie.setHandler(movies.handler)
        other.setHandler(others.handler)
        try await session.configure { configuration in
            try configuration.add(input, movie)
            try configuration.add(input, preview)
        }
        try await session.start()
        #expect(movies.wait(samples: 1))
        machine.set([.processor: 0.6])
        run(1, monitor, movies)
        #expect(monitor.relief.frameDivisor == 2)
        try await session.configure { try $0.add(input, other) }
        run(1, monitor, movies)
        // its own thread may be behind the movie's
        #expect(others.wait(samples: 48))
        #expect((48...52).contains(others.samples.count), "\(others.samples.count)")
        try await session.configure { $0.remove(other) }
        let before = others.samples.count
        let alone = CaptureSession(discovery: discovery, clock: clock)
        try await session.stop()
        try await alone.configure { try $0.add(input, other) }
        try await alone.start()
        for count in 1...10 {
            clock.advance(by: .milliseconds(100))
            #expect(others.wait(samples: before + count * 10 - 1))
        }
        try await alone.stop()
        #expect(others.samples.count - before >= 95, "\(others.samples.count - before)")
    }

    @Test(
        "frames that build on each other are all decoded, and then left out",
        .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
    func predicted() throws {
        let folder = try TemporaryFolder()
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=2", "-c:v",
            "libx264", "-bf", "0", folder.file("clip.mkv"),
        ])
        #expect(made.status == 0)
        let provider = FileProvider()
        let camera = try #require(
            try provider.device(named: folder.file("clip.mkv"), kind: .video))
        let stream = try provider.openVideo(camera, settings: .init(), clock: clock)
        let samples = EventCollector(keepsFrames: true)
        try stream.start(handler: samples.handler)
        clock.advance(by: .milliseconds(1_990))
        #expect(samples.wait(samples: 50))
        stream.stop()
        let format = try #require(stream.format.video)
        var path = try FramePath(
            from: format, to: FrameTarget(pixelFormat: .yuv420p, orientation: .upright),
            by: CaptureConnection(), subject: "clip")
        var passed: [Int] = []
        for (number, sample) in samples.samples.prefix(50).enumerated() {
            if number == 10 { path.thin(by: 2) }
            if number == 30 { path.thin(by: 1) }
            for case .sample(let shown) in path.process(.sample(sample)) {
                passed.append(
                    Int(((shown.presentationTime - .seconds(50)).approximateSeconds * 25).rounded())
                )
            }
        }
        let expected = Array(0..<10) + Array(stride(from: 10, to: 30, by: 2)) + Array(30..<50)
        // decoders hold a frame or two back
        #expect(passed == Array(expected.prefix(passed.count)) && passed.count >= 36, "\(passed)")
    }

    @Test("a session without outputs that could give way, or that stands, takes no step")
    func nobody() async throws {
        let monitor = PressureMonitor(Self.policy, machine, clock)
        let session = CaptureSession(discovery: discovery, clock: clock, pressure: monitor)
        let input = CaptureDeviceInput(
            camera: try discovery.find("test:size=64x48,fps=100", kind: .video))
        machine.set([.processor: 0.95])
        let preview = VideoDataOutput(role: .preview)
        try await session.configure { try $0.add(input, preview) }
        monitor.tick()
        #expect(monitor.relief == PressureRelief(), "it stands")
        let movie = VideoDataOutput()
        try await session.configure { configuration in
            configuration.removeAll()
            try configuration.add(input, movie)
        }
        try await session.start()
        monitor.tick()
        #expect(monitor.relief == PressureRelief())
        try await session.stop()
    }
}
