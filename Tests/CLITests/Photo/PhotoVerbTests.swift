import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Taking photos by the program")
struct PhotoVerbTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func photo(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(
            ["photo"] + words, environment: ["HOME": folder.path], in: folder.path)
    }

    @Test("one photo is one file, upright, and its path is printed")
    func one() throws {
        let result = try photo("-c", "test:1,size=320x240,rotate=270", "-o", "a/shot.png")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.outputText == "a/shot.png\n")
        let numbers = try MovieOracle(folder.file("a/shot.png")).frameNumbers()
        #expect(numbers.count == 1)
        let again = try photo("-c", "test:", "-o", "a/shot.png")
        #expect(again.status == ExitCode.cannotCreate.rawValue)
        #expect(again.errorText.contains("-y"))
        #expect(try photo("-c", "test:", "-y", "-o", "a/shot.png").status == 0)
    }

    @Test("several are counted, and each is the frame of its time")
    func several() throws {
        let result = try photo(
            "-c", "test:1,size=320x240", "-n", "4", "--every", "200ms", "-o", "s.jpg", "--json")
        #expect(result.status == 0, "\(result.errorText)")
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        let photos = try #require(document["photos"]?.elements)
        #expect(photos.compactMap { $0["path"]?.text } == (1...4).map { "s-00\($0).jpg" })
        let frames = photos.compactMap { $0["frame"]?.wholeNumber.map { Int($0) } }
        let shown = try (1...4).map {
            try #require(try MovieOracle(folder.file("s-00\($0).jpg")).frameNumbers().first)
        }
        #expect(shown == frames)
        for (one, other) in zip(frames, frames.dropFirst()) {
            #expect((5...7).contains(other - one), "\(frames)")
        }
        for photo in photos {
            #expect(abs(try #require(photo["shutter_delay"]?.number)) < 0.034)
        }
    }

    @Test("without a time between them, photos are frames that follow each other")
    func burst() throws {
        let result = try photo("-c", "test:1,size=320x240", "-n", "6", "-o", "b-%v.jpg", "--json")
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        let frames = try #require(document["photos"]?.elements).compactMap {
            $0["frame"]?.wholeNumber.map { Int($0) }
        }
        #expect(frames.count == 6)
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(frames)")
    }

    @Test(
        "HEICs are of consecutive frames, or on time, although the encoder is slower than the camera",
        .tags(.realTime))
    func slowEncoder() throws {
        // each takes some 0.3 s of a core
        let row = try photo("-c", "test:1,size=640x360", "-n", "12", "-o", "h.heic", "--json")
        #expect(row.status == 0, "\(row.errorText)")
        #expect(!row.errorText.contains("left out"), "\(row.errorText)")
        let frames = try photos(row).compactMap { $0["frame"]?.wholeNumber.map { Int($0) } }
        #expect(frames.count == 12 && frames[11] - frames[0] == 11, "\(frames)")
        let timed = try photo(
            "-c", "test:1,size=640x360", "-n", "12", "--every", "40ms", "-o", "t.heic", "--json")
        #expect(timed.status == 0 && !timed.errorText.contains("late"), "\(timed.errorText)")
        let listed = try photos(timed)
        #expect(listed.count == 12)
        for photo in listed {
            #expect(abs(try #require(photo["shutter_delay"]?.number)) < 0.067)
        }
    }

    private func photos(_ result: Program.Result) throws -> [JSONValue] {
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        return try #require(document["photos"]?.elements)
    }

    @Test(
        "of photos of large frames all are taken, or those that find no room are said and counted"
    )
    func noRoom() throws {
        // 96 MB each: five wait
        let result = try photo(
            "-c", "test:1,size=8192x8192,fps=10", "-n", "20", "--every", "100ms", "-o", "big.jpg",
            "--quality", "speed", "--json")
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        let taken = try #require(document["photos"]?.elements).count
        guard result.status != 0 else {
            #expect(taken == 20)
            return
        }
        #expect(result.status == ExitCode.failedRunning.rawValue)
        #expect(
            result.errorText.contains("\(20 - taken) of 20 photos were not taken"),
            "\(result.errorText)")
        #expect(result.errorText.contains("is not taken: "), "\(result.errorText)")
    }

    @Test(
        "a folder that is moved meanwhile is made again, which is said once, and no photo is lost")
    func movedFolder() throws {
        let running = try Program.vcap.start(
            [
                "photo", "-c", "test:1,size=160x120", "-n", "10", "--every", "200ms", "-o",
                "sub/a.jpg",
            ],
            environment: ["HOME": folder.path], in: folder.path)
        #expect(waitUntil { FileManager.default.fileExists(atPath: folder.file("sub/a-003.jpg")) })
        try FileManager.default.moveItem(
            atPath: folder.file("sub"), toPath: folder.file("moved"))
        let result = running.wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(
            result.errorText.components(separatedBy: "was moved or deleted").count == 2,
            "\(result.errorText)")
        let all = try ["sub", "moved"].flatMap {
            try FileManager.default.contentsOfDirectory(atPath: folder.file($0))
        }
        #expect(all.sorted() == (1...10).map { $0 < 10 ? "a-00\($0).jpg" : "a-010.jpg" })
    }

    @Test("a camera that goes away ends a row with its reason, and what was taken is said")
    func unplugged() throws {
        let result = try photo(
            "-c", "test:1,size=160x120,unplug=2+60", "-n", "60", "--every", "100ms", "-o", "u.jpg")
        #expect(result.status == ExitCode.noDevice.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("unplugged"), "\(result.errorText)")
        let said = result.outputText.split(separator: "\n").map(String.init)
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!said.isEmpty && said.sorted() == there.sorted())
        #expect(result.errorText.contains("\(said.count) of 60, up to \(said.last ?? "")"))
    }

    @Test("a row that ends early lists what it has in its document, beside the reason")
    func unpluggedDocument() throws {
        let result = try photo(
            "-c", "test:1,size=160x120,unplug=2+60", "-n", "60", "--every", "100ms", "-o", "u.jpg",
            "--json")
        #expect(result.status == ExitCode.noDevice.rawValue, "\(result.errorText)")
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        #expect(document["error"]?.text?.contains("unplugged") == true, "\(document)")
        #expect(document["exit_code"]?.wholeNumber == Int64(result.status))
        let listed = (document["photos"]?.elements ?? []).compactMap { $0["path"]?.text }
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!listed.isEmpty && listed == there.sorted())
    }

    @Test(
        "a row says each path when its photo is on the disk, in its order, and a signal ends it with their number",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func signalled(_ number: Int32) throws {
        let program = try Program.vcap.start(
            ["photo", "-c", "test:1,size=160x120", "-n", "600", "--every", "100ms", "-o", "i.jpg"],
            in: folder.path)
        func said() -> [String] { program.outputTextSoFar.split(separator: "\n").map(String.init) }
        #expect(waitUntil { said().count >= 3 }, "paths come while the row runs")
        program.signal(number)
        let result = program.wait()
        #expect(result.status == ExitCode.failedRunning.rawValue, "\(result.errorText)")
        let paths = result.outputText.split(separator: "\n").map(String.init)
        #expect(paths == paths.sorted())
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(paths == there.sorted())
        let sentence = "ended by a signal; taken before: \(paths.count) of 600"
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
    }

    /// As from a shell: signals that the tests' threads block are not blocked.
    private func plainly(_ words: [String]) throws -> RunningProgram {
        let signals = ["INT", "TERM", "HUP"].map { "--default-signal=\($0)" }
        return try #require(Program.tool("env")).start(
            signals + [Program.vcap.path] + words, in: folder.path)
    }

    @Test("a signal whose sender found nothing prepared ends a row in the same way")
    func plainlySignalled() throws {
        let program = try plainly(
            ["photo", "-c", "test:1,size=160x120", "-n", "600", "--every", "100ms", "-o", "i.jpg"])
        #expect(waitUntil { program.outputTextSoFar.contains("\n") })
        program.signal(SIGINT)
        let result = program.wait()
        #expect(result.status == ExitCode.failedRunning.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("ended by a signal; taken before"))
    }

    @Test("an exposure that no frame shows is stated with the number of its photo, and in its JSON")
    func bracketUnseen() throws {
        let result = try photo(
            "-c", "test:9,size=160x120,exposure=10,lag=30", "--bracket", "-2,-1", "-o", "u.jpg",
            "--json")
        #expect(result.status == 0, "\(result.errorText)")
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        let photos = try #require(document["photos"]?.elements)
        #expect(photos.map { $0["exposure_seen"]?.boolean } == [false, false])
        for words in ["photo 1 (-2.0 EV)", "photo 2 (-1.0 EV)"] {
            #expect(result.errorText.contains(words), "\(result.errorText)")
        }
    }

    @Test(
        "a PQ, an HLG and a wide camera's white is white in every form, and JSON says what was translated"
    )
    func wideColors() throws {
        let tool = try #require(Program.tool("ffmpeg"))
        // BT.2408's reference white in 10 bits, and what stands for white without HDR
        let cases = [
            ("bt2020", "smpte2084", 573, "PQ (HDR)"), ("bt2020", "arib-std-b67", 721, "HLG (HDR)"),
            ("bt2020", "bt709", 940, "BT.2020"), ("smpte432", "bt709", 940, "Display P3"),
            ("bt709", "bt709", 940, nil),
        ]
        for (index, (primaries, transfer, code, name)) in cases.enumerated() {
            let clip = folder.file("clip-\(index).mp4")
            let made = try tool.run([
                "-v", "error", "-f", "lavfi", "-i", "color=black:size=160x120:rate=10", "-t", "2",
                "-vf", "format=yuv420p10le,geq=lum=\(code):cb=512:cr=512", "-c:v", "libx265",
                "-x265-params", "log-level=none:lossless=1", "-pix_fmt", "yuv420p10le",
                "-color_primaries", primaries, "-color_trc", transfer, "-colorspace", "bt2020nc",
                clip,
            ])
            #expect(made.status == 0, "\(made.errorText)")
            for ending in ["png", "jpg", "heic"] {
                let path = folder.file("w-\(index).\(ending)")
                let result = try photo("-c", "file:" + clip, "-o", path, "--json")
                #expect(result.status == 0, "\(result.errorText)")
                let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
                let found = document["photos"]?.elements?.first?["translated_colors"]?.text
                #expect(found == name)
                #expect(!result.errorText.contains("warning"), "\(result.errorText)")
                let brightness = try brightness(path)
                #expect(brightness.allSatisfy { abs($0 - 255) <= 3 }, "\(ending) \(brightness)")
            }
        }
    }

    /// The mean of red, green and blue, as ImageMagick reads the file.
    private func brightness(_ path: String) throws -> [Double] {
        let result = try #require(Program.tool("convert")).run([
            path, "-resize", "1x1!", "-depth", "8", "rgb:-",
        ])
        #expect(result.status == 0, "\(result.errorText)")
        return result.output.prefix(3).map { Double($0) }
    }

    @Test(
        "a frame whose pixels are not square is a photo of square ones, as wide or high as it is shown",
        arguments: [("64/45", 1024, 576), ("8/9", 720, 648), ("1/1", 720, 576)])
    func pixelAspect(_ aspect: String, _ width: Int, _ height: Int) throws {
        let clip = folder.file("clip.mp4")
        // a white square of the screen: as many pixels as make it so
        let made = try #require(Program.tool("ffmpeg")).run([
            "-v", "error", "-y", "-f", "lavfi", "-i", "color=white:size=360x576:rate=10", "-t", "2",
            "-vf", "pad=720:576:0:0:black,setsar=\(aspect)", "-c:v", "libx264", "-pix_fmt",
            "yuv420p", clip,
        ])
        #expect(made.status == 0, "\(made.errorText)")
        for ending in ["png", "jpg", "heic"] {
            let result = try photo("-c", "file:" + clip, "-o", "a.\(ending)", "-y")
            #expect(result.status == 0, "\(result.errorText)")
            let seen = try Program.vcap.run(["probe", folder.file("a.\(ending)"), "--json"])
            #expect(seen.outputText.contains("\"width\": \(width)"), "\(seen.outputText)")
            #expect(seen.outputText.contains("\"height\": \(height)"))
        }
        // the left half is white still
        let tool = try #require(Program.tool("ffmpeg"))
        let row = try tool.run([
            "-v", "error", "-i", folder.file("a.png"), "-vf", "crop=iw:1:0:100,format=gray", "-f",
            "rawvideo", "-",
        ]).output
        #expect(row.count == width)
        #expect(row.count { $0 > 128 } == width / 2)
    }

    @Test("a bracket is a file for each exposure, which Exif, JSON and its light state")
    func bracket() throws {
        let result = try photo(
            "-c", "test:7,size=160x120,exposure=10", "--bracket", "-2,0,+1", "-o", "b.jpg",
            "--json", "-v")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("is as it was before"), "\(result.errorText)")
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        let photos = try #require(document["photos"]?.elements)
        #expect(photos.compactMap { $0["path"]?.text } == (1...3).map { "b-00\($0).jpg" })
        #expect(photos.map { $0["exposure_bias"]?.number ?? 9 } == [-2, 0, 1])
        #expect(photos.map { $0["exposure_seen"]?.boolean } == [true, true, true])
        #expect(!result.errorText.contains("warning"), "\(result.errorText)")
        #expect(photos.map { $0["exposure_time"]?.number ?? 9 } == [0.0025, 0.01, 0.02])
        let tool = try #require(Program.tool("ffprobe"))
        var levels: [Int] = []
        for (index, time) in ["1:400", "1:100", "1:50"].enumerated() {
            let path = folder.file("b-00\(index + 1).jpg")
            let said = try tool.run(
                ["-v", "error", "-show_frames", "-show_entries", "frame_tags", path]
            ).outputText.replacing(" ", with: "")
            #expect(said.contains("ExposureTime=\(time)"), "\(said)")
            #expect(said.contains("ExposureMode=2"), "\(said)")
            levels.append(try MovieOracle(path).middleColors()[0].luma)
        }
        #expect(levels[0] + 20 < levels[1] && levels[1] + 20 < levels[2], "\(levels)")
    }

    @Test("a signal sets the exposure back, and so does a camera that goes away as far as it can")
    func bracketEnded() throws {
        let program = try plainly(
            [
                "photo", "-c", "test:8,size=160x120,exposure=10,lag=30", "--bracket", "-2,0,+1",
                "-o", "e.jpg", "-v",
            ])
        #expect(waitUntil { program.errorTextSoFar.contains("160x120") })
        usleep(300_000)
        program.signal(SIGINT)
        let result = program.wait()
        #expect(result.status == ExitCode.failedRunning.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("is as it was before"), "\(result.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("a damaged movie as a camera is bad data to a photo and to a recording, and says so last")
    func damagedClip() throws {
        let clip = folder.file("c.mp4")
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=2"]
                + ["-c:v", "libx264", "-g", "25", "-pix_fmt", "yuv420p", clip])
        #expect(made.status == 0)
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: clip)))
        let name = Array("stsz".utf8)
        let place = try #require(
            bytes.indices.dropLast(4).first { bytes[$0...].starts(with: name) })
        let size = bytes[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
        for index in place + 8..<place - 4 + size { bytes[index] = 0x7F }
        try Data(bytes).write(to: URL(fileURLWithPath: clip))
        for words in [["photo", "-o", "x.jpg"], ["record", "-a", "none", "-o", "x.mp4"]] {
            let result = try Program.vcap.run(
                [words[0], "-c", "file:\(clip)"] + words.dropFirst(), in: folder.path)
            #expect(result.status == ExitCode.badData.rawValue, "\(words) \(result.errorText)")
            let last = result.errorText.split(separator: "\n").last ?? ""
            #expect(last.contains("damaged") && last.contains("error"), "\(result.errorText)")
        }
    }

    @Test("a size or rate that a movie as a camera does not have is said to do nothing")
    func clipSettings() throws {
        let clip = folder.file("c.mkv")
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=1"]
                + ["-c:v", "mjpeg", clip])
        #expect(made.status == 0)
        for words in [
            ["photo", "-o", "x.jpg"], ["record", "-a", "none", "-t", "200ms", "-o", "x.mkv"],
        ] {
            let camera = [words[0], "-c", "file:\(clip)"]
            let result = try Program.vcap.run(
                camera + ["-s", "640x480", "-r", "50"] + words.dropFirst(), in: folder.path)
            #expect(result.status == 0, "\(result.errorText)")
            #expect(
                result.errorText.contains(
                    "--size 640x480 does nothing: c.mkv is a movie of 160x120"))
            #expect(result.errorText.contains("--fps 50 does nothing: c.mkv is a movie of 25 fps"))
            let quiet = try Program.vcap.run(
                camera + ["-y", "-s", "160x120", "-r", "25"] + words.dropFirst(), in: folder.path)
            #expect(quiet.status == 0 && !quiet.errorText.contains("does nothing"))
        }
    }

    @Test("a signal while the timer runs ends it without a photo, and says so")
    func signalledBefore() throws {
        let program = try Program.vcap.start(
            ["photo", "-c", "test:1,size=160x120", "--timer", "60s", "-o", "i.jpg"],
            in: folder.path)
        #expect(waitUntil { program.errorTextSoFar.contains("photo in") })
        // twice, as timeout does: to the process and to its group
        program.signal(SIGINT)
        program.signal(SIGINT)
        let result = program.wait()
        #expect(result.status == ExitCode.failedRunning.rawValue)
        #expect(result.errorText.contains("before a photo was taken"), "\(result.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("a second signal waits for nothing, and says what is lost")
    func signalledTwice() throws {
        let program = try Program.vcap.start(
            ["photo", "-c", "test:1,size=160x120", "-a", "none", "--live", "-o", "i.jpg"],
            in: folder.path)
        #expect(waitUntil { FileManager.default.fileExists(atPath: folder.file("i.jpg")) })
        program.signal(SIGINT)
        Thread.sleep(forTimeInterval: 0.4)
        program.signal(SIGINT)
        let result = program.wait()
        #expect(result.status == ExitCode.failedRunning.rawValue)
        #expect(result.errorText.contains("by a second signal"), "\(result.errorText)")
    }

    @Test("--quality that changes nothing says so; a timer shorter than a second is said as it is")
    func idleQuality() throws {
        let own = try photo(
            "-c", "test:1,size=160x120,format=mjpeg", "--quality", "quality", "--timer", "300ms",
            "-o", "own.jpg")
        #expect(own.status == 0, "\(own.errorText)")
        #expect(own.errorText.contains("--quality does nothing"), "\(own.errorText)")
        #expect(own.errorText.contains("photo in 0.3 s"), "\(own.errorText)")
        let encoded = try photo(
            "-c", "test:1,size=160x120,format=mjpeg", "--quality", "quality", "-o", "e.png")
        #expect(encoded.status == 0 && !encoded.errorText.contains("does nothing"))
    }

    @Test("three programs that count into one folder at once take all of their photos")
    func together() throws {
        let programs = try (0..<3).map { number in
            try Program.vcap.start(
                ["photo", "-c", "test:\(number + 1),size=160x120", "-n", "8", "-o", "%v.jpg"],
                in: folder.path)
        }
        let results = programs.map { $0.wait() }
        #expect(results.allSatisfy { $0.status == 0 }, "\(results.map(\.errorText))")
        let said = results.flatMap { $0.outputText.split(separator: "\n").map(String.init) }
        let there = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(said.sorted() == there.sorted() && there.count == 24)
    }

    @Test("photos of one and the same frame are reported as such")
    func sameFrame() throws {
        let result = try photo(
            "-c", "test:1,size=160x120,fps=2", "-n", "4", "--every", "50ms", "-o", "s.jpg")
        #expect(result.status == 0)
        #expect(result.errorText.contains("the same frame"), "\(result.errorText)")
        #expect(result.outputText == (1...4).map { "s-00\($0).jpg\n" }.joined())
    }

    @Test("a clip that is not there is missing input")
    func missingClip() throws {
        let result = try photo("-c", "file:none.mp4", "-o", "x.jpg")
        #expect(result.status == ExitCode.noInput.rawValue, "\(result.errorText)")
    }

    @Test("without a name it is a dated jpg in the folder of pictures")
    func unnamed() throws {
        let result = try photo("-c", "test:1,size=160x120")
        #expect(result.status == 0, "\(result.errorText)")
        let path = String(result.outputText.dropLast())
        #expect(path.hasPrefix("\(folder.path)/vcap/") && path.hasSuffix(".jpg"))
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test(
        "a HEIC is the frame, upright, with when, with what and how large it was taken",
        .enabled(
            if: Program.tool("heif-convert") != nil && Program.tool("convert-im6.q16") != nil,
            "needs heif-convert and ImageMagick"),
        arguments: ["yuv420p", "yuyv422", "mjpeg"])
    func heic(_ format: String) throws {
        let rotation = format == "yuyv422" ? 180 : 270
        let result = try photo(
            "-c", "test:1,size=320x240,rotate=\(rotation),format=\(format)", "-o", "h.heic",
            "--json")
        #expect(result.status == 0, "\(result.errorText)")
        let document = try JSONParser.parse(Array(result.outputText.utf8), as: .json)
        let said = try #require(document["photos"]?.elements?.first)
        #expect(said["own_jpeg"]?.boolean == false)
        let tool = try #require(Program.tool("heif-convert"))
        #expect(try tool.run(["h.heic", "h.png"], in: folder.path).status == 0)
        let numbers = try MovieOracle(folder.file("h.png")).frameNumbers()
        #expect(numbers.first == said["frame"]?.wholeNumber.map { Int($0) })
        let notes = try #require(Program.tool("convert-im6.q16")).run(
            ["h.heic", "-format", "%w %h %[EXIF:*]", "info:-"], in: folder.path
        ).outputText
        #expect(notes.hasPrefix(rotation == 180 ? "320 240 " : "240 320 "), "\(notes)")
        for note in ["exif:Model=Test camera", "exif:Orientation=1", "exif:DateTimeOriginal=20"] {
            #expect(notes.contains(note), "\(notes)")
        }
        let converted = try Program.vcap.run(
            ["convert", "h.heic", "-o", "own.png"], in: folder.path)
        #expect(converted.status == 0, "\(converted.errorText)")
        #expect(try MovieOracle(folder.file("own.png")).frameNumbers() == numbers)
    }

    @Test(
        "what cannot be is refused before a camera is opened",
        arguments: [
            (["--every", "1s", "-o", "x.jpg"], "--count"),
            (["--full", "-s", "720p", "-o", "x.jpg"], "exclude each other"),
            (["-o", "x.gif"], "kind of picture"),
            (["--live", "-o", "x.heic"], "--live=apple"),
            (["--bracket", "-1,0,1", "-o", "x.jpg"], "no control of its exposure time"),
            (["--bracket", "-1", "-o", "x.jpg"], "2 to 32 exposures"),
            (["--bracket", "-1,5ms", "-o", "x.jpg"], "2 to 32 exposures"),
            (["--bracket", "-1,1", "-n", "2", "-o", "x.jpg"], "exclude each other"),
            (["-n", "0", "-o", "x.jpg"], "1 to 10000"),
        ])
    func refused(_ words: [String], _ sentence: String) throws {
        let result = try Program.vcap.run(
            ["photo", "-c", "test:"] + words, in: folder.path)
        #expect(result.status == ExitCode.usage.rawValue)
        #expect(result.errorText.contains(sentence), "\(result.errorText)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("a movie's frame is a photo, and a folder that cannot be written to gets a sentence")
    func clip() throws {
        let clip = folder.file("c.mkv")
        let made = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=640x480:rate=25:duration=1"]
                + ["-c:v", "mjpeg", clip])
        #expect(made.status == 0)
        #expect(try photo("-c", "file:\(clip)", "--full", "-o", "f.jpg").status == 0)
        #expect(try MovieOracle(folder.file("f.jpg")).frameNumbers().count == 1)
        let refused = try photo("-c", "file:\(clip)", "-o", "/proc/none/f.jpg")
        #expect(refused.status == ExitCode.cannotCreate.rawValue, "\(refused.errorText)")
    }
}
