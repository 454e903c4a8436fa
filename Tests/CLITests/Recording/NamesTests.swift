import Foundation
import TestSupport
import Testing

@testable import vcap

/// Recorders that begin together, options that do nothing, films that are not made.
@Suite(
    "Takes and their names", .serialized, .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"),
    .tags(.realTime))
struct NamesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func start(_ words: [String]) throws -> RunningProgram {
        try Program.vcap.start(
            ["record", "-c", "test:", "-a", "none", "-s", "160x120"] + words,
            environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], in: folder.path)
    }

    private func run(_ words: [String]) throws -> Program.Result { try start(words).wait() }

    @Test(
        "recorders that begin together each get a name that counts on",
        arguments: ["n-%v.mp4", "./"])
    func together(name: String) throws {
        let running = try (0..<4).map { _ in try start(["-q", "-t", "500ms", "-o", name]) }
        let results = running.map { $0.wait() }
        #expect(results.allSatisfy { $0.status == 0 }, "\(results.map(\.errorText))")
        let movies = folder.contents.filter { $0.hasSuffix(".mp4") }
        #expect(movies.count == 4, "\(folder.contents)")
        #expect(folder.contents.filter { $0.hasSuffix(".vcap.json") }.count == 4)
        for movie in movies {
            #expect(try MovieOracle(folder.file(movie)).frameNumbers().count >= 10, "\(movie)")
        }
    }

    @Test("options that have nothing to act on are reported")
    func idle() throws {
        let result = try Program.vcap.run(
            [
                "record", "-c", "none", "-a", "test:", "-t", "300ms", "-o", "a.mp4", "--codec",
                "hevc", "-s", "640x480", "--hflip", "--keys", "none", "--pause-key", "x",
                "--progress-format", "ndjson",
            ], environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], in: folder.path)
        #expect(result.status == 0)
        for option in ["codec", "size", "hflip", "pause-key", "progress-format"] {
            #expect(
                result.errorText.contains("--\(option) does nothing"), "\(result.errorText)")
        }
    }

    @Test(
        "no coding but H.264 and HEVC can be hurried, and others have sync samples alone: the options say so"
    )
    func idlePressure() throws {
        let result = try Program.vcap.run(
            [
                "record", "-c", "test:size=96x64", "-a", "none", "-t", "300ms", "-o", "a.mp4",
                "--codec", "mjpeg", "--pressure", "auto", "-g", "2s",
            ], environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], in: folder.path)
        #expect(result.status == 0)
        for option in ["pressure", "gop"] {
            #expect(result.errorText.contains("--\(option) does nothing"), "\(result.errorText)")
        }
    }

    @Test("keys without a terminal, and conditions of what is not recorded, are reported as idle")
    func idleKeys() throws {
        let environment = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
        let take = ["record", "-t", "300ms", "-o", "a.mp4", "-y"]
        for (words, option) in [
            (["-c", "test:size=96x64", "-a", "none", "--pause-key", "x"], "pause-key"),
            (["-c", "test:size=96x64", "-a", "none", "--stop-key", "x"], "stop-key"),
            (["-c", "test:size=96x64", "-a", "none", "--watch", "silent"], "watch"),
            (["-c", "none", "-a", "test:", "--watch", "black,frozen"], "watch"),
        ] {
            let result = try Program.vcap.run(
                take + words, environment: environment, in: folder.path)
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.errorText.contains("--\(option) does nothing"), "\(result.errorText)")
        }
        let used = try Program.vcap.run(
            take + ["-c", "test:size=96x64", "-a", "none", "--watch", "silent,black"],
            environment: environment, in: folder.path)
        #expect(!used.errorText.contains("does nothing"), "\(used.errorText)")
    }

    @Test("one microphone is not mixed with anything: the option says so")
    func idleMix() throws {
        let result = try Program.vcap.run(
            ["record", "-c", "none", "-a", "test:", "-t", "300ms", "-o", "a.mp4", "--mix"],
            environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], in: folder.path)
        #expect(result.status == 0)
        #expect(result.errorText.contains("--mix does nothing"), "\(result.errorText)")
    }

    @Test("music may be as short as it likes under the film of a take, and the take as short")
    func music() throws {
        var song = GeneratedClip()
        (song.width, song.height, song.frames) = (96, 54, 15)
        try song.write(to: folder.file("song.mp4"))
        for length in [["-t", "600ms"], ["-t", "1s"]] {
            let result = try run(
                length + ["-y", "-o", "m.mp4", "--then", "compose", "-y", "--music", "song.mp4"])
            #expect(result.status == 0, "\(result.errorText)")
            #expect(try MovieOracle(folder.file("m.film.mp4")).duration() >= 0.59)
        }
        let open = try start(["-o", "o.mp4", "--then", "compose", "--music", "song.mp4"])
        waitUntil { open.errorTextSoFar.contains("vcap: recording") }
        usleep(500_000)
        open.signal(SIGTERM)
        #expect(open.wait().status == 0)
        #expect(folder.contents.contains("o.film.mp4"))
    }

    @Test("a take that ends by a failure says that it has no film")
    func failure() throws {
        let result = try Program(path: "/bin/bash").run(
            [
                "-c",
                "ulimit -f 20; \(Program.vcap.path) record -c test: -a none -s 640x480 -t 8s -o f.mp4 "
                    + "--then compose --title x",
            ], environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], in: folder.path)
        #expect(result.status == ExitCode.ioError.rawValue)
        let reported = result.errorText.split(separator: "\n").filter {
            $0.contains("no film is made")
        }
        #expect(reported.count == 1, "\(result.errorText)")
        #expect(!folder.contents.contains("f.film.mp4"))
    }

    @Test(
        "a movie that is being recorded, or was cut by a crash, is reported when it is made something of",
        arguments: ["mp4", "mkv", "ts"])
    func unfinished(ending: String) throws {
        let recorder = try start(["-o", "a.\(ending)"])
        waitUntil { recorder.errorTextSoFar.contains("vcap: recording") }
        usleep(1_500_000)
        try expectReported("is being written by vcap (process \(recorder.pid))", "a.\(ending)")
        symlink("a.\(ending)", folder.file("link.\(ending)"))
        let busy = try vcap(["repair", "link.\(ending)"])
        #expect(busy.status == ExitCode.deviceBusy.rawValue)
        #expect(busy.errorText.contains("vcap (process \(recorder.pid))"), "\(busy.errorText)")
        recorder.end()
        try expectReported("was cut off by a crash", "a.\(ending)")
        #expect(try vcap(["repair", "a.\(ending)"]).status == 0)
        for verb in ["convert", "compose"] {
            let result = try vcap([verb, "a.\(ending)", "-y", "-o", "whole.mp4"])
            #expect(result.status == 0, "\(result.errorText)")
            #expect(!result.errorText.contains("crash"), "\(result.errorText)")
        }
    }

    private func vcap(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(
            words, environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path],
            in: folder.path)
    }

    private func expectReported(_ words: String, _ movie: String) throws {
        for verb in ["convert", "compose"] {
            for plan in [[], ["--plan"]] {
                let result = try vcap([verb, movie, "-y", "-o", "out.mp4", "--json"] + plan)
                #expect(result.status == 0, "\(result.errorText)")
                #expect(result.outputText.contains(words), "\(verb) \(plan): \(result.outputText)")
            }
            let result = try vcap([verb, movie, "-y", "-o", "out.gif"].replaced(verb))
            #expect(result.errorText.contains(words), "\(result.errorText)")
        }
    }
}

extension [String] {
    /// Only `convert` makes animations.
    fileprivate func replaced(_ verb: String) -> [String] {
        verb == "convert" ? self : Array(dropLast()) + ["out.mp4"]
    }
}
