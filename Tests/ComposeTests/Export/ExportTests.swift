import Foundation
import Media
import Movie
import Reading
import TestSupport
import Testing

@testable import Compose

@Suite("Exporting a film", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ExportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Clips one after the other.
    private func film(_ clips: [Asset]) throws -> Film {
        var composition = Composition()
        for clip in clips { try composition.insert(clip, at: composition.duration) }
        return Film(
            composition: composition,
            videoComposition: try VideoComposition(propertiesOf: composition, assets: clips),
            assets: clips)
    }

    private func settings(_ change: (inout ExportSettings) -> Void = { _ in }) -> ExportSettings {
        var settings = ExportSettings()
        change(&settings)
        return settings
    }

    @Test("clips joined show every frame of each in order, with audio of exactly the film's length")
    func joined() async throws {
        let first = try await NumberedClip(frames: 50).write(to: folder.file("a.mp4"))
        let second = try await NumberedClip(frames: 40, firstNumber: 100)
            .write(to: folder.file("b.mp4"))
        let path = folder.file("film.mp4")
        let report = try await ExportSession(try film([first, second])).export(to: path)
        #expect(report.frames == 90)
        #expect(report.duration == .seconds(3))
        #expect(report.audioFrames == 144_000)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<50) + Array(100..<140))
        #expect(abs(Double(try MovieOracle(path).sound().count) - 144_000) <= 1024)
        #expect(folder.contents == ["a.mp4", "b.mp4", "film.mp4"])
    }

    @Test("many small pictures may wait for the encoder, and the frames' memory is enough for them")
    func smallFrames() {
        for side in [16, 192, 640, 1920, 4096] {
            let size = PixelSize(width: side, height: side)
            let queue = ExportInputs.queue(size, bitDepth: 8)
            let frame = PixelBuffer(width: side, height: side, format: .yuv420p)
            let bytes = frame.withPlanes { $0.reduce(0) { $0 + $1.bytesPerRow * $1.rows } }
            // what the writer counts fits into the queue no more often than the pool expects
            #expect(queue.pictures >= queue.bytes / bytes && queue.pictures >= 3)
        }
    }

    @Test("a range is exported to the frame")
    func range() async throws {
        let clip = try await NumberedClip(frames: 90).write(to: folder.file("a.mp4"))
        let path = folder.file("part.mp4")
        let part = MediaTimeRange(
            start: MediaTime(value: 20, timescale: 30),
            duration: MediaTime(value: 25, timescale: 30)
        )
        let session = ExportSession(try film([clip]), settings: settings { $0.range = part })
        let report = try await session.export(to: path)
        #expect(report.frames == 25)
        #expect(try MovieOracle(path).frameNumbers() == Array(20..<45))
    }

    /// An export that is cancelled once so many frames are done.
    private func cancel(_ film: Film, to path: String, after frames: Int64) async throws {
        let clock = AskedClock()
        defer { clock.forget() }
        let session = ExportSession(film, settings: settings(), clock: clock)
        clock.onAsk { _ in
            if case .exporting(let now) = session.state, now.frames >= frames { session.cancel() }
        }
        await #expect {
            try await session.export(to: path)
        } throws: {
            ($0 as? MediaError)?.code == .cancelled
        }
    }

    @Test("an export whose task is cancelled ends, and leaves nothing under the final name")
    func cancelledTask() async throws {
        let clip = try await NumberedClip(frames: 240).write(to: folder.file("a.mp4"))
        let path = folder.file("film.mp4")
        let clock = AskedClock()
        defer { clock.forget() }
        let session = ExportSession(try film([clip]), settings: settings(), clock: clock)
        let task = Task { try await session.export(to: path) }
        clock.onAsk { _ in
            if case .exporting(let now) = session.state, now.frames >= 150 { task.cancel() }
        }
        await #expect {
            try await task.value
        } throws: {
            ($0 as? MediaError)?.code == .cancelled
        }
        #expect(folder.contents == [".film.vcap-part.mp4", "a.mp4"])
    }

    @Test("a cancelled export leaves nothing under the final name, and the same one continues")
    func resumed() async throws {
        let clip = try await NumberedClip(frames: 240).write(to: folder.file("a.mp4"))
        let path = folder.file("film.mp4")
        try await cancel(film([clip]), to: path, after: 150)
        #expect(folder.contents == [".film.vcap-part.mp4", "a.mp4"])
        let report = try await ExportSession(try film([clip])).export(to: path)
        // whole groups of two seconds
        #expect(report.resumedFrames == 120)
        #expect(report.frames == 240)
        #expect(report.audioFrames == 384_000)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<240))
        #expect(folder.contents == ["a.mp4", "film.mp4"])
    }

    @Test("an export killed while it copies what was there loses nothing of it")
    func killedWhileCopying() async throws {
        let clip = try await NumberedClip(frames: 240).write(to: folder.file("a.mp4"))
        let path = folder.file("film.mp4")
        try await cancel(film([clip]), to: path, after: 150)
        // what is on the disk then: the earlier part under its other name, a new one begun
        try FileManager.default.moveItem(
            atPath: folder.file(".film.vcap-part.mp4"),
            toPath: folder.file(".film.vcap-earlier.mp4"))
        try Data("torn".utf8).write(to: URL(fileURLWithPath: folder.file(".film.vcap-part.mp4")))
        let report = try await ExportSession(try film([clip])).export(to: path)
        #expect(report.resumedFrames == 120)
        #expect(try MovieOracle(path).frameNumbers() == Array(0..<240))
        #expect(folder.contents == ["a.mp4", "film.mp4"])
    }

    @Test("another plan does not continue from what a cancelled one left")
    func otherPlan() async throws {
        let clip = try await NumberedClip(frames: 240).write(to: folder.file("a.mp4"))
        let path = folder.file("film.mp4")
        try await cancel(film([clip]), to: path, after: 150)
        let other = ExportSession(try film([clip]), settings: settings { $0.preset = .p540 })
        let report = try await other.export(to: path)
        #expect(report.resumedFrames == 0)
        #expect(folder.contents == ["a.mp4", "film.mp4"])
    }

    @Test("two exports of one name do not write into one another")
    func locked() async throws {
        let clip = try await NumberedClip(frames: 30).write(to: folder.file("a.mp4"))
        let path = folder.file("film.mp4")
        try Data("growing".utf8).write(to: URL(fileURLWithPath: folder.file(".film.vcap-part.mp4")))
        let lock = try FileLock(locking: folder.file(".film.vcap-part.mp4"))
        #expect(lock != nil)
        await #expect {
            try await ExportSession(try film([clip])).export(to: path)
        } throws: {
            ($0 as? MediaError)?.message.contains("another program") == true
                && ($0 as? MediaError)?.code == .inUse
        }
        #expect(folder.contents == [".film.vcap-part.mp4", "a.mp4"])
        withExtendedLifetime(lock) {}
    }

    @Test("an existing file is not touched unless it may be replaced, a source never")
    func existing() async throws {
        let clip = try await NumberedClip(frames: 30).write(to: folder.file("a.mp4"))
        let path = folder.file("film.mp4")
        try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
        await #expect { try await ExportSession(try film([clip])).export(to: path) } throws: {
            ($0 as? MediaError)?.code == .alreadyExists
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("precious".utf8))
        let replacing = settings { $0.overwrites = true }
        await #expect(throws: MediaError.self) {
            try await ExportSession(try film([clip]), settings: replacing).export(to: clip.path)
        }
        _ = try await ExportSession(try film([clip]), settings: replacing).export(to: path)
        #expect(try MovieOracle(path).frameNumbers().count == 30)
        #expect(folder.contents == ["a.mp4", "film.mp4"])
    }

    @Test("a source that breaks in the middle ends the export and leaves nothing")
    func broken() async throws {
        let clip = try await NumberedClip(frames: 90).write(to: folder.file("a.mp4"))
        let film = try film([clip])
        try FileManager.default.removeItem(atPath: clip.path)
        await #expect(throws: MediaError.self) {
            try await ExportSession(film).export(to: folder.file("film.mp4"))
        }
        #expect(folder.contents.isEmpty)
    }

    @Test("audio only is exported from the same film")
    func onlyAudio() async throws {
        let clip = try await NumberedClip(frames: 60).write(to: folder.file("a.mp4"))
        let path = folder.file("sound.m4a")
        let session = ExportSession(
            try film([clip]), settings: settings { $0.preset = .audioOnly })
        let report = try await session.export(to: path, as: .mp4)
        #expect(report.frames == 0 && report.audioFrames == 96_000)
        let asset = try Asset.load(path)
        #expect(asset.tracks.map(\.mediaType) == [.audio])
    }

    @Test("the plan says what will be done before anything is")
    func plan() async throws {
        let clip = try await NumberedClip(frames: 45).write(to: folder.file("a.mp4"))
        let plan = try ExportSession(try film([clip])).plan()
        #expect(plan.frameCount == 45)
        #expect(plan.audioFrameCount == 72_000)
        #expect(plan.spans.map(\.work) == [.render])
        #expect(plan == (try ExportSession(try film([clip])).plan()))
        #expect(folder.contents == ["a.mp4"])
    }
}
