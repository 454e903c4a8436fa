import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import vcap

/// Films that are begun while their take is recorded: ready soon after it, equal to those that are made afterwards, and no
/// danger to the take.
@Suite(
    "Films begun beside their take", .serialized, .tags(.realTime),
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct PreparedFilmTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private var environment: [String: String] {
        ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
    }

    private static let film = ["compose", "--title", "Begun", "--title-duration", "2s"]

    private func record(_ words: [String], then film: [String]) throws -> RunningProgram {
        try Program.vcap.start(
            [
                "record", "-c", "test:", "-a", "test:", "-s", "320x240", "-r", "30", "-g", "500ms",
                "--keys", "none", "-v", "--session", "film", "-o", "take.mp4",
            ] + words + ["--then"] + film, environment: environment, in: folder.path)
    }

    private func control(_ word: String) throws {
        let result = try Program.vcap.run(
            ["ctl", word, "--session", "film"], environment: environment, in: folder.path)
        try #require(result.status == 0, "\(result.errorText)")
    }

    private func waitForPart() -> Bool {
        waitUntil(atMost: 60) {
            let part = folder.file(".take.film.vcap-part.mp4")
            let size = try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int
            return size ?? 0 > 0
        }
    }

    /// The process that makes the film.
    private func helper(of program: RunningProgram) throws -> Int32 {
        let line = try #require(
            program.errorTextSoFar.split(separator: "\n").first { $0.contains("(process ") })
        return try #require(Int32(line.split(separator: " ").last?.dropLast() ?? ""))
    }

    /// The same film of the whole take.
    private func makeAfterwards(_ film: [String]) throws {
        let result = try Program.tool("sh").map {
            try $0.run(
                [
                    "-c", "echo | exec \"$0\" prepare-film take.mp4 --then \"$@\" -o after.mp4",
                    Program.vcap.path,
                ] + film, environment: environment, in: folder.path)
        }
        try #require(result?.status == 0, "\(result?.errorText ?? "")")
    }

    /// Every packet of a movie with its times and bytes, in the order of each stream.
    private func packets(_ name: String) throws -> [String] {
        let result = try #require(Program.tool("ffprobe")).run(
            [
                "-v", "error", "-show_entries", "packet=stream_index,pts,dts,flags,data_hash",
                "-show_data_hash", "md5", "-of", "csv", name,
            ], in: folder.path)
        try #require(result.status == 0, "\(result.errorText)")
        return result.outputText.split(separator: "\n").map(String.init).sorted()
    }

    @Test("with pauses, transitions and markers it is equal to the one that is made afterwards")
    func equal() throws {
        let film = Self.film + ["--transition", "dissolve:500ms"]
        let program = try record(["-t", "28s"], then: film)
        try #require(waitUntil(atMost: 60) { program.errorTextSoFar.contains("(process ") })
        sleep(3)
        // from here on the audio is mixed
        for word in ["pause", "resume"] { try control(word) }
        sleep(10)
        try #require(waitForPart(), "\(program.errorTextSoFar)")
        // as a service's end reaches all of its processes: until the take has ended that is the take's
        kill(try helper(of: program), SIGTERM)
        try control("mark")
        sleep(2)
        try control("pause")
        sleep(5)
        try control("resume")
        let result = program.wait()
        #expect(result.status == 0, "\(result.errorText)")
        let lines = result.errorText.split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix("frames were made while the take was recorded") })
        // the take's and the film's, in this order
        #expect(result.outputText == "take.mp4\ntake.film.mp4\n")
        try makeAfterwards(film)
        #expect(try packets("take.film.mp4") == packets("after.mp4"))
        #expect(try Asset.load(folder.file("take.film.mp4")).markers.count == 1)
        #expect(try ReportedTake(movie: folder.file("take.mp4")).verdict == "good")
        #expect(!folder.contents.contains { $0.contains(".vcap-") })
    }

    @Test("killed beside the take, the take is whole and the film is made anew")
    func killed() throws {
        let program = try record(["-t", "12s"], then: Self.film)
        try #require(waitForPart(), "\(program.errorTextSoFar)")
        kill(try helper(of: program), SIGKILL)
        let result = program.wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(!result.errorText.contains("made while the take was recorded"))
        #expect(try Asset.load(folder.file("take.film.mp4")).duration == .seconds(12))
        #expect(!folder.contents.contains { $0.contains(".vcap-") })
    }

    @Test("killed when the film has its name, that is said, and nothing is made anew")
    func killedLate() throws {
        let program = try record(["-t", "10s"], then: Self.film)
        try #require(waitForPart(), "\(program.errorTextSoFar)")
        let helper = try helper(of: program)
        kill(helper, SIGSTOP)
        try #require(waitUntil(atMost: 60) { program.errorTextSoFar.contains("verdict") })
        try Data("whole".utf8).write(to: URL(fileURLWithPath: folder.file("take.film.mp4")))
        kill(helper, SIGKILL)
        let result = program.wait()
        #expect(result.status == 1, "\(result.errorText)")
        #expect(result.errorText.contains("but the film is whole: take.film.mp4"))
    }

    @Test("where the recorder is killed, nothing of the film stays, and the take can be repaired")
    func recorderKilled() throws {
        let program = try record([], then: Self.film)
        try #require(waitForPart(), "\(program.errorTextSoFar)")
        let helper = try helper(of: program)
        program.end()
        #expect(waitUntil(atMost: 30) { kill(helper, 0) != 0 })
        #expect(!folder.contents.contains { $0.contains("film") })
        let repaired = try Program.vcap.run(
            ["repair", "take.mp4"], environment: environment, in: folder.path)
        #expect(repaired.status == 0, "\(repaired.errorText)")
    }

    @Test("of another file that got the take's name no film is made")
    func replaced() throws {
        let other = try Program.vcap.run(
            [
                "record", "-c", "test:", "-s", "320x240", "-r", "30", "-t", "2s", "-o", "other.mp4",
                "--keys", "none",
            ], environment: environment, in: folder.path)
        try #require(other.status == 0, "\(other.errorText)")
        let program = try record(["-t", "10s"], then: Self.film)
        try #require(waitForPart(), "\(program.errorTextSoFar)")
        let helper = try helper(of: program)
        kill(helper, SIGSTOP)
        try #require(waitUntil(atMost: 60) { program.errorTextSoFar.contains("verdict") })
        usleep(300_000)
        try #require(rename(folder.file("other.mp4"), folder.file("take.mp4")) == 0)
        kill(helper, SIGCONT)
        let result = program.wait()
        #expect(result.status == 65, "\(result.errorText)")
        #expect(result.errorText.contains("take.mp4 "), "\(result.errorText)")
        #expect(!folder.contents.contains { $0.contains("film") })
    }

    @Test("a process that does not answer is ended by the second interrupt")
    func interrupted() throws {
        let program = try record(["-t", "10s"], then: Self.film)
        try #require(waitForPart(), "\(program.errorTextSoFar)")
        kill(try helper(of: program), SIGSTOP)
        try #require(waitUntil(atMost: 60) { program.errorTextSoFar.contains("verdict") })
        usleep(500_000)
        for _ in 0..<2 {
            program.signal(SIGINT)
            usleep(1_200_000)
        }
        let result = program.wait()
        #expect(result.status == 1, "\(result.errorText)")
        #expect(result.errorText.contains("did not answer and was ended"))
        #expect(!folder.contents.contains { $0.contains("film") }, "\(folder.contents)")
    }

    @Test("with --json of the film standard output is one document, of a failure too")
    func document() throws {
        func document(_ words: [String], then film: [String]) throws -> [String: Any] {
            let result = try record(words, then: film + ["--json"]).wait()
            let parsed = try JSONSerialization.jsonObject(with: Data(result.output))
            return try #require(parsed as? [String: Any], "\(result.outputText)")
        }
        #expect(try document(["-t", "2s"], then: Self.film)["path"] as? String == "take.film.mp4")
        for name in ["take.mp4", "take.vcap.json"] {
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
        let failed = try document(["-t", "2s"], then: Self.film + ["--music", "none.m4a"])
        #expect(failed["exit_code"] as? Int == 66)
        #expect(failed["schema"] as? String == "vcap.export/1")
    }

    @Test("--prepare never makes it afterwards")
    func never() throws {
        let result = try record(["-t", "9s", "--prepare", "never"], then: Self.film).wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(!result.errorText.contains("(process "))
        #expect(folder.contents.contains("take.film.mp4"))
    }

    @Test("a film that fails when the take has ended has its own exit code, and the take stays")
    func failing() throws {
        let program = try record(["-t", "10s"], then: Self.film)
        try #require(waitForPart(), "\(program.errorTextSoFar)")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder.file("take.film.mp4")))
        let result = program.wait()
        #expect(result.status == 73, "\(result.errorText)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("take.film.mp4"))).count == 4)
        #expect(folder.contents.contains("take.mp4"))
    }
}
