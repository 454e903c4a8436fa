import LibAV
import Media
import TestSupport
import Testing

@testable import Compose

/// Clips of other programs whose frames cannot be copied though they look so, and containers that lose what others say.
@Suite(
    "Kinds of clips in films with copied frames",
    .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct CopiedKindsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func session(
        _ videos: [VideoItem], titles: [TitleItem] = []
    ) async throws -> ExportSession {
        let timeline = Timeline(videos: videos, titles: titles)
        let film = try await LoadedTimeline(loading: timeline).film()
        var settings = ExportSettings()
        settings.copying = .whereUntouched
        return ExportSession(film, settings: settings)
    }

    @Test(
        "a clip that does not state its colours is copied only where the renderer takes them for the film's"
    )
    func colours() async throws {
        let coding = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"
        let stated = try ForeignClip(
            "a.mp4", in: folder,
            coding: coding + " -colorspace bt709 -color_primaries bt709 -color_trc bt709")
        let silent = try ForeignClip("b.mp4", in: folder, coding: coding)
        let plan = try await session([VideoItem(stated.path), VideoItem(silent.path)]).plan()
        #expect(plan.spans.map(\.reason) == [nil, "b.mp4: its colours are brought to the film's"])
        let alone = try await session([VideoItem(silent.path)]).plan()
        #expect(alone.copiedFrames == 150)
    }

    @Test("frames that are coded without loss are encoded, and decode behind others")
    func lossless() async throws {
        let clip = try ForeignClip(
            "a.mp4", in: folder, seconds: 3,
            coding: "-c:v libx264 -preset ultrafast -qp 0 -g 15 -pix_fmt yuv420p")
        let session = try await session([VideoItem(clip.path, start: .milliseconds(200))])
        let plan = try session.plan()
        #expect(plan.copiedFrames == 0)
        #expect(plan.spans.map(\.reason) == ["its profile is not decoded behind frames of others"])
    }

    @Test(
        "decode times of Matroska increase though copied frames are not reordered and encoded ones are",
        arguments: ["a.mp4", "a.avi"])
    func matroska(name: String) async throws {
        let clip = try ForeignClip(
            name, in: folder,
            coding: "-c:v libx264 -preset veryfast -bf 0 -g 30 -pix_fmt yuv420p")
        let session = try await session(
            [VideoItem(clip.path)],
            titles: [TitleItem("Late", style: .plain, at: .seconds(2), duration: .seconds(1))])
        let path = folder.file("film.mkv")
        #expect(try await session.export(to: path).copiedFrames == 120)
        let result = try #require(Program.tool("ffprobe")).run([
            "-v", "error", "-select_streams", "v:0", "-show_entries", "packet=dts", "-of",
            "csv=p=0", path,
        ])
        let times = result.outputText.split(whereSeparator: \.isNewline).compactMap {
            Int($0.prefix { $0 != "," })
        }
        #expect(times.count > 140)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 }, "\(times)")
        // sets in samples would contradict the track's record
        let demuxer = try Demuxer(path: path)
        while case .sample(let track, let sample) = try demuxer.next() {
            guard demuxer.tracks[track].format.mediaType == .video else { continue }
            let unit = sample.block?.withUnsafeBytes { $0.count > 4 ? $0[4] & 31 : 0 }
            #expect(unit != 7 && unit != 8)
        }
    }

    @Test("a Matroska film is a clip again, wherever it is entered", arguments: [6, 17, 31, 52])
    func again(start: Int64) async throws {
        let clip = try ForeignClip(
            "a.mp4", in: folder,
            coding: "-c:v libx264 -preset veryfast -bf 3 -g 30 -pix_fmt yuv420p")
        // its sync samples are at other times than its clip's
        let first = try await session([VideoItem(clip.path, start: .milliseconds(500))])
        let (middle, last) = (folder.file("middle.mkv"), folder.file("film.mp4"))
        _ = try await first.export(to: middle)
        let from = MediaTime(value: start, timescale: 30)
        let second = try await session([VideoItem(middle, start: from)])
        let plan = try second.plan()
        let report = try await second.export(to: last)
        #expect(report.frames == 135 - start && report.copiedFrames == plan.copiedFrames)
        let (own, source) = (try ForeignClip.decoded(last), try ForeignClip.decoded(middle).frames)
        #expect(own.complaints.isEmpty && own.frames.count == 135 - Int(start))
        let encoded = Int(report.frames - report.copiedFrames)
        #expect(report.copiedFrames >= 60)
        #expect(own.frames.suffix(60) == source.suffix(60), "\(encoded) frames are encoded")
    }
}
