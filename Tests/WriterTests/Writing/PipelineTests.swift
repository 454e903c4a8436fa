import Media
import TestSupport
import Testing

@testable import Movie
@testable import Writing

@Suite("From the inputs to the container")
struct PipelineTests {
    private func writer(
        _ record: ScriptedContainer.Record, _ reported: ReportedEvents = ReportedEvents(),
        creating: MediaError? = nil, repair: String? = nil
    ) throws -> AssetWriter {
        var configuration = try AssetWriterConfiguration(outputPath: "a.mov")
        configuration.fragmentInterval = .milliseconds(50)
        return try AssetWriter(
            configuration, onEvent: { reported.note($0) },
            container: ScriptedContainer.choice(record, creating: creating, repair: repair))
    }

    @Test("tracks, begin, samples, formats, finish: in that order and once")
    func orderOfCalls() async throws {
        let record = ScriptedContainer.Record()
        let writer = try writer(record)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        let sound = try writer.inputReceiver(passingThrough: Coded.audio)
        try writer.startSession(atSourceTime: .zero)
        for number in 0..<10 as Range<Int64> {
            try video.appendImmediately(Coded.sample(Coded.video, at: number * 33))
        }
        for number in 0..<15 as Range<Int64> { try sound.appendImmediately(Coded.packet(number)) }
        let result = try await writer.finish()
        #expect(result.byteCount == 77)
        let calls = record.calls.filter { $0 != .flush }
        #expect(calls.prefix(3) == [.addTrack(.video), .addTrack(.audio), .begin])
        #expect(calls.suffix(3) == [.update(track: 0), .update(track: 1), .finish])
        #expect(record.samples.count == 25)
        for track in 0..<2 {
            let times = record.samples.filter { $0.track == track }.map(\.time)
            #expect(times == times.sorted())
        }
        // a track whose thread comes late is waited for by 200 ms and no longer
        var newest = MediaTime.zero
        for time in record.samples.map(\.time) {
            newest = max(newest, time)
            #expect(newest.nanoseconds() - time.nanoseconds() <= 200_000_000)
        }
    }

    @Test("the last frame lasts until the session's end, every other until the next one")
    func lastFrame() async throws {
        let record = ScriptedContainer.Record()
        let writer = try writer(record)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        for time: Int64 in [0, 40, 80] {
            try video.appendImmediately(Coded.sample(Coded.video, at: time))
        }
        try writer.endSession(atSourceTime: .milliseconds(1000))
        let result = try await writer.finish()
        #expect(result.duration == .seconds(1))
        let last = record.state.withLock { $0.durations.last }
        #expect(last == MediaTime(value: 82_800, timescale: 90_000))
    }

    @Test(
        "pauses and markers reach the container at their movie times, before the samples behind them"
    )
    func annotations() async throws {
        let record = ScriptedContainer.Record()
        let writer = try writer(record)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        for time: Int64 in [0, 40] {
            try video.appendImmediately(Coded.sample(Coded.video, at: time))
        }
        try writer.mark("eins", at: .milliseconds(20))
        try writer.pause(at: .milliseconds(60))
        try video.appendImmediately(Coded.sample(Coded.video, at: 80))
        try writer.mark("in the pause", at: .milliseconds(90))
        try writer.resume(at: .milliseconds(500))
        for time: Int64 in [520, 560] {
            try video.appendImmediately(Coded.sample(Coded.video, at: time))
        }
        let result = try await writer.finish()
        let notes = record.calls.compactMap { call -> MovieAnnotation? in
            if case .annotate(let note) = call { note } else { nil }
        }
        #expect(notes.count == 3)
        #expect(notes.contains(.marker("eins", at: .milliseconds(20))))
        #expect(notes.contains(.marker("in the pause", at: .milliseconds(80))))
        #expect(
            notes.contains(.pause(at: .milliseconds(80), duration: .milliseconds(440))))
        #expect(result.markers.map(\.text) == ["eins", "in the pause"])
        #expect(record.samples.map { $0.time.nanoseconds() / 1_000_000 } == [0, 40, 80, 120])
    }

    @Test("when nothing comes any more, what was written is flushed once and not again")
    func silentSources() async throws {
        let record = ScriptedContainer.Record()
        let writer = try writer(record)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        for time: Int64 in [0, 33, 66] {
            try video.appendImmediately(Coded.sample(Coded.video, at: time))
        }
        #expect(record.comes(.flush))
        // four fragment intervals later there is still one
        let clock = HostClock()
        _ = clock.wait(until: clock.now() + .milliseconds(200), orSignal: WakeSignal())
        #expect(record.calls.count { $0 == .flush } == 1)
        _ = try await writer.finish()
    }

    @Test("a container that fails is reported once, gets nothing more and is still finished")
    func failingContainer() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        record.state.withLock { $0.failsAtSample = 3 }
        let writer = try writer(record, reported)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        for number in 0..<10 as Range<Int64> {
            _ = try? video.appendImmediately(Coded.sample(Coded.video, at: number * 33))
        }
        let error = await #expect(throws: MediaError.self) { _ = try await writer.finish() }
        #expect(error?.code == .ioError)
        #expect(record.samples.count == 3)
        #expect(record.calls.last == .finish && !record.calls.contains(.remove))
        #expect(reported.failures.count == 1)
        #expect(writer.status.state == .failed)
        #expect(throws: MediaError.self) {
            try video.appendImmediately(Coded.sample(Coded.video, at: 999))
        }
    }

    @Test("a movie that cannot be closed says why")
    func failingFinish() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        record.state.withLock { $0.failsAtFinish = true }
        let writer = try writer(record, reported)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        try video.appendImmediately(Coded.sample(Coded.video, at: 0))
        let error = await #expect(throws: MediaError.self) { _ = try await writer.finish() }
        #expect(error?.code == .diskFull)
        #expect(reported.failures.map(\.code) == [.diskFull])
        #expect(!record.calls.contains(.remove), "what is on the disk may still play")
    }

    @Test(
        "a movie that cannot be closed says what finishes it, whatever failed before",
        arguments: [nil, 1])
    func unfinished(failingSample: Int?) async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        record.state.withLock {
            $0.failsAtFinish = true
            $0.failsAtSample = failingSample
        }
        let writer = try writer(record, reported, repair: "vcap repair a.mov")
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        try video.appendImmediately(Coded.sample(Coded.video, at: 0))
        let result = try await writer.close()
        #expect(result.isUnfinished)
        let reason = failingSample == nil ? "The disk is full" : "The disk has gone"
        #expect(
            result.failure?.message
                == "\(reason); what was written plays, and vcap repair a.mov finishes it.")
        #expect(reported.failures.count == 1)
    }

    @Test("a file that cannot be created leaves nothing and names the reason at the start")
    func cannotCreate() async throws {
        let record = ScriptedContainer.Record()
        let refusal = MediaError(code: .notPermitted, subject: "a.mov", message: "Not yours.")
        let writer = try writer(record, creating: refusal)
        _ = try writer.inputReceiver(passingThrough: Coded.video)
        let error = #expect(throws: MediaError.self) { try writer.start() }
        #expect(error?.code == .notPermitted)
        #expect(record.calls.isEmpty)
    }

    @Test("cancelling while a disk hangs closes and removes the file as soon as it answers")
    func cancelWhileHanging() async throws {
        let record = ScriptedContainer.Record()
        let writer = try writer(record)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        record.stop()
        for number in 0..<30 as Range<Int64> {
            try video.appendImmediately(Coded.sample(Coded.video, at: number * 33))
        }
        async let cancelled: Void = writer.cancel()
        record.goOn()
        await cancelled
        #expect(record.calls.suffix(2) == [.abandon, .remove])
        #expect(!record.calls.contains(.finish))
        #expect(writer.status.state == .cancelled)
    }

    @Test("a camera's own H.264 waits for its parameter sets; without them nothing is left behind")
    func unknownFormat() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        let writer = try writer(record, reported)
        let format = FormatDescription.video(
            VideoFormat(coding: .coded(.h264), width: 64, height: 48))
        let video = try writer.inputReceiver(passingThrough: format)
        try writer.startSession(atSourceTime: .zero)
        #expect(record.calls.isEmpty, "tracks are not known yet")
        // an IDR frame without parameter sets before it
        var sample = Coded.sample(format, at: 0)
        sample.payload = .coded(BlockBuffer([0, 0, 0, 1, 0x65, 1, 2, 3]))
        try video.appendImmediately(sample)
        let error = await #expect(throws: MediaError.self) { _ = try await writer.finish() }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains("no parameter sets") == true)
        #expect(record.calls.suffix(2) == [.abandon, .remove] || record.calls.last == .finish)
    }

    @Test("events come in order, and none after the end")
    func events() async throws {
        let (record, reported) = (ScriptedContainer.Record(), ReportedEvents())
        let writer = try writer(record, reported)
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .zero)
        for number in 0..<200 as Range<Int64> {
            try video.appendImmediately(Coded.sample(Coded.video, at: number * 33))
            try writer.mark("\(number)", at: .milliseconds(number * 33))
        }
        _ = try await writer.finish()
        let texts = reported.all.compactMap { event -> String? in
            if case .marked(let marker) = event { marker.text } else { nil }
        }
        #expect(texts == (0..<200).map(String.init))
    }
}
