import Foundation
import TestSupport
import Testing

/// Uncompressed audio as other programs put it into QuickTime: the same numbers come out, or the clip is refused.
@Suite("PCM of other programs", .enabled(if: MovieOracle.isAvailable, "ffmpeg makes and reads it"))
struct ForeignPCMTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ codec: String) throws {
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "sine=f=440:r=48000:d=1,volume=0.5", "-ac",
            "2", "-c:a", codec, folder.file("a.mov"),
        ])
        #expect(made.status == 0, "\(made.errorText)")
    }

    private func samples(_ name: String) throws -> [Float] {
        let raw = folder.file("raw")
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-i", folder.file(name), "-f", "f32le", raw,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return try Data(contentsOf: URL(fileURLWithPath: raw)).withUnsafeBytes {
            Array($0.bindMemory(to: Float.self))
        }
    }

    @Test(
        "both byte orders and all widths that are read sound as they are",
        arguments: [
            "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_f32le",
        ])
    func sounds(codec: String) throws {
        try make(codec)
        let result = try Program.vcap.run(
            ["compose", "a.mov", "--preset", "audio", "--audio-codec", "pcm", "-o", "b.mka"],
            in: folder.path)
        #expect(result.status == 0, "\(result.errorText)")
        let (was, made) = (try samples("a.mov"), try samples("b.mka"))
        #expect(was.count == made.count && was.contains { $0 > 0.03 })
        // but for the fades of 3 ms at both ends
        let wrong = zip(was, made).dropFirst(400).dropLast(400).map { abs($0 - $1) }.max()
        #expect((wrong ?? 1) < 1e-4)
    }

    @Test(
        "what is not read is refused, and not heard as noise", arguments: ["pcm_s8", "pcm_s32be"])
    func refused(codec: String) throws {
        try make(codec)
        let result = try Program.vcap.run(
            ["compose", "a.mov", "--preset", "audio", "-o", "b.m4a"], in: folder.path)
        #expect(result.status == 65 && result.errorText.contains("none that vcap knows"))
    }
}
