import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Taking live photos by the program", .serialized, .tags(.realTime))
struct LivePhotoVerbTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func vcap(_ words: [String]) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func files() throws -> [String] {
        // a sound server's library keeps something there
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0 != ".config" }
    }

    /// What exiftool says of a file, tags without spaces.
    private func tags(_ name: String) throws -> String {
        let tool = try #require(Program.tool("exiftool"))
        let result = try tool.run(["-ee", "-s", "-a", "-warning", "-all", folder.file(name)])
        #expect(!result.outputText.contains("Warning"), "\(result.outputText)")
        return result.outputText
    }

    private func value(of tag: String, in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasPrefix(tag + " ") || $0.hasPrefix(tag + ":") }
            .flatMap { $0.split(separator: ":", maxSplits: 1).last }
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Whether the movie's frames run on, the photo's among them at its time, and each flash has its beep within 1 ms.
    private func expectFilm(_ name: String, photo: String, stillTime: Double) throws {
        let movie = MovieOracle(folder.file(name))
        let numbers = try movie.frameNumbers()
        #expect(numbers == Array(numbers[0]..<(numbers[0] + numbers.count)), "\(numbers)")
        let shown = try #require(try MovieOracle(folder.file(photo)).frameNumbers().first)
        let place = Int((stillTime * 30).rounded())
        #expect(numbers[place] == shown, "\(numbers[place]) \(shown)")
        #expect(abs(try movie.duration() - 3) < 0.08)
        let sound = try movie.sound()
        let beeps = FlashBeep.beeps(in: sound, sampleRate: 48_000)
        // a beep at each whole second of the camera, whose frame then is a multiple of its rate
        let flashes = numbers.filter { $0 % 30 == 0 }.map { Double($0 - numbers[0]) / 30 }
            .filter { $0 < 2.9 }
        #expect(beeps.count >= flashes.count && flashes.count >= 2)
        for flash in flashes {
            let nearest = beeps.map { abs(Double($0) / 48_000 - flash) }.min() ?? 1
            #expect(nearest < 0.001, "\(flash) \(beeps)")
        }
    }

    @Test("all three files are read by exiftool, and convert makes the same film of each")
    func both() throws {
        let result = try vcap(
            [
                "photo", "-c", "test:1,size=320x240", "-a", "test:", "--live=both", "-o", "x.jpg",
                "--json",
            ])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try files() == ["x.MP.jpg", "x.jpg", "x.mov"])
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        let live = try #require(document["photos"]?.elements?.first?["live"])
        #expect(live["paths"]?.elements?.compactMap(\.text) == ["x.jpg", "x.mov", "x.MP.jpg"])
        let still = try #require(live["still_time"]?.number)
        #expect(abs(still - 1.5) < 0.035)
        let google = try tags("x.MP.jpg")
        #expect(value(of: "MotionPhoto", in: google) == "1")
        let stamp = try #require(
            value(of: "MotionPhotoPresentationTimestampUs", in: google).flatMap { Double($0) })
        #expect(abs(stamp / 1e6 - still) < 1e-5)
        let pair = try tags("x.mov")
        let identifier = try #require(value(of: "ContentIdentifier", in: pair))
        #expect(value(of: "StillImageTime", in: pair) == "-1")
        // older versions of exiftool call it MediaGroupUUID
        let photo = try tags("x.jpg")
        #expect(
            [value(of: "ContentIdentifier", in: photo), value(of: "MediaGroupUUID", in: photo)]
                .contains(identifier), "\(photo)")
        try expectOneMoment("x.jpg", "x.mov")
        for source in ["x.MP.jpg", "x.mov", "x.jpg"] {
            let name = "film-\(source).mp4"
            let converted = try vcap(["convert", source, "-o", name])
            #expect(converted.status == 0, "\(converted.errorText)")
            try expectFilm(name, photo: "x.jpg", stillTime: still)
        }
        try expectFilm("x.mov", photo: "x.jpg", stillTime: still)
    }

    /// A pair is sorted by the photo's time: both halves state it.
    private func expectOneMoment(_ photo: String, _ movie: String) throws {
        let format = ["-s3", "-d", "%s", "-api", "QuickTimeUTC"]
        let tool = try #require(Program.tool("exiftool"))
        func seconds(_ tag: String, _ name: String) throws -> Double {
            let said = try tool.run(
                format + ["-" + tag, folder.file(name)], environment: ["TZ": "UTC"])
            return try #require(
                Double(said.outputText.trimmingCharacters(in: .whitespacesAndNewlines)),
                "\(said.outputText) \(said.errorText)")
        }
        let taken = try seconds("DateTimeOriginal", photo)
        let made = try seconds("CreationDate", movie)
        // whole seconds both, of one moment
        let zone = ((made - taken) / 900).rounded() * 900
        #expect(abs(made - taken - zone) <= 0.5, "\(taken) \(made)")
    }

    @Test(
        "several programs count their live photos into one folder: none is lost, and none takes another's names"
    )
    func severalPrograms() throws {
        let programs = try (0..<3).map { number in
            try Program.vcap.start(
                [
                    "photo", "-c", "test:\(number + 1),size=160x120", "-a", "none", "--live=apple",
                    "-n", "3", "--every", "200ms", "-o", folder.file("two-%v.jpg"),
                ])
        }
        var said: [String] = []
        for program in programs {
            let result = program.wait()
            #expect(result.status == 0, "\(result.errorText)")
            said += result.outputText.split(separator: "\n").map(String.init)
        }
        #expect(said.count == 18 && Set(said).count == 18, "\(said.sorted())")
        #expect(
            try Set(files())
                == Set(said.compactMap { $0.split(separator: "/").last.map(String.init) }))
        for photo in said where photo.hasSuffix(".jpg") {
            // the halves of a pair belong together
            let film = photo.dropLast(4) + ".mov"
            let converted = try vcap(["probe", String(film)])
            #expect(converted.status == 0, "\(converted.errorText)")
            let names = try [photo, String(film)].map { path in
                let text = try tags(String(path.split(separator: "/").last ?? ""))
                return value(of: "ContentIdentifier", in: text)
                    ?? value(of: "MediaGroupUUID", in: text)
            }
            #expect(names[0] != nil && names[0] == names[1], "\(photo)")
        }
    }

    @Test(
        "what another program does to the photo while its movie is made stays, and is said",
        arguments: ["change", "remove"], ["google", "apple"])
    func touched(_ deed: String, _ form: String) throws {
        let program = try Program.vcap.start(
            [
                "photo", "-c", "test:1,size=160x120", "-a", "none", "--live=\(form)", "-o",
                folder.file("t.jpg"),
            ])
        let photo = URL(fileURLWithPath: folder.file("t.jpg"))
        waitUntil { FileManager.default.fileExists(atPath: photo.path) }
        if deed == "remove" {
            try FileManager.default.removeItem(at: photo)
        } else {
            try Data("mine".utf8).write(to: photo)
        }
        let result = program.wait()
        if deed == "remove" {
            #expect(result.status == ExitCode.ioError.rawValue, "\(result.errorText)")
            #expect(result.errorText.contains("is gone, and its movie is not written"))
            #expect(try files().isEmpty)
        } else {
            #expect(try Data(contentsOf: photo) == Data("mine".utf8))
            #expect(result.errorText.contains("another program has changed"), "\(result.errorText)")
            #expect(result.status == (form == "google" ? ExitCode.ioError.rawValue : 0))
            #expect(try files() == (form == "google" ? ["t.jpg"] : ["t.jpg", "t.mov"]))
        }
    }

    @Test(
        "a HEIC and its movie are a pair, which convert reads from either half, and a motion photo beside it",
        .enabled(if: Program.tool("heif-convert") != nil, "needs heif-convert"))
    func heic() throws {
        let result = try vcap(
            [
                "photo", "-c", "test:1,size=320x240", "-a", "test:", "--live=both", "-o", "x.heic",
                "--json",
            ])
        #expect(result.status == 0, "\(result.errorText)")
        #expect(try files() == ["x.MP.jpg", "x.heic", "x.mov"])
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        let live = try #require(document["photos"]?.elements?.first?["live"])
        #expect(live["paths"]?.elements?.compactMap(\.text) == ["x.heic", "x.mov", "x.MP.jpg"])
        let still = try #require(live["still_time"]?.number)
        let tool = try #require(Program.tool("heif-convert"))
        #expect(try tool.run(["x.heic", "x.png"], in: folder.path).status == 0)
        for source in ["x.heic", "x.mov", "x.MP.jpg"] {
            let name = "film-\(source).mp4"
            let converted = try vcap(["convert", source, "-o", name])
            #expect(converted.status == 0, "\(converted.errorText)")
            try expectFilm(name, photo: "x.png", stillTime: still)
        }
        // the movie of another photo is not taken for this one's
        let other = try vcap(
            ["photo", "-c", "test:1,size=320x240", "-a", "none", "--live=apple", "-o", "y.heic"])
        #expect(other.status == 0 && other.outputText == "y.heic\ny.mov\n", "\(other.errorText)")
        try FileManager.default.removeItem(atPath: folder.file("y.mov"))
        try FileManager.default.copyItem(
            atPath: folder.file("x.mov"), toPath: folder.file("y.mov"))
        let refused = try vcap(["convert", "y.heic", "-o", "z.mp4"])
        #expect(refused.status != 0)
        #expect(refused.errorText.contains("another content identifier"), "\(refused.errorText)")
    }

    @Test("frames that follow each other are live photos that overlap")
    func several() throws {
        let result = try vcap(
            [
                "photo", "-c", "test:1,size=160x120", "-a", "none", "--live", "-n", "12", "-o",
                "s.jpg",
            ])
        #expect(result.status == 0, "\(result.errorText)")
        let names = (1...12).map { "s-0\($0 < 10 ? "0" : "")\($0).jpg" }
        #expect(result.outputText == names.map { $0 + "\n" }.joined())
        #expect(try files() == names)
        for name in [names[0], names[11]] {
            #expect(value(of: "MotionPhoto", in: try tags(name)) == "1")
        }
    }

    @Test("a camera that goes away leaves whole files, and what their films show is said")
    func unplugged() throws {
        let result = try vcap(
            [
                "photo", "-c", "test:1,size=160x120,unplug=3+60", "-a", "none", "--live=apple",
                "-n", "40", "--every", "100ms", "-o", "u.jpg",
            ])
        #expect(result.status == ExitCode.noDevice.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("instead of 1.5 s each"), "\(result.errorText)")
        // what is missing at the end is stated once; a machine that is late lacks frames besides
        #expect(
            result.errorText.contains(" ms late: ") || !result.errorText.contains("; it lacks"),
            "\(result.errorText)")
        let lines = result.errorText.split(separator: "\n").filter {
            $0.contains("the movie of ")
        }
        #expect(Set(lines).count == lines.count)
        let said = result.outputText.split(separator: "\n").map(String.init)
        #expect(try said.sorted() == files() && said.count >= 2)
        #expect(try vcap(["convert", said[0], "-o", "film.mp4"]).status == 0)
    }

    @Test("a kill before the movie is there leaves the photo, and nothing else")
    func killed() throws {
        let program = try Program.vcap.start(
            [
                "photo", "-c", "test:1,size=160x120", "-a", "none", "--live", "-o",
                folder.file("k.jpg"),
            ])
        waitUntil { FileManager.default.fileExists(atPath: folder.file("k.jpg")) }
        program.signal(SIGKILL)
        _ = program.wait()
        #expect(try files() == ["k.jpg"])
        #expect(try MovieOracle(folder.file("k.jpg")).frameNumbers().count == 1)
        #expect(value(of: "MotionPhoto", in: try tags("k.jpg")) == nil)
    }

    @Test("what cannot be is refused before a camera is opened, and nothing is written over")
    func refused() throws {
        try Data("precious".utf8).write(to: URL(fileURLWithPath: folder.file("h.mov")))
        for (words, sentence) in [
            (["--live=apple", "-o", "h.jpg"], "h.mov exists"),
            (["--live=both", "-o", "h.jpg"], "h.mov exists"),
            (["--live", "-o", "h.png"], ".jpg"), (["--live=x", "-o", "g.jpg"], "google"),
            (["-a", "test:", "-o", "g.jpg"], "--live"),
        ] {
            let result = try vcap(["photo", "-c", "test:"] + words)
            #expect(result.status != 0)
            #expect(result.errorText.contains(sentence), "\(result.errorText)")
        }
        #expect(try files() == ["h.mov"])
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: folder.file("h.mov")))
                == Data("precious".utf8))
    }
}
