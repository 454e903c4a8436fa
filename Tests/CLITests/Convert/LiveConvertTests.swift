import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite(
    "Converting live photos with the program", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg")
)
struct LiveConvertTests {
    private let folder: TemporaryFolder
    private let builder: LivePhotoBuilder

    init() throws {
        folder = try TemporaryFolder(in: "/tmp")
        builder = LivePhotoBuilder(folder: folder)
    }

    private func run(_ words: String...) throws -> Program.Result {
        try Program.vcap.run(
            ["convert"] + words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func motionPhoto(_ name: String) throws -> (photo: [UInt8], movie: [UInt8]) {
        let movie = try builder.movie()
        let photo = LivePhotoBuilder.photo(
            try builder.jpeg(),
            LivePhotoBuilder.xmp(LivePhotoBuilder.motionPhoto(lengths: [movie.count])))
        try builder.write(photo + movie, name)
        return (photo, movie)
    }

    private func pair(_ stem: String, movieIdentifier: String = "A0-1111") throws {
        let exif = LivePhotoBuilder.segment(
            "Exif\0\0", LivePhotoBuilder.appleExif("A0-1111"))
        try builder.write(LivePhotoBuilder.photo(try builder.jpeg(), exif), "\(stem).JPG")
        let movie = try builder.movie("film.mov", identifier: movieIdentifier)
        try builder.write(
            try LivePhotoBuilder.withStillImageTime(movie, at: 250), "\(stem).MOV")
    }

    private func chapters(of name: String) throws -> String {
        try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-show_chapters", "-of", "compact", folder.file(name),
        ]).outputText
    }

    private func expectFilm(_ name: String, markedAt seconds: String) throws {
        let film = MovieOracle(folder.file(name))
        #expect(try film.frameNumbers() == Array(40..<52))
        let chapters = try chapters(of: name)
        #expect(chapters.contains("start_time=\(seconds)"), "\(chapters)")
        #expect(chapters.contains("tag:title=Photo"), "\(chapters)")
    }

    @Test(
        "a motion photo becomes its film, the photo's moment a chapter, and gives the photo alone")
    func motionPhoto() throws {
        let (photo, movie) = try motionPhoto("PXL_1.MP.jpg")
        let result = try run("PXL_1.MP.jpg", "-o", "clip.mp4")
        #expect(result.status == 0, "\(result.errorText)")
        #expect(result.errorText.contains("h264 copied, aac copied"), "\(result.errorText)")
        try expectFilm("clip.mp4", markedAt: "0.200000")

        let still = try run("PXL_1.MP.jpg", "--still", "-o", "photo.jpg")
        #expect(still.status == 0 && still.outputText == "photo.jpg\n", "\(still.errorText)")
        #expect(try builder.bytes(of: folder.file("photo.jpg")).count == photo.count)
        #expect(movie.count > 0)

        // a length makes it a picture like any other
        let shown = try run("PXL_1.MP.jpg", "-t", "200ms", "-o", "still.mp4")
        #expect(shown.status == 0, "\(shown.errorText)")
        #expect(try MovieOracle(folder.file("still.mp4")).presentationTimes().count == 6)
    }

    @Test("an Apple pair is one clip, whether both halves are named, either, or their folder")
    func pair() throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("album"), withIntermediateDirectories: true)
        try pair("album/IMG_1")
        for (number, words) in [
            ["album/IMG_1.JPG"], ["album/IMG_1.MOV"], ["album/IMG_1.JPG", "album/IMG_1.MOV"],
            ["album/IMG_1.MOV", "album/IMG_1.JPG"],
        ].enumerated() {
            let result = try Program.vcap.run(
                ["convert"] + words + ["-o", "clip\(number).mp4"],
                environment: ["HOME": folder.path], in: folder.path)
            #expect(result.status == 0, "\(words): \(result.errorText)")
            try expectFilm("clip\(number).mp4", markedAt: "0.250000")
        }
        let all = try run("album", "-o", "out/%n.mp4")
        #expect(all.status == 0 && all.outputText == "out/IMG_1.mp4\n", "\(all.errorText)")
        let still = try run("album/IMG_1.MOV", "--still", "-o", "photo.jpg")
        #expect(still.status == 0, "\(still.errorText)")
        #expect(
            try builder.bytes(of: folder.file("photo.jpg"))
                == builder.bytes(of: folder.file("album/IMG_1.JPG")))
    }

    @Test("an ordinary movie that has a photo's name leaves both what they are")
    func sameName() throws {
        // a photo that is half of a pair, beside a film that names no photo
        try pair("A")
        try builder.write(try builder.movie("film.mov"), "A.MOV")
        // one that is none, beside such a film
        try builder.write(try builder.jpeg(), "B.jpg")
        try builder.write(try builder.movie("film.mov"), "B.mov")
        for name in ["A.JPG", "B.jpg"] {
            let reported = try run(name, "-o", "still.mp4", "-y")
            #expect(
                reported.status == 64 && reported.errorText.contains("how long"),
                "\(reported.errorText)")
            let shown = try run(name, "-t", "200ms", "-o", "still.mp4", "-y")
            #expect(shown.status == 0, "\(shown.errorText)")
            #expect(try MovieOracle(folder.file("still.mp4")).presentationTimes().count == 6)
        }
        for name in ["A.MOV", "B.mov"] {
            let film = try run(name, "-o", "film.mp4", "-y")
            #expect(film.status == 0, "\(film.errorText)")
            #expect(try MovieOracle(folder.file("film.mp4")).frameNumbers() == Array(40..<52))
        }
    }

    @Test("what a refused film's sentence advises is possible: the photo alone")
    func advice() throws {
        _ = try builder.jpeg()
        try pair("A", movieIdentifier: "B0-2222")
        try builder.write(try builder.bytes(of: folder.file("A.JPG")), "HALF.JPG")
        let (photo, movie) = try motionPhoto("cut.jpg")
        try builder.write(photo + movie.dropLast(9), "cut.jpg")
        for name in ["A.JPG", "HALF.JPG", "cut.jpg"] {
            let refused = try run(name, "-o", "o.mp4")
            #expect(refused.status != 0, "\(name)")
            #expect(refused.errorText.contains("photo alone"), "\(refused.errorText)")
            let still = try run(name, "--still", "-o", "photo.jpg", "-y")
            #expect(still.status == 0, "\(name): \(still.errorText)")
            let shown = try run("photo.jpg", "-t", "100ms", "-o", "still.mp4", "-y")
            #expect(shown.status == 0, "\(name): \(shown.errorText)")
        }
    }

    @Test("what is no live photo, half of one or two that do not belong together is refused")
    func refusals() throws {
        _ = try builder.jpeg()
        try pair("A", movieIdentifier: "B0-2222")
        try builder.write(try builder.bytes(of: folder.file("A.JPG")), "HALF.JPG")
        let (photo, movie) = try motionPhoto("cut.jpg")
        try builder.write(photo + movie.dropLast(9), "cut.jpg")
        let before = folder.contents
        let cases: [(words: [String], code: Int32, says: String)] = [
            (["plain.jpg", "--still", "-o", "p.jpg"], 65, "no live photo"),
            (["A.JPG", "A.MOV", "-o", "o.mp4"], 65, "differ (A0-1111, B0-2222)"),
            (["A.JPG", "-o", "o.mp4"], 65, "another content identifier"),
            (["HALF.JPG", "-o", "o.mp4"], 66, "no movie"),
            (["cut.jpg", "-o", "o.mp4"], 65, "no movie begins"),
            (["A.MOV", "--still", "-o", "p.jpg"], 65, "not beside it"),
        ]
        for (words, code, says) in cases {
            let result = try Program.vcap.run(
                ["convert"] + words, environment: ["HOME": folder.path], in: folder.path)
            #expect(result.status == code, "\(words): \(result.errorText)")
            #expect(result.errorText.contains(says), "\(words): \(result.errorText)")
        }
        #expect(folder.contents == before)
    }
}
