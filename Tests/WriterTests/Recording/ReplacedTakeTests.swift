import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading
@testable import Recording
@testable import Writing

/// What was there before stays until the new take has begun to exist.
@Suite("A take that replaces another")
struct ReplacedTakeTests {
    private let folder: TemporaryFolder
    private let path: String
    private let take = SyntheticTake(width: 96, height: 54, seconds: 1)

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("take.mp4")
        try Data("the good old take".utf8).write(to: URL(fileURLWithPath: path))
    }

    private var isOld: Bool {
        FileManager.default.contents(atPath: path) == Data("the good old take".utf8)
    }

    private func started(
        _ name: String = "take.mp4"
    ) throws -> (writer: AssetWriter, video: SampleBufferReceiver) {
        let writer = try AssetWriter(
            try AssetWriterConfiguration(outputPath: folder.file(name), overwrites: true))
        let video = try writer.inputReceiver(
            for: VideoOutputSettings(codec: .h264, preset: "ultrafast"),
            sourceFormat: take.videoFormat)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        return (writer, video)
    }

    private func append(_ frames: Range<Int>, to video: SampleBufferReceiver) throws {
        for frame in frames { _ = try video.appendImmediately(take.frameSample(frame)) }
    }

    @Test("a take that is given up before its first frame leaves the old one")
    func givenUp() async throws {
        let (writer, _) = try started()
        #expect(isOld)
        await writer.cancel()
        #expect(isOld && folder.contents == ["take.mp4"])
    }

    @Test(
        "with samples on the disk it takes the name, of whatever container",
        arguments: ["take.mp4", "take.mkv", "take.ts"])
    func begun(name: String) async throws {
        let old = folder.file(name)
        try Data("the good old take".utf8).write(to: URL(fileURLWithPath: old))
        let before = FileIdentity(named: old)
        let (writer, video) = try started(name)
        #expect(FileIdentity(named: old) == before)
        try append(0..<30, to: video)
        #expect(waitUntil { FileIdentity(named: old) != before })
        #expect(!folder.contents.contains { $0.hasPrefix(".") })
        try writer.endSession(atSourceTime: .nanoseconds(SyntheticTake.start + 1_000_000_000))
        _ = try await writer.finish()
        #expect(try Asset.load(old).duration > .milliseconds(900))
    }

    @Test("one that is stopped before its first fragment is full replaces the old one all the same")
    func short() async throws {
        let (writer, video) = try started()
        try append(0..<2, to: video)
        try writer.endSession(atSourceTime: .nanoseconds(SyntheticTake.start + 66_666_667))
        _ = try await writer.finish()
        #expect(!isOld && folder.contents == ["take.mp4"])
    }

    @Test("a nearly full disk ends the new take before it began: the old one and its report stay")
    func nearlyFull() async throws {
        let report = folder.file("take.vcap.json")
        var old = TakeReport(movie: "take.mp4", container: "mp4")
        old.state = .finished
        try TakeReportFile(path: report).write(old)
        let clock = ManualClock(at: .nanoseconds(SyntheticTake.start))
        let camera = ScriptedSource("camera", .video(take.videoFormat))
        var settings = RecordingSettings(outputPath: path)
        settings.video = .encoded(VideoOutputSettings(codec: .h264, preset: "ultrafast"))
        settings.replacesExisting = true
        let disk = ScriptedDisk()
        let recorder = try Recorder(
            sources: [camera], settings: settings, clock: clock, space: disk,
            makeWriter: AssetWriter.makeForTake, ownsThread: false)
        try recorder.start()
        // others fill it behind the look before the start
        disk.free.withLock { $0 = 20 << 20 }
        camera.send(.sample(take.frameSample(0)))
        clock.advance(by: .milliseconds(100))
        recorder.tick()
        camera.send(.sample(take.frameSample(3)))
        while !recorder.status().state.isOver {
            clock.advance(by: .milliseconds(100))
            recorder.tick()
            try await Task.sleep(nanoseconds: 5_000_000)
        }
        let ended = try await recorder.finished()
        #expect(ended.verdict == .bad && ended.failure?.contains("stays") == true)
        #expect(isOld && folder.contents == ["take.mp4", "take.vcap.json"])
        #expect(TakeReportFile.report(at: report)?.state == .finished)
    }

    @Test("a recording onto a movie that is being recorded is refused, and takes nothing of it")
    func busy() async throws {
        let (first, video) = try started("b.mp4")
        try append(0..<15, to: video)
        var settings = RecordingSettings(outputPath: folder.file("b.mp4"))
        settings.replacesExisting = true
        settings.writesReport = false
        let recorder = try Recorder(
            sources: [ScriptedSource("camera", .video(take.videoFormat))], settings: settings,
            clock: ManualClock(at: .nanoseconds(SyntheticTake.start)), space: ScriptedDisk(),
            makeWriter: AssetWriter.makeForTake, ownsThread: false)
        #expect { try recorder.start() } throws: { ($0 as? MediaError)?.code == .inUse }
        try writerEnds(first)
        _ = try await first.finish()
        // the control: finished, it may be replaced
        try recorder.start()
        #expect(try Asset.load(folder.file("b.mp4")).duration > .milliseconds(400))
    }

    private func writerEnds(_ writer: AssetWriter) throws {
        try writer.endSession(atSourceTime: .nanoseconds(SyntheticTake.start + 500_000_000))
    }
}

@Suite("Reports that are somebody else's")
struct ReportOwnerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func settings(_ name: String, replaces: Bool = true) -> RecordingSettings {
        var settings = RecordingSettings(outputPath: folder.file(name))
        settings.replacesExisting = replaces
        return settings
    }

    private func touch(_ name: String, _ text: String = "x") throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    @Test("replacing a.mkv leaves the report of the intact a.mp4, and is refused at the start")
    func otherMovie() throws {
        try touch("a.mp4")
        let file = TakeReportFile(path: folder.file("a.vcap.json"))
        try file.write(TakeReport(movie: "a.mp4", container: "mp4"))
        #expect { try settings("a.mkv").requireFreeReport() } throws: {
            let error = $0 as? MediaError
            return error?.code == .alreadyExists && error?.message.contains("a.mp4") == true
        }
        #expect(throws: MediaError.self) {
            try file.write(TakeReport(movie: "a.mkv", container: "mkv"))
        }
        #expect(TakeReportFile.movie(ofReportAt: file.path) == "a.mp4")
        #expect(folder.contents == ["a.mp4", "a.vcap.json"])
        // the controls: its own, and one whose movie is gone
        try settings("a.mp4").requireFreeReport()
        #expect(throws: MediaError.self) {
            try settings("a.mp4", replaces: false).requireFreeReport()
        }
        unlink(folder.file("a.mp4"))
        try settings("a.mkv").requireFreeReport()
        try file.write(TakeReport(movie: "a.mkv", container: "mkv"))
        #expect(TakeReportFile.movie(ofReportAt: file.path) == "a.mkv")
    }

    @Test("the report of a movie that was deleted is in nobody's way, also of another name")
    func orphan() throws {
        let fresh = settings("a.mkv", replaces: false)
        for owner in ["a.mkv", "a.mp4"] {
            let file = TakeReportFile(path: fresh.reportPath)
            try file.write(TakeReport(movie: owner, container: "mkv"))
            try fresh.requireFreeReport()
            _ = try file.claim(for: "a.mkv", container: "mkv")
            #expect(TakeReportFile.movie(ofReportAt: file.path) == "a.mkv")
        }
        try touch("a.mkv")
        #expect(throws: MediaError.self) { try fresh.requireFreeReport() }
    }

    @Test("what is no report is not replaced by one")
    func noReport() throws {
        try touch("a.vcap.json", "{\"mine\": true}")
        #expect { try settings("a.mp4").requireFreeReport() } throws: {
            ($0 as? MediaError)?.message.contains("no take's report") == true
        }
        #expect(throws: MediaError.self) {
            try TakeReportFile(path: folder.file("a.vcap.json"))
                .write(TakeReport(movie: "a.mp4", container: "mp4"))
        }
    }

    @Test("a long name has its report, and one that is too long for it is refused before the take")
    func longNames() throws {
        for count in [231, 232, 240, 245] {
            let name = String(repeating: "n", count: count) + ".mp4"
            let settings = settings(name)
            try settings.requireFreeReport()
            try TakeReportFile(path: settings.reportPath)
                .write(TakeReport(movie: name, container: "mp4"))
            #expect(TakeReportFile.movie(ofReportAt: settings.reportPath) == name)
        }
        let name = String(repeating: "n", count: 246) + ".mp4"
        #expect { try settings(name).requireFreeReport() } throws: {
            let error = $0 as? MediaError
            return error?.code == .cannotCreate && error?.message.contains("shorter by 1") == true
        }
    }
}
