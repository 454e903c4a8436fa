import Media
import TestSupport
import Testing

@testable import Recording
@testable import Writing

/// A machine whose pressure a test sets.
private final class ScriptedPressure: PressureReader {
    let reading = Lock(PressureReading())
    func read() -> PressureReading { reading.withLock { $0 } }
    func set(_ values: [PressureCause: Double]) {
        reading.withLock { $0 = PressureReading(values) }
    }
}

@Suite("a recording under pressure")
struct RecorderPressureTests {
    private let machine = ScriptedPressure()
    private static let policy = PressurePolicy(
        steps: PressurePolicy.standard.steps, calm: .seconds(4))

    private func rig(
        _ change: (inout RecordingSettings) -> Void = { _ in }
    ) throws -> RecorderRig {
        let camera = RigCamera("camera", at: RecorderRig.origin)
        let microphone = RigMicrophone("microphone", at: RecorderRig.origin - 50_000_000)
        return try RecorderRig(
            [camera, microphone], change: change,
            pressure: { [machine] clock in
                PressureMonitor(Self.policy, machine, clock)
            })
    }

    /// Seconds, with a look at the machine after each.
    private func run(_ rig: RecorderRig, _ seconds: Int) {
        for _ in 0..<seconds {
            rig.run(1_000)
            rig.monitor?.tick()
        }
    }

    @Test(
        "an encoder that is behind is hurried, and let go when that is over: by an event and in the report"
    )
    func hurried() async throws {
        let rig = try rig()
        try rig.recorder.start()
        run(rig, 2)
        machine.set([.encoder: 0.6])
        run(rig, 3)
        #expect(rig.writer.state.withLock { $0.speeds } == [.faster])
        machine.set([.encoder: 0])
        run(rig, 12)
        #expect(rig.writer.state.withLock { $0.speeds } == [.faster, .asSet])
        let report = await rig.stop()

        let entries = try #require(report.pressure)
        #expect(entries.map(\.measure) == ["encoding-faster", "encoding-faster"])
        #expect(entries.map(\.isTaken) == [true, false])
        #expect(entries[0].level == .serious && entries[0].causes == [.encoder])
        #expect(entries[1].causes.isEmpty)
        let origin = RecorderRig.origin
        #expect(entries[0].hostTime.nanoseconds == origin + 3_000_000_000)
        #expect(entries[0].movieTime.nanoseconds == 3_000_000_000)
        #expect(report.tracks[0].presets?.map(\.preset) == ["faster", "asSet"])
        #expect(report.tracks[1].presets == nil)
        #expect(report.verdict == .good, "nothing is missing: \(report.reasons)")
        let kinds = await rig.events().map(\.kind).filter { $0.hasPrefix("pre") }
        #expect(
            kinds == [
                "pressure", "pressureStep", "presetChanged", "pressure", "pressure",
                "pressureStep", "presetChanged",
            ])
    }

    @Test("a step in a pause is in the report where the movie stands")
    func paused() async throws {
        let rig = try rig()
        try rig.recorder.start()
        run(rig, 2)
        rig.recorder.pause()
        run(rig, 2)
        machine.set([.heat: 0.95])
        run(rig, 1)
        rig.recorder.resume()
        run(rig, 2)
        let report = await rig.stop()
        let entry = try #require(report.pressure?.first)
        #expect(abs(entry.movieTime.nanoseconds - 2_000_000_000) < 50_000_000)
        #expect(entry.causes == [.heat])
    }

    @Test("audio is never lost under pressure, whatever the level")
    func sound() async throws {
        let rig = try rig()
        try rig.recorder.start()
        machine.set([
            .encoder: 1, .disk: 1, .processor: 1, .memory: 1, .heat: 2, .storage: 1,
        ])
        run(rig, 20)
        #expect(rig.writer.state.withLock { $0.speeds } == [.faster, .fastest])
        let report = await rig.stop()
        #expect(report.tracks[1].drops.isEmpty && report.tracks[1].gaps.isEmpty)
        let frames = report.duration.nanoseconds * 48_000 / 1_000_000_000
        #expect(abs(report.tracks[1].frames - frames) <= 1)
    }

    @Test(
        "where no preset is to be had, or nothing is dropped anyway, nothing is asked of the writer",
        arguments: [0, 1, 2, 3])
    func nothingToGive(_ number: Int) async throws {
        let rig = try rig { settings in
            switch number {
            case 0: settings.video = .encoded(VideoOutputSettings(codec: .mjpeg))
            case 1: settings.video = .encoded(VideoOutputSettings(preset: "ultrafast"))
            case 2: settings.video = .encoded(VideoOutputSettings(codec: .hevc, preset: "slower"))
            default: settings.overflow = .wait
            }
        }
        try rig.recorder.start()
        machine.set([.encoder: 1])
        run(rig, 8)
        #expect(rig.writer.state.withLock { $0.speeds }.isEmpty)
        #expect(await rig.stop().pressure == nil)
    }

    @Test("a recording that begins while another is hurried is hurried from its start")
    func second() async throws {
        let first = try rig()
        try first.recorder.start()
        machine.set([.encoder: 0.6])
        run(first, 3)
        let monitor = try #require(first.monitor)
        let other = try RecorderRig(
            [RigCamera("other", at: RecorderRig.origin)], pressure: { _ in monitor })
        try other.recorder.start()
        other.run(1_000)
        #expect(other.writer.state.withLock { $0.speeds } == [.faster])
        _ = await first.stop()
        _ = await other.stop()
    }

    @Test("the report's entries are read back as they were written")
    func codable() throws {
        var report = TakeReport(movie: "a.mp4", container: "mp4")
        report.pressure = [
            TakeReport.PressureEntry(
                movieTime: TakeTime(nanoseconds: 5), hostTime: TakeTime(nanoseconds: 7),
                measure: "encoding-faster", isTaken: true, level: .serious,
                causes: [.encoder, .heat])
        ]
        let bytes = try TakeReportFile(path: "a").encoded(report)
        #expect(try TakeReportFile.read(bytes) == report)
    }
}

@Suite("how far a writer is behind")
struct WriterLoadTests {
    private func status(
        samples: Int = 0, bytes: Int = 0, disk: Int = 0,
        dropped: [SampleDrop.Cause: Int] = [:]
    ) -> AssetWriterStatus {
        var video = AssetWriterStatus.Track(mediaType: .video)
        (video.queuedSamples, video.queuedBytes, video.dropped) = (samples, bytes, dropped)
        var audio = AssetWriterStatus.Track(mediaType: .audio)
        audio.queuedBytes = 60 << 20
        return AssetWriterStatus(
            state: .writing, movieTime: .zero, bytesWritten: 0, bytesWaiting: disk,
            tracks: [video, audio])
    }

    private func load() throws -> WriterLoad {
        WriterLoad(
            try AssetWriterConfiguration(outputPath: "a.mp4"), rates: [FrameRate(30), nil])
    }

    private func look(
        _ load: inout WriterLoad, _ status: AssetWriterStatus
    ) -> [PressureCause: Double] {
        var reading = PressureReading()
        load.look(status, into: &reading)
        return reading.values
    }

    @Test("large frames fill the queue by their bytes, small ones by their number")
    func fill() throws {
        var load = try load()
        #expect(look(&load, status()) == [.encoder: 0, .disk: 0])
        #expect(look(&load, status(samples: 4, bytes: 48 << 20))[.encoder] == 0.75)
        #expect(look(&load, status(samples: 30, bytes: 1 << 20))[.encoder] == 0.5)
        #expect(look(&load, status(samples: 90, bytes: 1 << 20))[.encoder] == 1)
    }

    @Test("a frame dropped since the last look says that the queue was full, once")
    func drops() throws {
        var load = try load()
        #expect(look(&load, status(dropped: [.encoderBehind: 3]))[.encoder] == 1)
        #expect(look(&load, status(dropped: [.encoderBehind: 3]))[.encoder] == 0)
        #expect(look(&load, status(dropped: [.encoderBehind: 4]))[.encoder] == 1)
    }

    @Test("encoders that wait for a full disk are not behind: the disk is")
    func disk() throws {
        var load = try load()
        #expect(look(&load, status(disk: 32 << 20)) == [.disk: 0.5, .encoder: 0])
        #expect(
            look(&load, status(samples: 90, bytes: 64 << 20, disk: 70 << 20)) == [.disk: 1])
        #expect(look(&load, status(samples: 90, dropped: [.diskBehind: 1])) == [.disk: 1])
    }
}
