import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading
@testable import Writing

/// Copies of coded samples that a session begins or ends in the middle of a group of pictures.
@Suite(
    "A session's start among coded samples", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct SessionStartTests {
    /// Ninety frames of 1/30 s in one group, shown in another order than decoded.
    private func longGroup(_ footage: Footage) throws -> Asset {
        try footage.movie(
            "long.mp4", ["-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-g", "250"])
    }

    /// Appends all coded samples of the first track of a kind.
    private func copy(
        _ asset: Asset, _ kind: MediaType, to path: String, from start: MediaTime,
        until end: MediaTime? = nil, range: MediaTimeRange? = nil,
        onEvent: @escaping @Sendable (AssetWriterEvent) -> Void = { _ in }
    ) async throws -> AssetWriterResult {
        let output = try AssetReaderTrackOutput(asset: asset, track: try asset.first(kind))
        let reader = AssetReader()
        try reader.add(output)
        if let range { reader.timeRange = range }
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: path, mode: .offline), onEvent: onEvent)
        let receiver = try writer.inputReceiver(passingThrough: try #require(output.format))
        try writer.startSession(atSourceTime: start)
        for try await sample in reader.samples(of: output) { try await receiver.append(sample) }
        receiver.finish()
        if let end { try writer.endSession(atSourceTime: end) }
        return try await writer.finish()
    }

    @Test(
        "what a session's first frame needs is in the file and hidden, so that it is the first one shown",
        arguments: ["mp4", "mov"])
    func videoStart(container: String) async throws {
        let footage = try Footage()
        let path = footage.folder.file("copy.\(container)")
        let result = try await copy(try longGroup(footage), .video, to: path, from: .seconds(1))
        #expect(try MovieOracle(path).frameNumbers() == Array(30..<90))
        #expect(result.duration == .seconds(2))
        #expect(try MovieOracle(path).frameLength() == .seconds(2))
        #expect(try MovieOracle(path).duration() == 2)
        #expect(try Asset.load(path).duration == .seconds(2))
    }

    @Test(
        "a session that starts between two frames is as long as what is read of it, wherever frames begin"
    )
    func betweenFrames() async throws {
        let footage = try Footage()
        let path = footage.folder.file("copy.mp4")
        let start = MediaTime.milliseconds(1010)
        let result = try await copy(try longGroup(footage), .video, to: path, from: start)
        #expect(try MovieOracle(path).frameNumbers() == Array(31..<90))
        #expect(result.duration == .milliseconds(1990))
    }

    @Test(
        "a session that ends in the middle shows exactly the frames before its end",
        arguments: [false, true])
    func videoEnd(isRead: Bool) async throws {
        let footage = try Footage()
        let path = footage.folder.file("copy.mp4")
        let range = MediaTimeRange(start: .seconds(1), duration: .seconds(1))
        let result = try await copy(
            try longGroup(footage), .video, to: path, from: .seconds(1), until: .seconds(2),
            range: isRead ? range : nil)
        #expect(try MovieOracle(path).frameNumbers() == Array(30..<60))
        #expect(result.duration == .seconds(1))
        #expect(try MovieOracle(path).duration() == 1)
    }

    @Test("frames that the source's edit list hides stay hidden, wherever it shows the others")
    func hiddenFrames() async throws {
        let footage = try Footage()
        let asset = try footage.edit(
            try longGroup(footage), track: 0,
            [
                EditListBox.Entry(duration: 500, mediaTime: nil),
                EditListBox.Entry(duration: 1000, mediaTime: 15360 + 1024),
            ])
        let path = footage.folder.file("copy.mp4")
        let result = try await copy(asset, .video, to: path, from: .zero)
        #expect(try MovieOracle(path).frameNumbers() == Array(30..<60))
        #expect(result.duration == .milliseconds(1500))
        #expect(try MovieOracle(path).presentationTimes().contains { abs($0 - 0.5) < 0.0001 })
    }

    @Test("a container that cannot hide frames begins at the next sync sample and says so")
    func withoutEditLists() async throws {
        let footage = try Footage()
        let asset = try footage.movie(
            "short.mp4", ["-c:v", "libx264", "-bf", "2", "-g", "20", "-x264-params", "scenecut=0"])
        let path = footage.folder.file("copy.mkv")
        let events = ReportedEvents()
        let result = try await copy(
            asset, .video, to: path, from: .seconds(1), onEvent: { events.note($0) })
        #expect(try MovieOracle(path).frameNumbers() == Array(40..<90))
        #expect(result.duration == .seconds(2))
        let late = events.all.compactMap { event -> (MediaTime, Int)? in
            if case .beganLate(_, let time, let count) = event { (time, count) } else { nil }
        }
        #expect(late.map(\.1) == [10])
        let time = try #require(late.first?.0)
        #expect(abs(time.approximateSeconds - 1.0 / 3) < 0.001)
    }

    @Test("a track that would be empty because no sync sample comes is an error and no success")
    func emptyTrack() async throws {
        let footage = try Footage()
        let path = footage.folder.file("copy.mkv")
        let asset = try longGroup(footage)
        let error = await #expect(throws: MediaError.self) {
            _ = try await copy(asset, .video, to: path, from: .seconds(1))
        }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("none of its 60 frames") == true)
    }

    @Test(
        "audio begins with its first audio frame, whatever the codec needs before it",
        arguments: [MediaTime.zero, .seconds(1), MediaTime(value: 60_000, timescale: 48_000)])
    func audioStart(start: MediaTime) async throws {
        let footage = try Footage()
        let asset = try footage.recording("sound.m4a", ["-c:a", "aac", "-b:a", "128k"])
        let path = footage.folder.file("copy.mp4")
        let result = try await copy(asset, .audio, to: path, from: start, until: .seconds(3))
        let source = try MovieOracle(asset.path).sound()
        let found = try MovieOracle(path).sound()
        let skipped = Int(start.ticks(per: 48_000, rounding: .nearest))
        // ffmpeg gives the last packet whole, whatever the edit list says
        #expect((0..<1024).contains(found.count - (144_000 - skipped)))
        let shown = try Asset.load(path).first(.audio)
        #expect(shown.duration == MediaTime(value: Int64(144_000 - skipped), timescale: 48_000))
        #expect(result.duration == MediaTime(value: Int64(144_000 - skipped), timescale: 48_000))
        let error = zip(source.dropFirst(skipped), found).map { abs($0 - $1) }.max() ?? 1
        #expect(error < 0.0005)
    }

    @Test("audio copied into Matroska keeps the encoder's priming, and so every audio frame")
    func audioPriming() async throws {
        let footage = try Footage()
        let asset = try footage.recording("sound.m4a", ["-c:a", "aac", "-b:a", "128k"])
        let path = footage.folder.file("copy.mkv")
        _ = try await copy(asset, .audio, to: path, from: .zero)
        let source = try MovieOracle(asset.path).sound()
        let found = try MovieOracle(path).sound()
        #expect(found.count >= source.count + 1024)
        let error = zip(source, found.dropFirst(1024)).map { abs($0 - $1) }.max() ?? 1
        #expect(error < 0.0005)
    }
}
