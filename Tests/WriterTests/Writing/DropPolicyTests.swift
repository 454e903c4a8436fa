import Media
import TestSupport
import Testing

@testable import Writing

@Suite("What is dropped when a disk stands still, and what never is")
struct DropPolicyTests {
    private func writer(
        _ record: ScriptedContainer.Record, _ reported: ReportedEvents,
        mode: AssetWriterConfiguration.Mode
    ) throws -> AssetWriter {
        var configuration = try AssetWriterConfiguration(outputPath: "a.mov", mode: mode)
        configuration.videoQueueBytes = 1 << 20
        configuration.audioQueueBytes = 1 << 20
        configuration.diskQueueBytes = 1 << 20
        return try AssetWriter(
            configuration, onEvent: { reported.note($0) },
            container: ScriptedContainer.choice(record))
    }

    @Test("whole frames are dropped for the disk, reported and counted, and the rest is in order")
    func hangingDisk() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        let writer = try writer(record, reported, mode: .realTime)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        record.stop()
        var refused: [Int64] = []
        for number in 0..<60 as Range<Int64> {
            let sample = Coded.sample(Coded.video, at: number * 33, bytes: 100_000)
            if try !video.appendImmediately(sample) { refused.append(number * 33) }
            // ten fit before the encoder thread; one is in the container's hands
            if number == 9 { #expect(waitUntil { writer.status.bytesWaiting >= 900_000 }) }
            // and two more fill the queue before the disk
            if number == 12 { #expect(waitUntil { writer.status.bytesWaiting >= 1 << 20 }) }
        }
        // a megabyte waits for the disk and one for the encoder thread
        #expect((30...45).contains(refused.count), "\(refused.count)")
        #expect(reported.drops.count <= refused.count)
        record.goOn()
        let result = try await writer.finish()
        #expect(result.tracks[0].counts.dropped.values.reduce(0, +) == refused.count)
        #expect(result.tracks[0].counts.written == 60 - refused.count)
        #expect(Set(reported.drops.map(\.time)) == Set(refused.map { .milliseconds($0) }))
        #expect(reported.drops.contains { $0.cause == .diskBehind })
        let times = record.samples.map(\.time)
        #expect(times == times.sorted() && times.count == 60 - refused.count)
    }

    @Test("offline nothing is dropped: not ready is an answer, and appending waits")
    func offline() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        let writer = try writer(record, reported, mode: .offline)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        record.stop()
        var taken: Int64 = 0
        // the encoder thread takes some on, then it stands still
        while taken < 60 {
            let sample = Coded.sample(Coded.video, at: taken * 33, bytes: 100_000)
            guard try video.appendImmediately(sample) else { break }
            taken += 1
        }
        #expect(taken < 60)
        record.goOn()
        for number in taken..<60 {
            try await video.append(
                Coded.sample(Coded.video, at: number * 33, bytes: 100_000))
        }
        let result = try await writer.finish()
        #expect(result.tracks[0].counts.written == 60)
        #expect(reported.drops.isEmpty)
    }

    @Test("a dropped predicted frame takes those along that need it, up to the next sync sample")
    func predictedFrames() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        let writer = try writer(record, reported, mode: .realTime)
        let video = try writer.inputReceiver(passingThrough: Coded.predicted)
        try writer.startSession(atSourceTime: .zero)
        record.stop()
        var firstRefused: Int64?
        for number in 0..<40 as Range<Int64> where firstRefused == nil {
            let sample = Coded.sample(
                Coded.predicted, at: number * 33, bytes: 100_000, isSync: number % 10 == 0)
            if try !video.appendImmediately(sample) { firstRefused = number }
        }
        let lost = try #require(firstRefused)
        // a slow thread may make room only now: up to the next sync sample none is taken all the same
        for number in (lost + 1)..<((lost / 10 + 1) * 10) {
            let sample = Coded.sample(
                Coded.predicted, at: number * 33, bytes: 100_000, isSync: false)
            #expect(try !video.appendImmediately(sample))
        }
        record.goOn()
        // the disk is fast again, and room is there: what needs a lost frame is lost all the same
        #expect(waitUntil { writer.status.tracks[0].queuedSamples == 0 })
        #expect(
            try !video.appendImmediately(Coded.sample(Coded.predicted, at: 1320, isSync: false)))
        #expect(try video.appendImmediately(Coded.sample(Coded.predicted, at: 1353)))
        #expect(try video.appendImmediately(Coded.sample(Coded.predicted, at: 1386, isSync: false)))
        _ = try await writer.finish()
        let written = record.samples.map { $0.time.nanoseconds() / 1_000_000 }
        #expect(written.suffix(2) == [1353, 1386])
        #expect(!written.contains(1320))
        // between the first lost one and the next sync sample there is nothing
        let next = (lost / 10 + 1) * 10
        #expect(!written.contains { $0 >= lost * 33 && $0 < next * 33 })
    }

    @Test("audio waits, and when the disk takes none for too long the movie ends and says so")
    func audioIsNeverDropped() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        let writer = try writer(record, reported, mode: .realTime)
        let sound = try writer.inputReceiver(passingThrough: Coded.audio)
        try writer.startSession(atSourceTime: .zero)
        record.stop()
        do throws(MediaError) {
            for number in 0..<100 as Range<Int64> {
                var packet = Coded.packet(number)
                packet.payload = .coded(BlockBuffer([UInt8](repeating: 1, count: 100_000)))
                #expect(try sound.appendImmediately(packet))
            }
        } catch {
            // the failure may be met while appending; it is the one that was reported
            #expect(error.code == .ioError)
        }
        #expect(waitUntil { !reported.failures.isEmpty })
        record.goOn()
        let failure = await #expect(throws: MediaError.self) { _ = try await writer.finish() }
        #expect(failure?.code == .ioError)
        #expect(failure?.message.contains("faster disk") == true)
        #expect(reported.failures.count == 1)
        #expect(reported.drops.isEmpty)
        // what was taken before is closed as a movie
        #expect(record.calls.last == .finish)
    }

    @Test("a stamp that does not go forward is a counted drop with its time, never a repair")
    func outOfOrder() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        let writer = try writer(record, reported, mode: .realTime)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        let wanted = [(0, true), (33, true), (33, false), (20, false), (66, true)]
        for (time, isTaken) in wanted {
            #expect(
                try video.appendImmediately(Coded.sample(Coded.video, at: Int64(time))) == isTaken)
        }
        let result = try await writer.finish()
        #expect(result.tracks[0].counts.dropped == [.outOfOrder: 2])
        #expect(reported.drops.map(\.time) == [.milliseconds(33), .milliseconds(20)])
        #expect(record.samples.map { $0.time.nanoseconds() / 1_000_000 } == [0, 33, 66])
    }

    @Test("a hole or an overlap in raw audio is reported, and the audio is placed by counting")
    func misplacedAudio() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        let writer = try writer(record, reported, mode: .realTime)
        let take = SyntheticTake()
        let audio = try writer.inputReceiver(
            for: AudioOutputSettings(codec: .pcm16), sourceFormat: take.audioFormat)
        try writer.startSession(atSourceTime: .nanoseconds(SyntheticTake.start))
        for step in 0..<20 {
            var sample = take.audioSample(from: step * 480, count: 480)
            if step == 10 { sample.presentationTime += .milliseconds(50) }
            if step == 15 { sample.presentationTime = sample.presentationTime - .milliseconds(50) }
            #expect(try audio.appendImmediately(sample))
        }
        let result = try await writer.finish()
        #expect(result.duration == .milliseconds(200))
        #expect(reported.misuses.count == 2)
        #expect(reported.misuses.first?.contains("50 ms too late: a hole") == true)
        #expect(reported.misuses.last?.contains("50 ms too early: an overlap") == true)
    }

    @Test(
        "audio that stops with its devices in a pause is not late, and continues where the movie does",
        arguments: [0, 7])
    func stoppedInPause(_ more: Int) async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        let writer = try writer(record, reported, mode: .realTime)
        let take = SyntheticTake()
        let audio = try writer.inputReceiver(
            for: AudioOutputSettings(codec: .pcm16), sourceFormat: take.audioFormat)
        let start = SyntheticTake.start
        try writer.startSession(atSourceTime: .nanoseconds(start))
        func play(_ steps: Range<Int>) throws {
            for step in steps {
                #expect(try audio.appendImmediately(take.audioSample(from: step * 480, count: 480)))
            }
        }
        try play(0..<20)
        try writer.pause(at: .nanoseconds(start + 200_000_000))
        // a device stops when it likes
        try play(20..<(20 + more))
        try writer.resume(at: .nanoseconds(start + 5_200_000_000))
        try play(519..<540)
        try writer.endSession(atSourceTime: .nanoseconds(start + 5_400_000_000))
        let result = try await writer.finish()
        #expect(reported.misuses.isEmpty, "\(reported.misuses)")
        #expect(result.duration == .milliseconds(400))
        #expect(result.tracks[0].counts.kept == 400 * 48)
        #expect(result.tracks[0].counts.leftOut == 480 * (more + 1))
    }

    @Test("a sample of another kind than the track was made for is refused before it is counted")
    func anotherFormat() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        let writer = try writer(record, reported, mode: .realTime)
        let take = SyntheticTake()
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        let sound = try writer.inputReceiver(
            for: AudioOutputSettings(codec: .pcm16), sourceFormat: take.audioFormat)
        try writer.startSession(atSourceTime: .zero)
        var other = take.audioSample(from: 0, count: 10)
        other.format = .audio(AudioFormat(coding: .raw(.float32), sampleRate: 44_100, channels: 1))
        for (input, sample) in [
            (video, take.frameSample(0)), (video, Coded.sample(Coded.predicted, at: 0)),
            (video, Coded.packet(0)), (sound, other), (sound, Coded.packet(0)),
            (sound, take.frameSample(0)),
        ] {
            #expect { try input.appendImmediately(sample) } throws: {
                ($0 as? MediaError)?.code == .unsupported && "\($0)".contains("another format")
            }
        }
        #expect(writer.status.tracks.map(\.appended) == [0, 0])
        await writer.cancel()
    }
}
