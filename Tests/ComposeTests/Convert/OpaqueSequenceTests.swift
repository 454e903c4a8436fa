import Foundation
import Media
import TestSupport
import Testing

@testable import Compose

@Suite("Opaque sequences in FFV1", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct OpaqueSequenceTests {
    private func pixels(_ arguments: [String], _ format: String) throws -> [UInt8] {
        let result = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error"] + arguments + ["-f", "rawvideo", "-pix_fmt", format, "-"])
        #expect(result.status == 0, "\(result.errorText)")
        return result.output
    }

    @Test(
        "RGB pictures of a sequence stay RGB, every sample of 8 and of 16 bits",
        arguments: [("rgb24", "64x48"), ("rgb48be", "64x48"), ("rgb24", "35x21")])
    func exact(format: String, size: String) async throws {
        let folder = try TemporaryFolder()
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=\(size):r=5:d=1,noise=alls=60:allf=t",
            "-pix_fmt", format, folder.file("p%d.png"),
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let pictures = (1...5).map {
            SequencePicture(folder.file("p\($0).png"), duration: .milliseconds(200))
        }
        var settings = ConversionSettings()
        settings.video = .codec(.ffv1)
        let path = folder.file("out.mkv")
        let conversion = try Conversion(sequence: pictures, settings: settings)
        _ = try await ConversionSession(conversion).convert(to: path)
        let wanted = try pixels(["-i", folder.file("p%d.png")], "rgb48le")
        let found = try pixels(["-i", path], "rgb48le")
        #expect(wanted == found)
        #expect(wanted.count == found.count)
    }

    @Test("a transparent part lies over the background, in RGB too")
    func background() async throws {
        let folder = try TemporaryFolder()
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-f", "lavfi", "-i", "color=red@0.0:s=16x16:d=0.4:r=5,format=rgba",
            folder.file("p%d.png"),
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let pictures = (1...2).map {
            SequencePicture(folder.file("p\($0).png"), duration: .milliseconds(200))
        }
        var settings = ConversionSettings()
        settings.video = .codec(.ffv1)
        settings.background = Color(red: 0, green: 0.2, blue: 1)
        settings.transparency = .composed
        let path = folder.file("out.mkv")
        let conversion = try Conversion(sequence: pictures, settings: settings)
        _ = try await ConversionSession(conversion).convert(to: path)
        #expect(Array(try pixels(["-i", path], "rgb24").prefix(3)) == [0, 51, 255])
    }
}
