/// The time code of a movie: where it begins, and where it jumps to another number.
public struct MovieTimeCode: Sendable, Hashable, Codable {
    /// An instant from which the code counts anew.
    public struct Jump: Sendable, Hashable {
        /// When (movie time).
        public var time: MediaTime
        public var timeCode: TimeCode

        public init(time: MediaTime, timeCode: TimeCode) {
            self.time = time
            self.timeCode = timeCode
        }
    }

    /// The code at movie time zero.
    public var start: TimeCode
    /// In order of time, all of the rate of `start` (default none).
    public var jumps: [Jump]
    /// Whether the code advances in the pauses of the take that is written, so that it jumps where the take is resumed
    /// (free run); else pauses leave no trace in it (record run).
    public var runsInPauses: Bool

    public init(_ start: TimeCode, jumps: [Jump] = [], runsInPauses: Bool = false) {
        self.start = start
        self.jumps = jumps
        self.runsInPauses = runsInPauses
    }

    /// What a frame has that is shown then (movie time).
    public func timeCode(at time: MediaTime) -> TimeCode {
        guard let jump = jumps.last(where: { $0.time <= time }) else {
            return start.shown(after: time)
        }
        return jump.timeCode.shown(after: time - jump.time)
    }

    /// That of a movie which begins with this one's instant `time`, and ends with `end` (nil: with the movie).
    public func from(_ time: MediaTime, to end: MediaTime? = nil) -> MovieTimeCode {
        let later = jumps.filter { jump in jump.time > time && end.map { jump.time < $0 } ?? true }
        return MovieTimeCode(
            timeCode(at: time),
            jumps: later.map { Jump(time: $0.time - time, timeCode: $0.timeCode) },
            runsInPauses: runsInPauses)
    }

    /// Jumps over a pause, if the code runs on in it.
    /// - Parameters:
    ///   - time: of the first frame behind it (movie time).
    ///   - paused: all of the movie's pauses until then (seconds).
    public mutating func noteResumed(at time: MediaTime, paused: MediaTime) {
        guard runsInPauses else { return }
        let elapsed = time.nanoseconds() + paused.nanoseconds()
        let code = start.advanced(by: .nanoseconds(elapsed))
        if jumps.last?.time == time { jumps.removeLast() }
        jumps.append(Jump(time: time, timeCode: code))
    }
}

extension MovieTimeCode.Jump: Codable {
    private enum CodingKeys: String, CodingKey { case value, timescale, timeCode }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let timescale = try values.decode(Int32.self, forKey: .timescale)
        guard timescale > 0 else {
            throw DecodingError.dataCorruptedError(
                forKey: .timescale, in: values, debugDescription: "it must be above 0")
        }
        time = MediaTime(
            value: try values.decode(Int64.self, forKey: .value), timescale: timescale)
        timeCode = try values.decode(TimeCode.self, forKey: .timeCode)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(time.value, forKey: .value)
        try values.encode(time.timescale, forKey: .timescale)
        try values.encode(timeCode, forKey: .timeCode)
    }
}
