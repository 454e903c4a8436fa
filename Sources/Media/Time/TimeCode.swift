/// The number of a frame as hours, minutes, seconds and frames of a day: `01:00:00:00`, in drop frame `01:00:00;00`.
public struct TimeCode: Sendable, Hashable, CustomStringConvertible {
    public let rate: TimeCodeRate
    /// Frames since `00:00:00:00` (count; below those of a day). Numbers that drop frame leaves out are not counted.
    public let frame: Int64

    /// - Parameters:
    ///   - frame: whatever is a day or more, or below zero, is counted round the clock.
    ///   - rate: how it counts.
    public init(frame: Int64, rate: TimeCodeRate) {
        self.rate = rate
        let rest = frame % rate.framesPerDay
        self.frame = rest < 0 ? rest + rate.framesPerDay : rest
    }

    /// What it shows.
    public var text: TimeCodeText {
        var number = frame
        if rate.isDropFrame {
            let (tens, rest) = frame.quotientAndRemainder(dividingBy: rate.framesPerTenMinutes)
            let minute = rate.framesPerSecond * 60 - rate.dropped
            number += 9 * rate.dropped * tens
            if rest >= rate.dropped { number += (rest - rate.dropped) / minute * rate.dropped }
        }
        let second = number / rate.framesPerSecond
        return TimeCodeText(
            hours: second / 3600, minutes: second / 60 % 60, seconds: second % 60,
            frames: number % rate.framesPerSecond, isDropFrame: rate.isDropFrame)
    }

    public var description: String { text.description }

    /// The code so many frames later, or earlier.
    public func advanced(by frames: Int64) -> TimeCode {
        TimeCode(frame: frame + frames % rate.framesPerDay, rate: rate)
    }

    /// The code of the frame that begins nearest to when a time has passed.
    public func advanced(by time: MediaTime) -> TimeCode { advanced(by: rate.frames(in: time)) }

    /// The code of the frame that is shown when a time has passed: that which began last. One that begins within 1 ms is
    /// shown already, because containers and people round times to milliseconds.
    public func shown(after time: MediaTime) -> TimeCode {
        advanced(by: rate.frames(begunBy: time))
    }
}

extension TimeCode: Codable {
    private enum CodingKeys: String, CodingKey { case text, rate }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let text = TimeCodeText(try values.decode(String.self, forKey: .text))
        let parts = try values.decode(String.self, forKey: .rate).split(separator: "/")
            .map { Int32($0) ?? 0 }
        guard let text, let frames = parts.first, frames > 0, parts.count <= 2,
            let seconds = parts.count == 2 ? parts.last : 1, seconds > 0,
            let code = text.timeCode(at: FrameRate(frames, per: seconds))
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .text, in: values, debugDescription: "it is no time code")
        }
        self = code
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(description, forKey: .text)
        try values.encode(rate.frameRate.description, forKey: .rate)
    }
}
