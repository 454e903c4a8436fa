import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Errors: one sentence and the contract's code", .serialized)
struct ErrorTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    /// Runs vcap away from the user's own configuration and devices.
    private func run(
        _ words: [String], environment: [String: String] = [:]
    ) throws -> Program.Result {
        var surroundings = [
            "HOME": folder.path, "XDG_CONFIG_HOME": folder.file("config"),
            "XDG_CONFIG_DIRS": folder.file("none"), "XDG_RUNTIME_DIR": folder.path,
        ]
        surroundings.merge(environment) { $1 }
        return try Program.vcap.run(words, environment: surroundings, in: folder.path)
    }

    /// Checks the code and that exactly one line of error was said, and nothing as a result.
    @discardableResult
    private func expect(
        _ code: ExitCode, _ words: [String], environment: [String: String] = [:],
        says part: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let result = try run(words, environment: environment)
        #expect(
            result.status == code.rawValue, "\(result.errorText)", sourceLocation: sourceLocation)
        let errors = result.errorText.split(separator: "\n").filter { $0.contains("error: ") }
        #expect(errors.count == 1, "\(result.errorText)", sourceLocation: sourceLocation)
        #expect(part.isEmpty || result.errorText.contains(part), sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, sourceLocation: sourceLocation)
        return result.errorText
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
        return folder.file(name)
    }

    private let test = ["record", "-c", "test:", "-a", "none", "-s", "160x120", "-t", "300ms"]

    @Test("a movie that is to be a camera or a microphone and is not there is 66, by its name")
    func missingDeviceFile() throws {
        let rest = ["-t", "300ms", "-o", "out.mkv"]
        try expect(
            .noInput, ["record", "-c", "file:none.mp4", "-a", "none"] + rest, says: "none.mp4")
        try expect(
            .noInput, ["record", "-c", "test:", "-a", "file:no/such.wav"] + rest,
            says: "no/such.wav")
        // one that is there and no movie is no missing device either
        let empty = try write("empty.mp4", [])
        try expect(
            .badData, ["record", "-c", "file:\(empty)", "-a", "none"] + rest, says: "empty.mp4")
        #expect(folder.contents.filter { $0.hasPrefix("out") }.isEmpty)
    }

    @Test("wrong words are 64 and say what was meant")
    func usage() throws {
        try expect(.usage, [], says: "a verb is missing")
        try expect(.usage, ["recrod"], says: "did you mean record?")
        try expect(
            .usage, ["record", "--fsp", "30"], says: "unknown option --fsp; did you mean --fps?")
        try expect(.usage, ["record", "-r", "fast"], says: "a rate such as 30")
        try expect(.usage, ["record", "-t"], says: "--duration needs a value")
        try expect(.usage, ["record", "extra"], says: "unexpected argument \"extra\"")
        try expect(.usage, ["record", "-c", "none", "-a", "none"], says: "nothing is left")
        try expect(.usage, test + ["-o", "a.avi"], says: ".mp4")
        try expect(.usage, ["ctl", "paws"], says: "did you mean pause?")
        try expect(.usage, ["completions", "tcsh"], says: "bash, zsh and fish")
        try expect(.usage, ["help", "nothing"], says: "unknown verb")
        try expect(.usage, ["controls", "-c", "test:", "gain"], says: "is not a setting such")
    }

    @Test("what a container cannot hold is 64 before anything is created")
    func codecs() throws {
        try expect(.usage, test + ["-o", "a.mp4", "--codec", "ffv1"], says: "ffv1")
        try expect(.usage, test + ["-o", "a.webm"], says: "webm")
        #expect(folder.contents.allSatisfy { !$0.hasPrefix("a.") })
    }

    @Test("a missing device is 69 and names what is there")
    func missingDevice() throws {
        try expect(
            .noDevice, ["record", "-c", "/dev/video987", "-o", "a.mp4"], says: "/dev/video987")
        try expect(.noDevice, ["formats", "-c", "no such camera"], says: "no such camera")
        try expect(.noDevice, ["controls", "-c", "987"], says: "987")
        try expect(.noDevice, ["record", "-c", "test:", "-a", "alsa:hw:97,0", "-o", "a.mp4"])
        #expect(!folder.contents.contains("a.mp4"))
    }

    @Test("a recording that is not there is 69")
    func missingRecording() throws {
        try expect(.noDevice, ["ctl", "status"], says: "no recording of yours is running")
        try expect(.noDevice, ["ctl", "pause", "--session", "x"], says: "no recording named x")
    }

    @Test("an existing file, a link and a folder that cannot be written are 73")
    func outputs() throws {
        let old = try write("old.mp4", [1, 2, 3])
        try expect(.cannotCreate, test + ["-o", old], says: "-y")
        #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == Data([1, 2, 3]))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.mp4"), withDestinationPath: old)
        try expect(.cannotCreate, test + ["-y", "-o", "link.mp4"], says: "symbolic link")
        try expect(.cannotCreate, test + ["-o", "\(old)/x/a.mp4"], says: old)
        try expect(.cannotCreate, test + ["-o", "/proc/a.mp4"], says: "/proc")
        #expect(try Data(contentsOf: URL(fileURLWithPath: old)) == Data([1, 2, 3]))
    }

    @Test("a link that leads to itself is 66 where it is read, and 73 where it is written")
    func circle() throws {
        for (name, target) in [("a.mp4", "b.mp4"), ("b.mp4", "a.mp4")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(name), withDestinationPath: target)
        }
        try expect(.noInput, ["probe", "a.mp4"], says: "leads to itself")
        try expect(.noInput, ["repair", "a.mp4"], says: "leads to itself")
        try expect(.cannotCreate, test + ["-y", "-o", "a.mp4"], says: "symbolic link")
    }

    @Test("a folder without write permission is 73", .enabled(if: getuid() != 0, "root may write"))
    func forbiddenFolder() throws {
        let locked = folder.file("locked")
        try FileManager.default.createDirectory(
            atPath: locked, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o555])
        try expect(.cannotCreate, test + ["-o", "\(locked)/a.mp4"], says: "locked")
    }

    @Test("a movie that is an input is not recorded over: 73")
    func overInput() throws {
        let result = try run(
            ["record", "-c", "test:", "-a", "none", "-s", "160x120", "-t", "500ms", "-o", "in.mp4"])
        #expect(result.status == 0, "\(result.errorText)")
        try expect(
            .cannotCreate,
            ["record", "-c", "file:in.mp4", "-a", "none", "-y", "-o", "in.mp4"], says: "input")
    }

    @Test("a disk with less than the reserve is 74 before a folder, a device or a film is touched")
    func fullDisk() throws {
        let words = ["record", "-c", "/dev/video987", "-a", "none", "--min-free", "900T"]
        try expect(.ioError, words + ["-o", "new/a.mp4"], says: "kept free")
        try expect(.ioError, words + ["-o", "b.mp4"], says: "make room")
        #expect(folder.contents.allSatisfy { $0 != "new" && !$0.hasPrefix("b.") })
    }

    @Test("what would keep the film after --then from being made is reported before the take")
    func filmAfterwards() throws {
        _ = try write("taken.film.mp4", [1])
        _ = try write("sound.wav", [1, 2, 3])
        let take = test + ["-o", "taken.mp4", "--then", "compose"]
        try expect(.cannotCreate, take, says: "taken.film.mp4 exists")
        try expect(.cannotCreate, take + ["-o", "taken.mp4"], says: "over its take")
        try expect(.usage, take + ["-o", "film.avi"], says: "film.avi")
        let free = take + ["-o", "film.mp4"]
        try expect(.noInput, free + ["--template", "none.vcap.json5"], says: "none.vcap.json5")
        try expect(.noInput, free + ["--music", "none.wav"], says: "none.wav")
        try expect(.badData, free + ["--music", "sound.wav"], says: "sound.wav")
        try expect(
            .noInput, free + ["--title", "A", "--title-image", "none.png"], says: "none.png")
        try expect(.usage, free + ["--fps", "max"], says: "--fps max")
        try expect(.usage, free + ["--contact-sheet", "sheet.bmp"], says: "sheet.bmp")
        try expect(.usage, take + ["-o", "film.mkv", "--network-ready"], says: "film.mkv")
        #expect(folder.contents.allSatisfy { $0 != "taken.mp4" && $0 != "taken.vcap.json" })
    }

    @Test(
        "what the words alone say of the film after --then is refused before the take",
        arguments: [
            ["--preset", "passthrough", "--title", "x"],
            ["--preset", "passthrough", "-o", "p.mkv"],
            ["--preset", "passthrough", "-r", "10"],
            ["--preset", "passthrough", "--loudness", "-16"],
            ["--preset", "passthrough", "--transition", "dissolve:1s"],
            ["--preset", "audio"], ["--codec", "h264", "-o", "film.webm"], ["-o", "film.m4a"],
            ["--crf", "30", "-o", "film.gif"],
            ["--progress", "fd:55"],
            ["--progress", "taken.vcap.json"], ["--range", "5s..6s"], ["--chapter", "A@100s"],
            ["--still", "5s", "-o", "x.png"],
        ])
    func filmInWords(words: [String]) throws {
        try expect(.usage, test + ["-o", "taken.mp4", "--then", "compose"] + words)
        #expect(folder.contents.isEmpty)
    }

    @Test("a place for progress that is not there is reported before the take")
    func filmProgress() throws {
        let take = test + ["-o", "taken.mp4", "--then", "compose"]
        try expect(.cannotCreate, take + ["--progress", "/no-such-folder/x"], says: "No such file")
        _ = try write("p", [1])
        try expect(.cannotCreate, take + ["--progress", "p"], says: "it exists")
        #expect(folder.contents == ["p"])
    }

    @Test("progress does not go where the take's report goes")
    func progressReport() throws {
        let words = test + ["-y", "-o", "b.mp4", "--progress", "b.vcap.json"]
        try expect(.usage, words, says: "the take's report goes")
        #expect(folder.contents.isEmpty)
    }

    @Test("a name that becomes a line feed or tab is refused", arguments: ["%n.mp4", "a%tb.mp4"])
    func controlCharacters(name: String) throws {
        try expect(.usage, test + ["-o", name], says: "control character")
        #expect(folder.contents.isEmpty)
    }

    @Test("a rate that a codec has none of is reported in words")
    func rates() throws {
        try expect(
            .usage, test + ["-o", "a.mp4", "--codec", "mjpeg", "-b", "1M"], says: "give --crf")
        try expect(.usage, test + ["-o", "a.mkv", "--codec", "ffv1", "--crf", "3"], says: "ffv1")
        try expect(.ioError, test + ["-o", "a.mp4", "--min-free", "99T"], says: "99 TiB are kept")
    }

    @Test(
        "a verb that was asked for JSON prints a document when it fails, too",
        arguments: [
            (["probe", "none.mp4", "--json"], "vcap.probe/1", ExitCode.noInput),
            (["convert", "none.mp4", "--json", "-o", "a.mp4"], "vcap.convert/1", .noInput),
            (["compose", "none.mp4", "--json", "-o", "a.mp4"], "vcap.export/1", .noInput),
            (["export", "none.vcap.json5", "--json", "-o", "a.mp4"], "vcap.export/1", .noInput),
            (["ctl", "status", "--json", "--session", "none"], "vcap.ctl/1", .noDevice),
            (["probe", "--json"], "vcap.probe/1", .usage),
        ])
    func documents(words: [String], schema: String, code: ExitCode) throws {
        let result = try run(words)
        #expect(result.status == code.rawValue)
        let value = try JSONSerialization.jsonObject(with: Data(result.output))
        let document = try #require(value as? [String: Any])
        #expect(document["schema"] as? String == schema)
        let message = try #require(document["error"] as? String)
        #expect(result.errorText.contains(message))
        #expect(document["exit_code"] as? Int == Int(code.rawValue))
    }

    @Test("so does one that was asked for JSON by a variable")
    func documentByVariable() throws {
        let result = try run(["probe", "none.mp4"], environment: ["VCAP_JSON": "1"])
        #expect(result.status == ExitCode.noInput.rawValue)
        let value = try JSONSerialization.jsonObject(with: Data(result.output))
        let document = try #require(value as? [String: Any])
        #expect(document["exit_code"] as? Int == Int(ExitCode.noInput.rawValue))
    }

    @Test("a missing movie is 66")
    func missingMovie() throws {
        try expect(.noInput, ["probe", "none.mp4"], says: "none.mp4")
        try expect(.noInput, ["repair", "none.mp4"], says: "none.mp4")
    }

    @Test(
        "hostile movies are 65, quickly, and left as they are",
        arguments: [
            ("empty.mp4", ""), ("text.mp4", "hello"),
            ("list.mp4", "#EXTM3U\n#EXTINF:1,\n/etc/passwd\n"),
            ("concat.mp4", "ffconcat version 1.0\nfile /etc/passwd\n"),
            ("cut.mp4", "\u{0}\u{0}\u{0}\u{18}ftypisom"),
            (
                "huge.mp4",
                "\u{0}\u{0}\u{0}\u{1}moov\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}\u{7F}"
            ),
        ])
    func hostileMovies(name: String, text: String) throws {
        let path = try write(name, Array(text.utf8))
        let start = Date()
        for verb in ["probe", "repair"] {
            let said = try expect(.badData, [verb, path], says: name)
            #expect(!said.contains("root:"))
        }
        #expect(Date().timeIntervalSince(start) < 5)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8))
    }

    @Test(
        "names that are protocols are names of files that are not there: 66",
        arguments: ["concat:a|b", "http://127.0.0.1/x.mp4", "pipe:0", "data:,x", "fd:0"])
    func protocols(name: String) throws {
        try expect(.noInput, ["probe", name], says: name)
    }

    @Test("repairing continues after a file that cannot be repaired, and reports the first failure")
    func repairContinues() throws {
        let bad = try write("bad.mp4", Array("hello".utf8))
        let good = folder.file("good.mp4")
        let taken = try run(
            ["record", "-c", "test:", "-a", "none", "-s", "160x120", "-t", "400ms", "-o", good])
        #expect(taken.status == 0)
        let result = try run(["repair", bad, good, "--json"])
        #expect(result.status == ExitCode.badData.rawValue)
        let value = try JSONParser.parse(result.output, as: .json)
        #expect(value["schema"]?.text == "vcap.repair/1")
        #expect(value["files"]?.elements?.count == 2)
        #expect(value["files"]?.elements?.last?["outcome"]?.text == "already-ordinary")
    }

    @Test("wrong configuration is 78 and names file and key; help works all the same")
    func configuration() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("config/vcap"), withIntermediateDirectories: true)
        let path = folder.file("config/vcap/config.json5")
        try "{ record: { fsp: 30 } }".write(toFile: path, atomically: true, encoding: .utf8)
        try expect(.configuration, test + ["-o", "a.mp4"], says: "\(path): unknown key record.fsp")
        #expect(try run(["help", "record"]).status == 0)
        #expect(try run(["record", "--help"]).status == 0)
        try FileManager.default.removeItem(atPath: path)
        try expect(
            .configuration, test + ["-o", "a.mp4"], environment: ["VCAP_FPS": "fast"],
            says: "VCAP_FPS")
    }

    @Test("the configuration's word is taken: size, rate and folder of a take")
    func configured() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("config/vcap"), withIntermediateDirectories: true)
        let text = """
            { aliases: { studio: 'test:' },
              record: { camera: 'studio', mic: 'none', size: '176x144', duration: '400ms' } }
            """
        try text.write(
            toFile: folder.file("config/vcap/config.json5"), atomically: true, encoding: .utf8)
        let result = try run(["record"], environment: ["VCAP_FPS": "10"])
        #expect(result.status == 0, "\(result.errorText)")
        let path = result.outputText.trimmingCharacters(in: .newlines)
        #expect(path.hasPrefix(folder.file("vcap/")))
        let probe = try run(["probe", path, "--json"])
        let video = try JSONParser.parse(probe.output, as: .json)["tracks"]?.elements?.first
        #expect(video?["video"]?["width"]?.wholeNumber == 176)
        #expect(video?["samples"]?.wholeNumber == 4)
    }

    @Test("help and --help are the same text on standard output, with code 0")
    func help() throws {
        for command in CommandTable.commands {
            let first = try run(["help", command.name])
            let second = try run([command.name, "--help"])
            #expect(first.status == 0 && second.status == 0)
            #expect(first.outputText == second.outputText)
            #expect(first.errorText.isEmpty)
        }
        #expect(try run(["--help"]).outputText == run(["help"]).outputText)
        #expect(try run(["--version"]).outputText == "vcap \(Verbs.versionNumber)\n")
    }

    @Test(
        "every listing verb prints one JSON document with its schema",
        arguments: [
            ["devices"], ["formats", "-c", "test:"], ["formats", "-a", "test:"],
            ["controls", "-c", "test:"], ["version"],
        ])
    func listings(words: [String]) throws {
        let result = try run(words + ["--json"])
        #expect(result.status == 0, "\(result.errorText)")
        let value = try JSONParser.parse(result.output, as: .json)
        #expect(value["schema"]?.text == "vcap.\(words[0])/1")
        let text = try run(words)
        #expect(text.status == 0 && !text.output.isEmpty)
    }
}
