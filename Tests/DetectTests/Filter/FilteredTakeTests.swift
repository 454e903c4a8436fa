import Capture
import Media
import Reading
import Recording
import TestSupport
import Testing

@testable import Detect

/// A filter that makes frames white below their number, or does not.
private final class Whitener: FrameProcessor {
    enum Fault: String, CaseIterable { case none, slow, throwing, neverReturning }

    struct Broken: Error {}

    let name = "whitener"
    private let fault: Lock<Fault>
    private let isOver = BlockingLock(false)
    private let drivers = Lock(0)

    init(_ fault: Fault) { self.fault = Lock(fault) }

    /// Frames that were on a driver's memory (frames).
    var onDrivers: Int { drivers.withLock { $0 } }

    func set(_ fault: Fault) { self.fault.withLock { $0 = fault } }

    func release() { isOver.withLock { $0 = true } }

    func process(_ frame: SampleBuffer) throws -> PixelBuffer {
        guard let pixels = frame.pixelBuffer else { throw Broken() }
        if pixels.holdLimit != nil { drivers.withLock { $0 += 1 } }
        switch fault.withLock({ $0 }) {
        case .none: break
        case .slow: _ = isOver.wait(nanoseconds: 100_000_000) { $0 ? true : nil }
        case .throwing: throw Broken()
        case .neverReturning: _ = isOver.wait { $0 ? true : nil }
        }
        var copy = pixels.copy()
        copy.withMutablePlanes { planes in
            for row in pixels.height / 4..<pixels.height {
                planes[0].row(row).update(repeating: 235, count: pixels.width)
            }
        }
        return copy
    }
}

@Suite("recording through a filter", .tags(.realTime))
struct FilteredTakeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two seconds of the test camera, of raw frames or MJPEG, and of its microphone.
    /// - Parameter meanwhile: what is done while it is recorded.
    private func record(
        _ camera: String, by filter: Whitener, to path: String,
        meanwhile: (Recorder, FilteredSource) async throws -> Void = { _, _ in }
    ) async throws -> TakeReport {
        let discovery = DeviceDiscovery()
        let session = CaptureSession(discovery: discovery)
        let frames = VideoDataOutput(wantedFormat: .yuv420p, queueLimit: 32)
        let sound = AudioDataOutput()
        try await session.configure { configuration in
            try configuration.add(
                CaptureDeviceInput(camera: discovery.find(camera, kind: .video)), frames)
            try configuration.add(
                CaptureDeviceInput(microphone: discovery.find("test:", kind: .audio)), sound)
        }
        var settings = RecordingSettings(outputPath: path)
        settings.duration = .seconds(2)
        settings.video = .encoded(.init(codec: .h264, preset: "ultrafast"))
        let filtered = try FilteredSource(of: frames, by: filter)
        let recorder = try Recorder(sources: [filtered, sound], settings: settings)
        try recorder.start()
        try await session.start()
        try await meanwhile(recorder, filtered)
        let report = try await recorder.finished()
        try await session.stop()
        return report
    }

    @Test(
        "the movie has every frame at its time and all of the sound, whether the filter works, is slow, throws or never returns",
        arguments: Whitener.Fault.allCases, ["", ",format=mjpeg"])
    fileprivate func faults(_ fault: Whitener.Fault, _ format: String) async throws {
        let path = folder.file("take.mp4")
        let filter = Whitener(fault)
        defer { filter.release() }
        let report = try await record("test:size=192x144,fps=30" + format, by: filter, to: path)
        let track = report.tracks[0]
        let counts = try #require(track.filters?.first)
        #expect(
            track.drops.isEmpty && track.frames == 60 && track.gaps.isEmpty, "\(report.reasons)")
        #expect(report.tracks[1].drops.isEmpty && report.tracks[1].gaps.isEmpty)
        #expect(filter.onDrivers == 0)
        let colors = try MovieOracle(path).middleColors()
        #expect(colors.count == 60)
        // 235 of full range is 217 of limited
        let white = colors.filter { $0.luma > 205 }.count
        let black = colors.filter { $0.luma < 26 }.count
        #expect(white + black == 60, "\(colors.map(\.luma))")
        switch fault {
        case .none:
            #expect(report.verdict == .good && white == 60, "\(report.reasons)")
            let numbers = try MovieOracle(path).frameNumbers()
            #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(numbers)")
        case .slow:
            // ten a second of thirty
            #expect((8...30).contains(white), "\(white)")
            #expect(counts.late > 0 && report.verdict == .bad)
        case .throwing, .neverReturning:
            #expect(white == 0 && counts.processed == 0 && report.verdict == .bad)
            #expect(report.reasons.contains { $0.contains("whitener") && $0.contains("black") })
        }
    }

    /// - Parameter inPause: whether the filter fails in the pause alone, or everywhere else.
    @Test(
        "what is counted of a filter is of the movie's frames: a pause in which it fails costs nothing, and one in which it works saves nothing",
        arguments: [true, false])
    func pause(inPause: Bool) async throws {
        let path = folder.file("take.mp4")
        let filter = Whitener(inPause ? .none : .throwing)
        let all = Lock<FilterCounts?>(nil)
        let report = try await record("test:size=192x144,fps=30", by: filter, to: path) {
            recorder, filtered in
            while recorder.status().elapsed < .milliseconds(500) {
                try await Task.sleep(for: .milliseconds(10))
            }
            recorder.pause()
            // what is on its way through the filter when it changes lies well inside the pause
            try await Task.sleep(for: .milliseconds(600))
            filter.set(inPause ? .throwing : .none)
            try await Task.sleep(for: .milliseconds(2500))
            filter.set(inPause ? .none : .throwing)
            try await Task.sleep(for: .milliseconds(600))
            all.withLock { $0 = filtered.filterCounts.first }
            recorder.resume()
        }
        let counts = try #require(report.tracks[0].filters?.first)
        let filters = try #require(all.withLock { $0 })
        #expect(report.tracks[0].frames == 60 && counts.processed + counts.unprocessed == 60)
        let white = try MovieOracle(path).middleColors().filter { $0.luma > 205 }.count
        #expect(white == counts.processed)
        if inPause {
            #expect(counts.processed == 60 && counts.failure == nil)
            #expect(report.verdict == .good, "\(report.reasons)")
            // control: by the filter's own counts the movie would be bad
            #expect(filters.failed > 50)
        } else {
            #expect(counts.failed == 60 && report.verdict == .bad, "\(report.reasons)")
            // control: by the filter's own counts it would only be degraded
            #expect(filters.processed > 50)
        }
    }

    @Test("a filter in front of which nobody wants raw frames is refused before the movie is made")
    func coded() async throws {
        let discovery = DeviceDiscovery()
        let session = CaptureSession(discovery: discovery)
        let frames = VideoDataOutput()
        try await session.configure { configuration in
            try configuration.add(
                CaptureDeviceInput(
                    camera: discovery.find("test:size=192x144,format=mjpeg", kind: .video)), frames)
        }
        let source = try FilteredSource(of: frames, by: Whitener(.none))
        #expect(throws: MediaError.self) {
            try Recorder(
                sources: [source], settings: RecordingSettings(outputPath: folder.file("x.mp4")))
        }
    }
}
