import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite(
    "Still pictures and animations as clips", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct StillClipTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = folder.file(name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func export(_ timeline: Timeline) async throws -> (path: String, ExportReport) {
        let path = folder.file("film.mp4")
        let film = try await Film(loading: timeline)
        return (path, try await ExportSession(film).export(to: path))
    }

    @Test("each frame of a GIF stays as long as its delay says, the last one too")
    func delays() async throws {
        // 0 and 1 are 10 hundredths, as browsers have it
        let delays = [7, 0, 1, 2, 3, 30, 11]
        let path = try write("a.gif", PictureFiles.gif(delays: delays))
        let asset = try Asset.load(path)
        #expect(asset.duration == MediaTime(value: 73, timescale: 100))
        #expect(asset.container == "gif" && !asset.tracks[0].isStill)
        let (film, report) = try await export(
            Timeline(
                settings: TimelineSettings(frameRate: FrameRate(50)), videos: [VideoItem(path)]))
        #expect(report.duration == MediaTime(value: 73, timescale: 100))
        var ends: [Int] = []
        for delay in delays { ends.append((ends.last ?? 0) + (delay < 2 ? 10 : delay)) }
        let shown = try PictureFiles.grayFrames(film, columns: 1).map { frame in
            PictureFiles.index(ofLevel: frame[0])
        }
        // two hundredths each
        let expected: [Int?] = (0..<37).map { frame in
            let index = ends.firstIndex { $0 > 2 * frame } ?? 6
            return 1 + index
        }
        #expect(shown == expected)
    }

    @Test("a GIF of even delays makes a film in which every frame comes at its instant")
    func evenDelays() async throws {
        let path = try write("a.gif", PictureFiles.gif(delays: [10, 10, 10]))
        let film = try TimelineBuilder.film(loading: Timeline(videos: [VideoItem(path)]))
        #expect(film.videoComposition?.frameDuration == FrameRate(30).frameDuration)
        #expect(!film.notes.contains { $0.contains("a second") })
    }

    @Test("what is transparent in a GIF or PNG shows the background")
    func transparency() async throws {
        let gif = try write(
            "a.gif", PictureFiles.gif(delays: [50, 50], width: 64, height: 64, isHalfClear: true))
        let png = folder.file("b.png")
        try PictureFiles.make(
            png,
            "color=c=0x2828ff@1:s=64x64,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':"
                + "a='if(lt(X,32),255,0)'")
        let settings = TimelineSettings(
            renderSize: PixelSize(width: 64, height: 64), frameRate: FrameRate(10),
            background: Color(red: 0, green: 1, blue: 0), stillDuration: .milliseconds(500))
        let (film, report) = try await export(
            Timeline(settings: settings, videos: [VideoItem(gif), VideoItem(png)]))
        #expect(report.frames == 15)
        let frames = try PictureFiles.colorFrames(film, columns: 4)
        for (index, frame) in frames.enumerated() {
            // the last quarter is background, the first the clip's
            let isBackground = frame[9] < 20 && frame[10] > 235 && frame[11] < 20
            #expect(isBackground, "\(index): \(frame)")
            let isGray = abs(Int(frame[2]) - Int(frame[0])) < 8
            #expect(index >= 10 ? frame[2] > 230 : isGray, "\(index): \(frame)")
        }
    }

    @Test("a still picture shows for the usual time, or as long as it is set")
    func lengths() async throws {
        let clip = try await NumberedClip(frames: 15).write(to: folder.file("a.mp4"))
        let png = folder.file("b.png")
        try PictureFiles.make(png, "color=c=white:s=192x108")
        let asset = try Asset.load(png)
        #expect(asset.container == "png" && asset.duration == .zero && asset.tracks[0].isStill)
        let timeline = Timeline(
            videos: [
                VideoItem(png, end: .milliseconds(700)), VideoItem(clip.path),
                VideoItem(png, start: .seconds(1), end: .milliseconds(1500)),
            ])
        let (film, report) = try await export(timeline)
        // size and rate are the movie's, though a still picture comes first
        #expect(report.size == PixelSize(width: 192, height: 108))
        #expect(report.frames == 21 + 15 + 15)
        let numbers = try MovieOracle(film).frameNumbers()
        #expect(Array(numbers[21..<36]) == Array(0..<15))
        let white = (1 << FrameStrip.cells) - 1
        #expect(numbers[..<21].allSatisfy { $0 == white })
        #expect(numbers[36...].allSatisfy { $0 == white })
        let usual = try TimelineBuilder.film(loading: Timeline(videos: [VideoItem(png)]))
        #expect(usual.composition.duration == .seconds(4))
        var settings = TimelineSettings()
        settings.stillDuration = .seconds(7)
        let longer = Timeline(settings: settings, videos: [VideoItem(png)])
        #expect(
            try TimelineBuilder.film(loading: longer).composition.duration == .seconds(7))
    }

    @Test("a project says how long a still picture shows, and keeps it when it is written")
    func project() throws {
        try PictureFiles.make(folder.file("b.png"), "color=c=white:s=64x36")
        let path = try write(
            "film.vcap.json5",
            Array(
                """
                { stillDuration: "2s", videos: [
                  "b.png", { file: "b.png", duration: 1.5 },
                  { file: "b.png", start: 1, duration: "1001/30000" },
                ] }
                """.utf8))
        let timeline = try ProjectFile.read(path)
        let film = try TimelineBuilder.film(loading: timeline)
        let last = MediaTime(value: 1001, timescale: 30_000).timelineTicks
        #expect(
            film.composition.duration.timelineTicks == MediaTime.milliseconds(3500)
                .timelineTicks + last)
        let text = try ProjectFile.text(of: timeline, in: folder.path)
        let again = try write("again.vcap.json5", Array(text.utf8))
        #expect(try ProjectFile.read(again) == timeline)
        let both = try write(
            "both.vcap.json5", Array("{ videos: [{ file: \"b.png\", end: 2, duration: 1 }] }".utf8))
        #expect(throws: MediaError.self) { try ProjectFile.read(both) }
    }

    @Test("a photograph stands upright in a film, rotated once", arguments: [1, 3, 6, 8])
    func orientation(_ value: Int) async throws {
        let path = folder.file("photo.jpg")
        try PictureFiles.make(
            path, "color=c=red:s=64x32,drawbox=x=32:w=32:h=32:c=blue:t=fill",
            ["-q:v", "2", "-pix_fmt", "yuvj444p"])
        try PictureFiles.rotate(path, orientation: UInt8(value))
        let (film, report) = try await export(
            Timeline(videos: [VideoItem(path, end: .milliseconds(100))]))
        let isTall = value > 4
        #expect(
            report.size == PixelSize(width: isTall ? 32 : 64, height: isTall ? 64 : 32))
        let frame = try PictureFiles.colorFrames(
            film, columns: isTall ? 1 : 2, rows: isTall ? 2 : 1)[0]
        let isRedFirst = value == 1 || value == 6
        let (first, last) = (frame[0] > frame[2], frame[3] > frame[5])
        #expect(first == isRedFirst)
        #expect(last == !isRedFirst)
        #expect(try MovieOracle(film).frameNumbers().count == 3)
        #expect(try Asset.load(film).tracks[0].orientation == .upright)
    }

    @Test("a photograph of many pixels makes no film of as many")
    func large() throws {
        let path = folder.file("large.jpg")
        try PictureFiles.make(path, "color=c=gray:s=3000x4000", ["-pix_fmt", "yuvj420p"])
        let film = try TimelineBuilder.film(loading: Timeline(videos: [VideoItem(path)]))
        // standing, as it is
        #expect(film.videoComposition?.renderSize == PixelSize(width: 1080, height: 1440))
        #expect(film.videoComposition?.frameDuration == FrameRate(30).frameDuration)
    }

    @Test("torn and oversize picture files are refused in one sentence")
    func refusals() throws {
        let (png, jpeg) = (folder.file("a.png"), folder.file("a.jpg"))
        try PictureFiles.make(png, "testsrc=s=320x180")
        try PictureFiles.make(jpeg, "testsrc=s=320x180", ["-pix_fmt", "yuvj420p"])
        func part(_ path: String, _ share: Double) throws -> [UInt8] {
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            return Array(bytes.prefix(Int(Double(bytes.count) * share)))
        }
        var huge = try part(png, 1)
        // width and height in IHDR
        huge.replaceSubrange(16..<24, with: [0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF])
        var hugeGIF = PictureFiles.gif(delays: [5])
        hugeGIF.replaceSubrange(6..<10, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let files: [(name: String, bytes: [UInt8])] = [
            ("torn.png", try part(png, 0.9)), ("torn.jpg", try part(jpeg, 0.9)),
            ("head.png", try part(png, 0.01)), ("huge.png", huge), ("huge.gif", hugeGIF),
            ("torn.gif", Array(PictureFiles.gif(delays: [5, 5]).prefix(60))),
        ]
        for (name, bytes) in files {
            let path = try write(name, bytes)
            let error = try #require(
                #expect(throws: MediaError.self, "\(name) was taken") {
                    let timeline = Timeline(videos: [VideoItem(path)])
                    let film = try TimelineBuilder.film(loading: timeline)
                    _ = try FilmStills(film).frame(at: .zero)
                })
            let expected: [MediaError.Code] =
                name.hasPrefix("huge") ? [.overLimit] : [.damagedFile, .unsupported]
            #expect(expected.contains(error.code), "\(name): \(error.code) \(error)")
            #expect(!error.message.dropLast().contains(". "), "\(error.message)")
        }
    }
}
