import Capture
import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Photos with depth by the program", .serialized, .tags(.realTime))
struct DepthStillTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func vcap(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func document(_ text: String) throws -> JSONValue {
        try JSONParser.parse(Array(text.utf8), as: .json)
    }

    private func exif(_ name: String, _ tag: String, every: Bool = false) throws -> String {
        try #require(Program.tool("exiftool")).run(
            (every ? ["-a"] : []) + ["-s3", "-\(tag)", folder.file(name)]
        )
        .outputText.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The PNG in a photo, found by exiftool's reading of the lists, and its codes by ImageMagick.
    private func strangersCodes(
        _ name: String, _ list: String, behind: Int = 0
    ) throws -> (codes: [UInt16], width: Int) {
        let lengths = try exif(name, list, every: true).split { ",\n".contains($0) }
            .compactMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        try #require(lengths.count > 1, "\(lengths)")
        let bytes = [UInt8](
            try Data(contentsOf: URL(fileURLWithPath: folder.file(name))))
        // from the file's end: all that follows the photo is listed
        let start = bytes.count - lengths.dropFirst().reduce(0, +)
        let png = bytes[start..<(start + lengths[1])]
        #expect(bytes[start - 2] == 0xFF && bytes[start - 1] == 0xD9)
        try Data(png).write(to: URL(fileURLWithPath: folder.file("cut.png")))
        let magick = try #require(Program.tool("convert-im6.q16"))
        let raw = folder.file("cut.gray")
        let made = try magick.run([
            folder.file("cut.png"), "-depth", "16", "-endian", "LSB", "gray:\(raw)",
        ])
        #expect(made.status == 0, "\(made.errorText)")
        let values = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
        let width = try magick.run([folder.file("cut.png"), "-format", "%w", "info:"])
        return (
            stride(from: 0, to: values.count, by: 2).map {
                UInt16(values[$0]) | UInt16(values[$0 + 1]) << 8
            }, Int(width.outputText) ?? 0
        )
    }

    private func truth(_ size: PixelSize, like values: [UInt16]) throws -> [UInt16] {
        let scene = TestDepthScene(size: size)
        let number = try #require(scene.number(in: values))
        return (0..<size.height).flatMap { y in
            (0..<size.width).map { scene.value(number, x: $0, y: y) }
        }
    }

    @Test("other programs find picture, map and what it means; vcap gives every value back")
    func strangers() throws {
        let size = PixelSize(96, 48)
        let taken = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera", "test:2,format=z16,size=96x48",
            "--depth", "0.25mm", "-o", "shot.jpg", "--json",
        ])
        #expect(taken.status == 0, "\(taken.errorText)")
        let depth = try #require(
            try document(taken.outputText)["photos"]?.elements?.first?["depth"])
        #expect(depth["outcome"]?.text == "delivered")
        #expect(abs(try #require(depth["offset"]?.number)) <= 0.0167)
        #expect(depth["values"]?["step"]?.number == 0.00025)
        let near = Double(try exif("shot.jpg", "CameraDepthMapNear")) ?? -1
        let far = Double(try exif("shot.jpg", "CameraDepthMapFar")) ?? -1
        #expect(try exif("shot.jpg", "CameraDepthMapFormat") == "RangeLinear")
        #expect(try exif("shot.jpg", "CameraDepthMapUnits") == "Meters")
        #expect(
            try exif("shot.jpg", "XMP-GContainer:DirectoryItemSemantic", every: true)
                == "Primary\nDepth")
        let (codes, width) = try strangersCodes("shot.jpg", "ContainerDirectoryItemLength")
        #expect(width == 96)
        #expect(codes == (try truth(size, like: codes)))
        for code in codes where code > 0 {
            let metres = near + Double(code) / 65_535 * (far - near)
            #expect(abs(metres - Double(code) * 0.00025) < 1e-6)
        }
        let out = try vcap(["depth", "shot.jpg", "-o", "map.png"])
        #expect(out.status == 0 && out.outputText == "map.png\n", "\(out.errorText)")
        #expect(try exif("map.png", "DEPTH_UNIT") == "0.00025 m")
        let probed = try document(try vcap(["probe", "shot.jpg", "--json"]).outputText)
        #expect(probed["photo_depth"]?["exact"]?.boolean == true)
        #expect(probed["photo_depth"]?["width"]?.wholeNumber == 96)
        let text = try vcap(["probe", "shot.jpg"]).outputText
        #expect(text.contains("depth in the photo: 96x48, depth, steps of 0.25 mm"), "\(text)")
        // the picture is a picture to anyone
        let decoded = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file("shot.jpg"), "-f", "null", "-",
        ])
        #expect(decoded.status == 0 && decoded.errorText.isEmpty, "\(decoded.errorText)")
        let converted = try vcap(["convert", "shot.jpg", "-o", "colour.png"])
        #expect(converted.status == 0)
        #expect(
            converted.errorText.contains(
                "the depth in shot.jpg is not converted: vcap depth takes it out"))
    }

    @Test("disparity is read as metres by who knows only near and far, and comes back to the unit")
    func disparity() throws {
        let size = PixelSize(96, 48)
        let taken = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera", "test:2,format=y16,size=96x48",
            "--depth", "0.001/m", "-o", "shot.jpg",
        ])
        #expect(taken.status == 0, "\(taken.errorText)")
        let near = Double(try exif("shot.jpg", "CameraDepthMapNear")) ?? -1
        let far = Double(try exif("shot.jpg", "CameraDepthMapFar")) ?? -1
        #expect(try exif("shot.jpg", "CameraDepthMapFormat") == "RangeInverse")
        let (codes, _) = try strangersCodes("shot.jpg", "DirectoryItemLength")
        let values = codes.map { 0 &- $0 }
        #expect(values == (try truth(size, like: values)))
        for code in codes where code > 0 {
            let part = Double(code) / 65_535
            let metres = far * near / (far - part * (far - near))
            let wanted = 1 / (Double(0 &- code) * 0.001)
            #expect(abs(metres - wanted) < wanted * 1e-6, "\(metres) \(wanted)")
        }
        let out = try vcap(["depth", "shot.jpg", "-o", "map.png"])
        #expect(out.status == 0, "\(out.errorText)")
        #expect(try exif("map.png", "DEPTH_UNIT") == "0.001 1/m")
    }

    @Test("a live photo has the depth between photo and movie, in each of its files")
    func live() throws {
        let taken = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera", "test:2,format=z16,size=96x48",
            "--live=both", "-a", "none", "-o", "x.jpg",
        ])
        #expect(taken.status == 0, "\(taken.errorText)")
        let one = try strangersCodes("x.MP.jpg", "ContainerDirectoryItemLength").codes
        let other = try strangersCodes("x.jpg", "ContainerDirectoryItemLength").codes
        let wanted = try truth(PixelSize(96, 48), like: one)
        #expect(one == other && one == wanted)
        let film = try vcap(["convert", "x.MP.jpg", "-o", "film.mp4"])
        #expect(film.status == 0, "\(film.errorText)")
        #expect(abs(try MovieOracle(folder.file("film.mp4")).duration() - 3) < 0.08)
        #expect(try vcap(["depth", "x.MP.jpg", "-o", "map.png"]).status == 0)
        let google = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera", "test:2,format=z16,size=96x48",
            "--live", "-a", "none", "-o", "g.jpg",
        ])
        #expect(google.status == 0, "\(google.errorText)")
        #expect(try vcap(["depth", "g.jpg", "-o", "g.png"]).status == 0)
    }

    @Test("a photo of whose moment there is no map is written, with a warning and exit code 1")
    func missing() throws {
        // the depth camera is unplugged before the other one has adjusted
        let taken = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera",
            "test:2,format=z16,size=96x48,unplug=2+60", "--warm-up", "4s", "-o", "shot.jpg",
            "--json",
        ])
        #expect(taken.status == 1, "\(taken.errorText)")
        #expect(
            taken.errorText.contains("shot.jpg is written without depth: "), "\(taken.errorText)")
        let failure = try document(taken.outputText)
        let depth = failure["photos"]?.elements?.first?["depth"]
        #expect(depth?["outcome"]?.text == "absent" && depth?["missing"]?.text != nil)
        #expect(try exif("shot.jpg", "ImageSize") == "160x120")
        let out = try vcap(["depth", "shot.jpg", "-o", "map.png"])
        #expect(out.status == 65 && out.errorText.contains("has no depth in it"))
    }

    @Test("what cannot be is refused in one sentence, with nothing written")
    func refusals() throws {
        let depth = ["--depth-camera", "test:2,format=z16"]
        for (words, sentence) in [
            (["-c", "test:"] + depth + ["-o", "a.heic"], "use .jpg for a.heic"),
            (["-c", "test:"] + depth + ["-o", "a.png"], "use .jpg for a.png"),
            (["-c", "test:"] + depth + ["-o", "a.dng"], "use .jpg for a.dng"),
            (["-c", "test:"] + depth + ["--live=apple", "-o", "a.heic"], "use .jpg for a.heic"),
            (["-c", "test:", "--depth-camera", "test:2", "-o", "a.jpg"], "delivers no depth"),
            (["-c", "test:format=z16"] + depth + ["-o", "a.jpg"], "delivers distances itself"),
            (
                ["-c", "test:"] + depth + ["--bracket", "-1,1", "-o", "a.jpg"], "exclude each other"
            ),
            (
                ["-c", "test:", "--stereo", "baseline=6cm,focal=700px", "-o", "a.jpg"],
                "name the right one with --depth-camera"
            ),
        ] {
            let result = try vcap(["photo"] + words)
            #expect(result.status == 64, "\(words) \(result.errorText)")
            #expect(result.errorText.contains(sentence), "\(words) \(result.errorText)")
        }
        #expect(folder.contents.filter { !$0.hasPrefix(".") }.isEmpty)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: folder.file("there.jpg")))
        let there = try vcap(["photo", "-c", "test:"] + depth + ["-o", "there.jpg"])
        #expect(there.status == 73, "\(there.errorText)")
        for (words, status, sentence) in [
            (["there.jpg", "-o", "x.jpg"], 64, "use .png for x.jpg"),
            (["there.jpg"], 64, "-o is missing"),
            (["there.jpg", "--left", "a.mp4", "-o", "x.png"], 64, "is about a pair"),
            (["there.jpg", "-o", "x.png"], 65, "has no depth in it"),
            (["gone.jpg", "-o", "x.png"], 66, "gone.jpg"),
        ] as [([String], Int32, String)] {
            let result = try vcap(["depth"] + words)
            #expect(result.status == status, "\(words) \(result.errorText)")
            #expect(result.errorText.contains(sentence), "\(words) \(result.errorText)")
        }
        #expect(folder.contents.filter { !$0.hasPrefix(".") } == ["there.jpg"])
    }
}
