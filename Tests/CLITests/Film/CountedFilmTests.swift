import Foundation
import TestSupport
import Testing

@testable import vcap

@Suite(
    "Counted names of what is made of films", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct CountedFilmTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=0.5", "-c:v", "libx264",
            folder.file("clip.mp4"),
        ])
        #expect(made.status == 0, "\(made.errorText)")
        try "{ videos: [\"clip.mp4\"] }"
            .write(toFile: folder.file("one.json5"), atomically: true, encoding: .utf8)
    }

    /// How many programs count into one folder at once.
    private static let programs = 12

    @Test(
        "programs that count into one folder at once each make their own, under the names that they say",
        arguments: [
            ["compose", "clip.mp4", "-o", "made-%v.mp4"],
            ["convert", "clip.mp4", "-o", "made-%v.mkv"],
            ["convert", "clip.mp4", "--codec", "h264", "-o", "made-%v.mp4"],
            ["convert", "clip.mp4", "-o", "made-%v.gif"],
            ["compose", "clip.mp4", "--still", "0s", "-o", "made-%v.png"],
            ["compose", "clip.mp4", "-o", "made-%v.vcap.json5"],
            ["export", "one.json5", "-y", "-o", "made-%v.mov"],
            ["slate", "--scene", "1", "-o", "made-%v.png"],
        ])
    func together(_ words: [String]) throws {
        let programs = try (0..<Self.programs).map { _ in
            try Program.vcap.start(words, in: folder.path)
        }
        let results = programs.map { $0.wait() }
        #expect(results.allSatisfy { $0.status == 0 }, "\(results.map(\.errorText))")
        let said = results.map { $0.outputText.trimmingCharacters(in: .whitespacesAndNewlines) }
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("made-") }
        #expect(said.sorted() == there.sorted() && there.count == Self.programs, "\(said) \(there)")
    }

    @Test("numbered pictures that are made at once are each in a folder of their own")
    func numberedTogether() throws {
        let programs = try (0..<6).map { _ in
            try Program.vcap.start(
                ["convert", "clip.mp4", "-o", "p-%v/%03d.png"], in: folder.path)
        }
        let results = programs.map { $0.wait() }
        #expect(results.allSatisfy { $0.status == 0 }, "\(results.map(\.errorText))")
        for number in 1...6 {
            let made = try FileManager.default.contentsOfDirectory(
                atPath: folder.file("p-00\(number)"))
            #expect(made.sorted() == (1...5).map { "00\($0).png" }, "\(made)")
        }
    }

    @Test("numbered pictures of which one is there take another folder where that is counted")
    func numbered() throws {
        for wanted in ["p-001", "p-002"] {
            let result = try Program.vcap.run(
                ["convert", "clip.mp4", "-o", "p-%v/%03d.png"], in: folder.path)
            #expect(result.status == 0, "\(result.errorText)")
            let made = try FileManager.default.contentsOfDirectory(
                atPath: folder.file(wanted))
            #expect(made.sorted() == (1...5).map { "00\($0).png" }, "\(made)")
        }
    }

    @Test(
        "a name that is being exported is gone past where it counts, and refused where it was given"
    )
    func busy() throws {
        // another program's unfinished film
        let hidden = try #require(
            try FileManager.default.contentsOfDirectory(atPath: try unfinished()).first {
                $0.hasPrefix(".")
            })
        let held = try FileLocking(folder.file(hidden))
        let given = try Program.vcap.run(
            ["compose", "clip.mp4", "-o", "n-001.mp4"], in: folder.path)
        #expect(given.status == ExitCode.deviceBusy.rawValue, "\(given.errorText)")
        #expect(given.errorText.contains("n-001.mp4 is being exported"), "\(given.errorText)")
        let counted = try Program.vcap.run(
            ["compose", "clip.mp4", "-o", "n-%v.mp4"], in: folder.path)
        #expect(counted.status == 0 && counted.outputText == "n-002.mp4\n", "\(counted.errorText)")
        withExtendedLifetime(held) {}
    }

    /// Leaves the beginning of n-001.mp4, of an export that is killed.
    private func unfinished() throws -> String {
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=30:d=60", "-c:v", "libx264",
            "-preset", "ultrafast", folder.file("long.mp4"),
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let export = try Program.vcap.start(
            ["compose", "long.mp4", "-o", "n-001.mp4"], in: folder.path)
        #expect(
            waitUntil(atMost: 60) {
                ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
                    .contains { $0.hasPrefix(".") }
            })
        export.end()
        return folder.path
    }
}

/// The lock of a file, as another recorder holds it.
private final class FileLocking {
    private let descriptor: Int32

    init(_ path: String) throws {
        descriptor = open(path, O_RDWR)
        try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    }

    deinit { close(descriptor) }
}
