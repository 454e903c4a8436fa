import Foundation
import Media
import TestSupport
import Testing

@testable import Movie
@testable import Reading
@testable import Writing

/// What is shown where a session begins or ends inside of what others need: every frame is decoded and compared with
/// the source's.
@Suite("A session's edges", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct SessionEdgeTests {
    private func hashes(_ path: String) throws -> [String] {
        let result = try #require(Program.tool("ffmpeg")).run(
            [
                "-v", "error", "-i", path, "-map", "0:v:0", "-fps_mode", "passthrough", "-f",
                "framehash", "-",
            ])
        #expect(result.errorText.isEmpty, "\(result.errorText)")
        return result.outputText.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last.map { String($0) } }
    }

    /// Numbers and times of the frames that our own reader shows.
    private func shown(_ path: String) throws -> [(number: Int, time: MediaTime)] {
        let asset = try Asset.load(path)
        let output = try AssetReaderTrackOutput(
            asset: asset, track: try asset.first(.video), settings: .frames(.yuv420p))
        let reader = AssetReader()
        try reader.add(output)
        try reader.start()
        var frames: [(Int, MediaTime)] = []
        while let sample = try output.next() {
            guard let frame = sample.pixelBuffer else { continue }
            let number = frame.withPlane(0) { luma in
                (0..<24).reduce(0) { $0 << 1 | (luma.row(1)[$1 * 4 + 2] > 127 ? 1 : 0) }
            }
            frames.append((number, sample.presentationTime))
        }
        return frames
    }

    private func group(_ footage: Footage) throws -> Asset {
        try footage.movie(
            "long.mp4", ["-c:v", "libx264", "-preset", "veryfast", "-bf", "3", "-g", "250"])
    }

    private func copy(
        _ asset: Asset, to path: String, from start: MediaTime, until end: MediaTime,
        isRead: Bool = true, events: ReportedEvents = ReportedEvents(),
        _ change: (AssetWriter) throws -> Void = { _ in }
    ) async throws -> AssetWriterResult {
        let output = try AssetReaderTrackOutput(asset: asset, track: try asset.first(.video))
        let reader = AssetReader()
        try reader.add(output)
        if isRead { reader.timeRange = MediaTimeRange(start: start, duration: end - start) }
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: path, mode: .offline),
            onEvent: { events.note($0) })
        let receiver = try writer.inputReceiver(passingThrough: try #require(output.format))
        try writer.startSession(atSourceTime: start)
        try change(writer)
        for try await sample in reader.samples(of: output) { try await receiver.append(sample) }
        receiver.finish()
        try writer.endSession(atSourceTime: end)
        return try await writer.finish()
    }

    @Test(
        "frames that need one behind the end are not in a container that cannot hide it, and are reported",
        arguments: ["mkv", "ts"])
    func endInsideGroup(container: String) async throws {
        let footage = try Footage()
        let asset = try group(footage)
        let source = try hashes(asset.path)
        var reported = 0
        for count in 40...47 {
            let path = footage.folder.file("end-\(count).\(container)")
            let events = ReportedEvents()
            _ = try await copy(
                asset, to: path, from: .zero, until: MediaTime(value: Int64(count), timescale: 30),
                events: events)
            let found = try hashes(path)
            let left = events.all.reduce(0) {
                if case .leftOutUndecodable(_, _, let count) = $1 { $0 + count } else { $0 }
            }
            #expect(found == Array(source.prefix(found.count)), "end \(count)")
            #expect(found.count + left == count, "end \(count)")
            #expect(left <= 3)
            reported += left
        }
        #expect(reported > 0)
    }

    @Test(
        "an end that is set when encoded frames and audio behind it are written cuts them",
        arguments: ["mp4", "mov"])
    func lateEnd(container: String) async throws {
        let footage = try Footage()
        let path = footage.folder.file("end.\(container)")
        let (result, moved) = try await encodeAndEnd(path)
        #expect(moved == 0)
        #expect(result.duration == .seconds(1))
        #expect(try Asset.load(path).duration == .seconds(1))
        #expect(try shown(path).map(\.number) == Array(0..<30))
        let audio = try Asset.load(path).first(.audio)
        #expect(abs((audio.duration - .seconds(1)).approximateSeconds) < 0.0001)
    }

    @Test("where it cannot be hidden the later end is reported", arguments: ["mkv", "ts"])
    func movedEnd(container: String) async throws {
        let footage = try Footage()
        let path = footage.folder.file("end.\(container)")
        let (result, moved) = try await encodeAndEnd(path)
        #expect(moved == 1)
        #expect(result.duration > .seconds(3))
    }

    /// Four seconds appended, the end at one.
    private func encodeAndEnd(_ path: String) async throws -> (AssetWriterResult, Int) {
        let take = SyntheticTake(width: 96, height: 48, seconds: 4)
        let events = ReportedEvents()
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: path, mode: .offline),
            onEvent: { events.note($0) })
        let video = try writer.inputReceiver(
            for: VideoOutputSettings(preset: "ultrafast"), sourceFormat: take.videoFormat)
        let audio = try writer.inputReceiver(
            for: AudioOutputSettings(), sourceFormat: take.audioFormat)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        for second in 0..<4 {
            for frame in 0..<30 { try await video.append(take.frameSample(second * 30 + frame)) }
            try await audio.append(take.audioSample(from: second * 48_000, count: 48_000))
        }
        try writer.endSession(atSourceTime: .nanoseconds(SyntheticTake.start + 1_000_000_000))
        let result = try await writer.finish()
        let moved = events.all.count { if case .endMoved = $0 { true } else { false } }
        return (result, moved)
    }

    @Test(
        "the frame that is on show where the session starts is shown from there on",
        arguments: [false, true])
    func startInsideFrame(isRead: Bool) async throws {
        let footage = try Footage()
        let path = footage.folder.file("copy.mp4")
        _ = try await copy(
            try group(footage), to: path, from: .milliseconds(1010), until: .seconds(2),
            isRead: isRead)
        let frames = try shown(path)
        #expect(frames.map(\.number) == Array(30..<60))
        #expect(frames.first?.time == .zero)
        let second = try #require(frames.dropFirst().first?.time)
        #expect(abs(second.approximateSeconds - (31.0 / 30 - 1.01)) < 0.001)
    }

    @Test(
        "a range inside frames of five seconds shows the one that covers its start",
        arguments: [(6, 9, [1]), (6, 14, [1, 2]), (5, 9, [1])])
    func slides(from: Int, to: Int, numbers: [Int]) async throws {
        let footage = try Footage()
        for codec in [["-c:v", "libx264", "-bf", "0"], ["-c:v", "mjpeg"]] {
            let asset = try footage.movie("slides.mov", count: 4, rate: "1/5", codec)
            let path = footage.folder.file("copy.mov")
            try? FileManager.default.removeItem(atPath: path)
            let result = try await copy(
                asset, to: path, from: .seconds(Int64(from)), until: .seconds(Int64(to)))
            let frames = try shown(path)
            #expect(frames.map(\.number) == numbers, "\(codec)")
            #expect(frames.first?.time == .zero)
            #expect(result.duration == .seconds(Int64(to - from)))
        }
    }

    @Test("a session behind all samples is an error and no success")
    func nothingThere() async throws {
        let footage = try Footage()
        let asset = try group(footage)
        let error = await #expect(throws: MediaError.self) {
            _ = try await copy(
                asset, to: footage.folder.file("copy.mp4"), from: .seconds(10), until: .seconds(20),
                isRead: false)
        }
        #expect(error?.message.contains("is empty: none of the 90 samples") == true)
    }

    @Test("a frame that the source's edit list begins inside of is kept")
    func editInsideFrame() async throws {
        let footage = try Footage()
        let asset = try footage.edit(
            try group(footage), track: 0,
            [EditListBox.Entry(duration: 1000, mediaTime: 1024 + 15360 + 256)])
        let path = footage.folder.file("copy.mp4")
        _ = try await copy(asset, to: path, from: .zero, until: asset.duration, isRead: false)
        let (wanted, found) = (try shown(asset.path), try shown(path))
        #expect(found.map(\.number) == wanted.map(\.number))
        #expect(found.first?.number == 30 && found.first?.time == .zero)
    }

    @Test("a pause that copied frames leave no room for is reported")
    func pauseWithoutEffect() async throws {
        let footage = try Footage()
        let path = footage.folder.file("copy.mp4")
        let events = ReportedEvents()
        let asset = try footage.movie(
            "gops.mp4", ["-c:v", "libx264", "-bf", "3", "-g", "60", "-x264-params", "scenecut=0"])
        let result = try await copy(
            asset, to: path, from: .zero, until: .seconds(3), events: events
        ) {
            try $0.pause(at: .milliseconds(700))
            try $0.resume(at: .milliseconds(1300))
        }
        #expect(result.pauses.isEmpty)
        #expect(try hashes(path).count == 90)
        let undone = events.all.compactMap { event -> (MediaTime, MediaTime)? in
            if case .pauseWithoutEffect(let from, let to) = event { (from, to) } else { nil }
        }
        #expect(undone.map(\.0) == [.milliseconds(700)] && undone.map(\.1) == [.milliseconds(1300)])
    }

    @Test("a writer that is released leaves a file that can be recovered, and no open descriptors")
    func released() async throws {
        let folder = try TemporaryFolder()
        let take = SyntheticTake(width: 96, height: 48, seconds: 2)
        func open() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
                ((try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
                    ?? "").hasPrefix(folder.path)
            }
        }
        for number in 0..<5 {
            let writer = try AssetWriter(
                AssetWriterConfiguration(
                    outputPath: folder.file("\(number).mp4"), mode: .offline))
            let video = try writer.inputReceiver(
                for: VideoOutputSettings(codec: .mjpeg), sourceFormat: take.videoFormat)
            try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
            for frame in 0..<60 { try await video.append(take.frameSample(frame)) }
            while writer.status.tracks[0].written < 50 { await Task.yield() }
            #expect(try open() > 0)
        }
        #expect(waitUntil { (try? open()) == 0 })
        _ = try MovieRepair.repair(folder.file("0.mp4"))
        #expect(try MovieOracle(folder.file("0.mp4")).frameNumbers().count >= 30)
    }

    @Test("a cancelled task neither waits in append nor reads on, and what was appended is a movie")
    func cancelledTask() async throws {
        let footage = try Footage()
        let asset = try group(footage)
        let record = ScriptedContainer.Record()
        record.stop()
        var configuration = try AssetWriterConfiguration(outputPath: "a.mov", mode: .offline)
        configuration.videoQueueBytes = 1 << 20
        configuration.diskQueueBytes = 1 << 20
        let writer = try AssetWriter(
            configuration, onEvent: { _ in }, container: ScriptedContainer.choice(record))
        let input = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        let task = Task { () -> MediaError? in
            do throws(MediaError) {
                for time in 0..<1000 {
                    try await input.append(
                        Coded.sample(Coded.video, at: Int64(time * 40), bytes: 100_000))
                }
                return nil
            } catch { return error }
        }
        while input.isReadyForMoreMediaData { await Task.yield() }
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        let appended = writer.status.tracks[0].appended
        record.goOn()
        _ = try await writer.finish()
        #expect(record.samples.count == appended)

        let output = try AssetReaderTrackOutput(asset: asset, track: try asset.first(.video))
        let reader = AssetReader()
        try reader.add(output)
        let reading = Task { () -> (Int, MediaError.Code?) in
            var count = 0
            do throws(MediaError) {
                for try await _ in reader.samples(of: output) {
                    count += 1
                    if count == 10 { withUnsafeCurrentTask { $0?.cancel() } }
                }
                return (count, nil)
            } catch { return (count, error.code) }
        }
        let (count, code) = await reading.value
        #expect(count == 10 && code == .cancelled)
    }
}

@Suite("Readers and their outputs", .enabled(if: MovieOracle.isAvailable, "needs ffmpeg"))
struct ReaderOwnershipTests {
    @Test("an output belongs to one reader, a track to its asset, and a completed reader stays so")
    func ownership() throws {
        let footage = try Footage()
        let one = try footage.movie("one.mp4", count: 10, ["-c:v", "mjpeg"])
        let two = try footage.movie("two.mp4", count: 20, ["-c:v", "mjpeg"])
        #expect(throws: MediaError.self) {
            _ = try AssetReaderTrackOutput(asset: one, track: try two.first(.video))
        }
        let output = try AssetReaderTrackOutput(asset: one, track: try one.first(.video))
        let reader = AssetReader()
        try reader.add(output)
        #expect { try AssetReader().add(output) } throws: {
            "\($0)".contains("belongs to a reader already")
        }
        try reader.start()
        while try output.next() != nil {}
        reader.cancel()
        guard case .completed = reader.status else {
            Issue.record("the reader is \(reader.status)")
            return
        }
    }
}
