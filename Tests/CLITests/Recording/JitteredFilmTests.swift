import Foundation
import TestSupport
import Testing

@testable import vcap

/// Films of takes whose frames come early or late, as those of every camera do: each frame is in the film, once, and is
/// copied.
@Suite(
    "Films of uneven takes", .tags(.realTime), .enabled(if: MovieOracle.isAvailable, "needs ffmpeg")
)
struct JitteredFilmTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func decoded(_ name: String) throws -> [String] {
        let result = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-i", name, "-map", "0:v:0", "-fps_mode", "passthrough", "-f",
                "framemd5", "-",
            ], in: folder.path)
        return result.outputText.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.split(separator: ",").last ?? "") }
    }

    @Test("every frame is copied", arguments: ["0.2", "4"])
    func copied(jitter: String) throws {
        let environment = ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path]
        let taken = try Program.vcap.run(
            [
                "record", "-c", "test:1,jitter=\(jitter)", "-s", "320x240", "-r", "30", "-t", "4s",
                "-o", "take.mp4", "--keys", "none",
            ], environment: environment, in: folder.path)
        try #require(taken.status == 0, "\(taken.errorText)")
        let made = try Program.vcap.run(
            ["compose", "take.mp4", "-o", "film.mp4", "--json"], environment: environment,
            in: folder.path)
        try #require(made.status == 0, "\(made.errorText)")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(made.output)) as? [String: Any])
        #expect(report["frames"] as? Int == report["copied_frames"] as? Int)
        let (take, film) = (try decoded("take.mp4"), try decoded("film.mp4"))
        // the film's last frame may begin in time when the take's does not
        #expect(abs(take.count - film.count) <= 1)
        let common = min(take.count, film.count)
        #expect(common >= 118 && take.prefix(common) == film.prefix(common))
        #expect(
            !made.errorText.contains("not shown") || take.count == film.count + 1,
            "\(made.errorText)")
    }
}
