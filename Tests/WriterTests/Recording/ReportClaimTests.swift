import Foundation
import Media
import TestSupport
import Testing

@testable import Recording

@Suite("The name of a take's report")
struct ReportClaimTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func put(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    /// What starting a take of `take.mkv` answers when `meanwhile` happens between the first look at the
    /// report's name and the taking of it.
    private func start(_ meanwhile: @escaping @Sendable () throws -> Void) throws {
        var settings = RecordingSettings(outputPath: folder.file("take.mkv"))
        settings.replacesExisting = true
        let camera = RigCamera("camera", at: RecorderRig.origin)
        let recorder = try Recorder(
            sources: [camera.source], settings: settings,
            clock: ManualClock(at: .nanoseconds(RecorderRig.origin)), space: ScriptedDisk(),
            makeWriter: { _, plans, _ throws(MediaError) in
                do { try meanwhile() } catch { Issue.record(error) }
                return ScriptedWriter(plans: plans) { _ in }
            }, ownsThread: false)
        try recorder.start()
    }

    private func report(of movie: String) throws -> [UInt8] {
        try TakeReportFile(path: folder.file("take.vcap.json"))
            .encoded(TakeReport(movie: movie, container: "mp4"))
    }

    @Test("is another take's that was quicker, and this one is refused")
    func takenMeanwhile() throws {
        let theirs = try report(of: "take.mp4")
        let error = #expect(throws: MediaError.self) {
            try start {
                try put([1], "take.mp4")
                try put(theirs, "take.vcap.json")
            }
        }
        #expect(error?.code == .alreadyExists)
        #expect(FileManager.default.contents(atPath: folder.file("take.vcap.json")) == Data(theirs))
    }

    @Test("is taken over from a movie that is gone, so that a third take is refused")
    func abandoned() throws {
        try put(try report(of: "gone.mp4"), "take.vcap.json")
        try start { try put([1], "take.mkv") }
        #expect(TakeReportFile.movie(ofReportAt: folder.file("take.vcap.json")) == "take.mkv")
        let other = TakeReportFile(path: folder.file("take.vcap.json"))
        #expect(throws: MediaError.self) { try other.claim(for: "take.mov", container: "mov") }
    }
}
