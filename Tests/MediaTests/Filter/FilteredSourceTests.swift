import TestSupport
import Testing

@testable import Media

extension Tag {
    @Tag static var realTime: Tag
}

/// A camera that delivers what a test gives it.
private final class HandCamera: SampleSource {
    let origin = SourceOrigin(identifier: "test:hand", name: "Hand camera", driver: "test")
    let format: FormatDescription
    private struct Listening: Sendable {
        var handler: (@Sendable (SourceEvent) -> Void)?
    }

    private let listening = Lock(Listening())

    init(_ format: FormatDescription = HandCamera.frame(0).format) { self.format = format }

    func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        listening.withLock { $0.handler = handler }
    }

    func send(_ event: SourceEvent) {
        let handler = listening.withLock { $0.handler }
        handler?(event)
    }

    static func frame(_ number: Int) -> SampleBuffer {
        .planar(
            Array(repeating: UInt8(100 + number % 100), count: 64), width: 8, height: 8,
            at: MediaTime(value: Int64(number), timescale: 30))
    }
}

/// A processor with a fault: a frame that it processes is a code brighter.
private final class Brightener: FrameProcessor {
    enum Fault: String, CaseIterable { case none, slow, throwing, neverReturning, otherSize }

    struct Broken: Error {}

    let name = "brightener"
    let fallback: FrameFallback
    let lookAhead: MediaTime
    private let fault: Fault
    private let isOver = BlockingLock(false)
    private let looks = Lock<[MediaTime]>([])
    /// What had been looked at when each frame was processed.
    private let known = Lock<[(MediaTime, MediaTime?)]>([])

    init(_ fault: Fault, _ fallback: FrameFallback = .black, lookAhead: MediaTime = .zero) {
        (self.fault, self.fallback, self.lookAhead) = (fault, fallback, lookAhead)
    }

    var ahead: [(frame: MediaTime, last: MediaTime?)] { known.withLock { $0 } }

    func release() { isOver.withLock { $0 = true } }

    func look(at frame: SampleBuffer) { looks.withLock { $0.append(frame.presentationTime) } }

    func process(_ frame: SampleBuffer) throws -> PixelBuffer {
        known.withLock { $0.append((frame.presentationTime, looks.withLock { $0.last })) }
        switch fault {
        case .none: break
        case .slow: _ = isOver.wait(nanoseconds: 90_000_000) { $0 ? true : nil }
        case .throwing: throw Broken()
        case .neverReturning: _ = isOver.wait { $0 ? true : nil }
        case .otherSize: return PixelBuffer(width: 4, height: 4, format: .yuv420p)
        }
        guard let pixels = frame.pixelBuffer else { throw Broken() }
        let luma = pixels.luma.map { $0 + 1 }
        return SampleBuffer.planar(luma, width: 8, height: 8, at: .zero).pixelBuffer ?? pixels
    }
}

@Suite("frames on their way through a filter", .tags(.realTime))
struct FilteredSourceTests {
    private struct Seen: Sendable {
        var times: [MediaTime] = []
        var luma: [UInt8] = []
        var filterings: [[FrameFiltering]] = []
        var others: [String] = []
    }

    private final class Listener: Sendable {
        let seen = Lock(Seen())
        func take(_ event: SourceEvent) {
            seen.withLock { seen in
                switch event {
                case .sample(let sample):
                    seen.times.append(sample.presentationTime)
                    seen.luma.append(sample.pixelBuffer?.luma.first ?? 255)
                    seen.filterings.append(sample.attachments.filterings)
                case .dropped(let drop): seen.others.append("dropped \(drop.count)")
                case .interrupted: seen.others.append("interrupted \(seen.times.count)")
                case .resumed: seen.others.append("resumed \(seen.times.count)")
                case .ended: seen.others.append("ended \(seen.times.count)")
                }
            }
        }
        var count: Int { seen.withLock { $0.times.count } }
    }

    /// Sends frames at 60 a second, then the end.
    private func run(
        _ processor: Brightener, frames: Int = 30, timeout: Int64 = 200_000_000
    ) throws -> (seen: Seen, counts: FilterCounts) {
        let camera = HandCamera()
        let source = try FilteredSource(
            of: camera, by: processor, timeout: .nanoseconds(timeout))
        try source.requireFormat()
        let listener = Listener()
        source.setHandler { listener.take($0) }
        let pause = WakeSignal()
        for number in 0..<frames {
            camera.send(.sample(HandCamera.frame(number)))
            _ = pause.wait(nanoseconds: 16_000_000)
        }
        camera.send(.ended(at: .seconds(1)))
        waitUntil { !listener.seen.withLock { $0.others.isEmpty } }
        let counts = try #require(source.filterCounts.first)
        return (listener.seen.withLock { $0 }, counts)
    }

    @Test(
        "every frame comes out once, in its order and at its time, whatever the filter does",
        arguments: Brightener.Fault.allCases, [FrameFallback.black, .unprocessed])
    fileprivate func faults(_ fault: Brightener.Fault, _ fallback: FrameFallback) throws {
        let processor = Brightener(fault, fallback)
        defer { processor.release() }
        let (seen, counts) = try run(processor)
        #expect(seen.times == (0..<30).map { MediaTime(value: $0, timescale: 30) })
        #expect(seen.others == ["ended 30"])
        let processed = seen.luma.enumerated().filter { $1 == UInt8(101 + $0) }.count
        let black = seen.luma.filter { $0 == 16 }.count
        let unprocessed = seen.luma.enumerated().filter { $1 == UInt8(100 + $0) }.count
        #expect(processed + (fallback == .black ? black : unprocessed) == 30, "\(seen.luma)")
        #expect(counts.processed == processed && counts.late + counts.failed == 30 - processed)
        // each frame says what became of it
        var carried: [FilterCounts] = []
        for filterings in seen.filterings { carried.count(filterings) }
        #expect(carried == [counts])
        #expect(
            zip(seen.luma, seen.filterings).enumerated().allSatisfy {
                ($1.0 == UInt8(101 + $0)) == ($1.1.first?.outcome == .processed)
            })
        switch fault {
        case .none: #expect(processed == 30)
        case .slow: #expect((3...20).contains(processed) && counts.failed == 0, "\(processed)")
        case .neverReturning: #expect(processed == 0 && counts.late == 30)
        case .throwing:
            #expect(counts.failed == 30 && counts.failure?.contains("Broken") ?? false)
        case .otherSize:
            #expect(counts.failed == 30 && counts.failure?.contains("another size") ?? false)
        }
    }

    @Test("a frame is processed when others behind it were looked at, and the last ones without")
    func lookAhead() throws {
        let ahead = MediaTime(value: 3, timescale: 30)
        let processor = Brightener(.none, lookAhead: ahead)
        let (seen, counts) = try run(processor, timeout: 2_000_000_000)
        #expect(counts.processed == 30 && seen.times.count == 30)
        for (frame, last) in processor.ahead.prefix(27) {
            #expect(try #require(last) - frame >= ahead)
        }
        // control: without look-ahead nothing behind a frame is known when it is processed
        let plain = Brightener(.none)
        _ = try run(plain)
        #expect(plain.ahead.contains { $0.last.map { $0 - ahead } ?? .zero < $0.frame })
    }

    @Test(
        "what is no frame stays in its place between the frames, and a silent camera leaves none behind"
    )
    func events() throws {
        let camera = HandCamera()
        let source = try FilteredSource(
            of: camera, by: Brightener(.none, lookAhead: .nanoseconds(100_000_000)),
            timeout: .nanoseconds(400_000_000))
        let listener = Listener()
        source.setHandler { listener.take($0) }
        for number in 0..<3 { camera.send(.sample(HandCamera.frame(number))) }
        camera.send(
            .interrupted(SourceInterruption(reason: .deviceGone, time: .zero, message: "gone")))
        camera.send(.resumed(at: .seconds(1), format: camera.format))
        for number in 3..<6 { camera.send(.sample(HandCamera.frame(number))) }
        // nothing comes behind them
        waitUntil(atMost: 5) { listener.count == 6 }
        let seen = listener.seen.withLock { $0 }
        #expect(seen.times.count == 6 && seen.others == ["interrupted 3", "resumed 3"])
        #expect(seen.luma == (0..<6).map { UInt8(101 + $0) })
    }

    @Test("that a filter does not keep up is said once, and that it does again")
    func trouble() throws {
        let processor = Brightener(.neverReturning)
        let camera = HandCamera()
        let source = try FilteredSource(
            of: camera, by: processor, timeout: .nanoseconds(100_000_000))
        let said = Lock<[FilteredSource.Trouble]>([])
        source.setTroubleHandler { news in said.withLock { $0.append(news) } }
        let listener = Listener()
        source.setHandler { listener.take($0) }
        for number in 0..<5 { camera.send(.sample(HandCamera.frame(number))) }
        waitUntil { listener.count == 5 }
        #expect(said.withLock { $0 } == [.late])
        processor.release()
        for number in 5..<45 {
            camera.send(.sample(HandCamera.frame(number)))
            waitUntil { listener.count == number + 1 }
        }
        waitUntil { said.withLock { $0.count == 2 } }
        #expect(said.withLock { $0 } == [.late, .over])
    }

    @Test("two filters work one after the other, and each says what it did")
    func chain() throws {
        let camera = HandCamera()
        let inner = try FilteredSource(of: camera, by: Brightener(.none))
        let outer = try FilteredSource(of: inner, by: Brightener(.none))
        let listener = Listener()
        outer.setHandler { listener.take($0) }
        for number in 0..<10 { camera.send(.sample(HandCamera.frame(number))) }
        waitUntil { listener.count == 10 }
        #expect(listener.seen.withLock { $0.luma } == (0..<10).map { UInt8(102 + $0) })
        #expect(outer.filterCounts.map(\.processed) == [10, 10])
        #expect(
            listener.seen.withLock {
                $0.filterings.allSatisfy { $0.map(\.name) == ["brightener", "brightener"] }
            })
        #expect(outer.origin == camera.origin && outer.format == camera.format)
    }

    @Test("only raw frames that are seen are filtered, and a timeout has its bounds")
    func refused() throws {
        var coded = try #require(HandCamera.frame(0).format.video)
        coded.coding = .coded(.mjpeg)
        var depth = try #require(HandCamera.frame(0).format.video)
        (depth.coding, depth.depth) = (.raw(.gray16le), DepthFormat())
        for format in [coded, depth] {
            let source = try FilteredSource(
                of: HandCamera(.video(format)), by: Brightener(.none))
            #expect(throws: MediaError.self) { try source.requireFormat() }
        }
        for timeout in [MediaTime.nanoseconds(99_000_000), .seconds(3)] {
            #expect(throws: MediaError.self) {
                try FilteredSource(of: HandCamera(), by: Brightener(.none), timeout: timeout)
            }
        }
    }

    @Test(
        "black is black in every pixel format, and opaque",
        arguments: PixelFormat.allCases)
    func black(_ format: PixelFormat) {
        let frame = PixelBuffer.black(width: 6, height: 4, format: format, range: .limited)
        let codes = (0..<format.layout.planes.count).map { frame.codes(ofPlane: $0) }
        #expect(frame.format == format && codes.allSatisfy { !$0.isEmpty })
        switch format {
        case .yuv420p, .nv12:
            #expect(codes[0].allSatisfy { $0 == 16 } && codes[1].allSatisfy { $0 == 128 })
        case .yuv420p10le:
            #expect(
                Array(codes[0].prefix(4)) == [64, 0, 64, 0] && Array(codes[1].prefix(2)) == [0, 2])
        case .p010le:
            #expect(Array(codes[0].prefix(2)) == [0, 16] && Array(codes[1].prefix(2)) == [0, 128])
        case .yuyv422: #expect(Array(codes[0].prefix(4)) == [16, 128, 16, 128])
        case .uyvy422: #expect(Array(codes[0].prefix(4)) == [128, 16, 128, 16])
        case .bgra: #expect(Array(codes[0].prefix(8)) == [0, 0, 0, 255, 0, 0, 0, 255])
        case .yuva444p10le: #expect(Array(codes[3].prefix(2)) == [255, 3])
        case .yuva420p: #expect(codes[3].allSatisfy { $0 == 255 })
        default: break
        }
    }
}
