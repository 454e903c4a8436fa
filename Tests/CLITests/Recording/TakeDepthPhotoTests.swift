import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Photos with depth while a movie is recorded", .serialized, .tags(.realTime))
struct TakeDepthPhotoTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private var environment: [String: String] { ["XDG_RUNTIME_DIR": folder.path] }

    private func start(_ cameras: String...) throws -> RunningProgram {
        let recorder = try Program.vcap.start(
            ["record"] + cameras.flatMap { ["-c", $0] }
                + [
                    "-a", "none", "-o", folder.file("take.mkv"), "--session", "s", "--codec",
                    "mjpeg",
                ], environment: environment)
        waitUntil { recorder.errorTextSoFar.contains("vcap: recording") }
        return recorder
    }

    private func control(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(["ctl"] + words, environment: environment)
    }

    @Test(
        "ctl photo --depth puts the depth of its moment into the photo, and the take loses nothing")
    func depth() throws {
        let recorder = try start("test:1,size=160x120", "test:2,format=z16,size=96x48")
        let plain = try control("photo", folder.file("plain.jpg"))
        #expect(plain.status == 0, "\(plain.errorText)")
        let taken = try control("photo", folder.file("deep.jpg"), "--depth", "--json")
        #expect(taken.status == 0, "\(taken.errorText)")
        let answer = try JSONParser.parse(Array(taken.outputText.utf8), as: .json)
        #expect(answer["depth"]?["outcome"]?.text == "delivered")
        let refused = try control("photo", folder.file("deep.png"), "--depth")
        #expect(refused.status == 64 && refused.errorText.contains("use .jpg for"))
        _ = try control("stop")
        let ended = recorder.wait()
        #expect(ended.status == 0, "\(ended.errorText)")
        let report = try String(
            contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json")), encoding: .utf8)
        #expect(report.contains("\"good\""))
        for (name, status) in [("plain", Int32(65)), ("deep", 0)] {
            let out = try Program.vcap.run(
                ["depth", folder.file("\(name).jpg"), "-o", folder.file("\(name).png")])
            #expect(out.status == status, "\(out.errorText)")
        }
    }

    @Test("without a camera of depth it is refused, and --depth is for photos")
    func refusals() throws {
        let recorder = try start("test:1,size=160x120")
        let refused = try control("photo", "--depth")
        #expect(refused.status == 64, "\(refused.errorText)")
        #expect(refused.errorText.contains("no depth camera (Z16, or Y16"))
        #expect(try control("status", "--depth").status == 64)
        _ = try control("stop")
        #expect(recorder.wait().status == 0)
    }
}
