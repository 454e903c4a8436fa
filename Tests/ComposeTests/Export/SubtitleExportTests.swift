import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Movie
@testable import Reading

@Suite("Subtitles of films", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct SubtitleExportTests {
    typealias Line = SubtitledClip.Line
    private let folder: TemporaryFolder
    private static let english = [
        Line(0, 1000, "One"), Line(1200, 2000, "Two\nlines"), Line(3000, 3800, "Three"),
    ]

    init() throws { folder = try TemporaryFolder() }

    private func clip(
        _ name: String, _ tracks: [SubtitledClip.Track], coding: String = "mov_text"
    ) throws -> Asset {
        var clip = SubtitledClip(tracks)
        clip.coding = coding
        try clip.write(to: folder.file(name))
        return try Asset.load(folder.file(name))
    }

    private func english(_ name: String, coding: String = "mov_text") throws -> Asset {
        try clip(name, [.init("eng", Self.english)], coding: coding)
    }

    private func export(
        _ film: Film, _ name: String, _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> ExportReport {
        var settings = ExportSettings()
        change(&settings)
        return try await ExportSession(film, settings: settings).export(to: folder.file(name))
    }

    /// A film's texts by our own reader, in milliseconds that must be whole ones.
    private func own(_ name: String, track: Int = 0) throws -> [Line] {
        let asset = try Asset.load(folder.file(name))
        let text = asset.tracks.filter { $0.mediaType == .text }[track]
        return try asset.cues(of: text).cues.map { cue in
            let start = cue.timeRange.start.scaled(to: 1000, rounding: .nearest)
            let end = cue.timeRange.end.scaled(to: 1000, rounding: .nearest)
            #expect(start == cue.timeRange.start && end == cue.timeRange.end)
            return Line(Int(start.value), Int(end.value), cue.text)
        }
    }

    private func expect(_ name: String, track: Int = 0, _ wanted: [Line]) throws {
        #expect(try own(name, track: track) == wanted)
        let oracle = MovieOracle(folder.file(name))
        // Matroska begins later by the priming of AAC
        let first = name.hasSuffix("mkv") ? try oracle.presentationTimes().first : nil
        let start = Int((1000 * (first ?? 0)).rounded())
        #expect(
            try oracle.subtitles(track: track)
                == wanted.map { Line($0.start + start, $0.end + start, $0.text) })
    }

    @Test(
        "trims and speeds move the cues to the tick, and cut those they cut",
        arguments: ["film.mp4", "film.mov", "film.mkv"])
    func trimmed(name: String) async throws {
        let sources = try ["a.mp4", "b.mkv"].map {
            try english($0, coding: $0.hasSuffix("mkv") ? "srt" : "mov_text")
        }
        let timeline = Timeline(videos: [
            VideoItem(sources[0].path, start: .milliseconds(400), end: .milliseconds(1600)),
            VideoItem(
                sources[1].path, start: .seconds(1), end: .milliseconds(3400),
                speed: Speed(2, per: 1)),
            VideoItem(
                sources[0].path, start: .seconds(3), end: .milliseconds(3600),
                speed: Speed(1, per: 2)),
        ])
        let report = try await export(
            try TimelineBuilder(timeline, assets: sources).film(), name)
        try expect(
            name,
            [
                Line(0, 600, "One"), Line(800, 1200, "Two\nlines"), Line(1300, 1700, "Two\nlines"),
                Line(2200, 2400, "Three"), Line(2400, 3600, "Three"),
            ])
        #expect(report.textTracks == [.init(language: "eng", cues: 5)])
        #expect(report.duration == .milliseconds(3600))
        #expect(report.notes.filter { $0.contains("its subtitles (eng) are carried") }.count == 3)
    }

    @Test(
        "in a transition the first clip's text ends where the second one's begins, languages apart")
    func transition() async throws {
        let first = try clip("a.mp4", [.init("eng", [Line(2000, 4000, "A")])])
        let second = try clip(
            "b.mp4",
            [.init("deu", [Line(0, 3000, "B deu")]), .init("eng", [Line(0, 3000, "B eng")])])
        let timeline = Timeline(videos: [
            VideoItem(first.path), VideoItem(second.path, transition: .dissolve(.seconds(1))),
        ])
        let film = try TimelineBuilder(timeline, assets: [first, second]).film()
        let report = try await export(film, "film.mp4")
        try expect("film.mp4", [Line(2000, 3500, "A"), Line(3500, 6000, "B eng")])
        try expect("film.mp4", track: 1, [Line(3500, 6000, "B deu")])
        #expect(report.textTracks.map(\.language) == ["eng", "deu"])
        #expect(try MovieOracle(folder.file("film.mp4")).subtitleTracks().count == 2)
    }

    @Test("a range, a copy and a film with the index in front have the texts of their time")
    func rangesAndCopies() async throws {
        let source = try english("a.mp4")
        let film = try TimelineBuilder(
            Timeline(videos: [VideoItem(source.path), VideoItem(source.path)]), assets: [source]
        ).film()
        let part = MediaTimeRange(start: .milliseconds(1600), duration: .seconds(3))
        let wanted = [
            Line(0, 400, "Two\nlines"), Line(1400, 2200, "Three"), Line(2400, 3000, "One"),
        ]
        _ = try await export(film, "part.mp4") {
            $0.range = part
            $0.isNetworkReady = true
        }
        try expect("part.mp4", wanted)
        let copied = try await export(film, "copy.mp4") {
            $0.preset = .passthrough
            $0.range = part
        }
        try expect("copy.mp4", wanted)
        #expect(copied.textTracks == [.init(language: "eng", cues: 3)])
        #expect(try MovieOracle(folder.file("copy.mp4")).frameNumbers().count >= 75)
    }

    @Test("edits of a composition move its cues, and overlapping tracks of a source stay apart")
    func edited() async throws {
        let source = try english("a.mp4")
        var composition = Composition()
        try composition.insert(source, at: .zero)
        try composition.remove(.milliseconds(500, 500))
        try composition.scale(.milliseconds(2500, 1000), toDuration: .seconds(2))
        try composition.insertEmpty(.milliseconds(200, 100))
        let film = Film(
            composition: composition,
            videoComposition: try VideoComposition(propertiesOf: composition, assets: [source]),
            assets: [source])
        _ = try await export(film, "film.mp4")
        try expect(
            "film.mp4",
            [
                Line(0, 200, "One"), Line(300, 600, "One"), Line(800, 1600, "Two\nlines"),
                Line(2600, 4200, "Three"),
            ])
    }

    @Test("what cannot be carried is said in a sentence")
    func notCarried() async throws {
        let source = try english("a.mkv", coding: "ass")
        let film = try TimelineBuilder(
            Timeline(videos: [VideoItem(source.path)]), assets: [source]
        ).film()
        #expect(
            film.notes.contains { $0.hasSuffix("are carried without their styles and positions") })
        let stream = try await export(film, "film.ts")
        #expect(
            stream.notes.contains(
                "film: its subtitles are left out, because a .ts file has no place for text; "
                    + "choose mp4, mov, mkv or webm"))
        #expect(stream.textTracks.isEmpty)
        let audio = try await export(film, "film.m4a") { $0.preset = .audioOnly }
        #expect(
            audio.notes.contains(
                "film: its subtitles are left out, because the film has no video to show them on"
            ))
        let carried = try await export(film, "film.mp4")
        try expect("film.mp4", Self.english)
        #expect(carried.textTracks.map(\.cues) == [3])
    }
}
