import Foundation
import TestSupport
import Testing

@testable import vcap

/// What was to be written and was not is an I/O error; a client that went away on its own is none.
@Suite(
    "Output that cannot be written", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct UnwrittenOutputTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        (clip.width, clip.height, clip.frames) = (96, 54, 15)
        try clip.write(to: folder.file("a.mp4"))
    }

    /// Runs the shell's words with `$V` for the program.
    private func shell(_ line: String) throws -> Program.Result {
        try Program(path: "/bin/bash").run(
            ["-c", line],
            environment: [
                "V": Program.vcap.path, "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
                "R": "\(Program.vcap.path) record -q -c test: -a none -s 160x120 -t 300ms",
            ], in: folder.path)
    }

    @Test(
        "a full device under standard output or --progress is 74 and one sentence",
        arguments: [
            "$R -o t.mp4 >/dev/full", "$R -o t.mp4 --progress /dev/full",
            "$R -o t.mp4 --progress - >/dev/full", "$V probe a.mp4 --json >/dev/full",
            "$V convert -q a.mp4 -o t.mp4 --json >/dev/full",
            "$V compose -q a.mp4 -o t.mp4 --progress /dev/full", "$V help >/dev/full",
        ])
    func full(line: String) throws {
        let result = try shell(line)
        #expect(result.status == ExitCode.ioError.rawValue, "\(result.errorText)")
        let lines = result.errorText.split(separator: "\n")
        #expect(lines.count == 1, "\(result.errorText)")
        #expect(lines.first?.contains("No space left on device") == true, "\(result.errorText)")
        // what was made stays
        guard line.contains("t.mp4") else { return }
        #expect(try MovieOracle(folder.file("t.mp4")).presentationTimes().count >= 8)
    }

    @Test(
        "a document that was asked for and has nowhere to go is 74 and one sentence",
        arguments: [
            "$V photo -q -c test:1,size=160x120 -o p.jpg --json >&-", "$V probe a.mp4 --json >&-",
            "$V convert -q a.mp4 -o t.mp4 --json >&-",
        ])
    func closed(line: String) throws {
        let result = try shell(line)
        #expect(result.status == ExitCode.ioError.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("standard output: it is closed"), "\(result.errorText)")
        #expect(result.errorText.split(separator: "\n").count == 1, "\(result.errorText)")
    }

    @Test(
        "a reader that went away, and no output at all, are no failure",
        arguments: [
            "$R -o t.mp4 > >(exec true); exit $?", "$R -o t.mp4 >&-",
            "(trap '' PIPE; $V probe a.mp4 --json; echo $? >code) | true; exit $(cat code)",
        ])
    func gone(line: String) throws {
        let result = try shell(line)
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.isEmpty)
    }
}
