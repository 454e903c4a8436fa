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

    @Test(
        "the first photo waits for the first map, however slow the depth camera",
        arguments: [5, 10])
    func first(_ rate: Int) throws {
        for name in ["a.jpg", "b.jpg"] {
            let taken = try vcap([
                "photo", "-c", "test:1,size=160x120", "--depth-camera",
                "test:2,format=z16,size=96x48,fps=\(rate)", "-o", name,
            ])
            #expect(taken.status == 0, "\(taken.errorText)")
            #expect(try vcap(["depth", name, "-o", name + ".png"]).status == 0)
        }
    }

    @Test("a depth camera that stalls costs a row its depth, and no photo its moment")
    func stalledRow() throws {
        let taken = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera",
            "test:2,format=z16,size=96x48,stall=1+60", "--warm-up", "1500ms", "-n", "6", "--every",
            "200ms", "-o", "r.jpg", "--json",
        ])
        #expect(taken.status == 1, "\(taken.errorText)")
        let photos = try #require(try document(taken.outputText)["photos"]?.elements)
        let frames = photos.compactMap { $0["frame"]?.wholeNumber }
        #expect(frames.count == 6)
        // one photo is taken each six frames
        for (one, other) in zip(frames, frames.dropFirst()) {
            #expect((3...9).contains(other - one), "\(frames)")
        }
        #expect(photos.allSatisfy { $0["depth"]?["missing"]?.text != nil })
        #expect(!taken.errorText.contains("slower than --every"), "\(taken.errorText)")
    }

    @Test(
        "a photo that waits for its map is written where a signal ends the run, and what is gone is named"
    )
    func interrupted() throws {
        let program = try Program.vcap.start(
            [
                "photo", "-c", "test:1,size=160x120", "--depth-camera",
                "test:2,format=z16,size=96x48,stall=1+60", "--warm-up", "1500ms", "-n", "50",
                "--every", "300ms", "-o", "i.jpg",
            ],
            environment: ["HOME": folder.path], in: folder.path)
        #expect(waitUntil(atMost: 30) { program.outputTextSoFar.contains("i-001.jpg") })
        program.signal(SIGINT)
        let result = program.wait()
        #expect(result.status == 1, "\(result.errorText)")
        let said = result.outputText.split(separator: "\n").map(String.init)
        #expect(result.errorText.contains("\(said.count) of 50"), "\(result.errorText)")
        #expect(folder.contents.filter { $0.hasSuffix(".jpg") }.sorted() == said.sorted())
        let gone = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera",
            "test:2,format=z16,size=96x48,unplug=1+60", "--warm-up", "2s", "-o", "u.jpg",
        ])
        #expect(gone.errorText.contains("unplugged"), "\(gone.errorText)")
    }

    @Test(
        "a unit that has no value for a distance says so, and pixels of unknown cameras are refused"
    )
    func units() throws {
        let taken = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera", "test:2,format=z16,size=96x48",
            "-o", "shot.jpg",
        ])
        #expect(taken.status == 0, "\(taken.errorText)")
        for (unit, isLossy) in [("1cm", false), ("0.02mm", true), ("5m", true)] {
            let out = try vcap(["depth", "shot.jpg", "--unit", unit, "-o", "\(unit).png"])
            #expect(out.status == 0, "\(out.errorText)")
            #expect(
                out.errorText.contains("nearer or farther than the unit") == isLossy,
                "\(unit) \(out.errorText)")
        }
        let pixels = try vcap(["depth", "shot.jpg", "--unit", "1/16px", "-o", "p.png"])
        #expect(pixels.status == 64 && pixels.errorText.contains("choose a unit of m or of 1/m"))
        let disparity = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera", "test:2,format=y16,size=96x48",
            "--depth", "1/16px", "-o", "d.jpg",
        ])
        #expect(disparity.status == 0, "\(disparity.errorText)")
        let metres = try vcap(["depth", "d.jpg", "--unit", "1mm", "-o", "d.png"])
        #expect(metres.status == 64 && metres.errorText.contains("no other unit than pixels"))
        let silent = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera",
            "test:2,format=z16,size=96x48,stall=0+60", "-o", "w.jpg",
        ])
        #expect(silent.status == 1 && silent.errorText.contains("waiting for the depth camera"))
        let missing = try vcap([
            "photo", "-c", "test:", "--depth-camera", "file:none.mkv", "-o", "x.jpg",
        ])
        #expect(missing.status == 66, "\(missing.errorText)")
        let without = try vcap(["photo", "-c", "test:", "--depth-camera", "none", "-o", "x.jpg"])
        #expect(without.status == 0, "\(without.errorText)")
        let sizes = try vcap([
            "photo", "-c", "test:1,size=160x120", "--depth-camera", "test:2,size=96x48", "--stereo",
            "baseline=6cm,focal=700px", "-o", "s.jpg",
        ])
        #expect(sizes.status == 64, "\(sizes.errorText)")
        let picture = try vcap(["photo", "-c", "file:shot.jpg", "-o", "y.jpg"])
        #expect(picture.status == 65 && picture.errorText.contains("it is a picture"))
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
