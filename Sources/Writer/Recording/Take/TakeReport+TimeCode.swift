internal import Media

extension TakeReport {
    /// The time code of the movie's frames.
    public struct TimeCodes: Sendable, Hashable, Codable {
        /// As it was asked for: `clock`, `free` or where it begins.
        public var source: String
        /// Of the first frame.
        public var start: String
        /// Frames a second that it counts (`30000/1001`).
        public var rate: String
        /// Where it jumps behind a pause; `nil` for nowhere.
        public var jumps: [Jump]?
    }

    public struct Jump: Sendable, Hashable, Codable {
        /// Of the first frame behind the pause (movie time).
        public var movieTime: TakeTime
        public var timeCode: String
    }

    /// States the time code with the pauses that the report has.
    mutating func state(_ start: MovieTimeCode?, _ source: TakeTimeCode?) {
        guard var code = start, let source else { return }
        var paused = MediaTime.zero
        for pause in pauses {
            guard let length = pause.length else { continue }
            paused += length.mediaTime
            code.noteResumed(at: pause.movieTime.mediaTime, paused: paused)
        }
        timeCode = TimeCodes(
            source: source.description, start: code.start.description,
            rate: code.start.rate.frameRate.description,
            jumps: code.jumps.isEmpty
                ? nil
                : code.jumps.map {
                    Jump(movieTime: TakeTime($0.time), timeCode: $0.timeCode.description)
                })
    }
}
