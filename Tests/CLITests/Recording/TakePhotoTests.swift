import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Photos while a movie is recorded", .serialized, .tags(.realTime))
struct TakePhotoTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private var environment: [String: String] { ["XDG_RUNTIME_DIR": folder.path] }

    private func start(_ camera: String) throws -> RunningProgram {
        let recorder = try Program.vcap.start(
            [
                "record", "-c", camera, "-a", "none", "-o", folder.file("take.mkv"), "--session",
                "s", "--codec", "mjpeg",
            ], environment: environment)
        waitUntil { recorder.errorTextSoFar.contains("vcap: recording") }
        return recorder
    }

    private func control(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(["ctl"] + words, environment: environment)
    }

    /// What a report says of the photos of a take.
    private struct Report: Decodable {
        struct Photo: Decodable {
            var path: String
            var movieTime: Double
            var hostTime: Double
        }
        var photos: [Photo]?
        var verdict: String
    }

    private func report() throws -> Report {
        let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("take.vcap.json")))
        return try JSONDecoder().decode(Report.self, from: data)
    }

    @Test(
        "at random moments each photo is the movie's frame of its time, and the movie loses none",
        arguments: ["yuv420p", "mjpeg"])
    func randomMoments(_ format: String) throws {
        let camera = "test:1,size=\(Sweep.isWhole ? "1920x1080" : "640x360"),format=\(format)"
        let count = Sweep.isWhole ? 1000 : 25
        var random = SplitMix(seed: 4)
        let recorder = try start(camera)
        let clock = HostClock()
        var delays: [Double] = []
        for _ in 0..<count {
            usleep(UInt32.random(in: 0...60_000, using: &random))
            let asked = clock.now()
            let answer = try ControlClient(folder: SessionFolder(path: folder.file("vcap"))).ask(
                .members(["command": "photo"]), session: "s")
            #expect(answer["ok"]?.boolean == true, "\(answer)")
            delays.append((clock.now() - asked).approximateSeconds)
            #expect(FileManager.default.fileExists(atPath: answer["path"]?.text ?? ""))
        }
        _ = try control("stop")
        #expect(recorder.wait().status == 0)
        let report = try report()
        let photos = try #require(report.photos)
        #expect(photos.count == count)
        #expect(report.verdict == "good")
        let movie = try MovieOracle(folder.file("take.mkv")).frameNumbers()
        #expect(movie == Array(movie[0]..<(movie[0] + movie.count)))
        for photo in photos {
            let shown = try MovieOracle(folder.file(photo.path)).frameNumbers()
            // its frame begins where the movie was
            let place = Int((photo.movieTime * 30).rounded())
            #expect(abs(shown[0] - movie[min(place, movie.count - 1)]) <= 1, "\(photo)")
        }
        print("photos while recording: the slowest was on the disk after \(delays.max() ?? 0) s")
    }

    @Test("photos of a pause, of a path of one's own and of the second of a name")
    func paths() throws {
        let recorder = try start("test:1,size=320x240")
        #expect(try control("photo").outputText == folder.file("take.photo-001.jpg") + "\n")
        let own = folder.file("own.png")
        #expect(try control("photo", own).outputText == own + "\n")
        let taken = try Data(contentsOf: URL(fileURLWithPath: own))
        let second = try control("photo", own)
        #expect(second.status == ExitCode.cannotCreate.rawValue)
        #expect(second.errorText.contains("exists: choose another name"), "\(second.errorText)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: own)) == taken)
        #expect(
            try control("photo", folder.file("own.gif")).errorText.contains(
                "use .jpg, .png, .heic or .dng"))
        let heic = folder.file("own.heic")
        #expect(try control("photo", heic).outputText == heic + "\n")
        #expect(try control("photo", "--live", heic).errorText.contains("start it with --live"))
        try FileManager.default.removeItem(atPath: heic)
        #expect(try control("photo", folder.file("none/own.png")).status != 0)
        #expect(try control("pause").status == 0)
        waitUntil { (try? control("status").outputText.contains(" paused")) == true }
        let paused = try control("photo", "--json")
        #expect(paused.outputText.contains("take.photo-002.jpg"))
        #expect(try control("stop").status == 0)
        #expect(recorder.wait().status == 0)
        #expect(
            try report().photos?.map(\.path) == [
                "take.photo-001.jpg", own, heic, "take.photo-002.jpg",
            ])
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!files.contains { $0.hasPrefix(".") }, "\(files)")
    }

    @Test("photos up to the very end of a take lie on its movie's frames, and not behind the last")
    func atTheEnd() throws {
        let recorder = try start("test:1,size=320x240,fps=5")
        Thread.sleep(forTimeInterval: 0.7)
        let socket = try UnixSocket()
        try socket.connect(to: SessionFolder(path: folder.file("vcap")).socketPath(of: "s"))
        let words = "{\"command\":\"photo\"}\n{\"command\":\"stop\"}\n{\"command\":\"photo\"}\n"
        #expect(write(socket.descriptor, words, words.utf8.count) == words.utf8.count)
        var answers = ""
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while answers.filter({ $0 == "\n" }).count < 3 {
            let count = read(socket.descriptor, &bytes, bytes.count)
            if count <= 0 { break }
            answers += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        #expect(answers.filter { $0 == "\n" }.count == 3, "\(answers)")
        #expect(recorder.wait().status == 0)
        let movie = try MovieOracle(folder.file("take.mkv")).presentationTimes()
        let last = try #require(movie.last)
        let photos = try #require(try report().photos)
        #expect(!photos.isEmpty)
        let numbers = try MovieOracle(folder.file("take.mkv")).frameNumbers()
        for photo in photos {
            #expect(photo.movieTime <= last + 0.001, "\(photo) \(last)")
            // the place of a frame of the movie is that frame's, also of one that the stop cuts short
            let shown = try MovieOracle(folder.file(photo.path)).frameNumbers()
            guard let index = numbers.firstIndex(where: { $0 == shown.first }) else { continue }
            #expect(abs(photo.movieTime - movie[index]) < 0.002, "\(photo) \(movie)")
        }
    }

    @Test("a recording without a camera says so")
    func noCamera() throws {
        let recorder = try Program.vcap.start(
            [
                "record", "-c", "none", "-a", "test:", "-o", folder.file("take.mkv"), "--session",
                "s",
            ], environment: environment)
        waitUntil { recorder.errorTextSoFar.contains("vcap: recording") }
        #expect(try control("photo").errorText.contains("has no camera"))
        _ = try control("stop")
        #expect(recorder.wait().status == 0)
    }
}
