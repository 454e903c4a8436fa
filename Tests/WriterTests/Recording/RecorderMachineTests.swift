import Testing

@testable import Writer

private typealias Input = RecorderMachine.Input

/// A machine brought to a state by the shortest way.
private func machine(in state: RecorderState) -> RecorderMachine {
    let ways: [RecorderState: [Input]] = [
        .idle: [], .waitingForSources: [.start], .recording: [.start, .ready],
        .paused: [.start, .ready, .pause], .stopping: [.start, .ready, .stop],
        .finished: [.start, .ready, .stop, .closed], .failed: [.start, .ready, .fail, .closed],
    ]
    var machine = RecorderMachine()
    for input in ways[state] ?? [] { _ = machine.handle(input) }
    return machine
}

/// What each request means in each state; everything else changes nothing.
private let table: [RecorderState: [Input: (RecorderState, RecorderMachine.Effect)]] = [
    .idle: [
        .start: (.waitingForSources, .listenToSources), .stop: (.stopping, .abandon),
        .fail: (.stopping, .abandon),
    ],
    .waitingForSources: [
        .ready: (.recording, .startSession), .stop: (.stopping, .abandon),
        .fail: (.stopping, .abandon),
    ],
    .recording: [
        .pause: (.paused, .pauseWriter), .toggle: (.paused, .pauseWriter),
        .stop: (.stopping, .endSession), .fail: (.stopping, .endSession),
    ],
    .paused: [
        .resume: (.recording, .resumeWriter), .toggle: (.recording, .resumeWriter),
        .stop: (.stopping, .endSession), .fail: (.stopping, .endSession),
    ],
    .stopping: [.closed: (.finished, .tellFinished)],
    .finished: [:],
    .failed: [:],
]

struct RecorderMachineTests {
    @Test(
        "every request from every state does what the diagram says",
        arguments: RecorderState.allCases)
    func everyTransition(state: RecorderState) {
        #expect(machine(in: state).state == state)
        for input in Input.allCases {
            var machine = machine(in: state)
            let effect = machine.handle(input)
            let wanted = table[state]?[input] ?? (state, .none)
            #expect(machine.state == wanted.0, "\(input)")
            #expect(effect == wanted.1, "\(input)")
        }
    }

    @Test("a failure while stopping still ends as failed")
    func failsWhileStopping() {
        var machine = machine(in: .stopping)
        #expect(machine.handle(.fail) == .none)
        #expect(machine.handle(.closed) == .tellFailed)
        #expect(machine.state == .failed)
    }

    @Test("whatever is asked in whatever order, a recording that is over stays over")
    func overIsOver() {
        var noise = Noise(seed: 5)
        for _ in 0..<200 {
            var machine = RecorderMachine()
            var wasOver = false
            for _ in 0..<60 {
                let index = Int(abs(noise.next()) * Double(Input.allCases.count))
                let before = machine.state
                _ = machine.handle(Input.allCases[min(index, Input.allCases.count - 1)])
                if wasOver { #expect(machine.state == before) }
                wasOver = machine.state.isOver
            }
        }
    }
}
