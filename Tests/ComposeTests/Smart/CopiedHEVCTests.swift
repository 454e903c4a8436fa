import LibAV
import Media
import TestSupport
import Testing
import Writing

@testable import Compose

/// Films of HEVC whose untouched frames are copied: the copied ones decode to the clips' own pictures, whatever groups
/// they are of.
@Suite("HEVC films with copied frames", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct CopiedHEVCTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let open = "keyint=30:open-gop=1:bframes=4:b-adapt=0:scenecut=0"
    private static let closed = "keyint=24:open-gop=0:bframes=3:ctu=16:ref=4"

    private func clip(
        _ name: String, _ parameters: String, _ others: String = "-pix_fmt yuv420p",
        filter: String = "null"
    ) throws -> String {
        try ForeignClip(
            name, in: folder, filter: filter,
            coding: "-c:v libx265 -x265-params log-level=none:\(parameters) \(others)"
        ).path
    }

    private func film(
        _ videos: [VideoItem], titles: [TitleItem] = []
    ) async throws -> Film {
        try await LoadedTimeline(loading: Timeline(videos: videos, titles: titles)).film()
    }

    private var settings: ExportSettings {
        var settings = ExportSettings(preset: .hevc1080)
        settings.copying = .whereUntouched
        settings.overwrites = true
        return settings
    }

    /// Makes a film and compares each copied frame with the clip's.
    /// - Returns: frames that are copied (count).
    private func judge(
        _ film: Film, to name: String, _ settings: ExportSettings, frames: Int
    ) async throws -> Int64 {
        let path = folder.file(name)
        let session = ExportSession(film, settings: settings)
        let plan = try session.plan(to: path)
        let report = try await session.export(to: path)
        #expect(report.frames == frames && report.copiedFrames == plan.copiedFrames)
        let (own, complaints) = try ForeignClip.decoded(path)
        #expect(own.count == frames && complaints.isEmpty, "\(complaints)")
        let times = try MovieOracle(path).presentationTimes()
        for (frame, time) in times.enumerated() where !name.hasSuffix("mkv") {
            #expect(abs(time - Double(frame) / 30) < 0.000_02, "frame \(frame)")
        }
        var count: Int64 = 0
        for span in plan.spans {
            guard case .copy(let source, let from) = span.work else { continue }
            let wanted = try ForeignClip.decoded(source.path).frames
            let place = Int(from.ticks(per: 30, rounding: .nearest))
            let first = Int(span.range.start.ticks(per: 30, rounding: .nearest))
            let last = Int(span.range.end.ticks(per: 30, rounding: .nearest))
            #expect(own[first..<last] == wanted[place..<place + last - first])
            count += Int64(last - first)
        }
        #expect(count == plan.copiedFrames)
        return count
    }

    @Test(
        "behind a title, open groups are entered", arguments: ["film.mp4", "film.mov", "film.mkv"])
    func title(name: String) async throws {
        let path = try clip("a.mp4", Self.open)
        let film = try await film(
            [VideoItem(path)], titles: [TitleItem("Hello", style: .plain, duration: .seconds(1))])
        let copied = try await judge(film, to: name, settings, frames: 150)
        // the second group, but its leading frames, and all behind it
        #expect((110...120).contains(copied))
        // where it begins there is a broken link: a random access would be decoded with what is not there
        let demuxer = try Demuxer(path: folder.file(name))
        var types: Set<UInt8> = []
        while case .sample(_, let sample) = try demuxer.next() {
            let bytes = sample.block?.bytes ?? []
            var offset = 0
            while offset + 4 < bytes.count {
                types.insert(bytes[offset + 4] >> 1)
                offset += 4 + bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
            }
        }
        #expect(types.contains(18) && types.contains(21))
    }

    @Test("cuts inside groups of clips that are coded differently lose no frame")
    func cuts() async throws {
        let (one, other) = (
            try clip("a.mp4", Self.open), try clip("b.mov", Self.closed, filter: "hflip")
        )
        func time(_ frame: Int64) -> MediaTime { MediaTime(value: frame, timescale: 30) }
        let film = try await film([
            VideoItem(one, start: time(7), end: time(131)),
            VideoItem(other, start: time(5), end: time(141)),
            VideoItem(one, start: time(40), end: time(150)),
        ])
        let copied = try await judge(film, to: "film.mp4", settings, frames: 124 + 136 + 110)
        #expect(copied > 200)
    }

    @Test("encoded frames that are reordered keep their times beside copied ones that are not")
    func order() async throws {
        let path = try clip("a.mp4", "keyint=30:bframes=0")
        let film = try await film(
            [VideoItem(path)],
            titles: [TitleItem("Late", style: .plain, at: .seconds(2), duration: .seconds(1))])
        #expect(try await judge(film, to: "film.mp4", settings, frames: 150) >= 110)
    }

    @Test("HDR clips of 10 bits are copied into the HEVC film that they make")
    func hdr() async throws {
        let path = try clip(
            "a.mp4", Self.open,
            "-pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc"
        )
        let film = try await film(
            [VideoItem(path)], titles: [TitleItem("Hello", style: .plain, duration: .seconds(1))])
        var settings = settings
        settings.preset = .highest
        #expect(try await judge(film, to: "film.mp4", settings, frames: 150) >= 110)
        // of 8 bits no frame is
        let plain = try clip("b.mp4", Self.closed)
        let both = try await self.film([VideoItem(path), VideoItem(plain)])
        let plan = try ExportSession(both, settings: settings).plan()
        #expect(plan.copiedFrames == 150)
        // what messages between its frames say of light is not the film's, which says nothing where one clip does not
        let bright = try clip(
            "c.mp4", Self.open + ":hdr10=1:max-cll=800,300",
            "-pix_fmt yuv420p10le -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc"
        )
        let lit = try await self.film([VideoItem(bright), VideoItem(path)])
        #expect(
            try ExportSession(lit, settings: settings).plan().spans.map(\.reason)
                == ["c.mp4: its light is described otherwise than the film's", nil])
    }

    @Test("a cancelled export resumes behind open groups, and is the whole film")
    func resumed() async throws {
        let path = try clip("a.mp4", Self.open)
        let film = try await film(
            [VideoItem(path)],
            titles: [TitleItem("Late", style: .plain, at: .seconds(2), duration: .seconds(1))])
        let clock = AskedClock()
        defer { clock.forget() }
        let session = ExportSession(film, settings: settings, clock: clock)
        clock.onAsk { _ in
            if case .exporting(let now) = session.state, now.frames >= 130 { session.cancel() }
        }
        await #expect(throws: MediaError.self) {
            try await session.export(to: folder.file("film.mp4"))
        }
        #expect(try await judge(film, to: "film.mp4", settings, frames: 150) >= 80)
    }
}
