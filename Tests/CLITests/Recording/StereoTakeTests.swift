import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import vcap

@Suite(
    "The depth of two cameras that are recorded", .serialized, .tags(.realTime),
    .enabled(if: MovieOracle.isAvailable, "ffmpeg makes and reads the movies"))
struct StereoTakeTests {
    let folder: TemporaryFolder
    private let scene = StereoScene()

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// A movie that shows the scene for as long as wanted, without loss.
    private func camera(
        _ name: String, _ frame: PixelBuffer, rate: Int = 20
    ) throws -> String {
        var bytes = Data()
        frame.withPlane(0) { plane in
            for row in 0..<frame.height { bytes.append(plane.row(row), count: frame.width) }
        }
        let (raw, path) = (folder.file(name + ".raw"), folder.file(name))
        try bytes.write(to: URL(fileURLWithPath: raw))
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-stream_loop", "\(3 * rate - 1)", "-f", "rawvideo", "-pix_fmt", "gray",
            "-s", "\(frame.width)x\(frame.height)", "-r", "\(rate)", "-i", raw, "-c:v", "ffv1",
            path,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        return "file:" + path
    }

    private func record(
        _ cameras: [String], _ pair: String = "baseline=6cm,focal=400px", _ words: String...,
        to name: String = "take.mkv"
    ) throws -> Program.Result {
        try Program.vcap.run(
            ["record"] + cameras.flatMap { ["-c", $0] }
                + ["-a", "none", "--keys", "none", "--stereo", pair, "-o", folder.file(name)]
                + words,
            environment: ["XDG_RUNTIME_DIR": folder.path])
    }

    /// The distances of each frame of the third track, as ffmpeg decodes them.
    private func values(_ name: String = "take.mkv") throws -> [[UInt16]] {
        let result = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-i", folder.file(name), "-map", "0:v:2", "-fps_mode", "passthrough",
            "-f", "rawvideo", "-pix_fmt", "gray16le", "-",
        ])
        let count = scene.width * scene.height
        return stride(from: 0, to: result.output.count, by: 2 * count).map { start in
            (0..<count).map {
                UInt16(result.output[start + 2 * $0])
                    | UInt16(result.output[start + 2 * $0 + 1]) << 8
            }
        }
    }

    @Test("is a track beside theirs with the distances that a rendered scene has")
    func distances() throws {
        let cameras = [try camera("l.mkv", scene.left), try camera("r.mkv", scene.right)]
        let result = try record(cameras, "baseline=6cm,focal=400px,unit=1mm", "-t", "2s")
        #expect(result.status == 0, "\(result.errorText)")
        let said = try #require(
            result.errorText.matches(of: /([0-9]+) pairs? matched/).last, "\(result.errorText)")
        let tracks = try Asset.load(folder.file("take.mkv")).tracks
        #expect(tracks.map { $0.format?.video?.depth != nil } == [false, false, true])
        // the cameras' frames do not lie at one time
        #expect(tracks[..<2].allSatisfy { (39...41).contains($0.sampleCount) })
        #expect(
            tracks[2].format?.video?.depth
                == DepthFormat(calibration: DepthCalibration(focalLength: 400, baseline: 0.06)))
        let frames = try values()
        // a busy machine matches fewer, and says so
        #expect(!frames.isEmpty && frames.count <= Int(said.1) ?? 0, "\(said.1), \(frames.count)")
        for frame in frames {
            #expect(abs(Int(frame[20 * scene.width + 280]) - 2000) < 50)
            #expect(abs(Int(frame[80 * scene.width + 200]) - 1000) < 20)
        }
        // a control: cameras that are named the wrong way round see nothing of the kind
        let other = try record(
            cameras.reversed(), "baseline=6cm,focal=400px,unit=1mm", "-t", "1s", "-y")
        #expect(other.status == 0, "\(other.errorText)")
        for frame in try values() {
            #expect(abs(Int(frame[80 * scene.width + 200]) - 1000) >= 20)
        }
    }

    @Test("has a frame for each of the slower camera's, and says how many have none")
    func slower() throws {
        let cameras = [
            try camera("l.mkv", scene.left), try camera("r.mkv", scene.right, rate: 10),
        ]
        let result = try record(cameras, "baseline=6cm,focal=400px", "-t", "2s")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("unpaired"), "\(result.errorText)")
        #expect(!result.errorText.contains("lost"), "\(result.errorText)")
        #expect((8...21).contains(try values().count))
    }

    @Test("has a gap while one of the cameras is unplugged; the other camera's track has none")
    func unplugged() throws {
        let cameras = [
            "test:56,size=192x144,fps=20", "test:57,size=192x144,fps=20,unplug=2+1",
        ]
        let result = try record(cameras, "baseline=6cm,focal=400px", "-t", "5s")
        #expect(result.status == 0, "\(result.errorText)")
        let report = try ReportedTake(movie: folder.file("take.mkv"))
        #expect(report.tracks[0].gaps.isEmpty)
        #expect(report.tracks[1].gaps.map(\.cause) == ["device-gone"])
        #expect(report.tracks[2].gaps.map(\.cause) == ["device-gone"])
        #expect(result.errorText.contains("Depth of Test camera 56 and Test camera 57 is back"))
    }

    @Test("what is no pair is one sentence before a movie is made")
    func refusals() throws {
        let cameras = ["test:58,size=192x144", "test:59,size=192x144"]
        for (cameras, pair, words, code, part) in [
            ([cameras[0]], "baseline=6cm,focal=400px", [], 64, "two cameras"),
            (cameras, "baseline=6cm", [], 64, "focal=700px"),
            (cameras, "baseline=6cm,focal=400px,max-disparity=20", [], 64, "multiple of 16"),
            (cameras, "baseline=6cm,focal=400px", ["--hflip"], 64, "changed places"),
            ([cameras[0], cameras[0]], "baseline=6cm,focal=400px", [], 64, "named twice"),
            (
                [cameras[0], "test:59,size=160x120"], "baseline=6cm,focal=400px", [], 64,
                "same one"
            ),
            (
                [cameras[0], "test:59,format=z16,size=192x144"], "baseline=6cm,focal=400px", [],
                64, "distances itself"
            ),
        ] as [([String], String, [String], Int32, String)] {
            let result = try Program.vcap.run(
                ["record"] + cameras.flatMap { ["-c", $0] }
                    + ["-a", "none", "--stereo", pair, "-t", "1s", "-o", folder.file("no.mkv")]
                    + words, environment: ["XDG_RUNTIME_DIR": folder.path])
            #expect(result.status == code, "\(cameras) \(pair) \(words): \(result.errorText)")
            #expect(result.errorText.contains(part), "\(result.errorText)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("no.mkv")))
        }
        let other = try record(cameras, "baseline=6cm,focal=400px", to: "take.mp4")
        #expect(other.status == 64)
        #expect(other.errorText.contains(".mkv"), "\(other.errorText)")
    }
}
