import Foundation
import LibAV
import Media
import TestSupport
import Testing
import Writing

@testable import Compose

/// Films whose untouched frames are copied as they are coded: every frame is the one that the arithmetic says, the
/// copied ones are the clips' own bytes, and other programs decode all of it.
@Suite("Films with copied frames", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct CopiedFramesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Groups of a second, with frames that are decoded before they are shown.
    private static let coding = VideoOutputSettings(
        codec: .h264, rate: .quality(14), preset: "veryfast", keyFrameInterval: .seconds(1))

    private func clip(
        _ name: String, from number: Int = 0, frames: Int = 240,
        coding: VideoOutputSettings = Self.coding
    ) async throws -> String {
        let path = folder.file(name)
        _ = try await NumberedClip(frames: frames, firstNumber: number, video: coding)
            .write(to: path)
        return path
    }

    private func film(
        _ videos: [VideoItem], titles: [TitleItem] = []
    ) async throws -> Film {
        let timeline = Timeline(videos: videos, titles: titles)
        return try await LoadedTimeline(loading: timeline).film()
    }

    private var settings: ExportSettings {
        var settings = ExportSettings()
        settings.copying = .whereUntouched
        settings.overwrites = true
        return settings
    }

    private func export(_ film: Film, to name: String = "film.mp4") async throws -> ExportReport {
        try await ExportSession(film, settings: settings).export(to: folder.file(name))
    }

    /// The bytes of each coded frame, by when it is shown (frames of 1/30 s).
    private func samples(_ path: String) throws -> [Int64: [UInt8]] {
        let demuxer = try Demuxer(path: path)
        var found: [Int64: [UInt8]] = [:]
        while case .sample(let track, let sample) = try demuxer.next() {
            guard demuxer.tracks[track].format.mediaType == .video else { continue }
            found[sample.presentationTime.ticks(per: 30, rounding: .nearest)] =
                sample.block?.withUnsafeBytes { Array($0) } ?? []
        }
        return found
    }

    /// Film frames that are copied.
    private func copied(_ plan: ExportPlan) -> [Int64] {
        plan.spans.filter { $0.work != .render }.flatMap { span in
            let from = span.range.start.ticks(per: 30, rounding: .nearest)
            return from..<span.range.end.ticks(per: 30, rounding: .nearest)
        }
    }

    @Test("under a title frames are encoded, the others are the clip's bytes")
    func title() async throws {
        let path = try await clip("a.mp4")
        let film = try await film(
            [VideoItem(path)], titles: [TitleItem("Hello", style: .plain, duration: .seconds(2))])
        let plan = try ExportSession(film, settings: settings).plan()
        #expect(plan.copiedFrames == 180)
        #expect(plan.spans.map(\.reason) == ["a title or watermark is drawn", nil])
        let report = try await export(film)
        #expect(report.copiedFrames == 180 && report.frames == 240)
        let (own, source) = (try samples(folder.file("film.mp4")), try samples(path))
        #expect(own.count == 240)
        for frame in copied(plan) { #expect(own[frame] == source[frame], "frame \(frame)") }
        for frame in 0..<Int64(60) { #expect(own[frame] != source[frame], "frame \(frame)") }
        let movie = MovieOracle(folder.file("film.mp4"))
        #expect(try Array(movie.frameNumbers().dropFirst(60)) == Array(60..<240))
        let times = try movie.presentationTimes()
        #expect(times.count == 240)
        for (frame, time) in times.enumerated() {
            #expect(abs(time - Double(frame) / 30) < 0.000_02, "frame \(frame)")
        }
    }

    @Test(
        "cuts inside groups and transitions encode up to the next group, and every frame is there")
    func cuts() async throws {
        let (one, other) = (try await clip("a.mp4"), try await clip("b.mp4", from: 500))
        // 43…182, 505…690 from frame 5 on, 15 frames of both
        let film = try await film([
            VideoItem(
                one, start: .init(value: 43, timescale: 30), end: .init(value: 183, timescale: 30)),
            VideoItem(
                other, start: .init(value: 5, timescale: 30), end: .init(value: 191, timescale: 30),
                transition: .dissolve(.init(value: 15, timescale: 30))),
        ])
        let report = try await export(film)
        #expect(report.frames == 140 + 186 - 15)
        #expect(report.copiedFrames > 200)
        let numbers = try MovieOracle(folder.file("film.mp4")).frameNumbers()
        let wanted = Array(43..<183) + Array(520..<691)
        #expect(numbers.count == wanted.count)
        for frame in numbers.indices where !(125..<140).contains(frame) {
            #expect(numbers[frame] == wanted[frame], "frame \(frame)")
        }
    }

    @Test("the last frames of a clip that is cut inside a group are there")
    func endInsideGroup() async throws {
        let path = try await clip("a.mp4")
        for end in [Int64(31), 47, 62, 89] {
            let film = try await film([
                VideoItem(path, start: .zero, end: .init(value: end, timescale: 30))
            ])
            let report = try await export(film)
            #expect(report.frames == end && report.copiedFrames >= 30)
            let numbers = try MovieOracle(folder.file("film.mp4")).frameNumbers()
            #expect(numbers == Array(0..<Int(end)))
        }
    }

    @Test(
        "clips of other H.264 are copied too, with their parameter sets numbered anew; others are encoded"
    )
    func foreign() async throws {
        let one = try await clip("a.mp4")
        let other = try await clip(
            "b.mp4", from: 500, frames: 90,
            coding: VideoOutputSettings(codec: .h264, rate: .quality(14), preset: "ultrafast"))
        let hevc = try await clip(
            "c.mp4", from: 700, frames: 30,
            coding: VideoOutputSettings(codec: .hevc, rate: .quality(14), preset: "ultrafast"))
        let film = try await film([VideoItem(one), VideoItem(other), VideoItem(hevc)])
        let plan = try ExportSession(film, settings: settings).plan()
        #expect(plan.copiedFrames == 330)
        #expect(
            plan.spans.map(\.reason) == [nil, nil, "c.mp4: it is HEVC, and the film is H.264"])
        _ = try await export(film)
        let movie = MovieOracle(folder.file("film.mp4"))
        #expect(
            try movie.frameNumbers() == Array(0..<240) + Array(500..<590) + Array(700..<730))
        let (own, first) = (try samples(folder.file("film.mp4")), try samples(one))
        for frame in 0..<Int64(240) { #expect(own[frame] == first[frame], "frame \(frame)") }
        // the number lies in each slice's head, so that the bytes differ and the pictures do not
        let second = try samples(other)
        #expect(own[240] != second[0])
        let pictures = try decoded(folder.file("film.mp4"))
        #expect(try Array(pictures[240..<330]) == decoded(other))
    }

    /// A digest of each frame as ffmpeg decodes it.
    private func decoded(_ path: String) throws -> [String] {
        let program = try #require(Program.tool("ffmpeg"))
        let result = try program.run(
            ["-v", "error", "-i", path, "-map", "0:v:0", "-f", "framemd5", "-"])
        return result.outputText.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.split(separator: ",").last ?? "") }
    }

    @Test("a film of which nothing is copied says why, and is encoded")
    func nothing() async throws {
        let path = try await clip("a.mp4", frames: 60)
        let film = try await film([VideoItem(path, speed: Speed(2))])
        let plan = try ExportSession(film, settings: settings).plan()
        #expect(plan.copiedFrames == 0 && plan.spans.map(\.reason) == ["it plays at another speed"])
        let report = try await export(film)
        #expect(report.frames == 30 && report.copiedFrames == 0)
    }

    @Test("reasons name their clip where there are several, and say what is short and what is cut")
    func reasons() async throws {
        let one = try await clip("a.mp4")
        let hevc = try await clip(
            "b.mp4", from: 700, frames: 30,
            coding: VideoOutputSettings(codec: .hevc, rate: .quality(14), preset: "ultrafast"))
        func reasons(_ videos: [VideoItem]) async throws -> [String?] {
            let film = try await film(videos)
            return try ExportSession(film, settings: settings).plan().spans.map(\.reason)
        }
        func part(_ from: Int64, _ to: Int64) -> VideoItem {
            VideoItem(
                one, start: .init(value: from, timescale: 30), end: .init(value: to, timescale: 30))
        }
        #expect(
            try await reasons([part(0, 60), part(67, 75), VideoItem(hevc)])
                == [
                    nil, "b.mp4: it is HEVC, and the film is H.264",
                ])
        // what another clip has no reason for goes without saying of none
        let slow = try ForeignClip(
            "c.mp4", in: folder, filter: "scale=192:108,fps=24",
            coding: "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -colorspace bt709 "
                + "-color_primaries bt709 -color_trc bt709")
        #expect(
            try await reasons([part(0, 60), VideoItem(slow.path), VideoItem(hevc)])
                == [
                    nil,
                    "c.mp4: its frames do not come at the film's rate; b.mp4: it is HEVC, and the film is H.264",
                ])
        // between two parts of its own file nothing is left out for a rate
        #expect(
            try await reasons([part(0, 60), part(67, 75), part(90, 150)])
                == [nil, "less than 0.4 s of it are in a row there", nil])
        #expect(
            try await reasons([part(0, 60), part(95, 150)]).dropFirst().first
                == "its frames need others there that are cut away, changed or left out for the film's rate"
        )
    }

    @Test("presets that code otherwise, two passes and other containers copy nothing")
    func otherPresets() async throws {
        let film = try await film([VideoItem(try await clip("a.mp4", frames: 60))])
        func plan(_ change: (inout ExportSettings) -> Void, to name: String = "film.mp4") throws
            -> ExportPlan
        {
            var settings = settings
            change(&settings)
            return try ExportSession(film, settings: settings).plan(to: folder.file(name))
        }
        #expect(try plan { _ in }.copiedFrames == 60)
        #expect(try plan({ _ in }, to: "film.mkv").copiedFrames == 60)
        #expect(try plan({ _ in }, to: "film.ts").copiedFrames == 0)
        #expect(try plan { $0.copying = .never }.copiedFrames == 0)
        #expect(try plan { $0.preset = .hevc1080 }.copiedFrames == 0)
        let own = ExportPreset(
            name: "own", video: VideoOutputSettings(codec: .h264, rate: .quality(30)))
        #expect(try plan { $0.preset = own }.copiedFrames == 0)
    }

    @Test("the audio of one whole clip is copied, packet for packet, and of others mixed")
    func audio() async throws {
        let path = try await clip("a.mp4")
        let whole = try await film(
            [VideoItem(path)], titles: [TitleItem("Hello", style: .plain, duration: .seconds(1))])
        #expect(try ExportSession(whole, settings: settings).plan().copiedAudio?.path == path)
        _ = try await export(whole)
        let own = try MovieOracle(folder.file("film.mp4")).sound()
        let source = try MovieOracle(path).sound()
        #expect(own == source && source.contains { abs($0) > 0.3 })
        var other = settings
        other.sampleRate = 44_100
        let resampled = try ExportSession(whole, settings: other).plan()
        #expect(resampled.copiedAudio == nil && resampled.audioReason == "it has 48000 Hz")
        // what has none follows, and the audio lasts as long as the film
        _ = try await NumberedClip(frames: 60, hasAudio: false, video: Self.coding)
            .write(to: folder.file("silent.mp4"))
        let longer = try await film([VideoItem(path), VideoItem(folder.file("silent.mp4"))])
        let plan = try ExportSession(longer, settings: settings).plan()
        #expect(plan.copiedAudio == nil && plan.copiedFrames == 300)
        #expect(
            plan.audioReason
                == "a.mp4: a part of the film is without it, and silence is encoded there")
        let cut = try await film([VideoItem(path, start: .seconds(1))])
        let part = try ExportSession(cut, settings: settings).plan()
        #expect(part.copiedAudio == nil && part.audioReason?.hasPrefix("only a part of") == true)
        let other44 = try ForeignClip(
            "other.mp4", in: folder, audio: "-c:a aac -ar 44100",
            coding: "-c:v libx264 -preset ultrafast -pix_fmt yuv420p")
        let mixture = try await film([VideoItem(path), VideoItem(other44.path)])
        #expect(
            try ExportSession(mixture, settings: settings).plan().audioReason
                == "other.mp4 at 8 s of the film: its audio has 44100 Hz, unlike a.mp4 at 0 s of the film, and a track has one "
                + "kind of samples")
        var quiet = whole
        quiet.audioMix.inputs = whole.composition.tracks(of: .audio).map {
            AudioMixInput(trackID: $0.id, volume: 0.5)
        }
        let mixed = try ExportSession(quiet, settings: settings).plan()
        #expect(
            mixed.copiedAudio == nil
                && mixed.audioReason == "its volume, pan or effect has to be rendered")
    }

    @Test("copied audio is counted at its own rate, and no note says that it is resampled")
    func otherRate() async throws {
        let clip = try ForeignClip(
            "a.mp4", in: folder, seconds: 3, audio: "-c:a aac -ar 44100 -ac 1",
            coding: "-c:v libx264 -preset ultrafast -pix_fmt yuv420p")
        let film = try await film([VideoItem(clip.path)])
        let plan = try ExportSession(film, settings: settings).plan()
        #expect(plan.copiedAudio != nil && plan.sampleRate == 44_100)
        #expect(plan.audioFrameCount == plan.range.duration.ticks(per: 44_100, rounding: .nearest))
        #expect(!plan.notes.contains { $0.contains("audio") || $0.contains("mono") })
        let report = try await export(film)
        #expect(report.audioFrames == plan.audioFrameCount && report.notes == plan.notes)
        var encoded = settings
        encoded.copying = .never
        let notes = try ExportSession(film, settings: encoded).plan().notes
        #expect(
            notes.filter { $0.contains("44100 Hz is resampled") || $0.contains("mono") }.count == 2)
    }

    @Test(
        "a cancelled export resumes inside copied and inside encoded frames", arguments: [100, 220])
    func resumed(at frames: Int64) async throws {
        let path = try await clip("a.mp4", frames: 300)
        let film = try await film(
            [VideoItem(path)],
            titles: [TitleItem("Late", style: .plain, at: .seconds(6), duration: .seconds(3))])
        let whole = try await export(film, to: "whole.mp4")
        let clock = AskedClock()
        defer { clock.forget() }
        let session = ExportSession(film, settings: settings, clock: clock)
        clock.onAsk { _ in
            if case .exporting(let now) = session.state, now.frames >= frames { session.cancel() }
        }
        await #expect(throws: MediaError.self) {
            try await session.export(to: folder.file("film.mp4"))
        }
        let report = try await export(film)
        #expect(report.resumedFrames > 60 && report.frames == whole.frames)
        let (own, wanted) = (folder.file("film.mp4"), folder.file("whole.mp4"))
        let plan = try ExportSession(film, settings: settings).plan()
        let (samples, source) = (try samples(own), try samples(path))
        for frame in copied(plan) { #expect(samples[frame] == source[frame], "frame \(frame)") }
        #expect(try MovieOracle(own).frameNumbers() == MovieOracle(wanted).frameNumbers())
        #expect(try MovieOracle(own).presentationTimes() == MovieOracle(wanted).presentationTimes())
    }

    @Test("a part whose parameter sets are others is not continued")
    func otherSets() async throws {
        let film = try await film(
            [VideoItem(try await clip("a.mp4"))],
            titles: [TitleItem("Hello", style: .plain, duration: .seconds(1))])
        let clock = AskedClock()
        defer { clock.forget() }
        let session = ExportSession(film, settings: settings, clock: clock)
        clock.onAsk { _ in
            if case .exporting(let now) = session.state, now.frames >= 150 { session.cancel() }
        }
        await #expect(throws: MediaError.self) {
            try await session.export(to: folder.file("film.mp4"))
        }
        let part = URL(fileURLWithPath: folder.file(".film.vcap-part.mp4"))
        var bytes = try Data(contentsOf: part)
        // the level, in each of the record's places
        var from = bytes.startIndex
        while let box = bytes.range(of: Data("avcC".utf8), in: from..<bytes.endIndex) {
            bytes[box.upperBound + 3] += 1
            from = box.upperBound
        }
        #expect(from > bytes.startIndex)
        try bytes.write(to: part)
        let report = try await export(film)
        #expect(report.resumedFrames == 0 && report.frames == 240)
        #expect(try MovieOracle(folder.file("film.mp4")).frameNumbers().count == 240)
    }

    @Test("a clip that is replaced while the film is made ends it")
    func replaced() async throws {
        let path = try await clip("a.mp4")
        let film = try await film(
            [VideoItem(path)], titles: [TitleItem("Hello", style: .plain, duration: .seconds(1))])
        let other = try await clip("other.mp4", from: 900, frames: 120)
        let clock = AskedClock()
        defer { clock.forget() }
        let session = ExportSession(film, settings: settings, clock: clock)
        clock.onAsk { _ in
            if case .exporting(let now) = session.state, now.frames >= 100 {
                _ = rename(other, path)
            }
        }
        await #expect {
            try await session.export(to: folder.file("film.mp4"))
        } throws: {
            ($0 as? MediaError)?.code == .damagedFile
        }
        #expect(folder.contents == ["a.mp4"])
    }
}
