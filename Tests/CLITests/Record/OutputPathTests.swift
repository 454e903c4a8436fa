import Foundation
import TestSupport
import Testing

@testable import vcap

@Suite("Where a take goes")
struct OutputPathTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func prepare(
        _ name: String?, replaces: Bool = false, inputs: [String] = []
    ) throws -> String {
        let folders = UserFolders(environment: ["HOME": folder.path])
        let output = OutputPath(replacesExisting: replaces, inputs: inputs, folders: folders)
        return try output.prepare(name.map { $0.hasPrefix("/") ? $0 : folder.file($0) })
    }

    private func touch(_ name: String) throws {
        try "x".write(toFile: folder.file(name), atomically: true, encoding: .utf8)
    }

    private func complaint(_ name: String, replaces: Bool = false, inputs: [String] = [])
        -> CommandFailure?
    {
        do {
            _ = try prepare(name, replaces: replaces, inputs: inputs)
            return nil
        } catch { return error as? CommandFailure }
    }

    @Test("the counter becomes the first number that is free, and %%v stays a word")
    func counter() {
        let pattern = PathPattern("take-%v.mp4")
        #expect(pattern.path(at: 0) { _ in false } == "take-001.mp4")
        #expect(
            pattern.path(at: 0) { ["take-001.mp4", "take-002.mp4"].contains($0) } == "take-003.mp4")
        #expect(PathPattern("a%%v.mp4").path(at: 0) { _ in false } == "a%v.mp4")
        #expect(PathPattern("%v/%v.mp4").path(at: 0) { _ in false } == "001/001.mp4")
    }

    @Test("a name that another recorder takes meanwhile is gone past where it counts, else refused")
    func takenMeanwhile() throws {
        var output = OutputPath(
            replacesExisting: false, inputs: [], folders: UserFolders(environment: [:]) { nil })
        // it comes between the look and the use
        output.isTaken = { path in
            if FileManager.default.fileExists(atPath: path) { return true }
            if path.hasSuffix("-001.mp4") {
                _ = FileManager.default.createFile(atPath: path, contents: nil)
            }
            return false
        }
        #expect(try output.prepare(folder.file("n-%v.mp4")) == folder.file("n-002.mp4"))
        try touch("n.mp4")
        #expect(throws: CommandFailure.self) { try output.prepare(folder.file("n.mp4")) }
    }

    @Test("strftime patterns are filled in local time")
    func dates() {
        let path = PathPattern("%Y/x%j.mp4").path(at: 86_400 * 40) { _ in false }
        #expect(path == "1970/x041.mp4" || path == "1970/x040.mp4")
        #expect(PathPattern("plain.mp4").path(at: 0) { _ in true } == "plain.mp4")
    }

    @Test("folders are made, and an existing folder means a dated name in it")
    func folders() throws {
        #expect(try prepare("a/b/c.mov") == folder.file("a/b/c.mov"))
        #expect(FileManager.default.fileExists(atPath: folder.file("a/b")))
        let dated = try prepare("a/b")
        #expect(dated.hasPrefix(folder.file("a/b/")) && dated.hasSuffix(".mp4"))
    }

    @Test("without a name the take goes to the folder vcap of the user's videos")
    func defaultFolder() throws {
        let path = try prepare(nil)
        #expect(path.hasPrefix(folder.file("vcap/")))
        #expect(path.hasSuffix(".mp4"))
        try touch(String(path.dropFirst(folder.path.count + 1)))
        #expect(try prepare(nil) != path)
    }

    @Test("an existing movie is refused without -y and accepted with it")
    func overwrite() throws {
        try touch("a.mp4")
        #expect(complaint("a.mp4")?.code == .cannotCreate)
        #expect(complaint("a.mp4")?.message.contains("-y") == true)
        #expect(complaint("a.mp4", replaces: true) == nil)
    }

    @Test("a symbolic link, a pipe and a folder are refused even with -y")
    func notRegular() throws {
        try touch("real.mp4")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.mp4"), withDestinationPath: folder.file("real.mp4"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("dangling.mp4"), withDestinationPath: folder.file("none"))
        mkfifo(folder.file("pipe.mp4"), 0o600)
        for name in ["link.mp4", "dangling.mp4", "pipe.mp4"] {
            #expect(complaint(name, replaces: true)?.code == .cannotCreate, "\(name)")
        }
    }

    @Test("a movie that is played as an input is not recorded over, by whatever name")
    func overInput() throws {
        try touch("in.mp4")
        let other = folder.path + "/./in.mp4"
        let failure = complaint("in.mp4", replaces: true, inputs: [other])
        #expect(failure?.code == .cannotCreate)
        #expect(failure?.message.contains("input") == true)
    }

    @Test("an ending that names no container is a usage error")
    func ending() {
        #expect(complaint("a.avi")?.code == .usage)
        #expect(complaint("mp4")?.code == .usage)
        #expect(complaint(".mp4")?.code == .usage)
    }

    @Test("a folder that cannot be made is refused with code 73 and its name")
    func unmakable() throws {
        try touch("file")
        let failure = complaint("file/x/a.mp4")
        #expect(failure?.code == .cannotCreate)
        #expect(failure?.message.contains(folder.file("file")) == true)
    }

    @Test("without HOME the system's list of users states the home, and the root is nobody's")
    func noHome() throws {
        let known = UserFolders(environment: [:]) { folder.path }
        let output = OutputPath(replacesExisting: false, inputs: [], folders: known)
        #expect(try output.prepare(nil).hasPrefix(folder.file("vcap/")))
        let nobody = UserFolders(environment: [:]) { nil }
        #expect(nobody.home == nil && nobody.videos == nil)
        #expect(UserFolders(environment: ["HOME": "/"]) { nil }.home == nil)
        #expect(UserFolders(environment: ["HOME": "/home/ann"]) { "/root" }.home == "/home/ann")
        #expect(nobody.configFiles == ["/etc/xdg/vcap/config.json5"])
        #expect {
            try OutputPath(replacesExisting: false, inputs: [], folders: nobody).prepare(nil)
        } throws: {
            let failure = $0 as? CommandFailure
            return failure?.code == .cannotCreate && failure?.message.contains("HOME") == true
        }
        // a name needs none
        #expect(
            try OutputPath(replacesExisting: false, inputs: [], folders: nobody)
                .prepare(folder.file("a.mp4")) == folder.file("a.mp4"))
    }

    @Test(
        "a counted name whose report another recorder has taken since is gone past later, a given one is refused"
    )
    func reportTakenMeanwhile() throws {
        try touch("n-001.mp4")
        try #"{"movie": "n-001.mp4", "schema": "vcap.take/1", "container": "mp4"}"#
            .write(toFile: folder.file("n-001.vcap.json"), atomically: true, encoding: .utf8)
        func plan(_ name: String) throws -> RecordPlan {
            let words = ["-c", "test:", "-a", "none", "-o", folder.file(name)]
            return try RecordPlan(ArgumentParser.parse(words, as: Verbs.record))
        }
        let folders = UserFolders(environment: ["HOME": folder.path])
        let counted = try plan("n-%v.mp4")
        try counted.requireFreeReport(folder.file("n-001.mp4"), counted.path(folders))
        let given = try plan("n-001.mp4")
        #expect(throws: CommandFailure.self) {
            try given.requireFreeReport(folder.file("n-001.mp4"), given.path(folders))
        }
    }
}
