import Foundation
import Glibc
import Media
import TestSupport
import Testing

@Suite("A disk that is full", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct FullDiskTests {
    @Test(
        "a disk that is full from any write on ends the take with exit 74 and a playable movie",
        arguments: [("pwritev,write,fallocate", 5), ("pwrite64", 2)])
    func fullFromEveryWrite(calls: String, atLeast: Int) async throws {
        var call = 1
        var isDone = false
        var failures = 0
        while !isDone {
            let ends = try await sideBySide(Array(call..<call + 4)) {
                try Self.recordWithDiskFull(fromCall: $0, among: calls)
            }
            failures += ends.count { !$0 }
            isDone = ends.contains(true)
            call += 4
            try #require(call < 400)
        }
        #expect(failures >= atLeast, "every call of the take was met")
    }

    /// - Returns: whether the take ended before that call came.
    private static func recordWithDiskFull(fromCall call: Int, among calls: String) throws -> Bool {
        let folder = try TemporaryFolder()
        let movie = folder.file("take.mp4")
        let result = try Strace.run(
            diskFullFromCall: call, among: calls, of: movie,
            [Program.vcap.path] + KilledTake.arguments(output: movie, seconds: "1.5"))
        if result.status == 0 { return true }
        // refused before anything was recorded is "cannot create"; later it is the disk
        #expect(result.status == 74 || (call <= 4 && result.status == 73), "\(result.errorText)")
        #expect(result.errorText.contains("No space left"), "\(result.errorText)")
        if let boxes = try? TopLevelBoxes(movie), boxes.types.contains("moof") || boxes.isOrdinary,
            boxes.types.contains("moof") || boxes.types.contains("mdat")
        {
            #expect(try !MovieOracle(movie).frameNumbers().isEmpty)
        } else {
            #expect(call <= 8, "a take of 1.5 s has fragments by its eighth write")
        }
        return false
    }

    static let canMount = getuid() == 0

    @Test(
        "a row of live photos on a disk that is full: each photo without its movie is named, in words and in the document",
        .enabled(if: canMount, "needs root to mount a small file system"))
    func rowOfLivePhotos() throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.file("disk"), megabytes: 2)
        defer { disk.unmount() }
        try Data(count: 1_400_000).write(to: URL(fileURLWithPath: "\(disk.path)/filler"))
        let result = try Program.vcap.run(
            [
                "photo", "-c", "test:1,size=640x480", "-a", "none", "--live", "-n", "5", "--every",
                "400ms", "-o", "\(disk.path)/r.jpg", "--json",
            ])
        #expect(result.status == 74, "\(result.errorText)")
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        let listed = document["photos"]?.elements ?? []
        let there = try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted()
            .filter { $0 != "filler" }.map { "\(disk.path)/\($0)" }
        #expect(listed.compactMap { $0["path"]?.text } == there, "\(document)")
        var bare = 0
        for (path, entry) in zip(there, listed) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            let isWhole = bytes.range(of: Data("ftyp".utf8)) != nil
            let isNamed = result.errorText.contains("\(path) is there without its movie")
            #expect(isNamed != isWhole, "\(path): \(result.errorText)")
            #expect((entry["error"] != nil) != isWhole)
            bare += isWhole ? 0 : 1
        }
        #expect(bare >= 2, "\(bare) of \(there.count): \(result.errorText)")
    }

    @Test(
        "a disk filled by somebody else during the take is named within a second, and the movie is finished",
        .enabled(if: canMount, "needs root to mount a small file system"))
    func filledByAnother() throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.file("disk"), megabytes: 400)
        defer { disk.unmount() }
        let movie = "\(disk.path)/take.mp4"
        let recorder = try Program.vcap.start(KilledTake.arguments(output: movie))
        try #require(waitUntil { (try? TopLevelBoxes(movie))?.isFragmented == true })
        Thread.sleep(forTimeInterval: 1)
        disk.fill()
        let full = HostClock().now()
        while recorder.isRunning, !recorder.errorTextSoFar.contains("full") {
            Thread.sleep(forTimeInterval: 0.005)
            try #require(HostClock().now() - full < .seconds(20), "the full disk is never named")
        }
        #expect(HostClock().now() - full < .seconds(1))
        let result = recorder.wait()
        #expect(result.status == 74, "\(result.errorText)")
        #expect(result.errorText.contains("full"))
        #expect(try TopLevelBoxes(movie).isOrdinary, "the room for the index was reserved")
        #expect(try MovieOracle(movie).frameNumbers().count > 20)
    }

    @Test(
        "a film that has no room is refused by its own name, and nothing is left of it",
        .enabled(if: canMount, "needs root to mount a small file system"),
        arguments: ["film.mp4", "film.mkv", "film.webm", "film.gif"])
    func filmWithoutRoom(_ name: String) throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.file("disk"), megabytes: 1)
        defer { disk.unmount() }
        let clip = folder.file("clip.mp4")
        #expect(
            try Program.vcap.run(KilledTake.arguments(output: clip, seconds: "1.5")).status == 0)
        let others = try FileManager.default.contentsOfDirectory(atPath: disk.path)
        // a film of 0.9 MB and more
        let rate = name.hasSuffix("gif") ? ["-s", "640x480"] : ["-b", "9M", "-s", "1280x720"]
        let result = try Program.vcap.run(
            ["compose", clip, clip, clip, clip, "-o", "\(disk.path)/\(name)"] + rate)
        #expect(result.status == 74, "\(result.errorText)")
        #expect(result.errorText.contains("\(disk.path)/\(name)"), "\(result.errorText)")
        #expect(!result.errorText.contains(".vcap-"), "\(result.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == others)
    }

    @Test(
        "a film is reported though its contact sheet has no room",
        .enabled(if: canMount, "needs root to mount a small file system"))
    func sheetWithoutRoom() throws {
        let folder = try TemporaryFolder()
        let disk = try SmallDisk(at: folder.file("disk"), megabytes: 1)
        defer { disk.unmount() }
        disk.fill()
        let clip = folder.file("clip.mp4")
        let film = folder.file("film.mp4")
        #expect(
            try Program.vcap.run(KilledTake.arguments(output: clip, seconds: "0.5")).status == 0)
        let result = try Program.vcap.run(
            ["compose", clip, "-o", film, "--contact-sheet", "\(disk.path)/sheet.png"])
        #expect(result.status == 74, "\(result.errorText)")
        #expect(result.errorText.contains("sheet.png"))
        #expect(result.outputText == film + "\n")
        #expect(try MovieOracle(film).frameNumbers().count > 10)
    }
}

/// A small file system in memory.
struct SmallDisk {
    let path: String

    init(at path: String, megabytes: Int) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            throw MovieOracle.Failure(description: "cannot mount a tmpfs: errno \(errno)")
        }
    }

    /// Takes every block that is left.
    func fill() {
        let file = open("\(path)/filler", O_WRONLY | O_CREAT, 0o600)
        defer { close(file) }
        let block = [UInt8](repeating: 1, count: 1 << 20)
        for size in [1 << 20, 4096] {
            while write(file, block, size) > 0 {}
        }
    }

    func unmount() { umount(path) }
}
