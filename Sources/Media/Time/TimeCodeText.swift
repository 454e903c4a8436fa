/// A time code as it is written, of which the rate is not known: `HH:MM:SS:FF`, in drop frame `HH:MM:SS;FF`.
public struct TimeCodeText: Sendable, Hashable, CustomStringConvertible {
    public let hours: Int64
    public let minutes: Int64
    public let seconds: Int64
    public let frames: Int64
    public let isDropFrame: Bool

    package init(hours: Int64, minutes: Int64, seconds: Int64, frames: Int64, isDropFrame: Bool) {
        (self.hours, self.minutes, self.seconds) = (hours, minutes, seconds)
        (self.frames, self.isDropFrame) = (frames, isDropFrame)
    }

    /// - Returns: nil for anything else than two digits each (of frames up to three) below 24 hours. A point before the
    ///   frames is drop frame too, as some programs write it.
    public init?(_ text: String) {
        var numbers: [Int64] = []
        var digits = ""
        var marks: [Character] = []
        for character in text {
            if character.isASCII, character.isNumber {
                digits.append(character)
            } else {
                guard let number = Self.number(digits, longest: 2) else { return nil }
                numbers.append(number)
                marks.append(character)
                digits = ""
            }
        }
        guard marks.count == 3, marks[0] == ":" || marks[0] == ";", marks[1] == marks[0],
            let last = Self.number(digits, longest: 3), numbers[0] < 24, numbers[1] < 60,
            numbers[2] < 60
        else { return nil }
        switch marks[2] {
        case ":" where marks[0] == ":": isDropFrame = false
        case ";", ".": isDropFrame = true
        default: return nil
        }
        (hours, minutes, seconds, frames) = (numbers[0], numbers[1], numbers[2], last)
    }

    private static func number(_ digits: String, longest: Int) -> Int64? {
        (2...longest).contains(digits.count) ? Int64(digits) : nil
    }

    public var description: String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return
            "\(two(hours)):\(two(minutes)):\(two(seconds))\(isDropFrame ? ";" : ":")\(two(frames))"
    }

    /// The code at a rate.
    /// - Returns: nil where there is no such code: the second has fewer frames, drop frame leaves the number out or is none
    ///   of the rate's.
    public func timeCode(at frameRate: FrameRate) -> TimeCode? {
        guard let rate = TimeCodeRate(frameRate, isDropFrame: isDropFrame),
            frames < rate.framesPerSecond
        else { return nil }
        let minute = hours * 60 + minutes
        if minutes % 10 != 0, seconds == 0, frames < rate.dropped { return nil }
        let number = (minute * 60 + seconds) * rate.framesPerSecond + frames
        return TimeCode(frame: number - rate.dropped * (minute - minute / 10), rate: rate)
    }
}
