import Foundation
import Media
import TestSupport
import Testing

@testable import Reading

@Suite("Reading text tracks", .enabled(if: MovieOracle.isAvailable, "ffmpeg makes the movies"))
struct TextReadingTests {
    typealias Line = SubtitledClip.Line
    private let folder: TemporaryFolder
    private static let lines = [
        Line(0, 800, "First"), Line(1000, 2000, "Zwei\nZeilen"),
        Line(2500, 3900, "<i>Last</i> & least"),
    ]
    private static let wanted = [
        Line(0, 800, "First"), Line(1000, 2000, "Zwei\nZeilen"), Line(2500, 3900, "Last & least"),
    ]

    init() throws { folder = try TemporaryFolder() }

    private func lines(_ asset: Asset, _ track: AssetTrack, _ range: MediaTimeRange? = nil) throws
        -> [Line]
    {
        let output = try AssetReaderTrackOutput(asset: asset, track: track, settings: .text)
        let reader = AssetReader()
        try reader.add(output)
        if let range { reader.timeRange = range }
        try reader.start()
        var lines: [Line] = []
        while let sample = try output.next() {
            let start = sample.presentationTime
            let end = start + (sample.duration ?? .zero)
            lines.append(
                Line(
                    Int(start.ticks(per: 1000, rounding: .nearest)),
                    Int(end.ticks(per: 1000, rounding: .nearest)), sample.text ?? "?"))
        }
        return lines
    }

    @Test(
        "cues come with their text and times from every container",
        arguments: [
            ("mp4", "mov_text"), ("mov", "mov_text"), ("mkv", "srt"), ("mkv", "webvtt"),
            ("mkv", "ass"),
        ])
    func containers(ending: String, coding: String) throws {
        let path = folder.file("a.\(ending)")
        var clip = SubtitledClip([
            .init("eng", Self.lines), .init("deu", [Line(500, 1500, "Hallo")]),
        ])
        clip.coding = coding
        try clip.write(to: path)
        let asset = try Asset.load(path)
        let texts = asset.tracks.filter { $0.mediaType == .text }
        // of QuickTime's languages ffmpeg 5.1 writes English only
        #expect(texts.map(\.language) == ["eng", ending == "mov" ? nil : "deu"])
        #expect(
            texts.map { $0.format?.text?.codec?.rawValue }
                == Array(
                    repeating: coding == "srt" ? "subrip" : coding, count: 2))
        #expect(try lines(asset, texts[0]) == Self.wanted)
        #expect(try lines(asset, texts[1]) == [Line(500, 1500, "Hallo")])
        let part = MediaTimeRange(start: .milliseconds(1500), duration: .milliseconds(1500))
        #expect(
            try lines(asset, texts[0], part)
                == [Line(1500, 2000, "Zwei\nZeilen"), Line(2500, 3000, "Last & least")])
        // text makes nothing longer, and the other tracks are read as ever
        #expect(abs(asset.duration.approximateSeconds - 4) < 0.06)
        let video = try #require(asset.tracks.first { $0.mediaType == .video })
        #expect(video.sampleCount == 100)
    }

    @Test("WebVTT of WebM is text too")
    func webm() throws {
        let path = folder.file("a.webm")
        var clip = SubtitledClip([.init("eng", Self.lines)])
        clip.coding = "webvtt"
        clip.others = ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]
        try clip.write(to: path)
        let asset = try Asset.load(path)
        let text = try #require(asset.tracks.first { $0.mediaType == .text })
        // Opus begins 7 ms before the frames, and text with them
        let start = Int(try #require(asset.tracks.first).start.ticks(per: 1000, rounding: .nearest))
        #expect(
            try lines(asset, text)
                == Self.wanted.map { Line($0.start + start, $0.end + start, $0.text) })
    }

    @Test("coded samples of text come as they are, an edit list moves the cues")
    func codedAndMoved() throws {
        let path = folder.file("a.mp4")
        try SubtitledClip([.init("eng", Self.lines)]).write(to: path)
        let late = folder.file("late.mp4")
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-itsoffset", "1.5", "-i", path, "-map", "0", "-c", "copy", late,
        ])
        #expect(result.status == 0, "\(result.errorText)")
        let asset = try Asset.load(path)
        let text = try #require(asset.tracks.first { $0.mediaType == .text })
        let output = try AssetReaderTrackOutput(asset: asset, track: text)
        let reader = AssetReader()
        try reader.add(output)
        try reader.start()
        let first = try #require(try output.next())
        #expect(Array(first.block?.bytes.prefix(7) ?? []) == [0, 5] + Array("First".utf8))
        #expect(first.text == nil)
        let moved = try Asset.load(late)
        let movedText = try #require(moved.tracks.first { $0.mediaType == .text })
        #expect(
            try lines(moved, movedText).map { "\($0.start) \($0.text)" }
                == Self.wanted.map { "\($0.start + 1500) \($0.text)" })
    }

    @Test("more text than is allowed is refused in a sentence")
    func limits() throws {
        let path = folder.file("a.mp4")
        try SubtitledClip([.init("eng", Self.lines)]).write(to: path)
        let asset = try Asset.load(path)
        let text = try #require(asset.tracks.first { $0.mediaType == .text })
        for (cues, bytes) in [(1, 1 << 20), (100, 10)] {
            var limits = Asset.TextLimits()
            (limits.cues, limits.bytes) = (cues, bytes)
            let error = #expect(throws: MediaError.self) {
                try asset.cues(of: text, limits: limits)
            }
            #expect(error?.code == .unsupported)
            #expect(error?.message.hasSuffix("it is more text than any film has.") == true)
        }
        #expect(throws: MediaError.self) { try asset.cues(of: asset.tracks[0]) }
    }

    @Test("chapters of QuickTime are no text track, other settings than text are refused for one")
    func chapters() async throws {
        let path = folder.file("a.mp4")
        try SubtitledClip([.init("eng", Self.lines)]).write(to: path)
        let marks = folder.file("chapters.txt")
        try ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=One\n"
            .write(toFile: marks, atomically: true, encoding: .utf8)
        let both = folder.file("b.mp4")
        let tool = try #require(Program.tool("ffmpeg"))
        let result = try tool.run([
            "-v", "error", "-i", path, "-i", marks, "-map", "0", "-map_chapters", "1", "-c", "copy",
            both,
        ])
        #expect(result.status == 0, "\(result.errorText)")
        let asset = try Asset.load(both)
        #expect(asset.markers.map(\.text) == ["One"])
        #expect(asset.tracks.map(\.mediaType) == [.video, .audio, .text])
        let error = #expect(throws: MediaError.self) {
            try AssetReaderTrackOutput(
                asset: asset, track: asset.tracks[2], settings: .frames(nil))
        }
        #expect(error?.code == .invalidSetting)
        #expect(throws: MediaError.self) {
            try AssetReaderTrackOutput(asset: asset, track: asset.tracks[0], settings: .text)
        }
    }
}
