internal import Media

/// Those who watch the time that is on show. Times are ticks of the timeline.
struct TimeObservers {
    private enum Wish {
        case every(Int64)
        /// In order.
        case at([Int64])
    }

    private struct Observer {
        let wish: Wish
        let continuation: AsyncStream<MediaTime>.Continuation
    }

    private var observers: [Int: Observer] = [:]
    private var last: Int64?
    /// What was played when they were looked after last.
    var turn = 0
    var pass: Int64 = 0

    var isEmpty: Bool { observers.isEmpty }

    mutating func add(
        _ id: Int, every interval: Int64, _ stream: AsyncStream<MediaTime>.Continuation
    ) {
        observers[id] = Observer(wish: .every(max(1, interval)), continuation: stream)
    }

    mutating func add(_ id: Int, at times: [Int64], _ stream: AsyncStream<MediaTime>.Continuation) {
        observers[id] = Observer(wish: .at(times.sorted()), continuation: stream)
    }

    mutating func remove(_ id: Int) { observers[id] = nil }

    /// Ends all their sequences.
    mutating func finish() -> [AsyncStream<MediaTime>.Continuation] {
        defer { observers = [:] }
        return observers.values.map(\.continuation)
    }

    /// - Parameter isJump: what lies between was not played.
    /// - Returns: who gets which time, in order.
    mutating func moved(
        to time: Int64, isForward: Bool, isJump: Bool
    ) -> [(AsyncStream<MediaTime>.Continuation, MediaTime)] {
        defer { last = time }
        var passed: [(AsyncStream<MediaTime>.Continuation, MediaTime)] = []
        let from = last ?? time
        for observer in observers.values {
            switch observer.wish {
            case .every(let interval):
                if isJump || last == nil || Self.isCrossed(interval, from, time, isForward) {
                    passed.append((observer.continuation, .playerTicks(time)))
                }
            case .at(let times) where !isJump:
                let crossed = times.filter {
                    isForward ? from < $0 && $0 <= time : time <= $0 && $0 < from
                }
                for border in isForward ? crossed : crossed.reversed() {
                    passed.append((observer.continuation, .playerTicks(border)))
                }
            case .at: break
            }
        }
        return passed
    }

    private static func isCrossed(
        _ interval: Int64, _ from: Int64, _ to: Int64, _ isForward: Bool
    ) -> Bool {
        isForward
            ? to.pass(of: interval) > from.pass(of: interval)
            : (to - 1).pass(of: interval) < (from - 1).pass(of: interval)
    }

    /// The next time that is to be reported.
    func next(after time: Int64, isForward: Bool) -> Int64? {
        let times = observers.values.compactMap { observer -> Int64? in
            switch observer.wish {
            case .every(let interval):
                isForward
                    ? (time.pass(of: interval) + 1) * interval
                    : (time - 1).pass(of: interval) * interval
            case .at(let times):
                isForward ? times.first { $0 > time } : times.last { $0 < time }
            }
        }
        return isForward ? times.min() : times.max()
    }
}
