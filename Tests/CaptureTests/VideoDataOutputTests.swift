import Media
import TestSupport
import Testing

@testable import Capture

@Suite("the video output")
struct VideoDataOutputTests {
    private let origin = SourceOrigin(identifier: "test:", name: "Test camera", driver: "test")

    /// Runs a test camera through an output; answers what the listener saw of the frames.
    private func record(
        _ selector: String, as wanted: PixelFormat?, pictures: Int,
        connection: CaptureConnection = CaptureConnection(),
        rotationPolicy: VideoDataOutput.RotationPolicy = .pixels
    ) throws -> (numbers: [Int], format: VideoFormat) {
        let run = TestDeviceRun()
        let camera = try run.camera(selector)
        let output = VideoDataOutput(
            wantedFormat: wanted, rotationPolicy: rotationPolicy, queueLimit: 64)
        try output.connect(to: origin, camera.format, by: connection)
        let seen = BlockingLock<[(Int, VideoFormat?)]>([])
        output.setHandler { event in
            guard case .sample(let sample) = event else { return }
            let number = sample.pixelBuffer.map { FrameStrip.number(in: $0) } ?? -1
            seen.withLock { $0.append((number, sample.format.video)) }
        }
        output.begin { _ in }
        try camera.start { output.receive($0) }
        for _ in 0..<pictures { run.clock.advance(by: .milliseconds(40)) }
        let result = try #require(
            seen.wait(nanoseconds: 60_000_000_000) { $0.count >= pictures ? $0 : nil })
        camera.stop()
        output.end()
        let format = try #require(output.format.video)
        #expect(result.allSatisfy { $0.1 == format })
        return (result.map(\.0), format)
    }

    @Test(
        "frames arrive in the wanted format with their number",
        arguments: ["yuv420p", "nv12", "yuyv422", "mjpeg"], [PixelFormat.yuv420p, .nv12])
    func converts(format: String, wanted: PixelFormat) throws {
        let (numbers, granted) = try record(
            "size=320x180,fps=25,format=\(format)", as: wanted, pictures: 20)
        #expect(Array(numbers.prefix(20)) == Array(0..<20))
        #expect(granted.coding == .raw(wanted))
        #expect(granted.color == (format == "mjpeg" ? .jpeg : .bt709))
    }

    @Test("without a wanted format a coded camera's own samples pass")
    func passesCoded() throws {
        let (numbers, granted) = try record(
            "size=320x180,fps=25,format=mjpeg", as: nil, pictures: 5)
        #expect(numbers.allSatisfy { $0 == -1 })
        #expect(granted.coding == .coded(.mjpeg))
    }

    @Test("left to the format, rotation and mirror are said by it and pixels stay")
    func orientationInFormat() throws {
        let (numbers, granted) = try record(
            "size=320x180,fps=25", as: .yuv420p, pictures: 3,
            connection: CaptureConnection(rotation: .half, isMirrored: true),
            rotationPolicy: .format)
        #expect(granted.orientation == VideoOrientation(rotation: .half, isMirrored: true))
        #expect(Array(numbers.prefix(3)) == [0, 1, 2])
        let (_, coded) = try record(
            "size=320x180,fps=25,format=mjpeg,rotate=90", as: nil, pictures: 3)
        #expect(coded.orientation == VideoOrientation(rotation: .clockwise90))
        #expect(PixelSize(coded.width, coded.height) == PixelSize(320, 180))
    }

    @Test(
        "a listener that wants raw frames gets them rotated upright, their sides changed places",
        arguments: [90, 180, 270], ["yuv420p", "nv12", "mjpeg"])
    func rotatesPixels(degrees: Int, format: String) throws {
        let isQuarter = degrees != 180
        // as it lies on the sensor: 320x180 when upright
        let lying = isQuarter ? "180x320" : "320x180"
        let selector = "size=\(lying),fps=25,format=\(format),rotate=\(degrees)"
        let (numbers, granted) = try record(selector, as: .yuv420p, pictures: 10)
        #expect(Array(numbers.prefix(10)) == Array(0..<10))
        #expect(granted.orientation == .upright)
        #expect(PixelSize(granted.width, granted.height) == PixelSize(320, 180))

        let rotation = try #require(VideoOrientation.Rotation(rawValue: degrees))
        let (byNumber, asked) = try record(
            selector, as: .yuv420p, pictures: 10,
            connection: CaptureConnection(rotation: rotation, followsDevice: false))
        #expect(Array(byNumber.prefix(10)) == Array(0..<10))
        #expect(asked == granted)

        // the control: left as they lie nobody can read them
        let (unread, lies) = try record(
            selector, as: .yuv420p, pictures: 10,
            connection: CaptureConnection(followsDevice: false))
        #expect(Array(unread.prefix(10)) != Array(0..<10))
        #expect("\(lies.width)x\(lies.height)" == lying)
    }

    @Test("a mirror comes on top of what the device says of itself")
    func mirrorsUpright() throws {
        let (_, granted) = try record(
            "size=180x320,fps=25,rotate=90", as: .yuv420p, pictures: 3,
            connection: CaptureConnection(isMirrored: true), rotationPolicy: .format)
        #expect(
            granted.orientation
                == VideoOrientation(rotation: .clockwise90).followed(
                    by: VideoOrientation(isMirrored: true)))
        let (numbers, rotated) = try record(
            "size=180x320,fps=25,rotate=90", as: .yuv420p, pictures: 3,
            connection: CaptureConnection(isMirrored: true))
        #expect(rotated.orientation == .upright)
        // 1 in 24 cells, read from the other side
        #expect(Array(numbers.prefix(2)) == [0, 1 << 23])
    }

    @Test("frames whose chroma cannot be rotated are refused before the camera runs")
    func refusesQuarterRotations() throws {
        let camera = try TestDeviceRun().camera("size=320x180")
        let output = VideoDataOutput(wantedFormat: .yuyv422)
        let error = #expect(throws: MediaError.self) {
            try output.connect(
                to: origin, camera.format, by: CaptureConnection(rotation: .clockwise90))
        }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message.contains("want yuv420p") == true)
    }

    @Test("a disabled output passes no samples and counts no drops")
    func disabled() throws {
        let run = TestDeviceRun()
        let camera = try run.camera("size=64x48,fps=25")
        let output = VideoDataOutput()
        try output.connect(
            to: origin, camera.format, by: CaptureConnection(isEnabled: false))
        output.setHandler(run.events.handler)
        output.begin { _ in }
        let stamp = SampleBuffer(
            payload: .coded(BlockBuffer([])), format: camera.format, presentationTime: .zero)
        output.receive(.sample(stamp))
        output.receive(.dropped(SampleDrop(cause: .damaged, count: 1, time: .zero)))
        // what is not a sample passes, behind everything that was held back
        output.receive(.ended(at: .zero))
        #expect(run.events.wait { $0.count == 2 })
        #expect(run.events.all.map(\.word) == ["disabled", "ended"])
        output.setEnabled(true)
        output.receive(.sample(stamp))
        #expect(run.events.wait(samples: 1))
        output.setEnabled(false)
        output.receive(.sample(stamp))
        #expect(run.events.wait { $0.count == 5 })
        output.end()
        output.receive(.sample(stamp))
        #expect(
            run.events.all.map(\.word)
                == ["disabled", "ended", "resumed", "sample", "disabled", "ended"])
    }

    private func sample(_ time: Int64) -> SourceEvent {
        .sample(
            SampleBuffer(
                payload: .coded(BlockBuffer([])),
                format: .video(VideoFormat(coding: .coded(.mjpeg), width: 2, height: 2)),
                presentationTime: .seconds(time)))
    }

    private func drain(_ queue: EventQueue, _ count: Int) -> [String] {
        (0..<count).compactMap { _ in
            switch queue.pop() {
            case .sample(let sample): "\(sample.presentationTime.value)"
            case .dropped(let drop): "-\(drop.count)@\(drop.time.value)"
            case .ended: "end"
            default: nil
            }
        }
    }

    @Test("a full queue that drops the newest reports them before the next sample")
    func dropNewest() {
        let queue = EventQueue(capacity: 2, policy: .dropNewest)
        let drops = (1...4).compactMap { queue.push(sample($0)) }
        #expect(drops.map(\.time) == [.seconds(3), .seconds(4)])
        #expect(drain(queue, 1) == ["1"])
        #expect(queue.push(sample(5)) == nil)
        #expect(drain(queue, 3) == ["2", "-2@3", "5"])
    }

    @Test("a full queue that drops the oldest reports them in their place, as one")
    func dropOldest() {
        let queue = EventQueue(capacity: 2, policy: .dropOldest)
        for time in Int64(1)...4 { _ = queue.push(sample(time)) }
        #expect(drain(queue, 3) == ["-2@1", "3", "4"])
    }

    @Test("an end that finds the queue full is not lost")
    func endPasses() {
        let queue = EventQueue(capacity: 1, policy: .dropNewest)
        _ = queue.push(sample(1))
        _ = queue.push(sample(2))
        #expect(queue.push(.ended(at: .seconds(3))) == nil)
        #expect(drain(queue, 3) == ["1", "-1@2", "end"])
    }

    @Test("a picture that has the wanted format reaches the listener in the camera's own memory")
    func untouched() throws {
        let output = VideoDataOutput(wantedFormat: .yuv420p)
        let format = VideoFormat(coding: .raw(.yuv420p), width: 64, height: 48, color: .bt601)
        try output.connect(to: origin, .video(format), by: CaptureConnection())
        let seen = BlockingLock<[PixelBuffer]>([])
        output.setHandler { event in
            guard case .sample(let sample) = event, let frame = sample.pixelBuffer else { return }
            seen.withLock { $0.append(frame) }
        }
        output.begin { _ in }
        let frame = PixelBuffer(width: 64, height: 48, format: .yuv420p)
        output.receive(
            .sample(
                SampleBuffer(
                    payload: .pixels(frame), format: .video(format), presentationTime: .zero)))
        let first = try #require(seen.wait(nanoseconds: 60_000_000_000) { $0.first })
        output.end()
        #expect(first.sharesPixels(with: frame))
    }

    @Test("samples nobody can decode are dropped as undecodable")
    func undecodable() throws {
        let output = VideoDataOutput(wantedFormat: .yuv420p)
        let format = VideoFormat(coding: .coded(.mjpeg), width: 64, height: 48, color: .jpeg)
        try output.connect(to: origin, .video(format), by: CaptureConnection())
        let events = EventCollector()
        output.setHandler(events.handler)
        output.begin { _ in }
        output.receive(
            .sample(
                SampleBuffer(
                    payload: .coded(BlockBuffer([1, 2, 3])), format: .video(format),
                    presentationTime: .seconds(7))))
        #expect(events.wait { !$0.isEmpty })
        output.end()
        #expect(
            events.drops == [SampleDrop(cause: .undecodable, count: 1, time: .seconds(7))])
    }

    @Test("a sequence that is not read says how many samples it lost")
    func boundedSequence() async {
        let source = PlainSource(origin)
        var events = source.sequence(limit: 2).makeAsyncIterator()
        for time in Int64(1)...5 { source.send(sample(time)) }
        _ = await events.next()
        _ = await events.next()
        source.send(sample(6))
        guard case .dropped(let drop) = await events.next() else {
            Issue.record("the drop was not reported")
            return
        }
        #expect(drop == SampleDrop(cause: .late, count: 3, time: .seconds(3)))
        guard case .sample(let next) = await events.next() else {
            Issue.record("no sample after the drop")
            return
        }
        #expect(next.presentationTime == .seconds(6))
    }

    @Test("a sequence that is released takes nothing from the one that took its place")
    func laterSequence() async {
        let source = PlainSource(origin)
        var first: AsyncStream<SourceEvent>? = source.sequence()
        let second = source.sequence()
        #expect(first != nil)
        first = nil
        source.send(sample(3))
        var events = second.makeAsyncIterator()
        guard case .sample(let found) = await events.next() else {
            Issue.record("the later sequence lost its place")
            return
        }
        #expect(found.presentationTime == .seconds(3))
    }

    @Test("a listener that takes nothing costs no memory: its drops become one")
    func stuckListener() {
        for policy in [VideoDataOutput.LateFramePolicy.dropNewest, .dropOldest] {
            let queue = EventQueue(capacity: 2, policy: policy)
            for time in Int64(1)...10_000 {
                _ = queue.push(sample(time))
                let gap = SampleDrop(cause: .driverGap, count: 1, time: .seconds(time))
                if time > 9_000 { _ = queue.push(.dropped(gap)) }
            }
            #expect(queue.count < 4_100, "\(policy)")
        }
    }

    @Test(
        "frames arrive in the wanted size, and the format keeps what a person sees",
        arguments: ["yuv420p", "mjpeg"])
    func scales(format: String) throws {
        let run = TestDeviceRun()
        let camera = try run.camera("size=320x180,fps=25,format=\(format)")
        let output = VideoDataOutput(
            wantedFormat: .nv12, wantedSize: PixelSize(160, 180), queueLimit: 64)
        try output.connect(to: origin, camera.format, by: CaptureConnection())
        let granted = try #require(output.format.video)
        #expect((granted.width, granted.height) == (160, 180))
        #expect(granted.pixelAspect == PixelAspect(2, 1))
        let events = EventCollector(keepsFrames: true)
        output.setHandler(events.handler)
        output.begin { _ in }
        try camera.start { output.receive($0) }
        for _ in 0..<3 { run.clock.advance(by: .milliseconds(40)) }
        #expect(events.wait(samples: 3))
        camera.stop()
        output.end()
        let frame = try #require(events.samples.first?.pixelBuffer)
        #expect((frame.width, frame.height, frame.format) == (160, 180, .nv12))
        #expect(FrameStrip.number(in: frame) == 0)
    }

    @Test("a connection's rate thins frames evenly, whatever their stamps' jitter")
    func thins() {
        var thinner = FrameThinner(FrameRate(5))
        // 30 a second for ten seconds, each up to 2 ms early or late
        let times = (0..<300).map { index -> Int64 in
            Int64(index) * 33_333_333 + Int64((index * 7) % 5 - 2) * 1_000_000
        }
        let passed = times.filter { thinner.passes(.nanoseconds($0)) }
        #expect(passed.count == 50)
        let steps = zip(passed.dropFirst(), passed).map { $0 - $1 }
        #expect(steps.allSatisfy { abs($0 - 200_000_000) < 40_000_000 })
        // behind a gap, and where times go back, the next one passes
        let later: [Int64] = [60_000, 20_000, 20_050]
        #expect(later.map { thinner.passes(.milliseconds($0)) } == [true, true, false])
    }

    @Test("a limited rate is the rate of what is delivered, so that nobody misses the others")
    func limitedRate() throws {
        let format = VideoFormat(
            coding: .raw(.yuv420p), width: 64, height: 48, nominalRate: FrameRate(30))
        for (limit, rate) in [(5, 5), (60, 30), (nil, 30)] {
            let output = VideoDataOutput()
            let connection = CaptureConnection(maximumRate: limit.map { FrameRate(Int32($0)) })
            try output.connect(to: origin, .video(format), by: connection)
            #expect(output.format.video?.nominalRate == FrameRate(Int32(rate)))
        }
    }

    @Test("a coded camera's own frames that build on each other cannot be thinned, and say so")
    func refusesThinning() throws {
        let format = VideoFormat(coding: .coded(.h264), width: 64, height: 48)
        let output = VideoDataOutput()
        let error = #expect(throws: MediaError.self) {
            try output.connect(
                to: origin, .video(format), by: CaptureConnection(maximumRate: FrameRate(5)))
        }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.contains("build on each other") == true)
    }
}

/// Sends what it is given, at once.
private final class PlainSource: SampleSource {
    let origin: SourceOrigin
    let format = FormatDescription.video(VideoFormat(coding: .coded(.mjpeg), width: 2, height: 2))
    private let state = BlockingLock(OutputState())

    init(_ origin: SourceOrigin) { self.origin = origin }

    func setHandler(_ handler: (@Sendable (SourceEvent) -> Void)?) {
        state.withLock { $0.handler = handler }
    }

    func send(_ event: SourceEvent) { state.read { $0.handler }?(event) }
}

@Suite("Frames that are left out by intent")
struct FrameThinningTests {
    @Test("what is left out because of pressure is counted, what a rate leaves out is not")
    func counted() {
        var thinning = FrameThinning(FrameRate(5), of: FrameRate(30))
        var passed = 0
        func run(_ seconds: Range<Int64>) {
            for number in seconds.lowerBound * 30..<seconds.upperBound * 30
            where thinning.passes(MediaTime(value: number, timescale: 30)) {
                passed += 1
            }
        }
        run(0..<10)
        #expect(passed == 50 && thinning.leftOut == 0)
        #expect(thinning.lengthBeforeLeftOut == FrameRate(30).frameDuration)
        for (divisor, wanted) in [(2, 25), (4, 25 + 37)] {
            thinning.thin(by: divisor)
            let from: Int64 = divisor == 2 ? 10 : 20
            run(from..<from + 10)
            #expect(abs(thinning.leftOut - wanted) <= 2, "\(thinning.leftOut)")
            // all that is due is looked at or counted
            #expect(abs(passed + thinning.leftOut - Int(from + 10) * 5) <= 1)
        }
        thinning.thin(by: 1)
        let before = thinning.leftOut
        run(30..<40)
        #expect(thinning.leftOut == before)
        #expect(FrameThinning(FrameRate(30), of: FrameRate(30)).lengthBeforeLeftOut == nil)
    }
}
