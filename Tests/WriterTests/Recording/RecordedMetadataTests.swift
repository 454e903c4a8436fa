import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading
@testable import Recording
@testable import Writing

/// A camera and a source of metadata, recorded by the real writer.
private final class MetadataTake: Sendable {
    let recorder: Recorder
    let camera: ScriptedSource
    let codes: ScriptedSource
    private let clock: ManualClock
    private let take: SyntheticTake

    init(_ take: SyntheticTake, path: String) throws {
        self.take = take
        clock = ManualClock(at: .nanoseconds(SyntheticTake.start))
        camera = ScriptedSource("camera", .video(take.videoFormat))
        codes = ScriptedSource("codes", .metadata(RecordedMetadataTests.format))
        var settings = RecordingSettings(outputPath: path)
        settings.video = .encoded(VideoOutputSettings(codec: .h264, preset: "ultrafast"))
        recorder = try Recorder(
            sources: [camera, codes], settings: settings, clock: clock, space: FileSystemSpace(),
            makeWriter: AssetWriter.makeForTake, ownsThread: false)
    }

    /// - Parameter events: by when they are sent (ms); frames are 1/30 s apart from 100 ms on.
    func run(_ events: [(at: Int, event: SourceEvent)], pause: (Int, Int)?) async throws
        -> TakeReport
    {
        try recorder.start()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            NamedThread(name: "take") {
                self.deliver(events, pause)
                done.resume()
            }.detach()
        }
        return try await recorder.finished()
    }

    private func deliver(_ events: [(at: Int, event: SourceEvent)], _ pause: (Int, Int)?) {
        var frame = 0
        for step in 1...take.seconds * 100 {
            clock.advance(by: .milliseconds(10))
            if let pause, step * 10 == pause.0 { recorder.pause() }
            if let pause, step * 10 == pause.1 { recorder.resume() }
            while 3 + frame < step * 3 / 10 {
                var sample = take.frameSample(frame)
                sample.presentationTime = .nanoseconds(
                    SyntheticTake.start + 100_000_000 + Int64(frame) * 1_000_000_000 / 30)
                camera.send(.sample(sample))
                frame += 1
            }
            for (at, event) in events where at / 10 == step { codes.send(event) }
            if step.isMultiple(of: 10) { recorder.tick() }
        }
        recorder.requestStop()
        while !recorder.status().state.isOver {
            clock.advance(by: .milliseconds(100))
            recorder.tick()
            _ = WakeSignal().wait(nanoseconds: 1_000_000)
        }
    }
}

@Suite("Recording metadata beside a camera")
struct RecordedMetadataTests {
    static let format = MetadataFormat(keys: [.init("com.example.code", .text)])
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func said(
        _ text: String, at time: Int, length: Int? = nil
    ) throws -> (at: Int, event: SourceEvent) {
        let group = TimedMetadataGroup(
            items: [MetadataItem("com.example.code", .text(text))],
            start: .nanoseconds(SyntheticTake.start + Int64(time) * 1_000_000),
            duration: length.map { .milliseconds(Int64($0)) })
        return (time, .sample(try SampleBuffer(group, format: Self.format)))
    }

    private func found(_ path: String) throws -> [String] {
        let asset = try Asset.load(path)
        let track = try #require(asset.tracks(of: .metadata).first)
        #expect(track.name == "codes")
        return try asset.metadataSamples(of: track).map { sample in
            let group = try #require(sample.metadata)
            guard case .text(let text)? = group.items.first?.value else { return "" }
            let times = [group.start, group.duration ?? .zero].map {
                $0.ticks(per: 1000, rounding: .nearest)
            }
            return "\(text) \(times[0])+\(times[1])"
        }
    }

    @Test("samples lie where their stamps say, cut by a pause; losses are counted and reported")
    func recorded() async throws {
        let path = folder.file("take.mov")
        let take = try MetadataTake(SyntheticTake(seconds: 3), path: path)
        var foreign = try said("wrong", at: 700)
        if case .sample(var sample) = foreign.event {
            sample.payload = .coded(BlockBuffer([1, 2, 3]))
            foreign.event = .sample(sample)
        }
        let report = try await take.run(
            [
                // the movie begins at 100 ms, with what holds then
                try said("gone", at: 20, length: 10), try said("before", at: 50, length: 100),
                try said("early", at: 500, length: 40), foreign, try said("late", at: 400),
                try said("across", at: 900, length: 900), try said("paused", at: 1200, length: 1),
                try said("last", at: 2500),
            ].map { ($0.event.isLate ? 800 : $0.at, $0.event) }, pause: (1100, 1600))
        let track = try #require(report.tracks.last)
        #expect(track.mediaType == .metadata && track.origin.name == "codes")
        #expect(track.frames == 4 && track.codec == "metadata")
        #expect(track.drops == ["undecodable": 1, "out-of-order": 1])
        let samples = try found(path)
        #expect(samples.prefix(2) == ["before 0+50", "early 400+40"])
        // the pause is at frames: about half a second is missing
        try #require(samples.count == 4)
        let pause = try #require(report.pauses.first)
        let held = try #require(pause.length).nanoseconds
        let lost = Int((Double(held) / 1e6).rounded())
        #expect(samples[2] == "across 800+\(900 - lost)")
        #expect(samples[3].hasPrefix("last \(2400 - lost)+"))
    }

    @Test("more than the recorder keeps before the movie begins is counted as lost")
    func crowdedOut() async throws {
        let path = folder.file("take.mov")
        let take = try MetadataTake(SyntheticTake(seconds: 2), path: path)
        // all come before the first frame, which has the stamp of 100 ms: what is lost is in the movie's time
        let report = try await take.run(
            try (0..<300).map { (20, try said("\($0)", at: 101 + $0, length: 1).event) }, pause: nil
        )
        let track = try #require(report.tracks.last)
        #expect(track.drops == ["late": 44])
        #expect(track.frames == 256)
        #expect(try found(path).first == "44 45+1")
    }

    @Test("a source that says nothing delays neither start nor end, and is no reason for a verdict")
    func silent() async throws {
        let path = folder.file("take.mp4")
        let take = try MetadataTake(SyntheticTake(seconds: 2), path: path)
        let report = try await take.run([], pause: nil)
        #expect(report.verdict == .good, "\(report.reasons)")
        #expect(report.tracks.map(\.frames).last == 0)
        #expect(report.duration.nanoseconds > 1_800_000_000)
        #expect(try Asset.load(path).tracks(of: .metadata).allSatisfy { $0.sampleCount == 0 })
    }

    @Test("a recording of metadata alone, or into a container without such tracks, is refused")
    func refused() throws {
        let codes = ScriptedSource("codes", .metadata(Self.format))
        let camera = ScriptedSource("camera", .video(SyntheticTake().videoFormat))
        #expect(throws: MediaError.self) {
            try Recorder(
                sources: [codes], settings: RecordingSettings(outputPath: folder.file("a.mov")))
        }
        let error = #expect(throws: MediaError.self) {
            try Recorder(
                sources: [camera, codes],
                settings: RecordingSettings(outputPath: folder.file("a.mkv")))
        }
        #expect(error?.message.contains("holds no metadata tracks") ?? false)
    }
}

extension SourceEvent {
    /// Whether it is what a source says too late.
    fileprivate var isLate: Bool {
        guard case .sample(let sample) = self,
            case .text(let text)? = sample.metadata?.items.first?.value
        else { return false }
        return text == "late"
    }
}
