import Foundation
import Movie
import TestSupport
import Testing

@testable import vcap

/// A movie that a process is writing is nobody else's: every verb that writes refuses it, with the code of
/// what is busy and the process's name. The test's own process holds the lock that writers hold; with the
/// lock given back each of the same commands does what it says, which shows that it is the lock.
@Suite(
    "A movie that is being written", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct BusyMovieTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames) = (96, 54, 15)
        for name in ["a.mp4", "take.mp4"] { try clip.write(to: folder.file(name)) }
        // the same file under names that other verbs write to
        for name in ["take.png", "take.otio", "take.gif", "take.mov"] {
            #expect(link(folder.file("take.mp4"), folder.file(name)) == 0)
        }
        try Data("{ videos: [\"a.mp4\"] }".utf8)
            .write(to: URL(fileURLWithPath: folder.file("film.json5")))
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(
            words, environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path],
            in: folder.path)
    }

    private func bytes(_ name: String) -> Data? {
        FileManager.default.contents(atPath: folder.file(name))
    }

    static let commands: [[String]] = [
        [
            "record", "-y", "-q", "-c", "test:", "-a", "none", "-s", "96x54", "-t", "0.3", "--keys",
            "none", "-o", "take.mp4",
        ],
        ["compose", "-y", "a.mp4", "-o", "take.mp4"],
        ["compose", "-y", "a.mp4", "--preset", "passthrough", "-o", "take.mp4"],
        ["compose", "-y", "a.mp4", "--still", "0", "-o", "take.png"],
        ["compose", "-y", "a.mp4", "-o", "film.mp4", "--contact-sheet", "take.png"],
        ["export", "-y", "film.json5", "-o", "take.mp4"],
        ["export", "-y", "film.json5", "-o", "take.otio"],
        ["export", "-y", "film.json5", "--still", "0", "-o", "take.png"],
        ["convert", "-y", "a.mp4", "-o", "take.mp4"],
        ["convert", "-y", "a.mp4", "--crf", "30", "-o", "take.mov"],
        ["convert", "-y", "a.mp4", "-o", "take.gif"],
        ["repair", "take.mp4"],
    ]

    @Test("is refused by every verb that writes", arguments: commands)
    func refused(words: [String]) throws {
        let before = bytes("take.mp4")
        let names = folder.contents
        let lock = try FileLock(locking: folder.file("take.mp4"))
        let busy = try run(words)
        #expect(busy.status == ExitCode.deviceBusy.rawValue, "\(busy.errorText)")
        #expect(busy.errorText.contains("process \(getpid())"), "\(busy.errorText)")
        #expect(busy.errorText.split(separator: "\n").count == 1, "\(busy.errorText)")
        #expect(bytes("take.mp4") == before && folder.contents == names)
        withExtendedLifetime(lock) {}
    }

    @Test("the control: nobody writes it, and the verb does it", arguments: commands)
    func allowed(words: [String]) throws {
        let result = try run(words)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(!folder.contents.contains { $0.hasPrefix(".") }, "\(folder.contents)")
    }

    @Test("gets no progress reports, and nothing that is no progress report does")
    func progress() throws {
        let movie = bytes("take.mp4")
        let film = ["compose", "-y", "a.mp4", "-o", "film.mp4", "--progress"]
        #expect(try run(film + ["take.mp4"]).status == ExitCode.cannotCreate.rawValue)
        var lock = try FileLock(locking: folder.file("take.mp4"))
        let busy = try run(film + ["take.mp4"])
        #expect(busy.status == ExitCode.deviceBusy.rawValue, "\(busy.errorText)")
        #expect(busy.errorText.contains("process \(getpid())"), "\(busy.errorText)")
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(bytes("take.mp4") == movie && !folder.contents.contains("film.mp4"))
        let same = try run(film + ["./film.mp4"])
        #expect(same.status == ExitCode.usage.rawValue, "\(same.errorText)")
        #expect(!folder.contents.contains("film.mp4"))
        // the controls: a new name, and the reports of an earlier run
        for _ in 0..<2 {
            #expect(try run(film + ["progress"]).status == 0)
            #expect(bytes("progress")?.starts(with: Data("frame=".utf8)) == true)
        }
        let lines = film + ["progress", "--progress-format", "ndjson"]
        for _ in 0..<2 { #expect(try run(lines).status == 0) }
        #expect(bytes("progress")?.starts(with: Data("{\"frame\":".utf8)) == true)
        let reports = try FileLock(locking: folder.file("progress"))
        #expect(try run(film + ["progress"]).status == ExitCode.deviceBusy.rawValue)
        withExtendedLifetime(reports) {}
    }

    @Test("under the name of what killed runs left, another name's run tidies up")
    func parts() throws {
        for name in [".x.vcap-new.mp4", ".y.vcap-front.mov", ".z.mp4.vcap-repair"] {
            try Data("torn".utf8).write(to: URL(fileURLWithPath: folder.file(name)))
        }
        let lock = try FileLock(locking: folder.file(".z.mp4.vcap-repair"))
        #expect(try run(["convert", "a.mp4", "-o", "b.mov"]).status == 0)
        #expect(folder.contents.filter { $0.hasPrefix(".") } == [".z.mp4.vcap-repair"])
        withExtendedLifetime(lock) {}
        #expect(try run(["compose", "a.mp4", "-o", "c.mp4"]).status == 0)
    }

    @Test("dates and counters are filled in wherever a name is given")
    func patterns() throws {
        for _ in 0..<2 {
            #expect(try run(["compose", "a.mp4", "--still", "0", "-o", "s-%v.png"]).status == 0)
            #expect(try run(["export", "film.json5", "-o", "p-%v.otio"]).status == 0)
            #expect(
                try run([
                    "compose", "a.mp4", "-o", "f-%v.mp4", "--contact-sheet", "%%/c-%v.jpg",
                ]).status == 0)
        }
        let made = folder.contents
        for name in ["s-001.png", "s-002.png", "p-002.otio", "f-001.mp4", "f-002.mp4", "%"] {
            #expect(made.contains(name), "\(made)")
        }
        #expect(FileManager.default.fileExists(atPath: folder.file("%/c-002.jpg")))
    }
}
