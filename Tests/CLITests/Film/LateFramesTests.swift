import Foundation
import Media
import TestSupport
import Testing

@Suite(
    "Films of clips whose pictures begin after their sound", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct LateFramesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// - Returns: what the report says of the film's length (seconds).
    private func compose(_ words: [String]) throws -> Double {
        let result = try Program.vcap.run(
            ["compose", "-y", "--json"] + words, environment: ["HOME": folder.path],
            in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
        let json = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
        let parts = (json?["duration"] as? String ?? "").split(separator: "/").compactMap {
            Double($0)
        }
        return parts.count == 2 ? parts[0] / parts[1] : parts.first ?? .nan
    }

    @Test("WebM with Opus: every frame once, at its time", arguments: ["25", "30", "30000/1001"])
    func webM(rate: String) throws {
        var clip = GeneratedClip()
        clip.frames = 60
        clip.rate = rate
        clip.coding = ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "1M"]
        clip.options = ["-c:a", "libopus"]
        try clip.write(to: folder.file("in.webm"))
        #expect(try MovieOracle(folder.file("in.webm")).presentationTimes().first ?? 0 > 0.005)
        let film = MovieOracle(folder.file("film.mp4"))
        let reported = try compose(["in.webm", "-o", "film.mp4"])
        #expect(try film.frameNumbers() == Array(0..<60))
        #expect(abs(try film.duration() - reported) < 1e-4)
        #expect(try film.frameLength().approximateSeconds <= reported + 1e-4)
        // a part from the middle, twice
        _ = try compose(["in.webm@0.4s..1.2s", "in.webm", "-o", "film.mp4"])
        let numbers = try film.frameNumbers()
        let part = numbers.prefix(numbers.count - 60)
        #expect(Array(numbers.suffix(60)) == Array(0..<60))
        #expect(zip(part, part.dropFirst()).allSatisfy { $0 + 1 == $1 }, "\(numbers)")
    }

    @Test(
        "a film is as long as it says, whatever its last frame's part",
        arguments: ["0s..1.003s", "0s..1.03s", "0.1s..0.95s"])
    func length(part: String) throws {
        var clip = GeneratedClip()
        clip.frames = 60
        try clip.write(to: folder.file("in.mp4"))
        let reported = try compose(["in.mp4@\(part)", "-o", "film.mp4"])
        let film = MovieOracle(folder.file("film.mp4"))
        #expect(abs(try film.duration() - reported) < 2e-5)
        #expect(abs(try film.frameLength().approximateSeconds - reported) < 2e-5)
    }
}
