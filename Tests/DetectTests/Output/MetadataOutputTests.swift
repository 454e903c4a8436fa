import Capture
import Media
import Reading
import Recording
import TestSupport
import Testing

@testable import Detect

extension Tag {
    @Tag static var realTime: Tag
}

/// A detector with a fault.
private final class FaultyDetector: FrameDetector {
    enum Fault: String, CaseIterable {
        case none, throwing, stalling
    }

    /// Whether it finds something.
    let finds: Bool

    private struct Broken: Error {}

    let fault: Fault
    private let isOver = BlockingLock(false)
    private let seen = Lock<[Bool]>([])

    init(_ fault: Fault, finds: Bool = true) { (self.fault, self.finds) = (fault, finds) }

    /// Whether each frame's memory was a driver's.
    var frames: [Bool] { seen.withLock { $0 } }

    func release() { isOver.withLock { $0 = true } }

    func found(in frame: SampleBuffer) throws -> [any MetadataObject] {
        seen.withLock { $0.append(frame.pixelBuffer?.holdLimit != nil) }
        switch fault {
        case .none: break
        case .throwing: throw Broken()
        case .stalling: _ = isOver.wait { $0 ? true : nil }
        }
        let number = frames.count
        guard finds else { return [] }
        return [
            MachineReadableCode(
                type: .qr, time: frame.presentationTime, stringValue: "frame \(number)",
                bytes: Array("frame \(number)".utf8),
                corners: Array(repeating: NormalizedPoint(x: 0.5, y: 0.5), count: 4))
        ]
    }
}

@Suite("finding things while a camera is recorded", .tags(.realTime))
struct MetadataOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two seconds of the test camera with a detector beside it.
    private func record(
        _ detector: FaultyDetector, to path: String
    ) async throws -> (report: TakeReport, output: MetadataOutput) {
        let discovery = DeviceDiscovery()
        let input = CaptureDeviceInput(
            camera: try discovery.find("test:size=192x144,fps=30", kind: .video))
        let session = CaptureSession(discovery: discovery)
        let movie = VideoDataOutput(wantedFormat: .yuv420p, queueLimit: 64)
        let output = MetadataOutput(detector, maximumRate: FrameRate(10))
        try await session.configure { configuration in
            try configuration.add(input, movie)
            try configuration.add(input, output)
        }
        var settings = RecordingSettings(outputPath: path)
        settings.duration = .seconds(2)
        settings.video = .encoded(.init(codec: .h264, preset: "ultrafast"))
        let recorder = try Recorder(sources: [movie, output], settings: settings)
        try recorder.start()
        try await session.start()
        let report = try await recorder.finished()
        try await session.stop()
        return (report, output)
    }

    @Test(
        "the movie has every frame, whether the detector works, throws or never returns",
        arguments: FaultyDetector.Fault.allCases)
    fileprivate func faults(_ fault: FaultyDetector.Fault) async throws {
        let path = folder.file("take.mov")
        let detector = FaultyDetector(fault)
        defer { detector.release() }
        let (report, output) = try await record(detector, to: path)
        #expect(report.verdict == .good, "\(report.reasons)")
        #expect(report.tracks[0].drops.isEmpty && report.tracks[0].frames == 60)
        let numbers = try MovieOracle(path).frameNumbers()
        #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(numbers)")
        // no frame that is looked at is a driver's
        #expect(detector.frames.allSatisfy { !$0 })
        let counts = try #require(report.tracks[1].detections)
        switch fault {
        case .none:
            #expect((10...25).contains(counts.analyzed) && counts.found == counts.analyzed)
        case .throwing:
            #expect(counts.analyzed == 0 && (counts.skipped[.failed] ?? 0) >= 10)
            #expect(output.lastFailure?.message.contains("Broken") ?? false)
        case .stalling:
            #expect(counts.analyzed == 0 && (counts.skipped[.busy] ?? 0) >= 10)
            #expect(detector.frames.count == 1)
        }
    }

    @Test("what is found is in the movie's track, each at the frame that shows it, byte for byte")
    func track() async throws {
        let path = folder.file("take.mov")
        let detector = FaultyDetector(.none)
        let (report, _) = try await record(detector, to: path)
        let asset = try Asset.load(path)
        let track = try #require(asset.tracks(of: .metadata).first)
        #expect(MachineReadableCode.areIn(try #require(track.format?.metadata)))
        let output = try AssetReaderTrackOutput(asset: asset, track: track, settings: .metadata)
        let reader = AssetReader()
        try reader.add(output)
        try reader.start()
        var texts: [String] = []
        while let sample = try output.next() {
            let codes = MachineReadableCode.codes(in: try #require(sample.metadata))
            texts += codes.compactMap(\.stringValue)
            // two of three frames are not looked at: what is found holds for its frame
            if !codes.isEmpty {
                let length = try #require(sample.duration).approximateSeconds
                #expect(length < 0.034, "\(length)")
            }
            // the test camera's frames are on a grid of a thirtieth of a second
            let place = sample.presentationTime.approximateSeconds * 30
            #expect(abs(place - place.rounded()) < 0.01, "\(place)")
        }
        let count = try #require(report.tracks[1].detections).analyzed
        #expect(texts.count >= 10 && texts.count <= count)
        #expect(texts == (1...count).map { "frame \($0)" }.filter(texts.contains))
    }

    @Test(
        "where nothing is found each frame that was looked at says so, and the movie says it once")
    func nothing() async throws {
        let path = folder.file("take.mov")
        let (report, output) = try await record(FaultyDetector(.none, finds: false), to: path)
        #expect(output.detectionCounts.analyzed >= 10)
        #expect(report.tracks[1].frames == 1)
        let detector = FaultyDetector(.none, finds: false)
        let runner = DetectionRunner(detector, format: MetadataFormat(of: [.qr]))
        defer { runner.finish() }
        let said = BlockingLock<[Int]>([])
        runner.setSampleHandler { event in
            guard case .sample(let sample) = event, let group = sample.metadata else { return }
            #expect(group.items.isEmpty)
            said.withLock { $0.append(Int(sample.presentationTime.approximateSeconds)) }
        }
        for second in 1...3 {
            var frame = CodeMath.sample([0], width: 1, height: 1)
            frame.presentationTime = .seconds(Int64(second))
            runner.take(.sample(frame))
            #expect(waitUntil { said.read { $0.count } == second })
        }
        #expect(said.read { $0 } == [1, 2, 3])
    }

    @Test("the sequence of what is found ends with the session, and another one begins with it")
    func sequence() async throws {
        let discovery = DeviceDiscovery()
        let camera = try discovery.find("test:size=64x48,fps=30", kind: .video)
        let (session, output) = (
            CaptureSession(discovery: discovery),
            MetadataOutput(FaultyDetector(.none), maximumRate: FrameRate(10))
        )
        try await session.configure { configuration in
            try configuration.add(CaptureDeviceInput(camera: camera), output)
        }
        for _ in 0..<2 {
            let objects = output.objects()
            try await session.start()
            let count = Task {
                var count = 0
                for await _ in objects { count += 1 }
                return count
            }
            try await Task.sleep(for: .milliseconds(500))
            try await session.stop()
            #expect(await count.value >= 1)
        }
    }

    @Test("a sequence that is released takes nothing from the one that took its place")
    func laterSequence() async {
        let runner = DetectionRunner(FaultyDetector(.none), format: MetadataFormat(of: [.qr]))
        defer { runner.finish() }
        let said = BlockingLock<[String]>([])
        let first = runner.setObjectsHandler { _ in said.withLock { $0.append("first") } }
        let second = runner.setObjectsHandler { _ in said.withLock { $0.append("second") } }
        runner.setObjectsHandler(nil, inPlaceOf: first)
        runner.take(.sample(CodeMath.sample([0], width: 1, height: 1)))
        #expect(waitUntil { said.read { $0.count } == 1 })
        runner.setObjectsHandler(nil, inPlaceOf: second)
        var frame = CodeMath.sample([0], width: 1, height: 1)
        frame.presentationTime = .seconds(9)
        runner.take(.sample(frame))
        #expect(waitUntil { runner.counts.analyzed == 2 })
        #expect(said.read { $0 } == ["second"])
    }

    @Test("that a source has ended is said behind the last frame that was looked at")
    func ended() throws {
        let detector = FaultyDetector(.stalling)
        let runner = DetectionRunner(detector, format: MetadataFormat(of: [.qr]))
        defer { runner.finish() }
        let events = BlockingLock<[String]>([])
        runner.setSampleHandler { event in
            if case .sample = event { events.withLock { $0.append("sample") } }
            if case .ended = event { events.withLock { $0.append("ended") } }
        }
        runner.take(.sample(CodeMath.sample([0], width: 1, height: 1)))
        #expect(waitUntil { detector.frames.count == 1 })
        runner.take(.ended(at: .seconds(4)))
        #expect(events.read { $0 }.isEmpty)
        detector.release()
        let all = events.wait(nanoseconds: 60_000_000_000) { $0.count == 2 ? $0 : nil }
        #expect(all == ["sample", "ended"])
    }
}
