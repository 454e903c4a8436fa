import Media
import Testing

@testable import Play

@Suite("The frames that a player keeps")
struct FrameStoreTests {
    private let frame = PixelBuffer(width: 2, height: 2, format: .yuv420p)

    private func kept(
        _ numbers: [Int64], capacity: Int, playhead: Int64, isForward: Bool, length: Int64? = nil
    ) -> [Int64] {
        var store = FrameStore(capacity: capacity)
        for number in numbers {
            store.keep(
                frame, as: number, playhead: playhead, isForward: isForward, length: length)
        }
        return (0..<100).filter { store.contains($0) }
    }

    @Test("those behind the playhead go first, the farthest of them, then the farthest ahead")
    func order() {
        #expect(
            kept([0, 5, 8, 9, 10, 11, 12, 13], capacity: 6, playhead: 10, isForward: true)
                == [8, 9, 10, 11, 12, 13])
        #expect(
            kept([20, 15, 12, 10, 9, 8, 7], capacity: 5, playhead: 10, isForward: false)
                == [7, 8, 9, 10, 12])
        #expect(
            kept([10, 11, 30, 12], capacity: 3, playhead: 10, isForward: true) == [10, 11, 12])
    }

    @Test("while it loops the first frames lie ahead of the last")
    func loops() {
        #expect(
            kept([18, 19, 0, 1, 10], capacity: 4, playhead: 18, isForward: true, length: 20)
                == [0, 1, 18, 19])
        #expect(
            kept([18, 19, 0, 1, 10], capacity: 4, playhead: 18, isForward: true) == [1, 10, 18, 19])
    }
}

@Suite("Those who watch the time of a player")
struct TimeObserversTests {
    private func reported(
        _ body: (inout TimeObservers, AsyncStream<MediaTime>.Continuation) -> Void
    ) async -> [Int64] {
        let (stream, continuation) = AsyncStream<MediaTime>.makeStream()
        var observers = TimeObservers()
        body(&observers, continuation)
        continuation.finish()
        var times: [Int64] = []
        for await time in stream { times.append(time.value) }
        return times
    }

    @Test(
        "each boundary is reported once, in the order in which it is passed, and not when it is jumped over"
    )
    func boundaries() async {
        let times = await reported { observers, stream in
            observers.add(1, at: [30, 10, 20], stream)
            observers.say(to: 0, isForward: true, isJump: true)
            observers.say(to: 10, isForward: true, isJump: false)
            observers.say(to: 25, isForward: true, isJump: false)
            observers.say(to: 40, isForward: true, isJump: true)
            observers.say(to: 5, isForward: false, isJump: false)
        }
        #expect(times == [10, 20, 30, 20, 10])
    }

    @Test("an interval's multiples are reported when they are passed, and jumps at once")
    func intervals() async {
        let times = await reported { observers, stream in
            observers.add(1, every: 10, stream)
            observers.say(to: 0, isForward: true, isJump: true)
            for time in [4, 9, 10, 12, 31] as [Int64] {
                observers.say(to: time, isForward: true, isJump: false)
            }
            observers.say(to: 7, isForward: true, isJump: true)
        }
        #expect(times == [0, 10, 31, 7])
    }

    @Test("the next time to look is the nearest ahead, either way")
    func next() {
        let (_, stream) = AsyncStream<MediaTime>.makeStream()
        var observers = TimeObservers()
        #expect(observers.next(after: 3, isForward: true) == nil)
        observers.add(1, every: 10, stream)
        observers.add(2, at: [13, 28], stream)
        #expect(observers.next(after: 10, isForward: true) == 13)
        #expect(observers.next(after: 13, isForward: true) == 20)
        #expect(observers.next(after: 30, isForward: false) == 28)
        #expect(observers.next(after: 20, isForward: false) == 13)
    }
}

extension TimeObservers {
    /// What a player does with those that it is given.
    fileprivate mutating func say(to time: Int64, isForward: Bool, isJump: Bool) {
        for (stream, time) in moved(to: time, isForward: isForward, isJump: isJump) {
            stream.yield(time)
        }
    }
}
