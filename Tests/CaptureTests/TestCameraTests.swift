import Media
import TestSupport
import Testing

@testable import Capture

/// A test camera or microphone on a clock that the test moves.
struct TestDeviceRun {
    let clock = ManualClock(at: .seconds(100))
    let provider = TestProvider()
    let events = EventCollector()

    func camera(
        _ selector: String, _ settings: VideoInputSettings = .init()
    ) throws -> any CaptureStream {
        let device = try #require(try provider.device(named: selector, kind: .video))
        return try provider.openVideo(device, settings: settings, clock: clock)
    }

    func microphone(
        _ selector: String, _ settings: AudioInputSettings = .init()
    ) throws -> any CaptureStream {
        let device = try #require(try provider.device(named: selector, kind: .audio))
        return try provider.openAudio(device, settings: settings, clock: clock)
    }

    /// Lets the stream run until device time `end`, in steps that its pool can take.
    func run(_ stream: any CaptureStream, until end: Int64, samples: Int) throws {
        try stream.start(handler: events.handler)
        clock.advance(by: .seconds(end) - (clock.now() - .seconds(100)))
        #expect(events.wait(samples: samples))
        stream.stop()
    }
}

/// Reads number and flash at once, so that frames return to their pool.
private final class StripReader: Sendable {
    struct Seen: Equatable {
        let number: Int
        let isFlash: Bool
        let time: Int64
        let lostBefore: Int
    }

    private let seen = BlockingLock<[Seen]>([])

    var handler: @Sendable (SourceEvent) -> Void {
        { [seen] event in
            guard case .sample(let sample) = event, let picture = sample.pixelBuffer else { return }
            let entry = Seen(
                number: FrameStrip.number(in: picture), isFlash: FrameStrip.isFlash(picture),
                time: sample.presentationTime.nanoseconds(),
                lostBefore: sample.attachments.lostBefore)
            seen.withLock { $0.append(entry) }
        }
    }

    func wait(_ count: Int) -> [Seen] {
        seen.wait(nanoseconds: 60_000_000_000) { $0.count >= count ? $0 : nil }
            ?? seen.withLock { $0 }
    }
}

@Suite("the test camera")
struct TestCameraTests {
    @Test(
        "every frame shows its number at every size and format",
        arguments: [
            "size=320x180,format=yuv420p", "size=50x26,format=nv12",
            "size=642x362,format=yuyv422,fps=25", "size=1280x720,fps=30000/1001",
        ])
    func showsItsNumber(selector: String) throws {
        let run = TestDeviceRun()
        let reader = StripReader()
        let camera = try run.camera(selector)
        try camera.start(handler: reader.handler)
        run.clock.advance(by: .seconds(2))
        let seen = reader.wait(50)
        camera.stop()
        #expect(seen.map(\.number) == Array(0..<seen.count))
        #expect(seen.count >= 50)
    }

    @Test("the first frame at or after each whole second is white, at a fractional rate too")
    func flashesEachSecond() throws {
        let run = TestDeviceRun()
        let reader = StripReader()
        let camera = try run.camera("size=64x48,fps=30000/1001")
        try camera.start(handler: reader.handler)
        run.clock.advance(by: .seconds(4))
        let seen = reader.wait(119)
        camera.stop()
        // second k begins at frame ceil(k * 30000 / 1001)
        #expect(seen.filter(\.isFlash).map(\.number) == [0, 30, 60, 90])
        #expect(seen[30].time == 100_000_000_000 + 1_001_000_000)
    }

    @Test("a camera opened late joins the device time of the first one")
    func joinsDeviceTime() throws {
        let run = TestDeviceRun()
        _ = try run.camera("")
        run.clock.advance(by: .milliseconds(10_500))
        let late = try run.camera("2,size=64x48,fps=10")
        try late.start(handler: run.events.handler)
        run.clock.advance(by: .milliseconds(500))
        #expect(run.events.wait(samples: 6))
        late.stop()
        #expect(run.events.samples.first?.attachments.sequence == 105)
        #expect(run.events.samples.first?.presentationTime == .milliseconds(110_500))
    }

    @Test("scripted drops are missing from the frames and reported before the next one")
    func dropsAreReported() throws {
        let run = TestDeviceRun()
        try run.run(
            try run.camera("size=64x48,fps=20,drop=3,drop=5-6"), until: 1, samples: 17)
        #expect(
            run.events.samples.compactMap(\.attachments.sequence).prefix(6).map { Int($0) }
                == [0, 1, 2, 4, 7, 8])
        #expect(run.events.drops.map(\.count) == [1, 2])
        #expect(run.events.drops.map(\.cause) == [.driverGap, .driverGap])
        #expect(run.events.drops.first?.time == .milliseconds(100_150))
        #expect(run.events.samples.map(\.attachments.lostBefore).reduce(0, +) == 3)
    }

    @Test(
        "a share of drops loses about that share and accounts for each", arguments: [1, 10, 50])
    func shareOfDrops(percent: Int) throws {
        var faults = FaultScript()
        faults.dropShare = UInt64(percent * 100)
        let lost = (Int64(0)..<20_000).count { faults.drops($0) }
        #expect(abs(lost - percent * 200) < 200)
        let run = TestDeviceRun()
        let expected = (Int64(0)..<200).filter { !faults.drops($0) }
        try run.run(
            try run.camera("size=64x48,fps=20,drop=\(percent)%"), until: 10,
            samples: expected.count)
        #expect(
            run.events.samples.compactMap(\.attachments.sequence).prefix(expected.count)
                == expected.map { UInt64($0) }[...])
    }

    @Test("a stall shorter than the limit is a gap; a longer one ends the stream")
    func stalls() throws {
        let short = TestDeviceRun()
        try short.run(
            try short.camera("size=64x48,fps=10,stall=1+0.5"), until: 3, samples: 25)
        #expect(short.events.drops.map(\.count) == [5])
        let long = TestDeviceRun()
        let camera = try long.camera("size=64x48,fps=10,stall=1+5")
        try camera.start(handler: long.events.handler)
        long.clock.advance(by: .seconds(4))
        #expect(long.events.waitForInterruption())
        camera.stop()
        #expect(long.events.samples.count == 10)
    }

    @Test("an unplugged camera is not listed until its time is over")
    func unplugs() throws {
        let run = TestDeviceRun()
        let camera = try run.camera("size=64x48,fps=10,unplug=1+2")
        try camera.start(handler: run.events.handler)
        run.clock.advance(by: .seconds(2))
        #expect(run.events.waitForInterruption())
        camera.stop()
        #expect(run.events.samples.count == 10)
        #expect(try run.provider.device(named: "unplug=1+2", kind: .video) == nil)
        run.clock.advance(by: .milliseconds(1500))
        #expect(try run.provider.device(named: "unplug=1+2", kind: .video) != nil)
    }

    @Test("a camera running fast by 100,000 ppm stamps its frames closer together")
    func fastClock() throws {
        let run = TestDeviceRun()
        try run.run(try run.camera("size=64x48,fps=10,ppm=100000"), until: 1, samples: 11)
        #expect(run.events.samples[10].presentationTime == .nanoseconds(100_909_090_909))
    }

    @Test("jitter displaces stamps within its bound and keeps their order")
    func jitter() throws {
        let run = TestDeviceRun()
        try run.run(try run.camera("size=64x48,fps=20,jitter=20"), until: 5, samples: 100)
        let offsets = run.events.samples.enumerated().map { index, sample in
            sample.presentationTime.nanoseconds() - 100_000_000_000 - Int64(index) * 50_000_000
        }
        #expect(offsets.allSatisfy { abs($0) <= 20_000_000 })
        #expect(Set(offsets).count > 90)
        let times = run.events.samples.map(\.presentationTime)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("a listener that keeps every frame costs nobody the next ones")
    func heldFrames() throws {
        let run = TestDeviceRun()
        let camera = try run.camera("size=64x48,fps=100")
        let holder = EventCollector(keepsFrames: true)
        try camera.start(handler: holder.handler)
        run.clock.advance(by: .seconds(1))
        #expect(holder.wait(samples: 100))
        camera.stop()
        #expect(holder.samples.count >= 100)
        #expect(holder.drops.isEmpty)
    }

    @Test(
        "parameters nobody understands are refused by name",
        arguments: [
            "size=63x48", "fps=0", "fps=30/", "drop=5-3", "stall=1", "colour=red", "size",
            "drop=101%", "ppm=x", "rate=1", "0", "jitter=-1",
        ])
    func refusals(selector: String) throws {
        let error = #expect(throws: MediaError.self) {
            try TestProvider().device(named: selector, kind: .video)
        }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.contains("\"\(selector)\"") == true)
        #expect(error?.message.contains("stall=AT+LENGTH") == true)
    }

    @Test("a size the selector fixes cannot be asked otherwise")
    func fixedSize() throws {
        let run = TestDeviceRun()
        let error = #expect(throws: MediaError.self) {
            try run.camera("size=64x48", VideoInputSettings(size: PixelSize(128, 96)))
        }
        #expect(error?.code == .unsupportedFormat)
    }
}
