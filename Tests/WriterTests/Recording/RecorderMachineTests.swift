import Testing

@testable import Recording
@testable import Writing

private typealias Input = RecorderMachine.Input

/// A machine brought to a point of its life by the shortest way.
private func machine(in life: RecorderMachine.Life) -> RecorderMachine {
    let ways: [RecorderMachine.Life: [Input]] = [
        .idle: [], .starting: [.start], .running: [.start, .ready],
        .finishing: [.start, .ready, .stop], .finished: [.start, .ready, .stop, .closed],
        .failed: [.start, .ready, .fail, .closed],
    ]
    var machine = RecorderMachine()
    for input in ways[life] ?? [] { _ = machine.handle(input) }
    return machine
}

/// What each request means; everything else changes nothing.
private let table: [RecorderMachine.Life: [Input: (RecorderMachine.Life, RecorderMachine.Effect)]] =
    [
        .idle: [
            .start: (.starting, .listenToSources), .stop: (.finishing, .abandon),
            .fail: (.finishing, .abandon),
        ],
        .starting: [
            .ready: (.running, .startSession), .stop: (.finishing, .abandon),
            .fail: (.finishing, .abandon),
        ],
        .running: [.stop: (.finishing, .endSession), .fail: (.finishing, .endSession)],
        .finishing: [.closed: (.finished, .reportFinished)],
        .finished: [:],
        .failed: [:],
    ]

struct RecorderMachineTests {
    @Test(
        "every request from every state does what the diagram says",
        arguments: RecorderMachine.Life.allCases)
    func everyTransition(life: RecorderMachine.Life) {
        #expect(machine(in: life).life == life)
        for input in Input.allCases {
            var machine = machine(in: life)
            let effect = machine.handle(input)
            let wanted = table[life]?[input] ?? (life, .none)
            #expect(machine.life == wanted.0, "\(input)")
            #expect(effect == wanted.1, "\(input)")
        }
    }

    @Test("a failure while stopping still ends as failed")
    func failsWhileStopping() {
        var machine = machine(in: .finishing)
        #expect(machine.handle(.fail) == .none)
        #expect(machine.handle(.closed) == .reportFailed)
        #expect(machine.life == .failed)
    }

    @Test("whatever is asked in whatever order, a recording that is over stays over")
    func overIsOver() {
        var noise = Noise(seed: 5)
        for _ in 0..<200 {
            var machine = RecorderMachine()
            var wasOver = false
            for _ in 0..<60 {
                let index = Int(abs(noise.next()) * Double(Input.allCases.count))
                let before = machine.life
                _ = machine.handle(Input.allCases[min(index, Input.allCases.count - 1)])
                if wasOver { #expect(machine.life == before) }
                wasOver = machine.life.isOver
            }
        }
    }

    @Test("the state is the recorder's life, and while the movie runs or holds the writer's word")
    func stateOfLifeAndWriter() {
        let phases: [(PauseGate.Phase?, RecorderState)] = [
            (nil, .recording), (.running, .recording), (.pausing(at: 1), .pausing),
            (.paused, .paused), (.resuming(at: 1), .resuming),
        ]
        for (phase, state) in phases { #expect(RecorderState(.running, phase) == state) }
        #expect(RecorderState(.finishing, .paused) == .finishing)
        #expect(RecorderState(.failed, .running) == .failed)
    }
}
