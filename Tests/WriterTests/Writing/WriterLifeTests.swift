import Media
import Testing

@testable import Movie
@testable import Writing

@Suite("The life of a writer")
struct WriterLifeTests {
    @Test("commands before the session count when they change what the one before asked for")
    func earlyCommands() throws {
        var life = WriterLife()
        var answers = [try life.command(.resume(at: 1)), try life.command(.pause(at: 2))]
        try life.start(hasInputs: true)
        answers += [try life.command(.pause(at: 3)), try life.command(.resume(at: 4))]
        #expect(answers == [false, true, false, true])
        let early = try life.beginSession(isOpen: true)
        #expect(early == [.pause(at: 2), .resume(at: 4)])
        // from here on the session decides
        let decided = try life.command(.pause(at: 5))
        #expect(decided == nil)
        try life.finish()
        #expect(throws: MediaError.self) { try life.command(.pause(at: 6)) }
    }

    @Test("a writer that has ended is not ended again, and nobody waits for it")
    func ended() async throws {
        var life = WriterLife()
        try life.start(hasInputs: true)
        let isBegun = life.abandon()
        #expect(isBegun && life.state(hasFailed: false, nil) == .finishing)
        let waiting = life.end(.cancelled)
        let isRepeated = life.abandon()
        #expect(waiting.isEmpty && !isRepeated)
        #expect(life.state(hasFailed: true, nil) == .cancelled)
        let ended = life
        let waits = await withCheckedContinuation { answer in
            Task {
                await withCheckedContinuation { next in
                    var life = ended
                    answer.resume(returning: life.wait(next))
                    next.resume()
                }
            }
        }
        #expect(!waits)
    }

    @Test("without inputs, without a file or twice it does not start")
    func refusals() throws {
        var life = WriterLife()
        #expect(throws: MediaError.self) { try life.start(hasInputs: false) }
        try life.start(hasInputs: true)
        #expect(throws: MediaError.self) { try life.start(hasInputs: true) }
        #expect(throws: MediaError.self) { try life.beginSession(isOpen: false) }
        #expect(life.phase == .started)
    }
}
