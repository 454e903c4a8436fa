import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Taking raw photos by the program")
struct RawPhotoVerbTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func vcap(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    /// What exiftool says of a file: numbers as they are stored.
    private func tags(_ name: String) throws -> [String: String] {
        let tool = try #require(Program.tool("exiftool"))
        let result = try tool.run(["-s", "-n", "-a", "-warning", "-all", folder.file(name)])
        #expect(!result.outputText.contains("Warning "), "\(result.outputText)")
        let lines = result.outputText.split(separator: "\n").map {
            $0.split(separator: ":", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
        return Dictionary(
            lines.filter { $0.count == 2 }.map { ($0[0], $0[1]) },
            uniquingKeysWith: { _, last in last })
    }

    private func frameNumber(_ name: String) throws -> Int {
        try #require(try tags(name)["ImageNumber"].flatMap { Int($0) })
    }

    @Test("a raw photo takes the sensor's format by itself, and exiftool reads what it states")
    func one() throws {
        let result = try vcap("photo", "-c", "test:1,size=320x240", "-o", "shot.dng", "-v")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.outputText == "shot.dng\n")
        #expect(result.errorText.contains("as bayer_rggb12le"), "\(result.errorText)")
        let said = try tags("shot.dng")
        let wanted = [
            "DNGVersion": "1 4 0 0", "UniqueCameraModel": "Test camera",
            "PhotometricInterpretation": "32803", "WhiteLevel": "4095", "BlackLevel": "256",
            "Orientation": "1", "Software": "vcap \(Verbs.versionNumber)",
            "CFAPattern2": "0 1 1 2", "AsShotNeutral": "1 1 1", "DefaultCropSize": "320 240",
        ]
        for (tag, value) in wanted { #expect(said[tag] == value, "\(tag)") }
    }

    @Test(
        "rows, brackets and rotation work with raw photos; live photos and -o of another kind are refused"
    )
    func options() throws {
        let row = try vcap(
            "photo", "-c", "test:1,size=160x120,format=bayer_gbrg10p", "-n", "3", "--every",
            "200ms",
            "-o", "r.dng", "--rotate", "90")
        #expect(row.outputText == "r-001.dng\nr-002.dng\nr-003.dng\n", "\(row.errorText)")
        let numbers = try (1...3).map { try frameNumber("r-00\($0).dng") }
        for (one, other) in zip(numbers, numbers.dropFirst()) {
            #expect((5...7).contains(other - one), "\(numbers)")
        }
        #expect(try tags("r-001.dng")["Orientation"] == "6")
        let bracket = try vcap(
            "photo", "-c", "test:2,size=160x120,exposure=10,format=bayer_rggb12le",
            "--bracket=-2,0",
            "-o", "b.dng")
        #expect(bracket.status == 0, "\(bracket.errorText)")
        for (name, bias) in [("b-001.dng", "-2"), ("b-002.dng", "0")] {
            #expect(try tags(name)["ExposureCompensation"] == bias)
        }
        let live = try vcap("photo", "-c", "test:", "--live", "-o", "l.dng")
        #expect(live.status == ExitCode.usage.rawValue)
        #expect(live.errorText.contains("a live photo is a JPEG or a HEIC"), "\(live.errorText)")
    }

    @Test("a camera without raw formats is refused in one sentence that names what it has")
    func refused() throws {
        for words in [["test:1,format=mjpeg"], ["test:", "--input-format", "nv12"]] {
            let result = try Program.vcap.run(
                ["photo", "-o", "x.dng", "-c"] + words, environment: ["HOME": folder.path],
                in: folder.path)
            #expect(result.status == ExitCode.usage.rawValue, "\(result.errorText)")
            #expect(
                result.errorText.contains(words.count == 1 ? "has mjpeg" : "delivers nv12"),
                "\(result.errorText)")
            #expect(result.errorText.split(separator: "\n").count == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("x.dng")))
    }

    @Test("a sensor's movie shows every frame, and raw photos are taken beside it")
    func whileRecording() throws {
        let running = try Program.vcap.start(
            [
                "record", "-c", "test:1,size=192x96,format=bayer_grbg10le", "-a", "none", "-o",
                "m.mkv", "-t", "4", "--codec", "ffv1",
            ], environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], in: folder.path)
        #expect(
            waitUntil {
                let asked = try? Program.vcap.run(
                    ["ctl", "photo", "shot.dng"],
                    environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path],
                    in: folder.path)
                return asked?.status == 0
            })
        let result = running.wait()
        #expect(result.status == 0, "\(result.errorText)")
        let shown = try MovieOracle(folder.file("m.mkv")).frameNumbers()
        #expect(shown == Array(shown[0]..<(shown[0] + shown.count)), "\(shown)")
        let number = try frameNumber("shot.dng")
        #expect(shown.contains(number), "\(number)")
    }

    @Test("while another camera records, a raw photo is refused and the recording continues")
    func otherCamera() throws {
        let running = try Program.vcap.start(
            ["record", "-c", "test:1,size=160x120", "-a", "none", "-o", "m.mkv", "-t", "3"],
            environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path], in: folder.path)
        var said = ""
        #expect(
            waitUntil {
                let asked = try? Program.vcap.run(
                    ["ctl", "photo", "shot.dng"],
                    environment: ["HOME": folder.path, "XDG_RUNTIME_DIR": folder.path],
                    in: folder.path)
                said = asked?.errorText ?? ""
                return said.contains("raw photo")
            })
        #expect(said.contains("delivers yuv420p"), "\(said)")
        #expect(running.wait().status == 0)
    }

    @Test("convert and probe do not take a raw photo's thumbnail for it")
    func notRead() throws {
        #expect(try vcap("photo", "-c", "test:1,size=160x120", "-o", "a.dng").status == 0)
        for words in [["convert", "a.dng", "-o", "a.png"], ["probe", "a.dng"]] {
            let result = try Program.vcap.run(
                words, environment: ["HOME": folder.path], in: folder.path)
            #expect(result.status != 0 && result.errorText.contains("does not develop"))
        }
    }
}
