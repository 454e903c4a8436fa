import Foundation
import Media
import Reading
import TestSupport
import Testing

@testable import Compose

/// Which picture each frame of a film shows, by arithmetic of its own.
@Suite("Numbered pictures as clips", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct SequenceFilmTests {
    private let folder: TemporaryFolder
    private let pattern: String

    init() throws {
        folder = try TemporaryFolder()
        pattern = folder.file("a%04d.png")
        try GrayPictures.write(pattern, 0...39)
    }

    private func shown(
        _ timeline: Timeline, _ settings: ExportSettings = ExportSettings()
    ) async throws -> [Int?] {
        let film = try await Film(loading: timeline)
        let path = folder.file("film.mp4")
        var settings = settings
        settings.overwrites = true
        _ = try await ExportSession(film, settings: settings).export(to: path)
        return try GrayPictures.numbers(path)
    }

    private func remove(_ numbers: Int...) throws {
        for number in numbers {
            let name = String(format: "a%04d.png", number)
            try FileManager.default.removeItem(atPath: folder.file(name))
        }
    }

    private var item: VideoItem { VideoItem(pattern, as: ImageSequence(rate: FrameRate(24))) }

    @Test("each picture shows as long as its rate says, and the film has that rate")
    func whole() async throws {
        let film = try await Film(loading: Timeline(videos: [item]))
        #expect(film.videoComposition?.frameDuration == FrameRate(24).frameDuration)
        #expect(film.videoComposition?.renderSize == PixelSize(width: 64, height: 48))
        #expect(film.composition.duration == MediaTime(value: 40, timescale: 24))
        var slow = item
        slow.sequence?.rate = FrameRate(25, per: 2)
        let other = try await Film(loading: Timeline(videos: [slow]))
        #expect(other.videoComposition?.frameDuration == MediaTime(value: 2, timescale: 25))
        #expect(film.inputPaths == (0..<40).map { folder.file(String(format: "a%04d.png", $0)) })
        #expect(try await shown(Timeline(videos: [item])) == Array(0..<40))
    }

    @Test("of photographs the film has the usual colours, and at most 4096 pixels a side")
    func photographs() async throws {
        for (width, height, wanted) in [(1280, 960, 1280), (5000, 2500, 4096), (640, 480, 640)] {
            let name = folder.file("p\(width)-%02d.jpg")
            try GrayPictures.write(name, 0...1, width: width, height: height)
            let clip = VideoItem(name, as: ImageSequence(rate: FrameRate(30_000, per: 1001)))
            let film = try await Film(loading: Timeline(videos: [clip]))
            let video = try #require(film.videoComposition)
            #expect(video.renderSize.width == wanted)
            #expect(video.color == (height > 576 ? .bt709 : .bt601))
            #expect(video.frameDuration == MediaTime(value: 1001, timescale: 30_000))
        }
    }

    @Test("a part of it, at another speed, backwards, and standing still")
    func parts() async throws {
        var part = item
        part.start = MediaTime(value: 6, timescale: 24)
        part.end = MediaTime(value: 18, timescale: 24)
        #expect(try await shown(Timeline(videos: [part])) == Array(6..<18))
        var fast = part
        fast.speed = Speed(2)
        #expect(
            try await shown(Timeline(videos: [fast])) == Array(stride(from: 6, to: 18, by: 2)))
        var slow = part
        slow.speed = Speed(1, per: 3)
        #expect(try await shown(Timeline(videos: [slow])) == (0..<36).map { 6 + $0 / 3 })
        var back = part
        back.isReversed = true
        #expect(try await shown(Timeline(videos: [back])) == Array((6..<18).reversed()))
        back.speed = Speed(2)
        // of each two the one that comes first backwards
        #expect(
            try await shown(Timeline(videos: [back]))
                == Array(stride(from: 17, through: 7, by: -2)))
        var still = item
        still.start = MediaTime(value: 9, timescale: 24)
        still.freeze = MediaTime(value: 5, timescale: 24)
        #expect(try await shown(Timeline(videos: [still])) == Array(repeating: 9, count: 5))
    }

    @Test("steps, first and last numbers", arguments: [1, 2, 3, 7])
    func steps(_ step: Int) async throws {
        var own = item
        own.sequence?.step = step
        own.sequence?.first = 4
        own.sequence?.last = 31
        #expect(
            try await shown(Timeline(videos: [own]))
                == Array(stride(from: 4, through: 31, by: step)))
    }

    @Test(
        "another rate than the film's",
        arguments: [
            FrameRate(12), FrameRate(48), FrameRate(10), FrameRate(24_000, per: 1001),
            FrameRate(25),
        ])
    func rates(_ rate: FrameRate) async throws {
        var own = item
        own.sequence?.rate = rate
        let film = FrameRate(24)
        let settings = TimelineSettings(frameRate: film)
        let found = try await shown(Timeline(settings: settings, videos: [own]))
        // the picture on show when a frame of the film begins
        let expected = found.indices.map { frame -> Int in
            let (seconds, per) = (Int64(frame), Int64(24))
            let ticks = seconds * Int64(rate.numerator)
            return min(39, Int(ticks / (per * Int64(rate.denominator))))
        }
        #expect(found == expected)
        let exact = 40 * 24 * Double(rate.denominator) / Double(rate.numerator)
        #expect(abs(Double(found.count) - exact) <= 1)
    }

    @Test("where numbers are missing the clip is refused, or what is wanted shows")
    func gaps() async throws {
        try remove(7, 8, 20)
        var own = item
        let error = await #expect(throws: MediaError.self) {
            try await Film(loading: Timeline(videos: [own]))
        }
        #expect(error?.code == .noSuchFile && error?.subject == folder.file("a0007.png"))
        #expect(
            error?.message.hasPrefix(
                "2 pictures are missing, from \(folder.file("a0007.png")) to "
                    + "\(folder.file("a0008.png")): ") ?? false)
        func expected(_ missing: (Int) -> Int?) -> [Int?] {
            (0..<40).map { [7, 8, 20].contains($0) ? missing($0) : $0 }
        }
        own.sequence?.gaps = .hold
        #expect(try await shown(Timeline(videos: [own])) == expected { $0 == 20 ? 19 : 6 })
        own.sequence?.gaps = .black
        #expect(try await shown(Timeline(videos: [own])) == expected { _ in nil })
        own.sequence?.gaps = .ignore
        #expect(
            try await shown(Timeline(videos: [own]))
                == (0..<40).filter { ![7, 8, 20].contains($0) })
        // what is not shown may be missing
        own.sequence?.gaps = .error
        own.sequence?.last = 6
        #expect(try await shown(Timeline(videos: [own])) == Array(0..<7))
        // until a last number that is not there
        own.sequence?.first = 36
        own.sequence?.last = 41
        own.sequence?.gaps = .hold
        #expect(try await shown(Timeline(videos: [own])) == [36, 37, 38, 39, 39, 39])
        own.sequence?.gaps = .black
        #expect(try await shown(Timeline(videos: [own])) == [36, 37, 38, 39, nil, nil])
        // nothing before the first
        own.sequence?.first = 20
        own.sequence?.gaps = .hold
        await #expect(throws: MediaError.self) {
            try await Film(loading: Timeline(videos: [own]))
        }
    }

    @Test("sequences of one pattern are as many sources as there are ways to show it")
    func identities() async throws {
        var other = item
        other.sequence?.first = 10
        other.end = MediaTime(value: 5, timescale: 24)
        var slow = other
        slow.sequence?.rate = FrameRate(12)
        slow.end = MediaTime(value: 6, timescale: 24)
        var stepped = other
        stepped.sequence?.step = 3
        var first = item
        first.end = MediaTime(value: 3, timescale: 24)
        #expect(
            try await shown(Timeline(videos: [first, other, slow, stepped])) == [
                0, 1, 2, 10, 11, 12, 13, 14, 10, 10, 11, 11, 12, 12, 10, 13, 16, 19, 22,
            ])
    }

    @Test("over other clips, and from one to the other")
    func overlays() async throws {
        var over = item
        over.at = MediaTime(value: 10, timescale: 24)
        over.end = MediaTime(value: 10, timescale: 24)
        let timeline = Timeline(
            videos: [VideoItem(.color(.black), duration: MediaTime(value: 30, timescale: 24))],
            overlays: [OverlayTrack([over])])
        let expected =
            Array(repeating: Int?.none, count: 10) + (0..<10).map { Int?.some($0) }
            + Array(repeating: Int?.none, count: 10)
        #expect(try await shown(timeline) == expected)
        var next = item
        next.transition = .dissolve(MediaTime(value: 10, timescale: 24))
        let mixed = try await shown(Timeline(videos: [item, next]))
        #expect(mixed.count == 70)
        #expect(Array(mixed[..<30]) == Array(0..<30) && Array(mixed[40...]) == Array(10..<40))
    }

    @Test("its frames are encoded where others' are copied, and it cannot be copied alone")
    func copying() async throws {
        var settings = ExportSettings(preset: .passthrough)
        let film = try await Film(loading: Timeline(videos: [item]))
        let error = #expect(throws: MediaError.self) {
            try ExportPlanner(film: film, settings: settings).plan(SourceShelf(film.assets))
        }
        #expect(error?.message.contains("pictures are not coded as a movie is") ?? false)
        settings = ExportSettings()
        settings.copying = .whereUntouched
        #expect(try await shown(Timeline(videos: [item]), settings) == Array(0..<40))
    }

    @Test("pictures of several kinds and colours, of one size, are one sequence")
    func kinds() async throws {
        // opaque colour, gray with opacity, and a JPEG under the same name
        try PictureFiles.make(
            folder.file("a0003.png"), "color=0x202020:s=64x48,format=rgb24", ["-y"])
        try PictureFiles.make(
            folder.file("a0005.png"), "color=0x282828:s=64x48,format=rgba", ["-y"])
        try PictureFiles.make(
            folder.file("a0007.png"), "color=0x303030:s=64x48",
            ["-y", "-c:v", "mjpeg", "-q:v", "2", "-f", "image2"])
        #expect(try await shown(Timeline(videos: [item])) == Array(0..<40))
    }
}
