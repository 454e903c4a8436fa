import Foundation
import Glibc
import Media
import TestSupport
import Testing

@testable import vcap

@Suite("Names of photos")
struct PhotoNamesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names(_ output: String) throws -> PhotoNames {
        PhotoNames(
            try PhotoPlan(
                ArgumentParser.parse(["-n", "3", "-o", folder.file(output)], as: Verbs.photo)))
    }

    @Test("the movie of a live photo is never written over one that plays as a device")
    func inputs() throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: folder.file("talk.mov")))
        let photo = folder.file("talk.jpg")
        func next(_ aliases: [String: String], _ microphone: String) throws -> String {
            var arguments = try ArgumentParser.parse(
                ["-c", "test:", "-a", microphone, "--live=apple", "-o", photo, "-y"],
                as: Verbs.photo)
            arguments.aliases = aliases
            return try PhotoNames(PhotoPlan(arguments)).next()
        }
        let input = "file:" + folder.file("talk.mov")
        for (aliases, microphone) in [([:], input), (["desk": input], "desk")] {
            let error = #expect(throws: CommandFailure.self) {
                try next(aliases, microphone)
            }
            #expect(error?.message.contains("one of the inputs") == true, "\(error?.message ?? "")")
        }
        #expect(try next([:], "test:") == photo)
    }

    private static let gone = MediaError(
        code: .ioError, function: "renameat2", subject: "x", errno: ENOENT, message: "gone")

    @Test(
        "a file whose parts are deleted with its folder is made again, whatever of the folder is there yet"
    )
    func parts() throws {
        let names = try names("row/a.jpg")
        let first = try names.next()
        var attempts = 0
        let made = try names.retrying(first) { path throws(MediaError) -> String in
            attempts += 1
            switch attempts {
            // its parts are gone and the folder is still there
            case 1: throw Self.gone
            // and now it is gone too
            case 2:
                try? FileManager.default.removeItem(atPath: folder.file("row"))
                throw Self.gone
            default: return path
            }
        }
        #expect(made == first && attempts == 3)
        #expect(FileManager.default.fileExists(atPath: folder.file("row")))
    }

    @Test("a file that cannot be made at all is not tried for ever")
    func hopeless() throws {
        let names = try names("row/a.jpg")
        let first = try names.next()
        var attempts = 0
        #expect(throws: MediaError.self) {
            try names.retrying(first) { _ throws(MediaError) -> Void in
                attempts += 1
                throw Self.gone
            }
        }
        #expect((2...20).contains(attempts))
        // one that nothing was deleted of is not tried again
        attempts = 0
        #expect(throws: MediaError.self) {
            try names.retrying(first) { _ throws(MediaError) -> Void in
                attempts += 1
                throw MediaError(
                    code: .diskFull, function: "write", subject: "x", errno: ENOSPC,
                    message: "full")
            }
        }
        #expect(attempts == 1)
    }
}
