import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Live photos while a movie is recorded", .serialized, .tags(.realTime))
struct TakeLivePhotoTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private var environment: [String: String] { ["XDG_RUNTIME_DIR": folder.path] }

    private func start(_ words: String...) throws -> RunningProgram {
        let recorder = try Program.vcap.start(
            [
                "record", "-c", "test:1,size=320x240", "-a", "test:", "-o", folder.file("take.mkv"),
                "--session", "s", "--codec", "mjpeg", "--pressure", "off",
            ] + words, environment: environment)
        waitUntil { recorder.errorTextSoFar.contains("vcap: recording") }
        return recorder
    }

    private func control(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(["ctl"] + words, environment: environment)
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.file(name))
    }

    @Test("shots that overlap are whole, and the movie loses no frame")
    func overlapping() throws {
        let recorder = try start("--live=apple")
        Thread.sleep(forTimeInterval: 2)
        let count = 12
        DispatchQueue.concurrentPerform(iterations: count) { index in
            usleep(UInt32(index) * 70_000)
            let answer = try? control("photo", "--live")
            #expect(answer?.status == 0, "\(answer?.errorText ?? "")")
            #expect(answer?.outputText.split(separator: "\n").count == 2)
        }
        _ = try control("stop")
        #expect(recorder.wait().status == 0)
        let movie = try MovieOracle(folder.file("take.mkv")).frameNumbers()
        #expect(movie == Array(movie[0]..<(movie[0] + movie.count)))
        for index in 1...count {
            let stem = folder.file("take.photo-0\(index < 10 ? "0" : "")\(index)")
            let film = try MovieOracle(stem + ".mov").frameNumbers()
            let photo = try #require(try MovieOracle(stem + ".jpg").frameNumbers().first)
            #expect(film == Array(film[0]..<(film[0] + film.count)))
            #expect(film.firstIndex(of: photo).map { (44...46).contains($0) } ?? false)
            #expect((89...91).contains(film.count), "\(film.count)")
        }
    }

    @Test("the end of the take ends what still waits, with what there is")
    func stopped() throws {
        let recorder = try start("--live")
        Thread.sleep(forTimeInterval: 2)
        let client = ControlClient(folder: SessionFolder(path: folder.file("vcap")))
        let answer = BlockingLock<JSONValue?>(nil)
        NamedThread(name: "test-ask") {
            let said = try? client.ask(
                .members(["command": "photo", "live": .string("both")]), session: "s")
            answer.withLock { $0 = said ?? .null }
        }.detach()
        waitUntil { exists("take.photo-001.jpg") }
        // names of files that are still to come are taken, too
        let second = try control("photo", folder.file("take.photo-001.MP.jpg"))
        #expect(second.status == 73 && second.errorText.contains("being written"), "\(second)")
        _ = try control("stop")
        let result = recorder.wait()
        #expect(result.status == 0)
        #expect(result.errorText.contains("instead of 1.5 s each"), "\(result.errorText)")
        for name in ["take.photo-001.jpg", "take.photo-001.mov", "take.photo-001.MP.jpg"] {
            #expect(exists(name), "\(name)")
        }
        // who asked gets the answer before the socket is gone
        let said = answer.wait { $0 }
        #expect(said["ok"]?.boolean == true && said["paths"]?.elements?.count == 3, "\(said)")
        let film = try MovieOracle(folder.file("take.photo-001.mov")).frameNumbers()
        #expect((40...90).contains(film.count))
        // the client and the report state what the warning does, although the movie was written after the take's end
        #expect(said["live"]?["missing_after"]?.number ?? 0 > 0.1, "\(said)")
        let report = try JSONDecoder().decode(
            Report.self,
            from: Data(contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json"))))
        let live = try #require(report.photos.first?.live)
        #expect(
            live.paths == ["take.photo-001.jpg", "take.photo-001.mov", "take.photo-001.MP.jpg"])
        #expect(live.failure == nil && live.missingAfter > 0.1)
        #expect(abs(Double(film.count) / 30 - live.duration) < 0.04)
    }

    /// What a report says of the live photos of a take (times: s).
    private struct Report: Decodable {
        struct Photo: Decodable { let live: Live? }
        struct Live: Decodable {
            let paths: [String]
            let duration: Double
            let missingAfter: Double
            let failure: String?
        }

        let photos: [Photo]
    }

    @Test("what cannot be is answered with a sentence")
    func refused() throws {
        let recorder = try start()
        #expect(try control("photo", "--live").errorText.contains("start it with --live"))
        #expect(try control("pause", "--live").errorText.contains("--live is for photo"))
        #expect(try control("photo", "--live=x").errorText.contains("google"))
        _ = try control("stop")
        #expect(recorder.wait().status == 0)
        let second = try Program.vcap.run(
            ["record", "-c", "none", "-a", "test:", "--live", "-o", folder.file("a.mkv")])
        #expect(second.errorText.contains("--live needs a camera"), "\(second.errorText)")
    }
}
