import Media
import TestSupport
import Testing

@testable import Capture

@Suite("a device with many listeners")
struct ManyListenersTests {
    let clock = ManualClock(at: .seconds(50))
    let discovery = DeviceDiscovery(providers: [TestProvider()])

    private func camera(_ selector: String) throws -> CaptureDeviceInput {
        CaptureDeviceInput(camera: try discovery.find("test:" + selector, kind: .video))
    }

    /// The numbers in the frames that come.
    private final class Reader: Sendable {
        private let numbers = BlockingLock<[Int]>([])

        var handler: @Sendable (SourceEvent) -> Void {
            { [numbers] event in
                switch event {
                case .sample(let sample):
                    let number = sample.pixelBuffer.map { FrameStrip.number(in: $0) } ?? -1
                    numbers.withLock { $0.append(number) }
                case .dropped(let drop): numbers.withLock { $0.append(-drop.count) }
                default: break
                }
            }
        }

        var all: [Int] { numbers.read { $0 } }

        func wait(for number: Int) -> Bool {
            numbers.wait(nanoseconds: 60_000_000_000) {
                $0.last.map { $0 >= number } ?? false ? true : nil
            }
                ?? false
        }
    }

    /// Lets the camera give frames up to a number, no faster than each listener takes them: one
    /// whose queue is full loses frames, the last one too.
    private func run(upTo last: Int, of readers: Reader...) {
        var now = readers.compactMap(\.all.last).min() ?? -1
        while now < last {
            now = min(now + 40, last)
            // a thousand frames a second, the first at once
            clock.advance(by: .seconds(50) + .milliseconds(Int64(now)) - clock.now())
            guard readers.allSatisfy({ $0.wait(for: now) }) else {
                Issue.record("frame \(now) did not come")
                return
            }
        }
    }

    @Test(
        "a movie, a preview, a photo and two detectors, one of which sleeps: the movie has each of 10,000 frames"
    )
    func five() async throws {
        let session = CaptureSession(discovery: discovery, clock: clock)
        let input = try camera("size=64x48,fps=1000")
        let movie = VideoDataOutput(queueLimit: 64)
        let preview = VideoDataOutput(
            wantedFormat: .bgra, wantedSize: PixelSize(32, 24), lateFrames: .dropOldest)
        let photo = VideoDataOutput(wantedFormat: .yuv420p)
        let detector = VideoDataOutput(wantedFormat: .nv12, lateFrames: .dropOldest)
        let sleeper = VideoDataOutput(wantedFormat: .nv12, lateFrames: .dropOldest)
        let (reader, previews, photos) = (Reader(), EventCollector(), EventCollector())
        let detected = EventCollector()
        let gate = BlockingLock(false)
        movie.setHandler(reader.handler)
        preview.setHandler(previews.handler)
        photo.setHandler { [weak photo] event in
            guard case .sample = event else { return }
            photo?.setEnabled(false)
            photos.handler(event)
        }
        detector.setHandler(detected.handler)
        let slept = EventCollector()
        sleeper.setHandler { event in
            gate.wait { $0 ? () : nil }
            slept.handler(event)
        }
        try await session.configure { configuration in
            try configuration.add(input, movie)
            try configuration.add(
                input, preview, CaptureConnection(maximumRate: FrameRate(5)))
            try configuration.add(input, photo)
            try configuration.add(input, detector)
            try configuration.add(input, sleeper)
        }
        try await session.start()
        run(upTo: 9_999, of: reader)
        #expect(reader.all == Array(0...9_999))
        #expect(previews.wait(samples: 50))
        // the last may be a little early for the eleventh second
        #expect((50...51).contains(previews.samples.count) && previews.drops.isEmpty)
        #expect(photos.samples.count == 1)
        #expect(!detected.samples.isEmpty)
        #expect(slept.all.isEmpty, "it sleeps still")
        gate.withLock { $0 = true }
        try await session.stop()
        // what it did not take was reported to it and to the session, and not to the others
        var pressed: Set<String> = []
        for await event in session.events {
            if case .pressure(let device, let drop) = event {
                #expect(drop.cause == .late)
                pressed.insert(device.id)
                break
            }
        }
        #expect(pressed == [input.device.id])
    }

    @Test("a listener that comes and goes while the session runs costs the others nothing")
    func appearsAndDisappears() async throws {
        let session = CaptureSession(discovery: discovery, clock: clock)
        let input = try camera("size=64x48,fps=1000")
        let movie = VideoDataOutput(queueLimit: 64)
        let reader = Reader()
        movie.setHandler(reader.handler)
        try await session.configure { try $0.add(input, movie) }
        try await session.start()
        run(upTo: 99, of: reader)
        for round in 1...3 {
            let before = 99 + 120 * (round - 1)
            let guest = VideoDataOutput(wantedFormat: .nv12, queueLimit: 64)
            let seen = EventCollector()
            guest.setHandler(seen.handler)
            try await session.configure { try $0.add(input, guest) }
            #expect(guest.format.video?.coding == .raw(.nv12))
            for count in [40, 80, 100] {
                run(upTo: before + count, of: reader)
                #expect(seen.wait(samples: count))
            }
            try await session.configure { $0.remove(guest) }
            let count = seen.all.count
            #expect(seen.samples.count == 100)
            #expect(count == 101 && seen.all.last?.word == "ended")
            run(upTo: before + 120, of: reader)
            #expect(seen.all.count == count, "nothing comes when it is gone")
        }
        try await session.stop()
        #expect(reader.all == Array(0...459))
    }

    @Test("a microphone and its listeners join a running camera, and leave it")
    func deviceJoins() async throws {
        let session = CaptureSession(discovery: discovery, clock: clock)
        let input = try camera("size=64x48,fps=1000")
        let microphone = CaptureDeviceInput(
            microphone: try discovery.find("test:", kind: .audio))
        let movie = VideoDataOutput(queueLimit: 64)
        let reader = Reader()
        movie.setHandler(reader.handler)
        try await session.configure { try $0.add(input, movie) }
        try await session.start()
        run(upTo: 99, of: reader)
        let (first, second) = (AudioDataOutput(), AudioDataOutput())
        let (heard, also) = (EventCollector(), EventCollector())
        first.setHandler(heard.handler)
        second.setHandler(also.handler)
        try await session.configure { configuration in
            try configuration.add(microphone, first)
            try configuration.add(microphone, second)
        }
        run(upTo: 399, of: reader)
        #expect(heard.wait(samples: 20) && also.wait(samples: 20))
        let times = zip(heard.samples, also.samples).map {
            ($0.presentationTime, $1.presentationTime)
        }
        #expect(times.allSatisfy { $0 == $1 })
        try await session.configure { $0.remove(microphone.device) }
        let count = heard.samples.count
        run(upTo: 499, of: reader)
        #expect(heard.samples.count == count)
        #expect(await session.state == .running)
        #expect(await session.grants.map(\.device.kind) == [.video])
        try await session.stop()
        #expect(reader.all == Array(0...499))
    }

    @Test("a change that fails while the session runs leaves every listener as it was")
    func failedChange() async throws {
        let session = CaptureSession(discovery: discovery, clock: clock)
        let input = try camera("size=64x48,fps=1000")
        let gone = try camera("2,unplug=0+1000")
        let (movie, other) = (VideoDataOutput(queueLimit: 64), VideoDataOutput(queueLimit: 64))
        let (reader, second) = (Reader(), Reader())
        movie.setHandler(reader.handler)
        other.setHandler(second.handler)
        try await session.configure { configuration in
            try configuration.add(input, movie)
            try configuration.add(input, other)
        }
        try await session.start()
        run(upTo: 99, of: reader, second)
        // the second listener is to leave, one that cannot be served is to come, and so is a dead camera
        let rotated = VideoDataOutput(wantedFormat: .yuyv422)
        await #expect(throws: MediaError.self) {
            try await session.configure { configuration in
                configuration.remove(other)
                try configuration.add(input, rotated, CaptureConnection(rotation: .clockwise90))
            }
        }
        await #expect(throws: MediaError.self) {
            try await session.configure { configuration in
                configuration.remove(other)
                try configuration.add(gone, VideoDataOutput())
            }
        }
        let otherwise = CaptureDeviceInput(
            camera: input.device, settings: VideoInputSettings(rate: .maximum))
        let refused = await #expect(throws: MediaError.self) {
            try await session.configure { configuration in
                configuration.removeAll()
                try configuration.add(otherwise, movie)
            }
        }
        #expect(refused?.message.contains("stop the session first") == true)
        run(upTo: 199, of: reader, second)
        #expect(await session.configuration.devices == [input.device])
        try await session.stop()
        #expect(reader.all == Array(0...199) && second.all == reader.all)
        // and when it is stopped, the other settings are taken
        try await session.configure { configuration in
            configuration.removeAll()
            try configuration.add(otherwise, movie)
        }
        #expect(await session.state == .ready)
    }

    @Test("each listener has its own format of one motion JPEG camera")
    func formats() async throws {
        let session = CaptureSession(discovery: discovery, clock: clock)
        let input = try camera("size=64x48,fps=25,format=mjpeg")
        let own = VideoDataOutput(queueLimit: 64)
        let raw = VideoDataOutput(wantedFormat: .yuv420p, queueLimit: 64)
        let small = VideoDataOutput(
            wantedFormat: .bgra, wantedSize: PixelSize(16, 12), queueLimit: 64)
        try await session.configure { configuration in
            try configuration.add(input, own)
            try configuration.add(input, raw)
            try configuration.add(input, small)
        }
        #expect(own.format.video?.coding == .coded(.mjpeg))
        #expect(raw.format.video?.coding == .raw(.yuv420p))
        #expect(small.format.video?.coding == .raw(.bgra) && small.format.video?.width == 16)
        let seen = [EventCollector(), EventCollector(), EventCollector()]
        for (output, events) in zip([own, raw, small], seen) { output.setHandler(events.handler) }
        try await session.start()
        for _ in 0..<10 { clock.advance(by: .milliseconds(40)) }
        for events in seen {
            #expect(events.wait(samples: 10))
            #expect(events.drops.isEmpty)
        }
        try await session.stop()
    }
}
