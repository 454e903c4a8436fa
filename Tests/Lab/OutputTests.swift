import Foundation
import TestSupport
import Testing

extension Lab {
    /// Photos and codes of a driver's camera, before it is recorded and beside it.
    @Suite struct OutputTests {
        @Test(
            "a photo is the camera's own JPEG, bit for bit, before a take and beside it",
            arguments: ["before", "one", "two"])
        func photo(name: String) async throws {
            let guest = try await Scenario.outputs.guest()
            let path = guest.share.appending(path: "\(name).jpg").path
            let said = guest.text("\(name).said")
            let photo = try #require(FileManager.default.contents(atPath: path), "\(said)")
            let frames = try OutputFootage.frames(of: guest.share.appending(path: "footage.mkv"))
            try #require(frames.count == OutputFootage.count)
            #expect(frames.contains(try OutputFootage.picture(in: photo)), "\(said)")
        }

        @Test("the code that the camera shows is in a track of the movie, and no other is")
        func codes() async throws {
            let take = try await Scenario.outputs.take("outputs")
            #expect(take.status == 0, "\(take.said)")
            #expect(take.report.tracks("video").first.map { $0.frames >= 20 } == true)
            let listed = try Program.vcap.run([
                "detect", "--recorded", take.movie.url.path, "--json",
            ])
            #expect(listed.status == 0, "\(listed.errorText)")
            let lines = listed.outputText.split(separator: "\n")
            #expect(lines.count >= 2)
            for line in lines { #expect(line.contains("\"\(OutputFootage.code)\""), "\(line)") }
        }
    }
}

/// Motion-JPEG whose every frame is another one and shows the same code, made by others.
enum OutputFootage {
    static let code = "vcap lab 42"
    static let count = 40

    static func make(_ url: URL) throws {
        let picture = url.deletingLastPathComponent().appending(path: "code.png").path
        try Installation.tool(
            "zint", ["--barcode=QRCODE", "--scale=2", "--quietzones", "-d", code, "-o", picture])
        try Installation.tool(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi",
                "-i", "testsrc2=size=320x180:rate=10:duration=\(count / 10)", "-i", picture,
                "-filter_complex",
                "[1]scale=140:140:flags=neighbor[code];[0][code]overlay=170:20,format=yuvj422p",
                "-c:v", "mjpeg", "-q:v", "3", url.path,
            ])
    }

    /// Each frame's picture.
    static func frames(of footage: URL) throws -> [Data] {
        let folder = try TemporaryFolder()
        try Installation.tool(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", footage.path, "-c", "copy", folder.file("%03d.jpg")])
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
            let bytes = FileManager.default.contents(atPath: folder.file(name))
            return try picture(in: try #require(bytes))
        }
    }

    /// From the first table on: what is in front of it, such as a photo's Exif data, is no picture.
    static func picture(in jpeg: Data) throws -> Data {
        Data(jpeg[try #require(jpeg.firstRange(of: Data([0xFF, 0xDB]))).lowerBound...])
    }
}
