import Foundation
import Glibc
import Media
import TestSupport
import Testing

/// Another program takes the movie away while it is recorded.
@Suite(
    "A movie that is taken away", .serialized, .tags(.mostlyWaits),
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct LostFileTests {
    enum Deed: String, CaseIterable, Sendable {
        case deleted, moved, replaced, cut, overwritten, folderDeleted, folderMoved
    }

    private let folder: TemporaryFolder
    private let movie: String

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        try FileManager.default.createDirectory(
            atPath: folder.file("takes"), withIntermediateDirectories: false)
        movie = folder.file("takes/take.mp4")
    }

    /// - Returns: where what was recorded must be found.
    private func commit(_ deed: Deed) throws -> String {
        switch deed {
        case .deleted:
            unlink(movie)
            return folder.file("takes/take.saved.mp4")
        case .moved:
            #expect(rename(movie, folder.file("mine.mp4")) == 0)
            return folder.file("mine.mp4")
        case .replaced:
            try Data("other".utf8).write(to: URL(fileURLWithPath: folder.file("other")))
            #expect(rename(folder.file("other"), movie) == 0)
            return folder.file("takes/take.saved.mp4")
        case .cut:
            #expect(truncate(movie, 0) == 0)
            return movie
        case .overwritten:
            // what `dd conv=notrunc` does: the same file, no shorter
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: movie))
            try file.write(contentsOf: Data(repeating: 0x5A, count: 40_000))
            try file.close()
            return movie
        case .folderDeleted:
            try FileManager.default.removeItem(atPath: folder.file("takes"))
            return folder.file("take.saved.mp4")
        case .folderMoved:
            #expect(rename(folder.file("takes"), folder.file("films")) == 0)
            return folder.file("films/take.mp4")
        }
    }

    @Test(
        "a movie of a relative name is saved where the program was started, when that folder is removed"
    )
    func workingFolderRemoved() throws {
        let recorder = try Program.vcap.start(
            KilledTake.arguments(output: "take.mp4"), in: folder.file("takes"))
        try #require(waitUntil { (try? TopLevelBoxes(movie))?.isFragmented == true })
        Thread.sleep(forTimeInterval: 1.5)
        try FileManager.default.removeItem(atPath: folder.file("takes"))
        let result = recorder.wait()
        #expect(result.status == 74, "\(result.errorText)")
        let place = folder.file("take.saved.mp4")
        #expect(result.errorText.contains(place), "\(result.errorText)")
        #expect(try MovieOracle(place).frameNumbers().count > 40)
        #expect(try ReportOnDisk(besides: place).verdict == "bad")
    }

    @Test(
        "is reported within a second, what the recorder holds is a movie, exit 74, verdict bad",
        arguments: Deed.allCases)
    func lost(_ deed: Deed) throws {
        let recorder = try Program.vcap.start(
            KilledTake.arguments(output: movie).filter { $0 != "-q" })
        try #require(waitUntil { (try? TopLevelBoxes(movie))?.isFragmented == true })
        Thread.sleep(forTimeInterval: 1.5)
        let place = try commit(deed)
        let done = HostClock().now()
        let isStated = waitUntil { recorder.errorTextSoFar.contains("nother program") }
        let delay = HostClock().now() - done
        let result = recorder.wait()
        #expect(isStated && delay < .seconds(1), "\(delay.approximateSeconds) s")
        #expect(result.status == 74, "\(result.errorText)")
        #expect(result.errorText.contains(place), "\(result.errorText)")
        #expect(result.errorText.contains("verdict: bad"), "\(result.errorText)")
        let frames = try MovieOracle(place).frameNumbers()
        // of a cut movie only what no sync had covered, and what came after
        #expect(frames.count > (deed == .cut ? 3 : 40), "\(frames.count)")
        #expect(try TopLevelBoxes(place).isOrdinary)
        let report = place.replacingOccurrences(of: ".mp4", with: ".vcap.json")
        let text = try String(contentsOfFile: report, encoding: .utf8)
        #expect(text.contains("\"verdict\" : \"bad\"") && text.contains("\"state\" : \"failed\""))
        if deed == .replaced {
            #expect(FileManager.default.contents(atPath: movie) == Data("other".utf8))
        }
        if place != movie {
            let old = folder.file("takes/take.vcap.json")
            #expect(!FileManager.default.fileExists(atPath: old), "the report goes with the movie")
        }
    }

    @Test("just before the stop it is reported too, and saved")
    func atTheEnd() throws {
        let recorder = try Program.vcap.start(KilledTake.arguments(output: movie))
        try #require(waitUntil { (try? TopLevelBoxes(movie))?.isFragmented == true })
        Thread.sleep(forTimeInterval: 0.5)
        unlink(movie)
        recorder.signal(SIGINT)
        #expect(recorder.wait().status == 74)
        #expect(try !MovieOracle(folder.file("takes/take.saved.mp4")).frameNumbers().isEmpty)
    }

    @Test("the control: a movie that is only read, linked and copied is a good take")
    func leftAlone() throws {
        let recorder = try Program.vcap.start(KilledTake.arguments(output: movie, seconds: "2"))
        try #require(waitUntil { (try? TopLevelBoxes(movie))?.isFragmented == true })
        #expect(link(movie, folder.file("link.mp4")) == 0)
        try FileManager.default.copyItem(atPath: movie, toPath: folder.file("copy.mp4"))
        let result = recorder.wait()
        #expect(result.status == 0, "\(result.errorText)")
    }
}

@Suite("A take with -y on a disk that is nearly full", .serialized)
struct ReplacedOnFullDiskTests {
    @Test(
        "leaves the old take and its report as they were, exit 74",
        .enabled(if: FullDiskTests.canMount, "needs root to mount a small file system"))
    func nearlyFull() throws {
        let folder = try TemporaryFolder(in: "/tmp")
        let disk = try SmallDisk(at: folder.file("disk"), megabytes: 40)
        defer { disk.unmount() }
        let movie = "\(disk.path)/take.mp4"
        let old = Data("the good old take".utf8)
        try old.write(to: URL(fileURLWithPath: movie))
        let result = try Program.vcap.run(KilledTake.arguments(output: movie) + ["-y"])
        #expect(result.status == 74, "\(result.errorText)")
        #expect(result.errorText.contains("kept free"), "\(result.errorText)")
        #expect(FileManager.default.contents(atPath: movie) == old)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["take.mp4"])
    }
}
