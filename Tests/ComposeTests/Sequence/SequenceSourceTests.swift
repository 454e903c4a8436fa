import Foundation
import Media
import TestSupport
import Testing

@testable import Compose
@testable import Reading

/// What may happen to pictures while a film is made of them, and what is none.
@Suite("Files of numbered pictures", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct SequenceSourceTests {
    private let folder: TemporaryFolder
    private let pattern: String

    init() throws {
        folder = try TemporaryFolder()
        pattern = folder.file("a%04d.png")
        try GrayPictures.write(pattern, 1...12)
    }

    private var item: VideoItem { VideoItem(pattern, as: ImageSequence(rate: FrameRate(24))) }

    private func film() throws -> Film {
        try TimelineBuilder.film(loading: Timeline(videos: [item]))
    }

    private func failure(_ film: Film) async -> MediaError? {
        await #expect(throws: MediaError.self) {
            try await ExportSession(film).export(to: folder.file("film.mp4"))
        }
    }

    @Test("a picture that is deleted meanwhile is named, and no film is left")
    func deleted() async throws {
        let film = try film()
        try FileManager.default.removeItem(atPath: folder.file("a0007.png"))
        let error = await failure(film)
        #expect(error?.code == .noSuchFile)
        #expect(error?.message.contains(folder.file("a0007.png")) ?? false)
        #expect(!folder.contents.contains("film.mp4"))
    }

    @Test("a picture that another one takes the place of while frames are made is named")
    func changed() throws {
        let film = try film()
        let shelf = SourceShelf(film.assets)
        let source = MediaSource(path: item.mediaPath, trackID: 1)
        let (asset, track) = try shelf.track(source)
        let cursor = try FrameCursor(asset: asset, track: track)
        func level(_ frame: Int64) throws -> UInt8 {
            let sample = try cursor.picture(at: MediaTime(value: frame, timescale: 24))
            return sample.pixelBuffer?.withPlanes { $0[0].row(0)[0] } ?? 0
        }
        #expect(try level(5) == UInt8(GrayPictures.level(of: 6)))
        Thread.sleep(forTimeInterval: 0.02)
        try FileManager.default.removeItem(atPath: folder.file("a0007.png"))
        try FileManager.default.copyItem(
            atPath: folder.file("a0002.png"), toPath: folder.file("a0007.png"))
        let error = #expect(throws: MediaError.self) { try level(6) }
        #expect(
            error?.message == "\(folder.file("a0007.png")) was changed while the film was made; "
                + "make the film again.")
        #expect(try level(7) == UInt8(GrayPictures.level(of: 8)))
        // what begins later takes it as it is
        let later = try SourceShelf(film.assets).track(source)
        let fresh = try FrameCursor(asset: later.0, track: later.1)
        let sample = try fresh.picture(at: MediaTime(value: 6, timescale: 24))
        #expect(
            sample.pixelBuffer?.withPlanes { $0[0].row(0)[0] }
                == UInt8(GrayPictures.level(of: 2)))
    }

    @Test("a picture of another size is refused by both their names")
    func sizes() async throws {
        try GrayPictures.write(pattern, 9...9, width: 32, height: 24)
        let error = await failure(try film())
        #expect(
            error?.message == "\(folder.file("a0009.png")) has 32x24 pixels and "
                + "\(folder.file("a0001.png")) 64x48, and the pictures of a sequence have one size."
        )
    }

    @Test("a damaged picture is named once, and an animation is refused")
    func damaged() async throws {
        let path = folder.file("a0004.png")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.file("a0004.png"))))
        bytes.replaceSubrange(
            60..<bytes.count - 12, with: bytes[60..<bytes.count - 12].map { _ in 0 })
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let result = await Result {
            try await ExportSession(film()).export(to: folder.file("film.mp4"))
        }
        switch result {
        case .success(let report):
            #expect(report.notes.filter { $0.contains(path) }.count == 1)
        case .failure(let error): #expect("\(error)".contains(path))
        }
        try Data(PictureFiles.gif(delays: [10, 10])).write(
            to: URL(fileURLWithPath: folder.file("a0004.png")))
        let error = await failure(try film())
        #expect(error?.message.contains("is an animation") ?? false)
    }

    @Test("a film is written over none of its pictures")
    func outputs() async throws {
        let film = try film()
        #expect(film.inputPaths.count == 12 && film.inputPaths[6] == folder.file("a0007.png"))
        // a hand-made film that has not loaded it reads the folder
        var bare = film
        bare.assets = []
        #expect(bare.inputPaths == film.inputPaths)
        var settings = ExportSettings()
        settings.overwrites = true
        let link = folder.file("link.mp4")
        try FileManager.default.linkItem(atPath: folder.file("a0007.png"), toPath: link)
        let error = await #expect(throws: MediaError.self) {
            try await ExportSession(film, settings: settings).export(to: link)
        }
        #expect(error?.code == .cannotCreate, "\(error.map { "\($0.code): \($0)" } ?? "")")
    }

    @Test("another set of pictures, or another picture, makes another plan")
    func digests() throws {
        func digest(_ item: VideoItem) throws -> String {
            let film = try TimelineBuilder.film(loading: Timeline(videos: [item]))
            return try ExportPlanner(film: film, settings: ExportSettings())
                .plan(SourceShelf(film.assets)).digest
        }
        var all: [String] = []
        var own = item
        own.end = MediaTime(value: 6, timescale: 24)
        all.append(try digest(own))
        #expect(try digest(own) == all[0])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1000)],
            ofItemAtPath: folder.file("a0003.png"))
        all.append(try digest(own))
        own.sequence?.first = 2
        all.append(try digest(own))
        own.sequence?.gaps = .hold
        all.append(try digest(own))
        try FileManager.default.removeItem(atPath: folder.file("a0004.png"))
        all.append(try digest(own))
        #expect(Set(all).count == all.count)
    }

    @Test("an export that was cancelled is resumed, unless a picture is another one")
    func resumed() async throws {
        try GrayPictures.write(pattern, 1...50)
        var settings = ExportSettings()
        settings.overwrites = true
        var own = item
        own.speed = Speed(1, per: 8)
        func cancelled() async throws {
            let clock = AskedClock()
            defer { clock.forget() }
            let film = try TimelineBuilder.film(loading: Timeline(videos: [own]))
            let session = ExportSession(film, settings: settings, clock: clock)
            clock.onAsk { _ in
                if case .exporting(let now) = session.state, now.frames >= 300 { session.cancel() }
            }
            await #expect(throws: MediaError.self) {
                try await session.export(to: folder.file("film.mp4"))
            }
        }
        func again() async throws -> Int64 {
            let film = try TimelineBuilder.film(loading: Timeline(videos: [own]))
            return try await ExportSession(film, settings: settings)
                .export(to: folder.file("film.mp4")).resumedFrames
        }
        try await cancelled()
        #expect(try await again() > 0)
        #expect(
            try GrayPictures.numbers(folder.file("film.mp4")) == (0..<400).map { 1 + $0 / 8 })
        try await cancelled()
        try FileManager.default.removeItem(atPath: folder.file("a0003.png"))
        try FileManager.default.copyItem(
            atPath: folder.file("a0005.png"), toPath: folder.file("a0003.png"))
        #expect(try await again() == 0)
    }

    @Test("frames are made in any order, each with its own time")
    func order() throws {
        let film = try film()
        let cursor = try FrameCursor(asset: film.assets[0], track: film.assets[0].tracks[0])
        for frame in [11, 0, 5, 5, 3, 11] as [Int64] {
            let sample = try cursor.picture(at: MediaTime(value: frame, timescale: 24))
            #expect(sample.presentationTime == MediaTime(value: frame, timescale: 24))
            #expect(sample.duration == MediaTime(value: 1, timescale: 24))
            #expect(
                sample.pixelBuffer?.withPlanes { $0[0].row(0)[0] }
                    == UInt8(GrayPictures.level(of: Int(frame) + 1)))
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
