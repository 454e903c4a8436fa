import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Profiles of camera settings")
struct CameraProfileTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private static let camera = "test:90,size=160x120,exposure=10,lag=0"

    private func vcap(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(words, environment: ["XDG_CONFIG_HOME": folder.path])
    }

    private func save(_ words: String..., as name: String = "stage") throws {
        let arguments = ["controls", "-c", Self.camera, "--save-profile", name] + words
        let result = try Program.vcap.run(
            arguments, environment: ["XDG_CONFIG_HOME": folder.path])
        #expect(result.status == 0, "\(result.errorText)")
    }

    private var path: String { folder.file("vcap/profiles/stage.json5") }

    /// What the camera has, by its controls' names.
    private func values(_ result: Program.Result) throws -> [String: Int64] {
        let root = try JSONParser.parse(Array(result.output), as: .json)
        var values: [String: Int64] = [:]
        for control in root["controls"]?.elements ?? [] {
            values[control["name"]?.text ?? ""] = control["value"]?.wholeNumber.map { Int64($0) }
        }
        return values
    }

    @Test("a camera that was plugged in anew is what it was when its profile was saved")
    func restored() throws {
        try save("exposure=1/400s", "gain=3", "focus=0.36", "zoom=1.37x", "white-balance=5210K")
        // each program has its own test camera, fresh as from its box
        let fresh = try values(try vcap("controls", "-c", Self.camera, "--json"))
        #expect(fresh["gain"] == 1)
        let result = try vcap("controls", "-c", Self.camera, "--profile", "stage", "--json")
        #expect(result.status == 0, "\(result.errorText)")
        let values = try values(result)
        #expect(values["exposure_time_absolute"] == 25)
        #expect(values["auto_exposure"] == 1)
        #expect(values["gain"] == 3)
        #expect(values["focus_absolute"] == 160)
        #expect(values["zoom_absolute"] == 137)
        #expect(values["white_balance_temperature"] == 5210)
        #expect(values["white_balance_automatic"] == 0)
        #expect(result.errorText == "")
    }

    @Test("what is given besides wins over the profile, automatic modes included")
    func explicit() throws {
        try save("exposure=1/400s", "gain=3", "focus=0.36")
        let result = try vcap(
            "controls", "-c", Self.camera, "--profile", "stage", "--json", "gain=2", "focus=auto")
        #expect(result.status == 0, "\(result.errorText)")
        let values = try values(result)
        #expect(values["gain"] == 2)
        #expect(values["focus_automatic_continuous"] == 1)
        #expect(values["exposure_time_absolute"] == 25)
    }

    @Test(
        "a mode on the command line wins over the profile's value by whatever name, and a value over its mode"
    )
    func overruled() throws {
        func control(_ name: String, _ words: String...) throws -> Int64? {
            let result = try Program.vcap.run(
                ["controls", "-c", Self.camera, "--profile", "stage", "--json"] + words,
                environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(result.status == 0, "\(result.errorText)")
            #expect(result.errorText == "", "nothing of the profile is said to be otherwise")
            return try values(result)[name]
        }
        try save("exposure=1/400s", "focus=0.36")
        #expect(try control("auto_exposure", "auto_exposure=3") == 3)
        #expect(try control("auto_exposure", "exposure=auto") == 3)
        #expect(try control("focus_automatic_continuous", "focus_automatic_continuous=1") == 1)
        #expect(try control("exposure_time_absolute", "exposure_time_absolute=50") == 50)
        try save("exposure=auto")
        #expect(try control("exposure_time_absolute", "exposure=5ms") == 50)
        #expect(try control("auto_exposure", "exposure=5ms") == 1)
        // a driver's own name switches no mode off, as without a profile
        let native = try vcap(
            "controls", "-c", Self.camera, "--profile", "stage", "exposure_time_absolute=50")
        #expect(native.status == 64)
        #expect(native.errorText.contains("auto_exposure is automatic"))
    }

    @Test(
        "a movie and a photo are as dark as the profile makes them, and --ctrl as bright as it says"
    )
    func darkened() throws {
        try save("exposure=1/400s")
        // of the darker of two: one frame in a second is white
        func level(_ words: String...) throws -> Int {
            let levels = try (0..<2).map { _ in
                let photo = folder.file("photo.png")
                let taken = try Program.vcap.run(
                    ["photo", "-c", Self.camera, "-y", "-o", photo] + words,
                    environment: ["XDG_CONFIG_HOME": folder.path])
                #expect(taken.status == 0, "\(taken.errorText)")
                return try mean(photo)
            }
            return min(levels[0], levels[1])
        }
        let (plain, dark) = (try level(), try level("--profile", "stage"))
        let bright = try level("--profile", "stage", "--ctrl", "exposure=10ms")
        #expect(dark < plain / 2, "\(dark) of \(plain)")
        #expect(abs(bright - plain) < plain / 4, "\(bright) of \(plain)")

        let movie = folder.file("take.mkv")
        let recorded = try vcap(
            "record", "-c", Self.camera, "-a", "none", "-t", "500ms", "--codec", "mjpeg", "-o",
            movie, "--profile", "stage")
        #expect(recorded.status == 0, "\(recorded.errorText)")
        #expect(try mean(movie) < plain / 2)
    }

    /// Mean luma below the strip of cells of the last frame.
    private func mean(_ path: String) throws -> Int {
        let ffmpeg = try #require(Program.tool("ffmpeg"))
        let levels = try ffmpeg.run([
            "-v", "error", "-i", path, "-vf",
            "crop=iw:ih*5/6:0:ih/6,format=gray,scale=1:1:flags=area", "-fps_mode", "passthrough",
            "-f", "rawvideo", "-pix_fmt", "gray", "-",
        ]).output
        return Int(try #require(levels.last))
    }

    @Test("a profile of another camera says whose it is and what to do, and holds several cameras")
    func otherCamera() throws {
        try save("gain=3")
        let other = "test:91,size=160x120,exposure=10"
        for words in [
            ["controls", "-c", other], ["photo", "-c", other, "-o", folder.file("no.png")],
            ["detect", "-c", other, "-t", "1s"],
            ["record", "-c", other, "-a", "none", "-o", folder.file("no.mkv"), "-t", "1s"],
        ] {
            let result = try Program.vcap.run(
                words + ["--profile", "stage"], environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(result.status == 64, "\(words)")
            #expect(result.errorText.contains("is for"))
            #expect(result.errorText.contains(Self.camera))
            #expect(result.errorText.contains("vcap controls --profiles"))
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("no.png")))
        #expect(!FileManager.default.fileExists(atPath: folder.file("no.mkv")))
        let second = try vcap("controls", "-c", other, "gain=5", "--save-profile", "stage")
        #expect(second.status == 0)
        for (camera, gain) in [(Self.camera, Int64(3)), (other, 5)] {
            let result = try vcap("controls", "-c", camera, "--profile", "stage", "--json")
            #expect(try values(result)["gain"] == gain)
        }
    }

    @Test("profiles are listed and removed, and one that is missing is one sentence")
    func listed() throws {
        #expect(try vcap("controls", "--profiles").outputText == "there are no profiles\n")
        try save("gain=3")
        let list = try vcap("controls", "--profiles")
        #expect(list.outputText.contains("stage"))
        #expect(list.outputText.contains("gain=3"))
        #expect(try vcap("controls", "--profiles", "--json").outputText.contains("\"gain=3\""))
        let missing = try vcap("controls", "-c", Self.camera, "--profile", "hall")
        #expect(missing.status == 66)
        #expect(missing.errorText == "vcap: error: there is no profile hall; there are stage\n")
        #expect(try vcap("controls", "--remove-profile", "stage").status == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try vcap("controls", "--remove-profile", "stage").status == 66)
        #expect(try vcap("controls", "--profile", "../stage").status == 64)
        #expect(try vcap("controls", "--profiles", "gain=3").status == 64)
        // it has no controls
        #expect(try vcap("controls", "-c", "test:", "--save-profile", "none").status == 64)
    }

    @Test(
        "a damaged profile ends with 78 and its place, and is not written over",
        arguments: [
            "{ schema: ", "[]", "{ schema: \"vcap.profile/1\", cameras: {} }",
            "{ schema: \"vcap.profile/1\", cameras: { \"test:\": { settings: [\"gain\"] } } }",
        ])
    func damaged(_ text: String) throws {
        try save("gain=3")
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        for words in [["--profile", "stage"], ["--save-profile", "stage"]] {
            let result = try Program.vcap.run(
                ["controls", "-c", Self.camera] + words,
                environment: ["XDG_CONFIG_HOME": folder.path])
            #expect(result.status == 78, "\(result.errorText)")
            #expect(result.errorText.contains(path))
            #expect(result.errorText.split(separator: "\n").count == 1)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        #expect(try vcap("controls", "--profiles").status == 78)
    }
}
