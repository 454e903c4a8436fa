import Foundation
import Media
import TestSupport
import Testing

@testable import Capture

/// A source that a test speaks for.
private final class SpokenSource: SampleSource {
    let origin: SourceOrigin
    let format: FormatDescription
    private struct Listener: Sendable {
        var handler: (@Sendable (SourceEvent) -> Void)?
    }

    private let listener = Lock(Listener())

    init(_ name: String) {
        origin = SourceOrigin(identifier: "spoken:\(name)", name: name, driver: "test")
        var video = VideoFormat(coding: .raw(.yuv420p), width: 16, height: 16)
        video.nominalRate = FrameRate(10)
        format = .video(video)
    }

    func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        listener.withLock { $0.handler = handler }
    }

    var hasHandler: Bool { listener.withLock { $0.handler != nil } }

    func say(_ event: SourceEvent) { listener.withLock { $0 }.handler?(event) }

    func say(_ milliseconds: Int64) {
        say(
            .sample(
                SampleBuffer(
                    payload: .coded(BlockBuffer([])), format: format,
                    presentationTime: .milliseconds(milliseconds))))
    }
}

private final class Moments: Sendable {
    private let moments = BlockingLock<[SynchronizedData]>([])
    let gate = BlockingLock(true)

    var handler: @Sendable (SynchronizedData) -> Void {
        { data in
            self.gate.wait { $0 ? () : nil }
            self.moments.withLock { $0.append(data) }
        }
    }

    func wait(_ count: Int) -> [SynchronizedData] {
        moments.wait(nanoseconds: 60_000_000_000) { $0.count >= count ? $0 : nil }
            ?? moments.read { $0 }
    }

    var all: [SynchronizedData] { moments.read { $0 } }
}

@Suite("outputs that are delivered together")
struct DataOutputSynchronizerTests {
    private let lead = SpokenSource("lead")
    private let other = SpokenSource("other")
    private let clock = ManualClock(at: .seconds(1))

    @Test("one that takes another's place keeps the sources when that one is released")
    func replaced() throws {
        let moments = Moments()
        var first: DataOutputSynchronizer? = DataOutputSynchronizer([lead, other], clock: clock)
        first?.setHandler { _ in }
        let second = DataOutputSynchronizer([lead, other], clock: clock)
        second.setHandler(moments.handler)
        first = nil
        for time in [1000, 1100] {
            lead.say(Int64(time))
            other.say(Int64(time))
        }
        #expect(moments.wait(1).first?.time == .milliseconds(1000))
        second.setHandler(nil)
        #expect(!lead.hasHandler && !other.hasHandler)
    }

    @Test("a handler gets moments again when the first source comes back after its end")
    func restarted() throws {
        let moments = Moments()
        let synchronizer = DataOutputSynchronizer([lead, other], clock: clock)
        synchronizer.setHandler(moments.handler)
        lead.say(1000)
        other.say(1000)
        #expect(moments.wait(1).count == 1)
        lead.say(.ended(at: .milliseconds(1100)))
        other.say(.ended(at: .milliseconds(1100)))
        // as outputs of a session that is started again
        for source in [lead, other] {
            source.say(.resumed(at: .milliseconds(4900), format: source.format))
        }
        lead.say(5000)
        other.say(5000)
        other.say(5100)
        #expect(moments.wait(2).last?.time == .milliseconds(5000))
        #expect(moments.all.last?[other]?.outcome == .delivered)
    }

    @Test("moments that a source decides all at once are not taken for a slow handler's")
    func burst() throws {
        let moments = Moments()
        let synchronizer = DataOutputSynchronizer(
            [lead, other], timeout: .seconds(10), queueLimit: 3, clock: clock)
        synchronizer.setHandler(moments.handler)
        for index in 0..<20 { lead.say(1000 + Int64(index) * 100) }
        // nothing of all of that: the other one has been silent until now
        other.say(4000)
        let all = moments.wait(20)
        #expect(all.count == 20 && all.allSatisfy { $0.skippedMoments == 0 })
        #expect(all.allSatisfy { $0[other]?.outcome == .absent })
    }

    @Test(
        "frames of one moment come together, and a moment waits for the slower source until its timeout"
    )
    func timeout() throws {
        let synchronizer = DataOutputSynchronizer(
            [lead, other], timeout: .milliseconds(200), clock: clock)
        let moments = Moments()
        synchronizer.setHandler(moments.handler)
        lead.say(1000)
        other.say(1030)
        let first = try #require(moments.wait(1).first)
        #expect(first.time == .milliseconds(1000) && first.skippedMoments == 0)
        #expect(first[lead]?.sample?.presentationTime == .milliseconds(1000))
        #expect(first[other]?.sample?.presentationTime == .milliseconds(1030))
        #expect(first[SpokenSource("stranger")] == nil)
        lead.say(1100)
        clock.advance(by: .milliseconds(199))
        #expect(moments.all.count == 1)
        clock.advance(by: .milliseconds(2))
        let second = moments.wait(2)
        #expect(second.count == 2 && second.last?[other]?.outcome == .late)
        #expect(second.last?[lead]?.outcome == .delivered)
        // what was late is not taken for the next one's
        other.say(1110)
        other.say(.dropped(SampleDrop(cause: .damaged, count: 1, time: .milliseconds(1210))))
        lead.say(1200)
        other.say(1310)
        let third = moments.wait(3)
        #expect(third.last?[other]?.outcome == .dropped)
        #expect(third.last?[other]?.drops.first?.cause == .damaged)
        // a source that is interrupted is not waited for
        other.say(
            .interrupted(
                SourceInterruption(
                    reason: .deviceGone, time: .milliseconds(1310), message: "gone")))
        lead.say(1400)
        #expect(moments.wait(4).last?[other]?.outcome == .absent)
    }

    @Test("a handler that sleeps skips moments, which are counted, and memory stays bounded")
    func slowHandler() throws {
        let synchronizer = DataOutputSynchronizer([lead, other], queueLimit: 4, clock: clock)
        let moments = Moments()
        moments.gate.withLock { $0 = false }
        synchronizer.setHandler(moments.handler)
        for number in Int64(0)..<100 {
            lead.say(1000 + 100 * number)
            other.say(1000 + 100 * number)
        }
        moments.gate.withLock { $0 = true }
        _ = moments.wait(4)
        lead.say(11_000)
        other.say(11_000)
        #expect(waitUntil { moments.all.last?.time == .milliseconds(11_000) })
        let all = moments.all
        // the one that the handler had, and those that waited
        #expect((5...6).contains(all.count))
        #expect(all.reduce(0) { $0 + 1 + $1.skippedMoments } == 101)
        withExtendedLifetime(synchronizer) {}
    }

    @Test(
        "a sequence of moments ends with the first source, and gives the sources back when it is released"
    )
    func sequence() async {
        let synchronizer = DataOutputSynchronizer([lead, other], clock: clock)
        let sequence = synchronizer.sequence()
        for number in Int64(0)..<3 {
            lead.say(1000 + 100 * number)
            other.say(1000 + 100 * number)
        }
        lead.say(.ended(at: .milliseconds(1300)))
        var times: [MediaTime] = []
        for await data in sequence { times.append(data.time) }
        #expect(times == [.milliseconds(1000), .milliseconds(1100), .milliseconds(1200)])
        #expect(waitUntil { !lead.hasHandler && !other.hasHandler })
        // an older sequence that ends takes nothing from the handler that came after it
        let moments = Moments()
        do {
            let late = synchronizer.sequence()
            synchronizer.setHandler(moments.handler)
            for await _ in late { Issue.record("the handler took its place") }
        }
        lead.say(2000)
        other.say(2000)
        #expect(moments.wait(1).count == 1)
    }

    @Test("a sequence is all that one has to hold")
    func sequenceAlone() async {
        let sequence = DataOutputSynchronizer([lead, other], clock: clock).sequence()
        #expect(lead.hasHandler && other.hasHandler)
        lead.say(1000)
        other.say(1000)
        lead.say(.ended(at: .milliseconds(1100)))
        var count = 0
        for await _ in sequence { count += 1 }
        #expect(count == 1)
        #expect(waitUntil { !lead.hasHandler && !other.hasHandler })
    }

    @Test("a synchronizer that is released gives the handlers back")
    func released() {
        do {
            let synchronizer = DataOutputSynchronizer([lead, other], clock: clock)
            synchronizer.setHandler { _ in }
            #expect(lead.hasHandler && other.hasHandler)
        }
        #expect(!lead.hasHandler && !other.hasHandler)
    }

    @Test(
        "two cameras and a microphone of a session come together, with what the second camera lost")
    func session() async throws {
        let discovery = DeviceDiscovery(providers: [TestProvider()])
        let session = CaptureSession(discovery: discovery, clock: clock)
        func camera(_ text: String) throws -> CaptureDeviceInput {
            CaptureDeviceInput(camera: try discovery.find("test:" + text, kind: .video))
        }
        let (front, side) = (VideoDataOutput(queueLimit: 64), VideoDataOutput(queueLimit: 64))
        let sound = AudioDataOutput()
        let microphone = CaptureDeviceInput(
            microphone: try discovery.find("test:", kind: .audio))
        let inputs = try [
            camera("1,size=64x48,fps=20"), camera("2,size=64x48,fps=20,drop=5-6"),
        ]
        try await session.configure { configuration in
            try configuration.add(inputs[0], front)
            try configuration.add(inputs[1], side)
            try configuration.add(microphone, sound)
        }
        let synchronizer = DataOutputSynchronizer(
            [front, side, sound], timeout: .seconds(5), queueLimit: 100, clock: clock)
        let moments = Moments()
        synchronizer.setHandler(moments.handler)
        try await session.start()
        for _ in 0..<40 {
            clock.advance(by: .milliseconds(50))
            usleep(5_000)
        }
        let all = moments.wait(20)
        try await session.stop()
        #expect(all.count >= 20)
        for data in all.prefix(20) {
            let number = data[front]?.sample?.pixelBuffer.map { FrameStrip.number(in: $0) } ?? -1
            let beside = data[side]?.sample?.pixelBuffer.map { FrameStrip.number(in: $0) }
            #expect(beside == ([5, 6].contains(number) ? nil : number))
            let outcome = data[side]?.outcome
            #expect(outcome == ([5, 6].contains(number) ? .dropped : .delivered))
            let frames = data[sound]?.samples.reduce(0) { $0 + $1.audioFrameCount } ?? 0
            #expect(abs(frames - 2400) <= 1 || number == 0, "\(number): \(frames)")
        }
    }
}
