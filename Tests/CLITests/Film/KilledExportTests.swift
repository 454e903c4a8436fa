import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

/// An export that is killed leaves nothing half-made under the film's name, and the same command continues.
@Suite(
    "Exports that are killed", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct KilledExportTests {
    private static let frames = 240
    private let folder: TemporaryFolder
    /// Of the film when nothing ends its export (bytes).
    private var wholeSize = 0

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        var clip = GeneratedClip()
        clip.frames = Self.frames
        // something to code, so that the file grows
        clip.filter = "noise=alls=24:allf=t"
        try clip.write(to: folder.file("a.mp4"))
        #expect(try run().status == 0)
        wholeSize = size("film.mp4")
        try FileManager.default.removeItem(atPath: folder.file("film.mp4"))
    }

    /// Blurred, so that it takes some seconds.
    private let words = ["compose", "a.mp4", "-s", "640x480", "--fit", "blur", "-o", "film.mp4"]

    /// Bytes; 0 where there is none.
    private func size(_ name: String) -> Int {
        var info = stat()
        return stat(folder.file(name), &info) == 0 ? Int(info.st_size) : 0
    }

    private func run() throws -> Program.Result {
        try Program.vcap.run(words, environment: ["HOME": folder.path], in: folder.path)
    }

    /// Kills an export once a part of what a whole one gives is on the disk.
    private func kill(at fraction: Double) throws {
        let export = try Program.vcap.start(
            words, environment: ["HOME": folder.path], in: folder.path)
        let wanted = Int(Double(wholeSize) * fraction)
        let hasGrown = waitUntil(atMost: 60) { size(".film.vcap-part.mp4") > wanted }
        export.signal(SIGKILL)
        #expect(export.wait().status == -SIGKILL && hasGrown)
    }

    @Test("after a kill there is no film, and the same command makes it from what was there")
    func killed() throws {
        try kill(at: 0.6)
        #expect(folder.contents == [".film.vcap-part.mp4", "a.mp4"])
        let again = try run()
        #expect(again.status == 0, "\(again.errorText)")
        #expect(again.errorText.contains("continued from an earlier export"))
        try checkFilm()
    }

    @Test("killed twice, it still continues")
    func killedTwice() throws {
        try kill(at: 0.4)
        try kill(at: 0.7)
        #expect(!folder.contents.contains("film.mp4"))
        #expect(try run().status == 0)
        try checkFilm()
    }

    @Test("the control: without the part the same command begins again, and makes the same film")
    func control() throws {
        try kill(at: 0.6)
        try FileManager.default.removeItem(atPath: folder.file(".film.vcap-part.mp4"))
        let again = try run()
        #expect(again.status == 0)
        #expect(!again.errorText.contains("continued"))
        try checkFilm()
    }

    private func checkFilm() throws {
        let film = MovieOracle(folder.file("film.mp4"))
        #expect(try film.middleColors().count == Self.frames)
        #expect(abs(try film.duration() - Double(Self.frames) / 30) < 0.001)
        #expect(try Double(film.sound().count) / 48_000 - Double(Self.frames) / 30 < 0.03)
        #expect(folder.contents == ["a.mp4", "film.mp4"])
    }
}
