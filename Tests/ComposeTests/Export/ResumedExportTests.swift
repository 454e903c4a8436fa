import LibAV
import Media
import TestSupport
import Testing

@testable import Compose

/// What an export that was cancelled and resumed has in common with one that was not.
@Suite("Exports resumed", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ResumedExportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func film() async throws -> Film {
        let path = folder.file("a.mp4")
        let clip = try await NumberedClip(frames: 240).write(to: path)
        return try TimelineBuilder(
            Timeline(
                videos: [
                    VideoItem(path, end: .seconds(5)),
                    VideoItem(path, start: .seconds(3), transition: .dissolve(.seconds(1))),
                ], titles: [TitleItem("Once more", style: .plain, duration: .seconds(2))]),
            assets: [clip]
        ).film()
    }

    /// Coded samples of a kind, in their order.
    private func samples(_ name: String, _ type: MediaType) throws -> [[UInt8]] {
        let demuxer = try Demuxer(path: folder.file(name))
        var found: [[UInt8]] = []
        while case .sample(let track, let sample) = try demuxer.next() {
            guard demuxer.tracks[track].format.mediaType == type else { continue }
            found.append(sample.block?.withUnsafeBytes { Array($0) } ?? [])
        }
        return found
    }

    /// Of the frames that show one clip alone.
    private func numbers(_ name: String) throws -> [Int] {
        let all = try MovieOracle(folder.file(name)).frameNumbers()
        return Array(all.prefix(120)) + Array(all.dropFirst(150))
    }

    /// - Returns: why it ended.
    @discardableResult
    private func cancel(_ film: Film, at frames: Int64) async throws -> MediaError {
        let clock = AskedClock()
        defer { clock.forget() }
        let session = ExportSession(film, clock: clock)
        clock.onAsk { _ in
            if case .exporting(let now) = session.state, now.frames >= frames { session.cancel() }
        }
        return try #require(
            await #expect(throws: MediaError.self) {
                try await session.export(to: folder.file("film.mp4"))
            })
    }

    @Test("a cancelled export resumed has the same audio and every frame")
    func resumed() async throws {
        let film = try await film()
        _ = try await ExportSession(film).export(to: folder.file("whole.mp4"))
        try await cancel(film, at: 130)
        let report = try await ExportSession(film).export(to: folder.file("film.mp4"))
        #expect(report.resumedFrames == 120)
        #expect(try samples("film.mp4", .audio) == samples("whole.mp4", .audio))
        let (whole, own) = (try samples("whole.mp4", .video), try samples("film.mp4", .video))
        #expect(own.count == whole.count)
        #expect(try numbers("film.mp4") == numbers("whole.mp4"))
        #expect(
            try MovieOracle(folder.file("film.mp4")).presentationTimes()
                == MovieOracle(folder.file("whole.mp4")).presentationTimes())
    }

    @Test("cancelled before a group is whole, the same export begins again and makes the same")
    func cancelledEarly() async throws {
        let film = try await film()
        _ = try await ExportSession(film).export(to: folder.file("whole.mp4"))
        try await cancel(film, at: 20)
        let report = try await ExportSession(film).export(to: folder.file("film.mp4"))
        #expect(report.resumedFrames == 0)
        #expect(try numbers("film.mp4") == numbers("whole.mp4"))
    }

    @Test("states go from pending over waiting to the last frame, and a session exports once")
    func states() async throws {
        let session = ExportSession(try await film())
        #expect(session.state == .pending)
        let states = session.states(updateInterval: .milliseconds(1))
        let watching = Task {
            var seen: [ExportState] = []
            for await state in states { seen.append(state) }
            return seen
        }
        let report = try await session.export(to: folder.file("film.mp4"))
        let seen = await watching.value
        let frames = seen.compactMap { state -> Int64? in
            if case .exporting(let progress) = state { progress.frames } else { nil }
        }
        #expect(frames == frames.sorted() && frames.last == report.frames)
        guard case .exporting(let last) = session.state else {
            Issue.record("the last state is \(session.state)")
            return
        }
        #expect(last.fraction == 1 && last.frameCount == report.frames)
        await #expect(throws: MediaError.self) {
            try await session.export(to: folder.file("again.mp4"))
        }
        #expect(folder.contents == ["a.mp4", "film.mp4"])
    }

    @Test("one that is cancelled before it has taken over what was there leaves that as it was")
    func cancelledAgain() async throws {
        var film = try await film()
        film.audioMix.loudness = LoudnessTarget(integrated: -20, truePeak: -1)
        let reported = try await cancel(film, at: 130)
        #expect(reported.message.contains("continues from where it was"))
        // before anything is looked at
        let session = ExportSession(film)
        session.cancel()
        await #expect { try await session.export(to: folder.file("film.mp4")) } throws: {
            ($0 as? MediaError)?.code == .cancelled
        }
        #expect(folder.contents == [".film.vcap-part.mp4", "a.mp4"])
        // while the audio is measured, after the part has got its other name
        let again = try await cancel(film, at: 0)
        #expect(again.code == .cancelled && again.message.contains("continues from where it was"))
        #expect(folder.contents == [".film.vcap-earlier.mp4", "a.mp4"])
        let report = try await ExportSession(film).export(to: folder.file("film.mp4"))
        #expect(report.resumedFrames == 120)
        #expect(folder.contents == ["a.mp4", "film.mp4"])
    }
}
