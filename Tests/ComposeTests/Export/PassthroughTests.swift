import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Movie
@testable import Reading
@testable import Writing

@Suite("Films of copied samples", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct PassthroughTests {
    private let folder: TemporaryFolder
    /// With frames that need later ones, and a sync sample every second.
    private static let coded = VideoOutputSettings(
        codec: .h264, rate: .quality(20), preset: "veryfast", keyFrameInterval: .seconds(1))

    init() throws { folder = try TemporaryFolder() }

    private func clip(_ name: String, frames: Int, first: Int = 0) async throws -> Asset {
        try await NumberedClip(frames: frames, firstNumber: first, video: Self.coded)
            .write(to: folder.file(name))
    }

    private func frames(_ count: Int64) -> MediaTime { MediaTime(value: count, timescale: 30) }

    private func film(_ items: [VideoItem], _ change: (inout Timeline) -> Void = { _ in }) throws
        -> Film
    {
        var timeline = Timeline(videos: items)
        change(&timeline)
        return try TimelineBuilder.film(loading: timeline)
    }

    private func settings(_ change: (inout ExportSettings) -> Void = { _ in }) -> ExportSettings {
        var settings = ExportSettings(preset: .passthrough)
        change(&settings)
        return settings
    }

    /// The coded samples of a track as they lie in the file.
    private func samples(_ path: String, _ type: MediaType) throws -> [[UInt8]] {
        let io = try SystemFileIO(opening: path, writable: false)
        defer { io.close() }
        let movie = try MovieFile(io: io, name: path)
        let track = try #require(movie.tracks.first { $0.header.mediaType == type })
        return try track.samples.map { try io.readAll(Int($0.size), at: $0.offset) }
    }

    /// The numbers of the frames shown at each thirtieth of a second, by our own reader.
    private func shown(_ path: String, _ count: Int) throws -> [Int] {
        let asset = try Asset.load(path)
        let track = try #require(asset.usable(.video))
        let cursor = try FrameCursor(asset: asset, track: track)
        defer { cursor.close() }
        return try (0..<count).map { frame in
            let time = MediaTime(value: Int64(3 * frame + 1), timescale: 90)
            return FrameStrip.number(in: try #require(cursor.picture(at: time).pixelBuffer))
        }
    }

    private func sound(_ asset: Asset, at frame: Int64, _ count: Int) throws -> [Float] {
        let track = try #require(asset.usable(.audio))
        let cursor = try AudioCursor(
            asset: asset, track: track,
            format: AudioFormat(coding: .raw(.float32), sampleRate: 48_000, channels: 1))
        defer { cursor.close() }
        return try cursor.read(at: frame, count: count).withUnsafeBytes {
            Array($0.bindMemory(to: Float.self))
        }
    }

    @Test(
        "two clips cut anywhere show every frame at its time, and their bytes are the sources'",
        arguments: ["mp4", "mov"])
    func joined(_ ending: String) async throws {
        let first = try await clip("a.mp4", frames: 90)
        let second = try await clip("b.mp4", frames: 60, first: 200)
        let path = folder.file("film.\(ending)")
        let film = try film([
            VideoItem(first.path, start: frames(20), end: frames(70)),
            VideoItem(second.path, start: frames(37), end: frames(51)),
        ])
        let report = try await ExportSession(film, settings: settings()).export(to: path)
        let expected = Array(20..<70) + Array(237..<251)
        #expect(report.duration == frames(64))
        #expect(report.frames == 64)
        #expect(try shown(path, 64) == expected)
        #expect(try MovieOracle(path).frameNumbers() == expected)
        let asset = try Asset.load(path)
        #expect(asset.tracks.allSatisfy { $0.duration == frames(64) })
        #expect(try #require(asset.usable(.video)).edits.count == 2)
        for type in [MediaType.video, .audio] {
            let own = try samples(path, type)
            let sources = try samples(first.path, type) + samples(second.path, type)
            #expect(!own.isEmpty && own.allSatisfy(Set(sources).contains))
        }
        // from the sync samples at 0 and at 30 on
        #expect(try samples(path, .video).first == samples(first.path, .video).first)
        // 0 to 69 of the first, 30 to 50 of the second, and what these need
        #expect((91...97).contains(try samples(path, .video).count))
        #expect(folder.contents == ["a.mp4", "b.mp4", "film.\(ending)"])
    }

    @Test("the audio is the sources' own, at its place to the frame")
    func heard() async throws {
        let first = try await clip("a.mp4", frames: 90)
        let second = try await clip("b.mp4", frames: 90)
        let path = folder.file("film.mp4")
        let film = try film([
            VideoItem(first.path, start: frames(20), end: frames(50)),
            VideoItem(second.path, start: frames(7), end: frames(67)),
        ])
        _ = try await ExportSession(film, settings: settings()).export(to: path)
        let asset = try Asset.load(path)
        // a beep in each: at 1 s of the first, at 1 and 2 s of the second
        for (own, source, place) in [
            (Int64(16_000), first, Int64(48_000)), (48_000 + 36_800, second, 48_000),
            (48_000 + 84_800, second, 96_000),
        ] {
            let heard = try sound(asset, at: own - 400, 4000)
            let original = try sound(source, at: place - 400, 4000)
            let most = zip(heard, original).map { abs($0 - $1) }.max() ?? 1
            #expect(most < 0.001, "\(own): \(most)")
            #expect((original.map(abs).max() ?? 0) > 0.3)
        }
    }

    @Test("a copied film is a source like any other: its edit lists are cut again")
    func again() async throws {
        let first = try await clip("a.mp4", frames: 90)
        let once = folder.file("once.mp4")
        let items = [
            VideoItem(first.path, start: frames(50), end: frames(80)),
            VideoItem(first.path, start: frames(5), end: frames(35)),
        ]
        _ = try await ExportSession(try film(items), settings: settings()).export(to: once)
        let path = folder.file("twice.mp4")
        let part = MediaTimeRange(start: frames(11), duration: frames(37))
        let session = ExportSession(
            try film([VideoItem(once)]), settings: settings { $0.range = part })
        let report = try await session.export(to: path)
        #expect(report.duration == frames(37))
        let expected = Array(61..<80) + Array(5..<23)
        #expect(try shown(path, 37) == expected)
        #expect(try MovieOracle(path).frameNumbers() == expected)
    }

    @Test("a split that continues in its source is copied once")
    func split() async throws {
        let first = try await clip("a.mp4", frames: 60)
        let film = try film([
            VideoItem(first.path, end: frames(25)), VideoItem(first.path, start: frames(25)),
        ])
        let plan = try ExportSession(film, settings: settings()).plan()
        #expect(plan.isCopied && plan.spans.count == 1 && plan.audioSpans.count == 1)
        let path = folder.file("film.mp4")
        let report = try await ExportSession(film, settings: settings()).export(to: path)
        #expect(report.frames == 60)
        #expect(try samples(path, .video) == samples(first.path, .video))
        #expect(try samples(path, .audio) == samples(first.path, .audio))
    }

    @Test("PCM is copied to the frame, with the index in front and chapters where they belong")
    func pcm() async throws {
        let source = folder.file("a.mov")
        let oracle = try #require(Program.tool("ffmpeg"))
        let made = try oracle.run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x36:r=25", "-f", "lavfi", "-i",
            "sine=f=440:r=48000", "-t", "3", "-c:v", "mjpeg", "-c:a", "pcm_s16le", source,
        ])
        try #require(made.status == 0, "\(made.errorText)")
        let path = folder.file("film.mov")
        let film = try film([
            VideoItem(source, start: .milliseconds(1160), end: .milliseconds(2440))
        ]) { $0.chapters = [Chapter("Half", at: .milliseconds(640))] }
        _ = try await ExportSession(film, settings: settings { $0.isNetworkReady = true })
            .export(to: path)
        let asset = try Asset.load(path)
        #expect(asset.duration == .milliseconds(1280))
        #expect(asset.markers.map(\.time) == [.milliseconds(640)])
        let count = 48 * 1280
        let original = try sound(Asset.load(source), at: 48 * 1160, count)
        #expect(try sound(asset, at: 0, count) == original)
        let frames = try PictureFiles.grayFrames(path, columns: 8, rows: 4)
        #expect(
            frames == Array(try PictureFiles.grayFrames(source, columns: 8, rows: 4)[29..<61]))
    }

    @Test(
        "spans of HEVC, in open groups of H.264, and of sources without decode times show the same",
        arguments: [
            (
                "a.mp4",
                [
                    "-c:v", "libx265", "-x265-params", "log-level=none:keyint=25:open-gop=0",
                    "-tag:v", "hvc1",
                ]
            ),
            ("a.mp4", ["-c:v", "libx264", "-x264-params", "open-gop=1:keyint=25:bframes=3"]),
            ("a.mkv", ["-c:v", "libx264", "-x264-params", "keyint=25:bframes=3"]),
        ])
    func openGroups(_ name: String, _ codec: [String]) async throws {
        let source = folder.file(name)
        let tool = try #require(Program.tool("ffmpeg"))
        let made = try tool.run(
            ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=128x72:r=25", "-t", "4"] + codec
                + ["-pix_fmt", "yuv420p", source])
        try #require(made.status == 0, "\(made.errorText)")
        let path = folder.file("film.mp4")
        let film = try film([
            VideoItem(source, start: .milliseconds(520), end: .milliseconds(1520)),
            VideoItem(source, start: .milliseconds(2200), end: .milliseconds(3000)),
        ])
        _ = try await ExportSession(film, settings: settings()).export(to: path)
        let frames = try PictureFiles.grayFrames(source, columns: 16, rows: 9)
        let copied = try PictureFiles.grayFrames(path, columns: 16, rows: 9)
        #expect(copied == Array(frames[13..<38] + frames[55..<75]))
    }

    @Test("HEVC that would continue from other frames is refused, and nothing is left")
    func openHEVC() async throws {
        let source = folder.file("a.mp4")
        let tool = try #require(Program.tool("ffmpeg"))
        let made = try tool.run([
            "-v", "error", "-f", "lavfi", "-i", "testsrc=s=128x72:r=25", "-t", "2", "-c:v",
            "libx265",
            "-x265-params", "log-level=none:keyint=25:open-gop=1", "-tag:v", "hvc1", "-pix_fmt",
            "yuv420p", source,
        ])
        try #require(made.status == 0, "\(made.errorText)")
        let film = try film([VideoItem(source), VideoItem(source, start: .milliseconds(1200))])
        let error = await #expect(throws: MediaError.self) {
            try await ExportSession(film, settings: settings()).export(to: folder.file("b.mp4"))
        }
        #expect(error?.code == .unsupported && error?.message.contains("HEVC") == true)
        #expect(folder.contents == ["a.mp4"])
    }

    @Test("what cannot be copied is named with its reason, and nothing is left")
    func refusals() async throws {
        let first = try await clip("a.mp4", frames: 60)
        let other = try await NumberedClip(frames: 30).write(to: folder.file("other.mp4"))
        let small = try await NumberedClip(width: 96, height: 54, frames: 30, video: Self.coded)
            .write(to: folder.file("small.mp4"))
        let mono = try await NumberedClip(frames: 30, channels: 2, video: Self.coded)
            .write(to: folder.file("stereo.mp4"))
        let still = folder.file("still.png")
        try PictureFiles.make(still, "color=c=white:s=192x108")
        let a = VideoItem(first.path)
        var faded = VideoItem(first.path)
        faded.transition = .dissolve(.milliseconds(500))
        let before = folder.contents
        let cases: [(says: [String], film: Film)] = [
            (["a.mp4", "transition"], try film([a, faded])),
            (["title"], try film([a]) { $0.titles = [TitleItem("Hello", duration: .seconds(1))] }),
            (["a.mp4", "speed"], try film([VideoItem(first.path, speed: Speed(2))])),
            (["other.mp4 at 2 s", "settings"], try film([a, VideoItem(other.path)])),
            (["small.mp4", "96x54"], try film([a, VideoItem(small.path)])),
            (["stereo.mp4", "2 channels"], try film([a, VideoItem(mono.path)])),
            (["a.mp4", "volume"], try film([VideoItem(first.path, volume: 0.5)])),
            (
                ["a.mp4", "low cut, gate and limiter"],
                try film([a]) {
                    $0.videos[0].treatment = AudioTreatment(
                        lowCut: 80, gate: NoiseGate(), limiter: -1)
                }
            ),
            (["a.mp4", "pan"], try film([a]) { $0.videos[0].pan = 0.5 }),
            (
                ["other audio"],
                try film([a]) { $0.voiceOvers = [AudioItem(other.path, at: .seconds(1))] }
            ),
            (["still.png", "picture"], try film([a, VideoItem(still)])),
            (["rate"], try film([a]) { $0.settings.frameRate = FrameRate(25) }),
            (["loudness"], try film([a]) { $0.settings.loudness = LoudnessTarget() }),
        ]
        for (says, film) in cases {
            let error = try #require(
                await #expect(throws: MediaError.self) {
                    try await ExportSession(film, settings: settings())
                        .export(to: folder.file("film.mp4"))
                })
            // how the clips are is theirs; the rest was asked for
            let isTheirs = ["other.mp4 at 2 s", "small.mp4", "stereo.mp4", "still.png"]
                .contains(says[0])
            #expect(error.code == (isTheirs ? .unsupported : .invalidSetting), "\(error)")
            for word in says { #expect(error.message.contains(word), "\(error)") }
            #expect(folder.contents == before)
        }
        let error = await #expect(throws: MediaError.self) {
            try await ExportSession(try film([a]), settings: settings())
                .export(to: folder.file("film.mkv"))
        }
        #expect(error?.code == .invalidSetting)
        #expect(folder.contents == before)
    }
}
