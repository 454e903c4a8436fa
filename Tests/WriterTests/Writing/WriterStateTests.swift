import Foundation
import Media
import TestSupport
import Testing

@testable import Writing

/// Every public call from every state a writer can be in.
@Suite("A writer's states")
struct WriterStateTests {
    enum State: CaseIterable {
        case configuring, started, session, finished, cancelled, notCreated
    }

    enum Call: CaseIterable {
        case addInput, start, startSession, append, appendImmediately, pause, resume, mark
        case endSession, finish
    }

    private static let allowed: [State: Set<Call>] = [
        .configuring: [.addInput, .start, .startSession, .pause],
        .started: [.startSession, .pause],
        .session: [.append, .appendImmediately, .pause, .resume, .mark, .endSession, .finish],
        .finished: [], .cancelled: [], .notCreated: [],
    ]

    private func writer(
        in state: State, _ record: ScriptedContainer.Record
    ) async throws -> (AssetWriter, SampleBufferReceiver) {
        let gone = MediaError(code: .notPermitted, subject: "a.mov", message: "Not yours.")
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: "a.mov"), onEvent: { _ in },
            container: ScriptedContainer.choice(
                record, creating: state == .notCreated ? gone : nil))
        let input = try writer.inputReceiver(passingThrough: Coded.video)
        switch state {
        case .configuring: break
        case .started: try writer.start()
        case .session: try writer.startSession(atSourceTime: .zero)
        case .finished:
            try writer.startSession(atSourceTime: .zero)
            _ = try await writer.finish()
        case .cancelled:
            try writer.startSession(atSourceTime: .zero)
            await writer.cancel()
        case .notCreated:
            #expect(throws: MediaError.self) { try writer.start() }
        }
        return (writer, input)
    }

    private func perform(
        _ call: Call, _ writer: AssetWriter, _ input: SampleBufferReceiver
    ) async throws(MediaError) {
        let sample = Coded.sample(Coded.video, at: 5)
        switch call {
        case .addInput: _ = try writer.inputReceiver(passingThrough: Coded.video)
        case .start: try writer.start()
        case .startSession: try writer.startSession(atSourceTime: .zero)
        case .append: try await input.append(sample)
        case .appendImmediately: try input.appendImmediately(sample)
        case .pause: try writer.pause(at: .milliseconds(5))
        case .resume: try writer.resume(at: .milliseconds(9))
        case .mark: try writer.mark("m", at: .milliseconds(5))
        case .endSession: try writer.endSession(atSourceTime: .seconds(1))
        case .finish: _ = try await writer.finish()
        }
    }

    @Test(
        "each call is done or refused with one sentence, by the state alone",
        arguments: State.allCases)
    func everyCall(state: State) async throws {
        for call in Call.allCases {
            // asked for before anything was paused it changes nothing, and is no error
            if call == .resume, state == .configuring || state == .started { continue }
            let (writer, input) = try await writer(in: state, ScriptedContainer.Record())
            var refusal: MediaError?
            do throws(MediaError) { try await perform(call, writer, input) } catch {
                refusal = error
            }
            let isAllowed = Self.allowed[state]?.contains(call) ?? false
            #expect((refusal == nil) == isAllowed, "\(call) while \(state): \(refusal as Any)")
            if let refusal {
                #expect(refusal.code == .invalidState)
                #expect(refusal.message.hasPrefix("Cannot ") && refusal.message.hasSuffix("."))
            }
            await writer.cancel()
        }
    }

    @Test("the state that is reported follows the calls")
    func reportedState() async throws {
        let wanted: [State: AssetWriterStatus.State] = [
            .configuring: .configuring, .started: .waiting, .session: .writing,
            .finished: .finished, .cancelled: .cancelled, .notCreated: .failed,
        ]
        for state in State.allCases {
            let (writer, _) = try await writer(in: state, ScriptedContainer.Record())
            #expect(writer.status.state == wanted[state])
            await writer.cancel()
        }
    }

    @Test(
        "pausing and resuming are reported while they wait for their frame, and when it has come")
    func reportedPause() async throws {
        let (writer, input) = try await writer(in: .session, ScriptedContainer.Record())
        try input.appendImmediately(Coded.sample(Coded.video, at: 0))
        #expect(try writer.pause(at: .milliseconds(10)))
        #expect(try !writer.pause(at: .milliseconds(20)))
        #expect(writer.status.state == .pausing)
        try input.appendImmediately(Coded.sample(Coded.video, at: 33))
        #expect(writer.status.state == .paused)
        #expect(try writer.resume(at: .milliseconds(50)))
        #expect(writer.status.state == .resuming)
        try input.appendImmediately(Coded.sample(Coded.video, at: 66))
        #expect(writer.status.state == .writing)
        let result = try await writer.finish()
        #expect(result.pauses.map(\.cutTime) == [.milliseconds(33)])
        #expect(result.pauses.map(\.resumeTime) == [.milliseconds(66)])
        #expect(result.tracks[0].counts.leftOut == 1)
    }

    @Test("a writer without inputs has nothing to start; cancelling it twice is cancelling it once")
    func withoutInputs() async throws {
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: "a.mp4"), onEvent: { _ in },
            container: ScriptedContainer.choice(ScriptedContainer.Record()))
        #expect { try writer.start() } throws: { "\($0)".contains("no inputs") }
        await writer.cancel()
        await writer.cancel()
        #expect(throws: MediaError.self) { try writer.startSession(atSourceTime: .zero) }
    }

    @Test("a pause asked for before the session is carried out at its start, the last word counts")
    func earlyCommands() async throws {
        let record = ScriptedContainer.Record()
        let (writer, input) = try await writer(in: .configuring, record)
        #expect(try writer.pause(at: .zero))
        #expect(try !writer.pause(at: .milliseconds(1)))
        try writer.startSession(atSourceTime: .milliseconds(2))
        for time: Int64 in [10, 43, 76] {
            try input.appendImmediately(Coded.sample(Coded.video, at: time))
        }
        try writer.resume(at: .milliseconds(100))
        try input.appendImmediately(Coded.sample(Coded.video, at: 110))
        try input.appendImmediately(Coded.sample(Coded.video, at: 143))
        let result = try await writer.finish()
        #expect(record.samples.count == 2)
        #expect(result.tracks[0].counts.leftOut == 3)
    }

    @Test("a writer that is let go of while it writes closes its file and leaves it")
    func letGo() async throws {
        let record = ScriptedContainer.Record()
        do {
            let (writer, input) = try await writer(in: .session, record)
            try input.appendImmediately(Coded.sample(Coded.video, at: 0))
            _ = writer
        }
        #expect(record.comes(.abandon))
        #expect(!record.calls.contains(.remove) && !record.calls.contains(.finish))
    }

    @Test("an end before the session's start, and a second end, are refused with a sentence each")
    func wrongEnds() async throws {
        let record = ScriptedContainer.Record()
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: "a.mov"), onEvent: { _ in },
            container: ScriptedContainer.choice(record))
        _ = try writer.inputReceiver(passingThrough: Coded.video)
        try writer.startSession(atSourceTime: .seconds(10))
        #expect { try writer.endSession(atSourceTime: .seconds(5)) } throws: {
            "\($0)".contains("before the session's start")
        }
        try writer.endSession(atSourceTime: .seconds(12))
        #expect { try writer.endSession(atSourceTime: .seconds(11)) } throws: {
            "\($0)".contains("set already")
        }
        _ = try await writer.finish()
    }

    @Test("a track that was finished takes nothing more; the others continue")
    func finishedTrack() async throws {
        let record = ScriptedContainer.Record()
        let writer = try AssetWriter(
            AssetWriterConfiguration(outputPath: "a.mov"), onEvent: { _ in },
            container: ScriptedContainer.choice(record))
        let video = try writer.inputReceiver(passingThrough: Coded.video)
        let sound = try writer.inputReceiver(passingThrough: Coded.audio)
        try writer.startSession(atSourceTime: .zero)
        try video.appendImmediately(Coded.sample(Coded.video, at: 0))
        video.finish()
        video.finish()
        #expect { try video.appendImmediately(Coded.sample(Coded.video, at: 33)) } throws: {
            "\($0)".contains("was finished")
        }
        for number in 0..<20 { try await sound.append(Coded.packet(Int64(number))) }
        _ = try await writer.finish()
        #expect(record.samples.count { $0.track == 0 } == 1)
        #expect(record.samples.count { $0.track == 1 } == 20)
    }
}
