import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Movie
@testable import Reading

@Suite("Damaged sources of a film", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct DamagedSourceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Overwrites some coded samples of a track.
    private func damage(_ path: String, _ type: MediaType, _ which: Range<Int>) throws {
        let io = try SystemFileIO(opening: path, writable: true)
        defer { io.close() }
        let movie = try MovieFile(io: io, name: path)
        let track = try #require(movie.tracks.first { $0.header.mediaType == type })
        for sample in track.samples[which] {
            try io.writeAll(Array(repeating: 0xFF, count: Int(sample.size)), at: sample.offset)
        }
    }

    @Test(
        "frames and audio that cannot be decoded are counted once, with or without a measuring pass",
        arguments: [nil, LoudnessTarget(integrated: -20)])
    func counted(_ loudness: LoudnessTarget?) async throws {
        let clip = try await NumberedClip(frames: 60).write(to: folder.file("a.mp4"))
        try damage(clip.path, .audio, 30..<33)
        try damage(clip.path, .video, 40..<42)
        var timeline = Timeline(videos: [VideoItem(clip.path)])
        timeline.settings.loudness = loudness
        let film = try TimelineBuilder.film(loading: timeline)
        let report = try await ExportSession(film).export(to: folder.file("film.mp4"))
        #expect(report.frames == 60)
        #expect(report.damagedAudio == 3)
        #expect(report.damagedFrames == 2)
        #expect(report.notes.contains { $0.contains("a.mp4") && $0.contains("decoded") })
    }

    @Test("a source that is cut off is reported, though its index promises all of it")
    func cutOff() async throws {
        let clip = try await NumberedClip(frames: 60).write(to: folder.file("whole.mp4"))
        var settings = ExportSettings()
        settings.isNetworkReady = true
        let session = ExportSession(
            try TimelineBuilder.film(loading: Timeline(videos: [VideoItem(clip.path)])),
            settings: settings)
        // the index in front, and two thirds of what it names
        _ = try await session.export(to: folder.file("front.mp4"))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("front.mp4")))
        let path = folder.file("cut.mp4")
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(fileURLWithPath: path))
        let film = try TimelineBuilder.film(loading: Timeline(videos: [VideoItem(path)]))
        let report = try await ExportSession(film).export(to: folder.file("film.mp4"))
        #expect(report.notes.contains { $0.contains("cut.mp4 is cut off") }, "\(report.notes)")
    }

    @Test("a whole source is not called damaged")
    func whole() async throws {
        let clip = try await NumberedClip(frames: 30).write(to: folder.file("a.mp4"))
        let film = try TimelineBuilder.film(loading: Timeline(videos: [VideoItem(clip.path)]))
        let report = try await ExportSession(film).export(to: folder.file("film.mp4"))
        #expect(report.damagedAudio == 0 && report.damagedFrames == 0)
        #expect(!report.notes.contains { $0.contains("damaged") })
    }
}
