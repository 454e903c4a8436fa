import Foundation
import Media
import TestSupport
import Testing

@testable import Recording

@Suite("Settings that others change in a take")
struct NotedSettingTests {
    @Test(
        "a camera that announces one with every frame has a report that is bounded, and is not written with each"
    )
    func bounded() {
        let notes = TakeNotes(sources: 1)
        func change(_ number: Int, isByOthers: Bool) {
            notes.changedControl(
                TakeNotes.NotedControl(
                    camera: "Camera", id: nil, setting: "gain=\(number)", granted: nil,
                    time: Int64(number), isByOthers: isByOthers))
        }
        for number in 0..<50_000 { change(number, isByOthers: true) }
        change(7, isByOthers: false)
        let account = notes.settled(by: nil)
        #expect(account.settingsByOthers == 50_000)
        #expect(account.controls.count == TakeNotes.mostByOthers + 1)
        #expect(account.controls.last?.isByOthers == false)
        // one's own is written at once
        #expect(notes.takeDirty())
        change(50_001, isByOthers: true)
        #expect(!notes.takeDirty())
    }
}

@Suite("Rehearsals")
struct RehearsalTests {
    private func report(_ change: (inout TakeReport.Track) -> Void = { _ in }) -> TakeReport {
        var track = TakeReport.Track(
            index: 0, mediaType: .video,
            origin: SourceOrigin(identifier: "test:", name: "Camera", driver: "test"),
            granted: TakeReport.GrantedFormat(.video(RehearsalTests.format)), codec: "h264")
        change(&track)
        var report = TakeReport(movie: "rehearsal.mp4", container: "mp4")
        report.tracks = [track]
        report.verdict = .good
        return report
    }

    private static let format = VideoFormat(
        coding: .raw(.yuv420p), width: 1280, height: 720, nominalRate: FrameRate(30))

    private func cost(
        processor: Double = 0.4, idle: Double? = nil, queue: MediaTime = .zero,
        _ report: TakeReport
    ) -> RecordingCost {
        RecordingCost(
            duration: .seconds(3), processors: 2, processorShare: processor, idleShare: idle,
            longestQueue: queue,
            bytesPerSecond: 1_000_000, report: report)
    }

    @Test("a machine carries what loses nothing and leaves it time")
    func verdicts() {
        #expect(cost(report()).verdict == .good)
        #expect(cost(report()).reasons.isEmpty)
        let busy = cost(processor: 0.9, report())
        #expect(busy.verdict == .degraded)
        #expect(busy.reasons.first?.contains("90 %") == true)
        // others take what the recording leaves
        let crowded = cost(processor: 0.3, idle: 0.1, report())
        #expect(crowded.verdict == .degraded)
        #expect(crowded.reasons.first?.hasPrefix("10 % of the processors' time was left") == true)
        #expect(cost(processor: 0.3, idle: 0.2, report()).verdict == .good)
        let late = cost(queue: .seconds(1), report())
        #expect(late.verdict == .degraded)
        #expect(late.reasons.first?.contains("1.0 s") == true)
        for cause in [SampleDrop.Cause.encoderBehind, .diskBehind] {
            #expect(cost(report { $0.drops[cause.rawValue] = 1 }).verdict == .bad)
        }
        // the camera's own loss is no matter of the encoder or the disk
        var lossy = report { $0.drops[SampleDrop.Cause.driverGap.rawValue] = 1 }
        lossy.reasons = ["Camera lost 1 frame (driver-gap)."]
        lossy.verdict = .degraded
        #expect(cost(lossy).verdict == .degraded)
        var failed = report()
        failed.failure = "The disk is full."
        #expect(cost(failed).verdict == .bad)
    }

    @Test("the processors' time is that of the looks while it records, the queue its longest")
    func watch() {
        var watch = RecordingWatch()
        var status = RecorderStatus()
        func look(_ seconds: Double, used: Double) {
            watch.look(
                status, at: .nanoseconds(Int64(seconds * 1e9)), used: Int64(used * 1e9))
        }
        // an encoder is opened before
        status.state = .starting
        look(0, used: 5)
        status.state = .recording
        status.elapsed = .milliseconds(33)
        var track = RecorderStatus.Track(index: 0, mediaType: .video, name: "Camera")
        track.nominalRate = FrameRate(25)
        track.waitingSamples = 10
        status.tracks = [track]
        look(1, used: 6)
        status.tracks[0].waitingSamples = 2
        look(3, used: 6 + 2 * Double(RecordingWatch.processors) * 0.5)
        status.state = .finishing
        look(9, used: 100)
        #expect((watch.processorShare - 0.5).magnitude < 1e-9)
        #expect(watch.longestQueue == .milliseconds(400))
    }

    @Test("what the machine has done is read from the kernel's first line, and nothing else")
    func ticks() throws {
        let before = try #require(
            ProcessorTicks("cpu  100 0 50 800 50 0 0 0 20 0\ncpu0 1 2 3 4 5\n"))
        let after = try #require(ProcessorTicks("cpu  180 2 60 805 53 0 0 0 90 0\n"))
        #expect(after.all - before.all == 100 && after.idle - before.idle == 10)
        for text in ["", "cpu 1 2 3", "cpu0 1 2 3 4 5 6", "intr 1 2 3 4 5 6"] {
            #expect(ProcessorTicks(text) == nil)
        }
        var watch = RecordingWatch()
        var status = RecorderStatus()
        (status.state, status.elapsed) = (.recording, .seconds(1))
        watch.look(status, at: .seconds(1), used: 0, machine: before)
        watch.look(status, at: .seconds(2), used: 0, machine: after)
        #expect(watch.idleShare == 0.1)
    }
}

@Suite("The folder of a rehearsal")
struct RehearsalFolderTests {
    private let around: TemporaryFolder

    init() throws { around = try TemporaryFolder() }

    private func write(_ path: String) throws {
        try Data("movie".utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test("is removed with what is in it, also where it or the folder around it was renamed")
    func renamed() throws {
        try FileManager.default.createDirectory(
            atPath: around.file("day"), withIntermediateDirectories: false)
        let folder = try RehearsalFolder(beside: around.file("day/take.mp4"))
        try write(folder.path + "/rehearsal.mp4")
        try FileManager.default.moveItem(
            atPath: around.file("day"), toPath: around.file("night"))
        folder.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: around.file("night")).isEmpty)
        // once its own name is gone there is nothing to remove but what is in it
        let moved = try RehearsalFolder(beside: around.file("take.mp4"))
        try write(moved.path + "/rehearsal.mp4")
        try FileManager.default.moveItem(atPath: moved.path, toPath: around.file("mine"))
        moved.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: around.file("mine")).isEmpty)
        #expect(around.contents.sorted() == ["mine", "night"])
    }

    @Test("one that a killed program left is removed by the next, and one that is in use is not")
    func leftovers() throws {
        let old = around.file(".vcap-rehearsal-abcdef")
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
        try write(old + "/rehearsal.mp4")
        // a folder of somebody who likes the name
        let notes = around.file(".vcap-rehearsal-notes1")
        try FileManager.default.createDirectory(atPath: notes, withIntermediateDirectories: false)
        try write(notes + "/mine.txt")
        let used = try RehearsalFolder(beside: around.file("take.mp4"))
        try write(used.path + "/rehearsal.mp4")
        let long = Date(timeIntervalSinceNow: -3600)
        for path in [old, used.path, notes] {
            try FileManager.default.setAttributes([.modificationDate: long], ofItemAtPath: path)
        }
        let next = try RehearsalFolder(beside: around.file("other.mp4"))
        #expect(around.contents.count == 3)
        #expect(FileManager.default.fileExists(atPath: used.path + "/rehearsal.mp4"))
        used.remove()
        next.remove()
        #expect(around.contents == [".vcap-rehearsal-notes1"])
        #expect(FileManager.default.fileExists(atPath: notes + "/mine.txt"))
    }
}
