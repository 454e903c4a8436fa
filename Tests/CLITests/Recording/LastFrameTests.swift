import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("The end of a take in Matroska", .serialized, .tags(.realTime, .mostlyWaits))
struct LastFrameTests {
    @Test(
        "the frames last as long as the take, to the last one's length",
        .enabled(if: MovieOracle.isAvailable, "ffprobe reads the movie"))
    func length() throws {
        let folder = try TemporaryFolder()
        let movie = folder.file("take.mkv")
        let result = try Program.vcap.run([
            "record", "-q", "-c", "test:", "-a", "test:", "-s", "192x108", "-r", "2", "-t", "2.3",
            "--audio-codec", "pcm", "--keys", "none", "-o", movie,
        ])
        try #require(result.status == 0, "\(result.errorText)")
        let packets = try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-select_streams", "v", "-show_entries",
            "packet=pts_time,duration_time", "-of", "csv=p=0", movie,
        ]).outputText.split(whereSeparator: \.isNewline)
            .map { $0.split(separator: ",").compactMap { Double($0) } }
        let last = try #require(packets.last { $0.count == 2 })
        // the test camera's frames are half a second apart, and the last one is cut off
        #expect(packets.count == 5)
        #expect(abs(last[0] + last[1] - 2.3) < 0.002)
        #expect(last[1] < 0.49)
        let probe = try Program.vcap.run(["probe", "--json", movie])
        #expect(probe.status == 0)
        #expect(try abs(MovieOracle(movie).duration() - 2.3) < 0.002)
    }
}
