import Capture
import Foundation
import TestSupport
import Testing

@testable import vcap

private let rate = Option<Int>(
    "r", "fps", .integer("N", in: 1...100), "rate", default: .value("30"))
private let camera = Option<String>(
    "c", "camera", .text("SEL", "a device"), "camera", isRepeatable: true)
private let control = Option<CameraSetting>(
    nil, "ctrl", .control, "control", isRepeatable: true)
private let strict = Switch(nil, "strict", "strict")
private let record = Command(
    "record", "a verb of the tests",
    groups: [
        .init(title: "Options", options: [rate.spec, camera.spec, control.spec, strict.spec])
    ], examples: []
) { _ in .done }

@Suite("Configuration")
struct ConfigurationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What the verb gets from files, environment and words together.
    private func arguments(
        files: [String] = [], environment: [String: String] = [:], words: [String] = []
    ) throws -> Arguments {
        var paths: [String] = []
        for (index, text) in files.enumerated() {
            let path = folder.file("\(index).json5")
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            paths.append(path)
        }
        var configuration = Configuration([record])
        try configuration.load(paths)
        var arguments = try ArgumentParser.parse(words, as: record)
        try configuration.apply(to: &arguments, of: record, environment: environment)
        return arguments
    }

    private func complaint(
        files: [String] = [], environment: [String: String] = [:]
    ) -> CommandFailure? {
        do {
            _ = try arguments(files: files, environment: environment)
            return nil
        } catch { return error as? CommandFailure }
    }

    @Test("the user's file wins over the system's, the environment over both, options over all")
    func precedence() throws {
        let system = "{ record: { fps: 10 } }"
        let user = "// mine\n{ record: { fps: 20, }, }"
        let environment = ["VCAP_FPS": "40"]
        #expect(try arguments()(rate) == 30)
        #expect(try arguments(files: [system])(rate) == 10)
        #expect(try arguments(files: [system, user])(rate) == 20)
        #expect(try arguments(files: [system, user], environment: environment)(rate) == 40)
        #expect(
            try arguments(files: [system, user], environment: environment, words: ["-r", "50"])(
                rate)
                == 50)
    }

    @Test("lists, control objects, switches and aliases are taken over")
    func forms() throws {
        let text = """
            { aliases: { desk: '/dev/video7' },
              record: { camera: ['desk', 'test:'], ctrl: { gain: 5, exposure: 'auto' }, strict: true } }
            """
        let arguments = try arguments(files: [text])
        #expect(try arguments.all(camera) == ["desk", "test:"])
        #expect(try arguments.all(control) == [.gain(.value(5)), .exposure(.automatic)])
        #expect(arguments.isOn(strict))
        #expect(arguments.aliases == ["desk": "/dev/video7"])
    }

    @Test("a later file can switch off what an earlier one switched on")
    func switchedOff() throws {
        let files = ["{record: {strict: true}}", "{record: {strict: false}}"]
        #expect(try !arguments(files: files).isOn(strict))
        #expect(try !arguments(files: [files[0]], environment: ["VCAP_STRICT": "0"]).isOn(strict))
    }

    @Test("an unknown key is refused with code 78, the file, the key and the one meant")
    func unknownKeys() {
        let path = folder.file("0.json5")
        #expect(
            complaint(files: ["{ record: { fsp: 30 } }"])
                == CommandFailure(
                    .configuration,
                    "\(path): unknown key record.fsp; did you mean record.fps?"))
        #expect(
            complaint(files: ["{ recrod: {} }"])
                == CommandFailure(
                    .configuration, "\(path): unknown key recrod; did you mean record?"))
    }

    @Test("a wrong value is refused with code 78 and the place it stands in")
    func wrongValues() {
        let path = folder.file("0.json5")
        #expect(
            complaint(files: ["{ record: { fps: 'fast' } }"])
                == CommandFailure(
                    .configuration,
                    "\(path): the key record.fps takes a whole number from 1 to 100, not \"fast\""))
        #expect(
            complaint(environment: ["VCAP_FPS": "fast"])
                == CommandFailure(
                    .configuration,
                    "the environment variable VCAP_FPS takes a whole number from "
                        + "1 to 100, not \"fast\""))
        #expect(complaint(files: ["{ record: { strict: 1 } }"])?.code == .configuration)
        #expect(complaint(files: ["{ record: { fps: [1] } }"])?.code == .configuration)
        #expect(complaint(files: ["{ aliases: { a: 1 } }"])?.code == .configuration)
        #expect(complaint(files: ["[]"])?.code == .configuration)
    }

    @Test("a file that is not JSON5 is refused with code 78 and its name")
    func notJSON() throws {
        let failure = try #require(complaint(files: ["{ record: "]))
        #expect(failure.code == .configuration)
        #expect(failure.message.contains(folder.file("0.json5")))
        #expect(!failure.message.contains("\n"))
    }

    @Test("a file that is absent is nothing; a folder in its place is refused")
    func absent() throws {
        var configuration = Configuration([record])
        try configuration.load([folder.file("none.json5")])
        #expect(throws: CommandFailure.self) { try configuration.load([folder.path]) }
    }

    @Test("the configuration files are those of the XDG folders, the user's last")
    func files() {
        let environment = [
            "HOME": "/home/ann", "XDG_CONFIG_DIRS": "/etc/first:/etc/second",
        ]
        #expect(
            UserFolders(environment: environment).configFiles == [
                "/etc/second/vcap/config.json5", "/etc/first/vcap/config.json5",
                "/home/ann/.config/vcap/config.json5",
            ])
        #expect(
            UserFolders(environment: ["XDG_CONFIG_HOME": "/c"]).configFiles == [
                "/etc/xdg/vcap/config.json5", "/c/vcap/config.json5",
            ])
    }

    @Test("the folder of videos is the one the desktop names")
    func videos() throws {
        let list = folder.file("user-dirs.dirs")
        let folders = UserFolders(environment: ["HOME": "/h", "XDG_CONFIG_HOME": folder.path])
        #expect(folders.videos == "/h")
        try "# mine\nXDG_VIDEOS_DIR=\"$HOME/Film\"\n".write(
            toFile: list, atomically: true, encoding: .utf8)
        #expect(folders.videos == "/h/Film")
        try "XDG_VIDEOS_DIR=\"/data/film\"\n".write(
            toFile: list, atomically: true, encoding: .utf8)
        #expect(folders.videos == "/data/film")
    }
}
