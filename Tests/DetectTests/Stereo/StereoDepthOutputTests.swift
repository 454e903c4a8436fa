import Capture
import Media
import Reading
import Recording
import TestSupport
import Testing

@testable import Detect

/// Makes a map of nothing but the same distance, in so much time; or never.
private final class SlowMatcher: PairMatcher {
    private let clock = HostClock()
    private let length: MediaTime?
    /// The pair that takes two seconds more; 0: none.
    private let dear: Int
    private let isOver = WakeSignal()
    private let seen = Lock<[Bool]>([])

    /// - Parameters:
    ///   - length: `nil`: until it is released.
    ///   - dear: the pair that takes two seconds more (from 1).
    init(_ length: MediaTime?, dear: Int = 0) { (self.length, self.dear) = (length, dear) }

    /// Whether each frame's memory was a driver's.
    var frames: [Bool] { seen.withLock { $0 } }

    func release() { isOver.raise() }

    func depth(left: SampleBuffer, right: SampleBuffer) throws(MediaError) -> DepthData {
        let count = seen.withLock { seen in
            seen += [left, right].map { $0.pixelBuffer?.holdLimit != nil }
            return seen.count / 2
        }
        let more = count == dear ? MediaTime.seconds(2) : .zero
        _ = clock.wait(until: clock.now() + (length ?? .seconds(600)) + more, orSignal: isOver)
        let pixels = left.pixelBuffer ?? PixelBuffer(width: 2, height: 2, format: .gray)
        return try DepthData(
            map: PixelBuffer(
                steps: Array(repeating: 1000, count: pixels.width * pixels.height),
                width: pixels.width, height: pixels.height),
            format: .millimetres)
    }
}

@Suite("The depth of two cameras while they are recorded", .tags(.realTime), .serialized)
struct StereoDepthOutputTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let settings = StereoMatcher.Settings(
        calibration: DepthCalibration(focalLength: 400, baseline: 0.06))

    /// Some seconds of two cameras.
    private func record(
        _ output: StereoDepthOutput, _ path: String, seconds: Int64 = 2
    ) async throws -> TakeReport {
        let discovery = DeviceDiscovery()
        let inputs = try ["test:51,size=192x144,fps=30", "test:52,size=192x144,fps=30"].map {
            CaptureDeviceInput(camera: try discovery.find($0, kind: .video))
        }
        let session = CaptureSession(discovery: discovery)
        let movies = inputs.map { _ in
            VideoDataOutput(wantedFormat: .yuv420p, queueLimit: 64)
        }
        try await session.configure { configuration in
            for (input, movie) in zip(inputs, movies) { try configuration.add(input, movie) }
            try configuration.add(left: inputs[0], right: inputs[1], output)
        }
        var settings = RecordingSettings(outputPath: path)
        settings.duration = .seconds(seconds)
        settings.video = .encoded(.init(codec: .h264, preset: "ultrafast"))
        let recorder = try Recorder(sources: movies + [output], settings: settings)
        try recorder.start()
        try await session.start()
        let report = try await recorder.finished()
        try await session.stop()
        return report
    }

    @Test("a matcher that is slow makes fewer maps, says how many, and costs the cameras no frame")
    func slow() async throws {
        let path = folder.file("take.mkv")
        let matcher = SlowMatcher(.milliseconds(150))
        let output = try StereoDepthOutput(matcher, Self.settings, format: .millimetres)
        let report = try await record(output, path)
        for track in report.tracks[..<2] {
            #expect(track.frames == 60 && track.drops.isEmpty, "\(track)")
        }
        let depth = report.tracks[2]
        #expect((5...14).contains(depth.frames), "\(depth.frames)")
        #expect(depth.drops.isEmpty)
        let counts = try #require(depth.detections)
        #expect((counts.skipped[.busy] ?? 0) >= 30, "\(counts)")
        #expect(report.verdict == .good, "\(report.reasons)")
        // no frame that is matched is a driver's
        #expect(!matcher.frames.isEmpty && matcher.frames.allSatisfy { !$0 })
        try await expectMaps(path, count: Int(depth.frames))
    }

    /// What was written is what was matched, and each map is at a frame of the left camera.
    private func expectMaps(_ path: String, count: Int) async throws {
        let asset = try Asset.load(path)
        let times = try await asset.tracks(of: .video).asyncMap { track in
            let reader = AssetReader()
            let samples = try AssetReaderTrackOutput(
                asset: asset, track: track, settings: .frames(nil))
            try reader.add(samples)
            var found: [Int64] = []
            for try await sample in reader.samples(of: samples) {
                found.append(sample.presentationTime.nanoseconds())
                if track.format?.video?.depth != nil {
                    #expect(try DepthData(sample).distance(x: 5, y: 5) == 1)
                }
            }
            return found
        }
        #expect(times[2].count == count)
        #expect(times[2].allSatisfy { time in times[0].contains { abs($0 - time) < 1_000_000 } })
    }

    @Test("a pair that takes longer than a camera may be silent is no stalled camera")
    func slowest() async throws {
        let path = folder.file("take.mkv")
        let output = try StereoDepthOutput(
            SlowMatcher(.milliseconds(2300)), Self.settings, format: .millimetres)
        let depth = try await record(output, path, seconds: 7).tracks[2]
        #expect((2...3).contains(depth.frames), "\(depth.frames)")
        #expect(!depth.gaps.contains { $0.cause == "stalled" }, "\(depth.gaps)")
        try await expectMaps(path, count: Int(depth.frames))
    }

    @Test("a pair that takes longer than those before is no gap of the depth track")
    func uneven() async throws {
        let output = try StereoDepthOutput(
            SlowMatcher(.milliseconds(60), dear: 15), Self.settings, format: .millimetres)
        let report = try await record(output, folder.file("take.mkv"), seconds: 4)
        #expect(report.tracks[2].gaps.isEmpty, "\(report.tracks[2].gaps)")
        #expect(report.verdict == .good, "\(report.reasons)")
    }

    @Test("a handler that takes another's place hears nothing of what was begun for that one")
    func restarted() async throws {
        let matcher = SlowMatcher(.milliseconds(600))
        let output = try StereoDepthOutput(matcher, Self.settings, format: .millimetres)
        let discovery = DeviceDiscovery()
        let inputs = try ["test:56,size=192x144", "test:57,size=192x144"].map {
            CaptureDeviceInput(camera: try discovery.find($0, kind: .video))
        }
        let session = CaptureSession(discovery: discovery)
        try await session.configure { try $0.add(left: inputs[0], right: inputs[1], output) }
        output.setHandler { _ in }
        try await session.start()
        try await Task.sleep(for: .milliseconds(300))
        output.setHandler(nil)
        let start = HostClock().now()
        let first = Lock<MediaTime?>(nil)
        output.setHandler { event in
            guard case .sample(let sample) = event else { return }
            first.withLock { $0 = $0 ?? sample.presentationTime }
        }
        #expect(waitUntil { first.withLock { $0 } != nil })
        #expect(first.withLock { $0 }.map { $0 > start - .milliseconds(200) } == true)
        try await session.stop()
    }

    @Test("a matcher that never returns costs the cameras no frame, and the take ends")
    func stalled() async throws {
        let matcher = SlowMatcher(nil)
        defer { matcher.release() }
        let output = try StereoDepthOutput(matcher, Self.settings, format: .millimetres)
        let report = try await record(output, folder.file("take.mkv"))
        for track in report.tracks[..<2] {
            #expect(track.frames >= 60 && track.drops.isEmpty, "\(track)")
        }
        #expect(report.verdict == .bad)
        #expect(report.reasons.contains { $0.hasPrefix("Depth of") }, "\(report.reasons)")
    }

    @Test("unit and filter of the maps are in the format that the recorder writes")
    func labels() throws {
        let disparity = DepthFormat(unit: .pixels(1.0 / 16), calibration: Self.settings.calibration)
        let output = try StereoDepthOutput(
            SlowMatcher(.zero), Self.settings, format: disparity, unit: .metres(0.001),
            filter: DepthFilter.Settings())
        #expect(output.depthFormat.unit == .metres(0.001))
        #expect(output.depthFormat.isFiltered)
        #expect(output.depthFormat.calibration == Self.settings.calibration)
    }

    @Test(
        "one camera twice, mirrored frames and cameras of depth are no pair, and nothing is added")
    func refusals() async throws {
        let discovery = DeviceDiscovery()
        func input(_ words: String) throws -> CaptureDeviceInput {
            CaptureDeviceInput(camera: try discovery.find(words, kind: .video))
        }
        let (one, other) = (try input("test:53"), try input("test:54"))
        let depth = try input("test:55,format=z16")
        for (left, right, connection) in [
            (one, one, CaptureConnection()),
            (one, other, CaptureConnection(isMirrored: true)),
            (one, depth, CaptureConnection()),
        ] {
            let output = try StereoDepthOutput(
                SlowMatcher(.zero), Self.settings, format: .millimetres)
            let session = CaptureSession(discovery: discovery)
            try await session.configure { configuration in
                let error = #expect(throws: MediaError.self) {
                    try configuration.add(left: left, right: right, output, connection)
                }
                #expect(error?.message.hasPrefix("Cannot match a stereo pair: ") == true)
                #expect(configuration.devices.isEmpty)
            }
        }
    }
}

extension Array {
    fileprivate func asyncMap<Result>(
        _ transform: (Element) async throws -> Result
    ) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
