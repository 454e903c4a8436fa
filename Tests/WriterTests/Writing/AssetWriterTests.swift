import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Writing

private let slow = VideoOutputSettings(codec: .h264, preset: "veryslow")

/// What a writer reported, in order.
private final class EventLog: Sendable {
    private let events = BlockingLock<[AssetWriterEvent]>([])

    func note(_ event: AssetWriterEvent) { events.withLock { $0.append(event) } }

    var drops: [SampleDrop] {
        events.withLock { $0 }.compactMap {
            if case .dropped(_, let drop) = $0 { drop } else { nil }
        }
    }

    var failures: [MediaError] {
        events.withLock { $0 }.compactMap { if case .failed(let error) = $0 { error } else { nil } }
    }
}

@Test(
    "a slow encoder costs whole frames in real time, each reported and counted, and never audio")
func realTimeDrops() async throws {
    let folder = try TemporaryFolder()
    let take = SyntheticTake(width: 1280, height: 720, seconds: 2)
    var configuration = try AssetWriterConfiguration(outputPath: folder.file("a.mp4"))
    configuration.videoQueueBytes = 3 << 20
    let log = EventLog()
    let writer = try AssetWriter(configuration) { log.note($0) }
    let video = try writer.inputReceiver(for: slow, sourceFormat: take.videoFormat)
    let audio = try writer.inputReceiver(
        for: AudioOutputSettings(codec: .aac), sourceFormat: take.audioFormat)
    try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
    var refused = 0
    for frame in 0..<take.frameCount where try !video.appendImmediately(take.frameSample(frame)) {
        refused += 1
    }
    for step in 0..<200 {
        #expect(try audio.appendImmediately(take.audioSample(from: step * 480, count: 480)))
    }
    try writer.endSession(atSourceTime: .nanoseconds(SyntheticTake.start + 2_000_000_000))
    let result = try await writer.finish()
    let counts = result.tracks[0].counts
    #expect(refused > 0)
    #expect(counts.dropped == [.encoderBehind: refused])
    #expect(log.drops.count == refused)
    #expect(counts.appended == 60 && counts.written == 60 - refused)
    #expect(result.tracks[1].counts.dropped.isEmpty)
    #expect(result.duration == .seconds(2))
}

@Test("offline, the same encoder makes the caller wait and nothing is lost")
func offlineWaits() async throws {
    let folder = try TemporaryFolder()
    let take = SyntheticTake(width: 640, height: 360, seconds: 1)
    let result = try await take.write(
        to: folder.file("a.mp4"), video: slow, audio: AudioOutputSettings()
    ) { $0.videoQueueBytes = 1 << 20 }
    #expect(result.tracks[0].counts.written == 30)
    #expect(result.tracks[0].counts.dropped.isEmpty)
}

@Test("a movie deleted or replaced while it is written is saved under another name, and reported")
func lostName() async throws {
    for isReplaced in [false, true] {
        let folder = try TemporaryFolder()
        let take = SyntheticTake(width: 320, height: 180, seconds: 1)
        let path = folder.file("a.mp4")
        let writer = try AssetWriter(try AssetWriterConfiguration(outputPath: path))
        let video = try writer.inputReceiver(
            for: VideoOutputSettings(codec: .h264, preset: "ultrafast"),
            sourceFormat: take.videoFormat)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        for frame in 0..<take.frameCount {
            if frame == take.frameCount / 2 {
                try FileManager.default.removeItem(atPath: path)
                if isReplaced { try Data("mine".utf8).write(to: URL(fileURLWithPath: path)) }
            }
            _ = try video.appendImmediately(take.frameSample(frame))
        }
        try writer.endSession(atSourceTime: .nanoseconds(SyntheticTake.start + 1_000_000_000))
        let result = try await writer.close()
        let failure = try #require(result.failure)
        #expect(failure.code == .ioError)
        let names = folder.contents
        let saved = try #require(names.first { $0 != "a.mp4" })
        #expect(failure.message.contains(saved), "\(failure.message)")
        #expect(names.contains("a.mp4") == isReplaced)
        let movie = try MovieFile(path: folder.file(saved))
        #expect(movie.duration == .seconds(1))
    }
}

@Test("cancelling leaves nothing behind")
func cancelLeavesNothing() async throws {
    let folder = try TemporaryFolder()
    let take = SyntheticTake(seconds: 1)
    let writer = try AssetWriter(AssetWriterConfiguration(outputPath: folder.file("a.mp4")))
    let video = try writer.inputReceiver(
        for: VideoOutputSettings(preset: "ultrafast"), sourceFormat: take.videoFormat)
    try await take.deliver(to: writer, video: video, audio: nil)
    #expect(folder.contents == ["a.mp4"])
    await writer.cancel()
    #expect(folder.contents.isEmpty)
    #expect(writer.status.state == .cancelled)
    await #expect(throws: MediaError.self) { try await video.append(take.frameSample(30)) }
}

@Test("an existing movie is not overwritten unless asked, and says so in a sentence")
func existingFile() async throws {
    let folder = try TemporaryFolder()
    let take = SyntheticTake(seconds: 1)
    let fast = VideoOutputSettings(preset: "ultrafast")
    _ = try await take.write(to: folder.file("a.mp4"), video: fast, audio: nil)
    await #expect {
        _ = try await take.write(to: folder.file("a.mp4"), video: fast, audio: nil)
    } throws: { ($0 as? MediaError)?.code == .alreadyExists }
    _ = try await take.write(to: folder.file("a.mp4"), video: fast, audio: nil) {
        $0.overwrites = true
    }
}

@Test("a codec the container cannot hold is refused with the list of those it can")
func containerRefusesCodec() throws {
    let take = SyntheticTake()
    let writer = try AssetWriter(AssetWriterConfiguration(outputPath: "/nonexistent/a.mp4"))
    let error = #expect(throws: MediaError.self) {
        _ = try writer.inputReceiver(
            for: VideoOutputSettings(codec: .ffv1), sourceFormat: take.videoFormat)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("h264, hevc, mjpeg") == true)
    #expect(throws: MediaError.self) { try AssetWriterConfiguration(outputPath: "movie.xyz") }
}

/// A container that fills the disk after some samples.
private final class FillingContainer: ContainerWriter {
    struct Record: Sendable {
        var appended = 0
        var isFinished = false
        var isAbandoned = false
    }

    private let room: Int
    private let record: BlockingLock<Record>

    init(room: Int, record: BlockingLock<Record>) {
        self.room = room
        self.record = record
    }

    func addTrack(_ track: ContainerTrack) -> Int { 0 }
    func begin(_ metadata: MovieMetadata) {}
    func annotate(_ annotation: MovieAnnotation) {}
    func flush() {}
    func update(format: FormatDescription, ofTrack track: Int) {}

    func append(_ sample: SampleBuffer, track: Int) throws(MediaError) {
        let isFull = record.withLock { record in
            record.appended += 1
            return record.appended > room
        }
        if isFull {
            throw MediaError(code: .diskFull, subject: "a.mp4", message: "The disk is full.")
        }
    }

    func finish() throws(MediaError) -> ContainerSummary {
        record.withLock { $0.isFinished = true }
        return ContainerSummary(tracks: [], duration: .zero, fileBytes: 123)
    }

    func abandon() { record.withLock { $0.isAbandoned = true } }
}

@Test("a disk that fills up is reported once, ends the take and still closes the movie")
func diskFull() async throws {
    let record = BlockingLock(FillingContainer.Record())
    let log = EventLog()
    let choice = ContainerChoice(
        make: { _ in FillingContainer(room: 10, record: record) }, remove: {})
    let writer = try AssetWriter(
        AssetWriterConfiguration(outputPath: "a.mp4"), onEvent: { log.note($0) }, container: choice)
    let take = SyntheticTake(seconds: 2)
    let video = try writer.inputReceiver(
        for: VideoOutputSettings(preset: "ultrafast"), sourceFormat: take.videoFormat)
    let error = await #expect(throws: MediaError.self) {
        for _ in 0..<100 { try await take.deliver(to: writer, video: video, audio: nil) }
    }
    #expect([.diskFull, .invalidState].contains(error?.code))
    let failure = await #expect(throws: MediaError.self) { _ = try await writer.finish() }
    #expect(failure?.code == .diskFull)
    #expect(log.failures.map(\.code) == [.diskFull])
    let seen = record.withLock { $0 }
    #expect(seen.isFinished && !seen.isAbandoned)
    // nothing more is put into a container that has refused
    #expect(seen.appended == 11)
    #expect(writer.status.state == .failed)
}
