import Foundation
import LibAV
import Media
import Reading
import TestSupport
import Testing
import Writing

@testable import Compose

/// Films that are made while what they are of is still recorded are equal to those that are made afterwards.
@Suite("Films that grow", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct GrowingFilmTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Looks at the films of timelines, one after the other; the last one is the whole.
    private final class Looks: GrowingFilm {
        private let films: [Film]
        private let unsettled: MediaTime
        private let taken = Lock(0)
        /// What happens before a look, by its number.
        let before: @Sendable (Int) -> Void

        init(
            _ films: [Film], unsettled: MediaTime = .seconds(3),
            before: @escaping @Sendable (Int) -> Void = { _ in }
        ) {
            (self.films, self.unsettled, self.before) = (films, unsettled, before)
        }

        var count: Int { taken.withLock { $0 } }

        func waitForMore() throws(MediaError) -> Bool { count >= films.count - 1 }

        func look(isWhole: Bool) throws(MediaError) -> FilmLook? {
            before(count)
            defer { taken.withLock { $0 = min($0 + 1, films.count - 1) } }
            return FilmLook(films[count], unsettled: unsettled)
        }
    }

    /// Groups of a second, with frames that are decoded before they are shown.
    private static let coding = VideoOutputSettings(
        codec: .h264, rate: .quality(14), preset: "veryfast", keyFrameInterval: .seconds(1))

    private static let title = TitleItem("Begun", style: .plain, duration: .seconds(2))

    private func clip(_ name: String = "take.mp4", frames: Int = 600) async throws -> String {
        let path = folder.file(name)
        _ = try await NumberedClip(frames: frames, video: Self.coding).write(to: path)
        return path
    }

    private func film(
        _ videos: [VideoItem], titles: [TitleItem] = [Self.title], music: [AudioItem] = [],
        chapters: [Chapter] = []
    ) async throws -> Film {
        var timeline = Timeline(videos: videos, titles: titles)
        timeline.music = music
        timeline.chapters = chapters
        return try await LoadedTimeline(loading: timeline).film()
    }

    private var settings: ExportSettings {
        var settings = ExportSettings()
        settings.copying = .whereUntouched
        settings.overwrites = true
        return settings
    }

    /// Every coded sample of a movie with its times, by track.
    private func samples(_ name: String) throws -> [Int: [String]] {
        let demuxer = try Demuxer(path: folder.file(name))
        var found: [Int: [String]] = [:]
        while case .sample(let track, let sample) = try demuxer.next() {
            let bytes = sample.block?.withUnsafeBytes { $0.reduce(0) { $0 &* 31 &+ Int($1) } }
            found[track, default: []].append(
                "\(sample.presentationTime) \(String(describing: sample.decodeTime)) "
                    + "\(sample.isSync) \(bytes ?? 0)")
        }
        return found
    }

    /// Makes a film of looks, and of the last one afterwards.
    private func requireEqual(_ looks: [Film], unsettled: MediaTime = .seconds(3)) async throws
        -> ExportReport
    {
        let last = try #require(looks.last)
        let report = try await ExportSession(Looks(looks, unsettled: unsettled), settings: settings)
            .export(to: folder.file("grown.mp4"))
        let other = try await ExportSession(last, settings: settings)
            .export(to: folder.file("after.mp4"))
        #expect(try samples("grown.mp4") == samples("after.mp4"))
        #expect(report.frames == other.frames && report.copiedFrames == other.copiedFrames)
        #expect(report.duration == other.duration && report.notes == other.notes)
        #expect(
            try MovieOracle(folder.file("grown.mp4")).frameNumbers()
                == MovieOracle(folder.file("after.mp4")).frameNumbers())
        return report
    }

    @Test("a take with a title is copied while it grows, its audio too")
    func take() async throws {
        let path = try await clip()
        var looks: [Film] = []
        for tenth in [31, 52, 77, 118, 164, 199, 200] {
            looks.append(
                try await film(
                    [VideoItem(path, end: MediaTime(value: Int64(tenth), timescale: 10))],
                    chapters: [Chapter("One", at: .seconds(1))]))
        }
        let report = try await requireEqual(looks)
        // less than three seconds before the end of the look before the last one, at most a group more
        #expect(report.preparedFrames > 450 && report.preparedFrames < 510)
        let grown = try Asset.load(folder.file("grown.mp4"))
        #expect(grown.markers.map(\.text) == ["One"])
        #expect(folder.contents == ["after.mp4", "grown.mp4", "take.mp4"])
    }

    @Test("cuts that appear with transitions into what follows, and music")
    func cuts() async throws {
        let (path, song) = (try await clip(), folder.file("song.wav"))
        let tone = (0..<48_000 * 5).map { Float($0 % 96) / 96 - 0.5 }
        try WaveFile.write([tone], rate: 48_000, to: song)
        let music = AudioItem(song, volume: 0.2, fadeOut: .seconds(2), loops: true)
        func spans(_ times: [Int64]) -> [VideoItem] {
            zip(times, times.dropFirst()).enumerated().map { index, span in
                VideoItem(
                    path, start: MediaTime(value: span.0, timescale: 30),
                    end: MediaTime(value: span.1, timescale: 30),
                    transition: index == 0 ? .cut : .dissolve(.milliseconds(500)))
            }
        }
        var looks: [Film] = []
        for times: [Int64] in [
            [0, 100], [0, 160], [0, 163, 200], [0, 163, 290], [0, 163, 360, 390],
            [0, 163, 360, 510], [0, 163, 360, 590], [0, 163, 360, 600],
        ] {
            looks.append(try await film(spans(times), music: [music]))
        }
        let report = try await requireEqual(looks, unsettled: .seconds(4))
        #expect(report.preparedFrames > 380)
    }

    @Test("a film that becomes another one is begun anew, and nothing of what was made is in it")
    func anew() async throws {
        let path = try await clip()
        var looks: [Film] = []
        for second in [4, 8, 12, 16, 20] {
            let isLate = second > 12
            looks.append(
                try await film(
                    [VideoItem(path, end: .seconds(Int64(second)))],
                    titles: isLate
                        ? [Self.title, TitleItem("Late", at: .seconds(5), duration: .seconds(1))]
                        : [Self.title]))
        }
        let report = try await requireEqual(looks)
        // what the looks with both titles agree on
        #expect(report.preparedFrames == 0)
        looks.insert(looks[3], at: 4)
        #expect(try await requireEqual(looks).preparedFrames > 300)
    }

    @Test("a film whose audio is measured as a whole is made when it is whole")
    func measured() async throws {
        let path = try await clip(frames: 240)
        var looks: [Film] = []
        for second in [4, 6, 8] {
            var film = try await film([VideoItem(path, end: .seconds(Int64(second)))])
            film.audioMix.loudness = LoudnessTarget(integrated: -20, truePeak: -1)
            looks.append(film)
        }
        #expect(try await requireEqual(looks).preparedFrames == 0)
    }

    @Test("where the recording comes to nothing, or the export is cancelled, nothing is left")
    func nothing() async throws {
        let path = try await clip(frames: 300)
        var films: [Film] = []
        for second in [4, 7, 10] {
            films.append(try await film([VideoItem(path, end: .seconds(Int64(second)))]))
        }
        let session = Lock<ExportSession?>(nil)
        let part = folder.file(".film.vcap-part.mp4")
        let wasThere = Lock(false)
        let looks = Looks(films) { number in
            guard number == 2 else { return }
            wasThere.withLock { $0 = FileManager.default.fileExists(atPath: part) }
            session.withLock { $0?.cancel() }
        }
        let made = ExportSession(looks, settings: settings)
        session.withLock { $0 = made }
        let error = await #expect(throws: MediaError.self) {
            try await made.export(to: folder.file("film.mp4"))
        }
        #expect(error?.code == .cancelled)
        #expect(wasThere.withLock { $0 })
        #expect(folder.contents == ["take.mp4"])
    }

    @Test("a GIF is made when the film is whole")
    func animation() async throws {
        let path = try await clip(frames: 60)
        let films = [
            try await film([VideoItem(path, end: .seconds(1))], titles: []),
            try await film([VideoItem(path)], titles: []),
        ]
        let report = try await ExportSession(Looks(films), settings: settings)
            .export(to: folder.file("film.gif"))
        #expect(report.duration == .seconds(2))
    }
}
