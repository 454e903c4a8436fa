import Foundation
import Media
import TestSupport
import Testing

@testable import vcap

@Suite(
    "What a conversion keeps, loses and says", .serialized,
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ConvertLossTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: "/tmp") }

    private func start(_ words: [String]) throws -> RunningProgram {
        try Program.vcap.start(
            ["convert"] + words, environment: ["HOME": folder.path], in: folder.path)
    }

    private func ffmpeg(_ words: [String]) throws {
        let result = try #require(Program.tool("ffmpeg")).run(
            ["-v", "error", "-y"] + words, in: folder.path)
        try #require(result.status == 0, "\(result.errorText)")
    }

    private func still(_ name: String) throws {
        try Data(PlainGIF.bytes(delays: [0], width: 64, height: 36))
            .write(to: URL(fileURLWithPath: folder.file(name)))
    }

    /// Ends a conversion as Ctrl-C does once it has begun to write under the output's hidden name.
    private func interrupt(_ running: RunningProgram, in place: String) -> Program.Result {
        let names = { (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] }
        let begun = waitUntil { names().contains { $0.hasPrefix(".long") } }
        running.signal(SIGINT)
        #expect(begun, "\(names())")
        return running.wait()
    }

    @Test("Ctrl-C leaves nothing of a conversion and says so")
    func interrupted() throws {
        try still("a.gif")
        let result = interrupt(
            try start(["a.gif", "-t", "3600s", "-s", "640x360", "-o", "long.mp4"]), in: folder.path)
        #expect(result.status == ExitCode.failedRunning.rawValue, "\(result.errorText)")
        let lines = result.errorText.split(whereSeparator: \.isNewline)
        #expect(lines.count == 1, "\(lines)")
        #expect(result.errorText.contains("long.mp4 was cancelled; nothing is left of it."))
        #expect(result.outputText.isEmpty && folder.contents == ["a.gif"])
    }

    @Test(
        "Ctrl-C among several leaves what is finished, nothing of the one that runs, begins no other"
    )
    func severalInterrupted() throws {
        try Data(PlainGIF.bytes(delays: [5, 5, 5]))
            .write(to: URL(fileURLWithPath: folder.file("first.gif")))
        for name in ["long.gif", "never.gif"] { try still(name) }
        let words = ["first.gif", "long.gif", "never.gif", "-t", "3600s", "-s", "640x360"]
        let result = interrupt(
            try start(words + ["-o", "out/%n.mp4", "--json"]), in: folder.file("out"))
        #expect(result.status == ExitCode.failedRunning.rawValue, "\(result.errorText)")
        #expect(result.errorText.contains("1 of 3 converted, 1 failed, 1 not begun"))
        #expect(result.errorText.contains("out/long.mp4 was cancelled"))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("out"))
        #expect(left == ["first.mp4"])
        #expect(try MovieOracle(folder.file("out/first.mp4")).presentationTimes().count == 3)
    }

    private struct Reports: Decodable {
        struct File: Decodable {
            struct Text: Decodable, Equatable {
                var language: String?
                var cues: Int
            }

            struct Track: Decodable {
                var work: String
            }

            var damagedPictures: Int
            var damagedAudioSamples: Int
            var notes: [String]
            var tracks: [Track]
            var textTracks: [Text]
        }

        var files: [File]
    }

    private func convert(_ words: [String]) throws -> (report: Reports.File, errors: String) {
        let result = try start(words + ["-y", "--json"]).wait()
        try #require(result.status == 0, "\(words): \(result.errorText)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let reports = try decoder.decode(Reports.self, from: Data(result.output))
        return (try #require(reports.files.first), result.errorText)
    }

    /// The sizes and places of a movie's coded pictures (bytes).
    private func places(of name: String) throws -> [[Int]] {
        let packets = try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pos,size", "-of",
            "csv=p=0", folder.file(name),
        ])
        return packets.outputText.split(whereSeparator: \.isNewline).map {
            $0.split(separator: ",").compactMap { Int($0) }
        }
    }

    /// Overwrites coded samples of a movie with zeros.
    private func damage(_ name: String, _ which: Range<Int>) throws {
        let places = try places(of: name)
        let url = URL(fileURLWithPath: folder.file(name))
        var bytes = [UInt8](try Data(contentsOf: url))
        for index in which {
            let place = places[index]
            try #require(place.count >= 2)
            // ffprobe writes the size before the place
            bytes.replaceSubrange(
                place[1]..<(place[1] + place[0]), with: repeatElement(0, count: place[0]))
        }
        try Data(bytes).write(to: url)
    }

    @Test(
        "pictures that cannot be decoded are counted and reported once; the ones before show instead"
    )
    func damagedPictures() throws {
        var clip = GeneratedClip()
        clip.frames = 30
        // each by itself, so that none suffers from another
        clip.coding = GeneratedClip.h264 + ["-g", "1"]
        try clip.write(to: folder.file("a.mp4"))
        try damage("a.mp4", 10..<13)
        let (report, errors) = try convert(["a.mp4", "-o", "b.mp4", "--crf", "10"])
        #expect(report.damagedPictures == 3 && report.damagedAudioSamples == 0)
        #expect(report.notes.count == 1, "\(report.notes)")
        let warnings = errors.split(whereSeparator: \.isNewline).filter { $0.contains("warning") }
        #expect(warnings.count == 1 && errors.contains("a.mp4 is damaged: 3 of its"), "\(errors)")
        let times = try MovieOracle(folder.file("a.mp4")).presentationTimes()
        let made = MovieOracle(folder.file("b.mp4"))
        let (shown, numbers) = (try made.presentationTimes(), try made.frameNumbers())
        // at every instant of the source there is the picture, or the one before the damage
        for (index, time) in times.enumerated() {
            let place = try #require(shown.lastIndex { $0 <= time + 1e-4 })
            #expect(numbers[place] == ((10..<13).contains(index) ? 9 : index), "\(index)")
        }
    }

    /// Overwrites the middle third of a stretch of a file with what is no code of any of the coders here.
    private func scratch(_ name: String, _ place: Range<Int>) throws {
        let url = URL(fileURLWithPath: folder.file(name))
        var bytes = [UInt8](try Data(contentsOf: url))
        for index in (place.lowerBound + place.count / 3)..<(place.upperBound - place.count / 3) {
            bytes[index] = index % 2 == 0 ? 0xFF : 0
        }
        try Data(bytes).write(to: url)
    }

    @Test(
        "a movie's pictures that are filled in where they cannot be decoded are reported",
        arguments: [
            ["libx264", "-g", "50"], ["mpeg4", "-g", "50"], ["mpeg2video", "-g", "50"],
            ["mjpeg"], ["prores"], ["ffv1", "-level", "3", "-slicecrc", "1"],
        ])
    func concealed(_ coding: [String]) throws {
        let name = coding[0] + ".mkv"
        try ffmpeg(
            ["-f", "lavfi", "-i", "testsrc2=s=640x480:r=25:d=2", "-c:v"] + coding
                + [folder.file(name)])
        let whole = try convert([name, "-o", "b.mp4", "-s", "320x240"])
        #expect(whole.report.damagedPictures == 0)
        #expect(!whole.report.notes.contains { $0.contains("damaged") }, "\(whole)")
        for index in [30, 10] {
            let place = try places(of: name)[index]
            try scratch(name, place[1]..<(place[1] + place[0]))
        }
        let (report, errors) = try convert([name, "-o", "b.mp4", "-s", "320x240"])
        #expect(report.damagedPictures == 2, "\(coding): \(report)")
        let reported = "\(name) is damaged: 2 of its coded frames could not be decoded whole"
        #expect(errors.contains(reported), "\(errors)")
        #expect(try MovieOracle(folder.file("b.mp4")).presentationTimes().count == 50)
    }

    @Test("damaged photos are named, alone and in a sequence")
    func damagedPhotos() throws {
        for number in 1...4 {
            try ffmpeg([
                "-f", "lavfi", "-i", "testsrc2=s=320x240", "-frames:v", "1", "-q:v", "2",
                folder.file("\(number).jpg"),
            ])
        }
        let size = try Data(contentsOf: URL(fileURLWithPath: folder.file("2.jpg"))).count
        try scratch("2.jpg", 0..<size)
        let words = "is damaged: its picture could not be decoded whole (what could be shows)."
        let alone = try convert(["2.jpg", "-t", "1s", "-o", "b.mp4"])
        #expect(alone.report.damagedPictures == 1)
        #expect(alone.report.notes == ["2.jpg \(words)"], "\(alone)")
        let sequence = ["?.jpg", "--fps", "5", "-o", "b.mp4"]
        let one = try convert(sequence)
        #expect(one.report.damagedPictures == 1 && one.report.notes == ["2.jpg \(words)"])
        #expect(one.errors.contains("warning: 2.jpg is damaged"), "\(one.errors)")
        try scratch("4.jpg", 0..<size)
        let two = try convert(sequence)
        #expect(two.report.damagedPictures == 2)
        #expect(
            two.report.notes == [
                "2.jpg and one more picture are damaged: they could not be decoded whole (what could be "
                    + "shows)."
            ], "\(two)")
    }

    @Test(
        "a TIFF's strips that cannot be decoded are reported",
        arguments: ["lzw", "packbits", "deflate"])
    func damagedStrips(_ coding: String) throws {
        try ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=320x240", "-frames:v", "1", "-compression_algo",
            coding, folder.file("a.tiff"),
        ])
        let words = ["a.tiff", "-t", "1s", "-o", "b.mp4"]
        #expect(try convert(words).report.damagedPictures == 0)
        let size = try Data(contentsOf: URL(fileURLWithPath: folder.file("a.tiff"))).count
        try scratch("a.tiff", 0..<size)
        let reported = try convert(words)
        let wanted =
            "a.tiff is damaged: its picture could not be decoded whole (what could be shows)."
        #expect(reported.report.notes == [wanted], "\(reported)")
    }

    @Test("Motion-JPEG pictures that end too soon are reported")
    func cutFrames() throws {
        try ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=1", "-c:v", "mjpeg",
            folder.file("a.mkv"),
        ])
        let place = try places(of: "a.mkv")[7]
        let url = URL(fileURLWithPath: folder.file("a.mkv"))
        var bytes = [UInt8](try Data(contentsOf: url))
        // the end of the image, and nothing that is read behind it
        let cut = place[1] + place[0] / 2
        bytes.replaceSubrange(cut..<(cut + 2), with: [0xFF, 0xD9])
        try Data(bytes).write(to: url)
        let (report, errors) = try convert(["a.mkv", "-o", "b.mp4", "-s", "160x120"])
        #expect(report.damagedPictures == 1, "\(errors)")
    }

    @Test(
        "of a folder every kind of movie and picture is taken",
        .enabled(
            if: SmallFiles.isPossible,
            "needs ffmpeg, ImageMagick and the tools of WebP, AVIF, HEIC and animated PNG"))
    func everyKind() throws {
        let files = try SmallFiles()
        let kinds = SmallFiles.Kind.allCases
        try FileManager.default.createDirectory(
            atPath: folder.file("in"), withIntermediateDirectories: true)
        for (number, kind) in kinds.enumerated() {
            let ending = kind.name.split(separator: ".").last ?? ""
            try Data(files.bytes(of: kind))
                .write(to: URL(fileURLWithPath: folder.file("in/\(10 + number).\(ending)")))
        }
        try Data("no movie".utf8).write(to: URL(fileURLWithPath: folder.file("in/notes.txt")))
        let result = try start(["in", "-t", "200ms", "-o", "out/%n.mp4"]).wait()
        let wanted = kinds.indices.map { "out/\(10 + $0).mp4\n" }.joined()
        #expect(result.outputText == wanted, "\(result.outputText) \(result.errorText)")
    }

    @Test("into WebM frames are encoded in VP9 and audio in Opus, every frame at its time")
    func webm() throws {
        try GeneratedClip().write(to: folder.file("in.mp4"))
        let result = try start(["in.mp4", "-o", "out.webm"]).wait()
        #expect(result.status == 0, "\(result.errorText)")
        let oracle = MovieOracle(folder.file("out.webm"))
        let source = MovieOracle(folder.file("in.mp4"))
        #expect(try oracle.frameNumbers() == source.frameNumbers())
        let (times, wanted) = (try oracle.presentationTimes(), try source.presentationTimes())
        #expect(times.count == wanted.count)
        #expect(zip(times, wanted).allSatisfy { abs($0 - $1) < 0.002 })
    }

    private func tags(_ name: String) throws -> [String] {
        let result = try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-show_entries",
            "stream=codec_type:stream_tags=language,title,handler_name",
            "-of", "csv=p=0", folder.file(name),
        ])
        return result.outputText.split(whereSeparator: \.isNewline).map(String.init)
    }

    @Test("languages, names and subtitles go along, whether pictures are copied or encoded")
    func texts() throws {
        let lines = [
            SubtitledClip.Line(200, 900, "Guten Tag"),
            SubtitledClip.Line(1200, 3000, "zwei\nZeilen"),
        ]
        let clip = SubtitledClip([
            .init("deu", lines), .init("fra", [SubtitledClip.Line(500, 2500, "Bonjour")]),
        ])
        try clip.write(to: folder.file("plain.mp4"))
        try ffmpeg([
            "-i", "plain.mp4", "-map", "0", "-c", "copy", "-metadata:s:v:0", "handler_name=Kamera",
            "-metadata:s:a:0", "handler_name=Mikrofon", "-metadata:s:a:0", "language=ita", "in.mp4",
        ])
        for (output, options, work) in [
            ("copy.mp4", [], "copied"), ("copy.mov", [], "copied"), ("copy.mkv", [], "copied"),
            ("coded.mp4", ["--crf", "20"], "encoded"), ("coded.mkv", ["--crf", "20"], "encoded"),
        ] {
            let report = try convert(["in.mp4", "-o", output] + options).report
            #expect(report.tracks.map(\.work) == [work, "copied"], "\(output)")
            let wanted = [
                Reports.File.Text(language: "deu", cues: 2), .init(language: "fra", cues: 1),
            ]
            #expect(report.textTracks.count == 2, "\(report.textTracks)")
            #expect(report.textTracks.map(\.cues) == wanted.map(\.cues), "\(report.textTracks)")
            #expect(report.notes.isEmpty, "\(output): \(report.notes)")
            let made = MovieOracle(folder.file(output))
            // Matroska moves the whole movie behind the priming of its sound
            let start = Int(try #require(made.presentationTimes().first) * 1000)
            #expect(output.hasSuffix("mkv") || start == 0, "\(output): \(start)")
            for (track, meant) in clip.tracks.enumerated() {
                let found = try made.subtitles(track: track)
                #expect(found.map(\.text) == meant.lines.map(\.text), "\(output): \(found)")
                for (one, other) in zip(found, meant.lines) {
                    let isNear =
                        abs(one.start - start - other.start) <= 1
                        && abs(one.end - start - other.end) <= 1
                    #expect(isNear, "\(output): \(one) \(other)")
                }
            }
            let tags = try tags(output)
            #expect(tags.count == 4, "\(output): \(tags)")
            func tag(_ kind: String) -> String { tags.first { $0.hasPrefix(kind) } ?? "" }
            #expect(tag("video").contains("Kamera"), "\(output): \(tags)")
            #expect(tag("audio").contains("Mikrofon"), "\(output): \(tags)")
            #expect(tag("audio").contains("ita"), "\(output): \(tags)")
            // ISO 639-2 has two codes of German
            #expect(["deu", "ger"].contains { tag("subtitle").contains($0) }, "\(output): \(tags)")
        }
    }

    @Test("a preset that the chosen codec's encoder does not have is reported, and not asked for")
    func presetWithoutUse() throws {
        try ffmpeg([
            "-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2", "-c:v", "ffv1", "a.mkv",
        ])
        let result = try start([
            "a.mkv", "-s", "32x24", "--encoder-preset", "slow", "-o", "b.mkv",
        ]).wait()
        #expect(result.status == 0, "\(result.errorText)")
        #expect(
            result.errorText.contains(
                "The preset slow is left out of track 1: its frames are written as ffv1, which has no "
                    + "presets."), "\(result.errorText)")
    }
}
