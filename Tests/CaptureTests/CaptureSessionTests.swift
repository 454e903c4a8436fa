import Media
import TestSupport
import Testing

@testable import Capture

@Suite("a capture session")
struct CaptureSessionTests {
    let clock = ManualClock(at: .seconds(50))
    let discovery = DeviceDiscovery(providers: [TestProvider()])

    private func camera(
        _ selector: String, settings: VideoInputSettings = .init()
    ) throws -> CaptureDeviceInput {
        CaptureDeviceInput(
            camera: try discovery.find("test:" + selector, kind: .video), settings: settings)
    }

    private func microphone(_ selector: String) throws -> CaptureDeviceInput {
        CaptureDeviceInput(microphone: try discovery.find("test:" + selector, kind: .audio))
    }

    @Test("a camera and a microphone deliver on one clock")
    func bothDeliver() async throws {
        let session = CaptureSession(discovery: discovery, clock: clock)
        let (video, audio) = (
            VideoDataOutput(wantedFormat: .nv12, queueLimit: 64), AudioDataOutput()
        )
        let (pictures, sound) = (EventCollector(), EventCollector())
        let (camera, microphone) = (
            try camera("size=64x48,fps=25"), try microphone("channels=1")
        )
        try await session.configure { configuration throws(MediaError) in
            try configuration.add(camera, video)
            try configuration.add(microphone, audio)
        }
        #expect(video.format.video?.coding == .raw(.nv12))
        #expect(audio.format.audio?.channels == 1)
        #expect(video.origin.identifier == "test:size=64x48,fps=25")
        #expect(await session.grants.map(\.device.kind) == [.video, .audio])
        video.setHandler(pictures.handler)
        audio.setHandler(sound.handler)
        try await session.start()
        #expect(await session.state == .running)
        for _ in 0..<10 { clock.advance(by: .milliseconds(100)) }
        #expect(pictures.wait(samples: 20))
        #expect(sound.wait(samples: 99))
        try await session.stop()
        let (seen, heard) = (pictures.samples.count, sound.samples.count)
        clock.advance(by: .seconds(1))
        #expect(pictures.samples.count == seen && sound.samples.count == heard)
        #expect(pictures.samples.first?.presentationTime == .seconds(50))
        #expect(sound.samples.first?.presentationTime == .seconds(50))
    }

    @Test("a stopped session starts again")
    func restarts() async throws {
        let session = CaptureSession(discovery: discovery, clock: clock)
        let (output, events) = (VideoDataOutput(queueLimit: 64), EventCollector())
        let input = try camera("size=64x48,fps=25")
        try await session.configure { configuration throws(MediaError) in
            try configuration.add(input, output)
        }
        output.setHandler(events.handler)
        for round in 1...3 {
            try await session.start()
            clock.advance(by: .milliseconds(200))
            #expect(events.wait(samples: 5 * round))
            try await session.stop()
        }
        let times = events.samples.map(\.presentationTime)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("a device that cannot be opened changes nothing of the configuration before")
    func transaction() async throws {
        let session = CaptureSession(discovery: discovery, clock: clock)
        let (first, second) = (VideoDataOutput(), VideoDataOutput())
        let good = try camera("size=64x48")
        let bad = try camera(
            "2,size=64x48", settings: VideoInputSettings(size: PixelSize(128, 96)))
        try await session.configure { configuration throws(MediaError) in
            try configuration.add(good, first)
        }
        await #expect(throws: MediaError.self) {
            try await session.configure { configuration throws(MediaError) in
                configuration.removeAll()
                try configuration.add(bad, second)
            }
        }
        #expect(await session.grants.map(\.device.id) == ["test:size=64x48"])
        try await session.start()
        await #expect(throws: MediaError.self) {
            try await session.configure { try $0.add(bad, second) }
        }
        #expect(await session.state == .running)
        #expect(await session.grants.map(\.device.id) == ["test:size=64x48"])
        try await session.stop()
    }

    @Test("what cannot be added says why")
    func refusedAdditions() throws {
        var configuration = CaptureConfiguration()
        let output = VideoDataOutput()
        let input = try camera("size=64x48")
        try configuration.add(input, output)
        try configuration.add(input, VideoDataOutput())
        #expect(configuration.devices.count == 1, "one device, two listeners")
        let other = CaptureDeviceInput(
            camera: input.device, settings: VideoInputSettings(rate: .maximum))
        let twice = #expect(throws: MediaError.self) {
            try configuration.add(other, VideoDataOutput())
        }
        #expect(twice?.message.contains("in the session with other settings") == true)
        let shared = #expect(throws: MediaError.self) {
            try configuration.add(try camera("2"), output)
        }
        #expect(shared?.message.contains("one output for each connection") == true)
        #expect(
            configuration.refusal(of: input, output)?.message
                == shared?.message.replacing(
                    "Test camera 2", with: "Test camera"))
        #expect(configuration.refusal(of: input, VideoDataOutput()) == nil)
        let audio = #expect(throws: MediaError.self) {
            try configuration.add(try microphone(""), VideoDataOutput())
        }
        #expect(audio?.message.contains("not a camera") == true)
        let setting = #expect(throws: MediaError.self) {
            try configuration.add(
                try camera("3", settings: VideoInputSettings(size: PixelSize(0, 5))),
                VideoDataOutput())
        }
        #expect(setting?.subject == "size")
    }

    @Test("an unplugged camera is waited for while the microphone continues")
    func unplug() async throws {
        let session = CaptureSession(discovery: discovery, clock: clock)
        let (video, audio) = (VideoDataOutput(queueLimit: 64), AudioDataOutput())
        let (pictures, sound) = (EventCollector(), EventCollector())
        let (camera, microphone) = (
            try camera("size=64x48,fps=10,unplug=1+2"), try microphone("")
        )
        try await session.configure { configuration throws(MediaError) in
            try configuration.add(camera, video)
            try configuration.add(microphone, audio)
        }
        video.setHandler(pictures.handler)
        audio.setHandler(sound.handler)
        try await session.start()
        clock.advance(by: .milliseconds(1500))
        #expect(pictures.waitForInterruption())
        #expect(await session.state == .running)
        #expect(pictures.samples.count == 10)
        // the search goes by the injected clock
        var steps = 0
        while pictures.samples.count < 15, steps < 200 {
            clock.advance(by: .milliseconds(100))
            try await Task.sleep(for: .milliseconds(5))
            steps += 1
        }
        try await session.stop()
        let order = pictures.all.compactMap { event in
            switch event {
            case .interrupted(let interruption): "gone@\(interruption.time.nanoseconds())"
            case .resumed: "back"
            default: nil
            }
        }
        #expect(order == ["gone@51000000000", "back"])
        let first = try #require(pictures.samples.dropFirst(10).first)
        #expect(first.presentationTime >= .seconds(53))
        #expect(sound.drops.isEmpty)
        var announced: [String] = []
        for await event in session.events {
            switch event {
            case .interrupted: announced.append("interrupted")
            case .resumed: announced.append("resumed")
            default: break
            }
            if announced.count == 2 { break }
        }
        #expect(announced == ["interrupted", "resumed"])
    }

    @Test("a stop while the camera is away ends the search")
    func stopWhileAway() async throws {
        let session = CaptureSession(discovery: discovery, clock: clock)
        let (output, events) = (VideoDataOutput(queueLimit: 64), EventCollector())
        let input = try camera("size=64x48,fps=10,unplug=1+100")
        try await session.configure { configuration throws(MediaError) in
            try configuration.add(input, output)
        }
        output.setHandler(events.handler)
        try await session.start()
        clock.advance(by: .seconds(2))
        #expect(events.waitForInterruption())
        try await session.stop()
        #expect(await session.state == .ready)
        // it cannot be opened now: the error names it, and the session stays ready
        await #expect(throws: MediaError.self) { try await session.start() }
        #expect(await session.state == .ready)
    }

    @Test("starting and stopping again and again leaks no descriptor")
    func descriptors() async throws {
        func count() -> Int { FolderListing.names(in: "/proc/self/fd").count }
        func round() async throws {
            let session = CaptureSession(discovery: discovery, clock: clock)
            let (video, audio) = (VideoDataOutput(wantedFormat: .nv12), AudioDataOutput())
            let (camera, microphone) = (try camera("size=64x48"), try microphone(""))
            try await session.configure { configuration throws(MediaError) in
                try configuration.add(camera, video)
                try configuration.add(microphone, audio)
            }
            try await session.start()
            clock.advance(by: .milliseconds(50))
            try await session.stop()
        }
        try await round()
        let before = count()
        for _ in 0..<30 { try await round() }
        // other tests of this process open files at the same time
        #expect(count() < before + 30)
    }
}
