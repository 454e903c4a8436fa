import Testing

@testable import Writing

private let ms: Int64 = 1_000_000

private func gate(hasLead: Bool = true) -> PauseGate {
    PauseGate(start: 0, hasLead: hasLead, stallLimit: 500 * ms)
}

@Suite("Queues of frames")
struct FrameQueueTests {
    private func release(
        _ queue: inout FrameQueue<String>, _ gate: PauseGate
    ) -> (words: [String], leftOut: Int) {
        var output: [FrameQueue<String>.Released] = []
        let leftOut = queue.release(by: gate, into: &output)
        return (
            output.map { "\($0.element)@\($0.movieTime / ms)\($0.startsSpan ? "!" : "")" }, leftOut
        )
    }

    @Test("what is before the start is left out, the first one after it begins a span")
    func start() {
        var queue = FrameQueue<String>(needsSync: false)
        let gate = PauseGate(start: 100 * ms, hasLead: true, stallLimit: 500 * ms)
        for time: Int64 in [60, 99, 100, 140] {
            queue.append("\(time)", at: time * ms, isSync: true, weight: 10)
        }
        let (words, leftOut) = release(&queue, gate)
        #expect(words == ["100@0!", "140@40"])
        #expect(leftOut == 2)
        #expect(queue.heldWeight == 0)
    }

    @Test("what a pause has not decided on is held with its weight, then left out or kept")
    func held() {
        var queue = FrameQueue<String>(needsSync: false)
        var gate = gate()
        gate.leadFrame(at: 0)
        _ = gate.pause(at: 50 * ms, notBefore: 0)
        for time: Int64 in [0, 40, 60] {
            queue.append("\(time)", at: time * ms, isSync: true, weight: 10)
        }
        let before = release(&queue, gate)
        #expect(before.words == ["0@0!", "40@40"] && before.leftOut == 0)
        #expect(queue.heldWeight == 10)
        gate.leadFrame(at: 80 * ms)  // the cut: what is held lies before it
        let after = release(&queue, gate)
        #expect(after.words == ["60@60"] && after.leftOut == 0)
        _ = gate.resume(at: 200 * ms, notBefore: 0)
        gate.leadFrame(at: 210 * ms)
        for time: Int64 in [90, 205, 215] {
            queue.append("\(time)", at: time * ms, isSync: true, weight: 10)
        }
        let resumed = release(&queue, gate)
        #expect(resumed.words == ["215@85!"] && resumed.leftOut == 2)
    }

    @Test("coded frames that need others begin each span at a sync sample")
    func syncSamples() {
        var queue = FrameQueue<String>(needsSync: true)
        let gate = gate()
        for (time, isSync) in [(0, false), (40, false), (80, true), (120, false)] {
            queue.append("\(time)", at: Int64(time) * ms, isSync: isSync, weight: 1)
        }
        let (words, leftOut) = release(&queue, gate)
        #expect(words == ["80@80!", "120@120"] && leftOut == 2)
    }

    @Test("a packet of audio belongs to the side on which its middle lies, and keeps its own time")
    func packets() {
        var queue = FrameQueue<String>(needsSync: false, judgedAfter: 10 * ms)
        var gate = gate(hasLead: false)
        _ = gate.pause(at: 100 * ms, notBefore: 0)
        gate.progress(to: 200 * ms)
        for time: Int64 in [80, 89, 90, 100] {
            queue.append("\(time)", at: time * ms, isSync: true, weight: 1)
        }
        let (words, leftOut) = release(&queue, gate)
        #expect(words == ["80@80!", "89@89"] && leftOut == 2)
        #expect(queue.undecidedFrom == 110 * ms + 1)
    }
}

@Suite("Queues of raw audio")
struct AudioQueueTests {
    /// At 1,000 frames a second a frame is a millisecond.
    private func queue(fade: Int64 = 3) -> AudioQueue<String> {
        AudioQueue(rate: 1000, fade: fade * ms)
    }

    private func release(
        _ queue: inout AudioQueue<String>, _ gate: PauseGate, everything: Bool = false
    ) -> [AudioQueue<String>.Piece] {
        var output: [AudioQueue<String>.Piece] = []
        queue.release(by: gate, everything: everything, into: &output)
        return output
    }

    @Test("runs are placed by counting, and say how far their stamps are from that")
    func counting() {
        var queue = queue()
        var errors: [Int64] = []
        for (name, time) in [("a", 0), ("b", 10), ("c", 23), ("d", 28)] as [(String, Int64)] {
            errors.append(queue.append(name, frames: 10, at: time * ms, weight: 40))
        }
        #expect(errors == [0, 0, 3 * ms, -2 * ms])
        #expect(queue.heldWeight == 160)
        let pieces = release(&queue, gate(hasLead: false), everything: true)
        #expect(pieces.map(\.position) == [0, 10, 20, 30])
        #expect(pieces.allSatisfy { $0.frames == 0..<10 && !$0.fade.touches(10) })
        #expect(queue.heldWeight == 0 && queue.leftOut == 0)
    }

    @Test("the newest frames of a fade's length are kept back: a pause may still need them")
    func keptBack() {
        var queue = queue()
        for start: Int64 in [0, 10, 20] {
            _ = queue.append("\(start)", frames: 10, at: start * ms, weight: 1)
        }
        let first = release(&queue, gate(hasLead: false))
        #expect(first.map(\.element) == ["0", "10"])
        #expect(release(&queue, gate(hasLead: false), everything: true).map(\.element) == ["20"])
    }

    @Test("what is before the start is cut at its very frame")
    func start() {
        var queue = queue()
        _ = queue.append("a", frames: 10, at: 0, weight: 1)
        _ = queue.append("b", frames: 10, at: 10 * ms, weight: 1)
        let gate = PauseGate(start: 4 * ms, hasLead: false, stallLimit: 500 * ms)
        let pieces = release(&queue, gate, everything: true)
        #expect(pieces.map(\.frames) == [4..<10, 0..<10])
        #expect(pieces.map(\.position) == [0, 6])
        #expect(queue.leftOut == 4)
    }

    @Test("a pause cuts at its frame, fades out before it and in after it, and loses nothing else")
    func pause() {
        var queue = queue()
        var gate = gate(hasLead: false)
        _ = gate.pause(at: 15 * ms, notBefore: 0)
        _ = gate.resume(at: 42 * ms, notBefore: 0)
        gate.progress(to: 60 * ms)
        for start: Int64 in stride(from: 0, to: 60, by: 10) {
            _ = queue.append("\(start)", frames: 10, at: start * ms, weight: 1)
        }
        let pieces = release(&queue, gate, everything: true)
        #expect(pieces.map(\.element) == ["0", "10", "40", "50"])
        #expect(pieces.map(\.frames) == [0..<10, 0..<5, 2..<10, 0..<10])
        #expect(pieces.map(\.position) == [0, 10, 15, 23])
        #expect(queue.leftOut == 27)
        // out: the last three frames before 15; in: the first three from 42 on
        #expect(pieces[1].fade == AudioFade(length: 3, sinceStart: nil, untilEnd: 0))
        #expect(pieces[2].fade == AudioFade(length: 3, sinceStart: 0, untilEnd: nil))
        #expect(!pieces[3].fade.touches(10))
    }

    @Test("the session's end cuts at its frame, however much came after it")
    func end() {
        var queue = queue()
        var gate = gate(hasLead: false)
        gate.endSession(at: 25 * ms)
        for start: Int64 in stride(from: 0, to: 50, by: 10) {
            _ = queue.append("\(start)", frames: 10, at: start * ms, weight: 1)
        }
        let pieces = release(&queue, gate, everything: true)
        #expect(pieces.reduce(0) { $0 + $1.frames.count } == 25)
        #expect(pieces.last?.frames == 0..<5)
        #expect(queue.leftOut == 25 && queue.heldWeight == 0)
    }
}
