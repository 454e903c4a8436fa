/// Values that often repeat, or are near the one before: how many times each comes, then its step from the one
/// before.
struct RunLog: Sendable {
    struct Run: Sendable, Hashable {
        /// How many times the value comes.
        var count: UInt32
        var value: UInt32
    }

    private var log = NumberLog()
    /// Those in the log.
    private var closed = 0
    private var closedValue: UInt32 = 0
    /// May still become longer.
    private var last: Run?

    var runs: Int { closed + (last == nil ? 0 : 1) }

    /// Memory held (bytes).
    var memory: Int { log.memory }

    mutating func append(_ value: UInt32) {
        if let run = last {
            if run.value == value, run.count < .max {
                last = Run(count: run.count + 1, value: value)
                return
            }
            close(run)
        }
        last = Run(count: 1, value: value)
    }

    private mutating func close(_ run: Run) {
        let step = Int32(bitPattern: run.value &- closedValue)
        let magnitude = UInt64(UInt32(bitPattern: step << 1 ^ step >> 31))
        // the lowest bit: whether the count follows, which else is one
        log.append(magnitude << 1 | (run.count > 1 ? 1 : 0))
        if run.count > 1 { log.append(UInt64(run.count)) }
        closedValue = run.value
        closed += 1
    }
}

extension RunLog: Sequence {
    struct Iterator: IteratorProtocol {
        private var numbers: NumberLog.Iterator
        private var value: UInt32 = 0
        private var last: Run?

        fileprivate init(_ numbers: NumberLog.Iterator, last: Run?) {
            self.numbers = numbers
            self.last = last
        }

        mutating func next() -> Run? {
            guard let number = numbers.next() else {
                defer { last = nil }
                return last
            }
            let magnitude = UInt32(truncatingIfNeeded: number >> 1)
            let step = Int32(bitPattern: magnitude >> 1) ^ -Int32(bitPattern: magnitude & 1)
            value &+= UInt32(bitPattern: step)
            let count = number & 1 == 0 ? 1 : numbers.next() ?? 1
            return Run(count: UInt32(truncatingIfNeeded: count), value: value)
        }
    }

    func makeIterator() -> Iterator { Iterator(log.makeIterator(), last: last) }
}
