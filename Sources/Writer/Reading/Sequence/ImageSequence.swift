public import Media
internal import Movie

/// How numbered pictures follow each other as the frames of one movie. Their names are a pattern's, such as
/// `shots/a%04d.png`: `%0Nd` stands for a number of N digits (1 to 9), `%d` for one without zeros in front, and `%%` for a
/// per cent sign.
public struct ImageSequence: Sendable, Hashable {
    /// What is shown where the numbers have a gap.
    public enum Gaps: String, Sendable, Hashable, CaseIterable {
        /// Nothing: the sequence is refused.
        case error
        /// The picture before stays.
        case hold
        /// Black, or of a conversion its background.
        case black
        /// Nothing: the pictures follow each other.
        case ignore
    }

    /// Pictures a second; each shows as long.
    public var rate: FrameRate
    /// The first picture's number (nil: the lowest that is there).
    public var first: Int?
    /// The last picture's number (nil: the highest that is there).
    public var last: Int?
    /// From one picture's number to the next one's (from 1; default 1).
    public var step: Int
    public var gaps: Gaps

    public init(
        rate: FrameRate, first: Int? = nil, last: Int? = nil, step: Int = 1, gaps: Gaps = .error
    ) {
        self.rate = rate
        self.first = first
        self.last = last
        self.step = step
        self.gaps = gaps
    }

    /// The largest number of a picture.
    public static let largestNumber = 999_999_999
    /// Most numbers in a row that are missing of one sequence (count).
    package static let widestGap = 100_000

    /// - Parameters:
    ///   - pattern: of the pictures' names.
    ///   - name: for messages.
    /// - Throws: `invalid-setting` for what is no sequence.
    package func validate(_ pattern: String, _ name: String) throws(MediaError) {
        func refused(_ why: String) -> MediaError {
            MediaError(code: .invalidSetting, subject: name, message: "\(name) \(why)")
        }
        guard NumberedPath(reading: pattern) != nil else {
            throw refused(
                "is a sequence of pictures, so its file's name needs one place for a number, such as %04d"
            )
        }
        guard (1...1000).contains(rate.approximate) else {
            throw refused("shows \(rate) pictures a second; it can be 1 to 1000")
        }
        for number in [first, last].compactMap(\.self)
        where !(0...Self.largestNumber).contains(number) {
            throw refused(
                "has a picture of the number \(number); numbers can be 0 to \(Self.largestNumber)")
        }
        if let first, let last, last < first {
            throw refused("has \(first) as its first number and \(last) as its last one")
        }
        guard (1...Self.largestNumber).contains(step) else {
            throw refused("counts in steps of \(step); they can be 1 to \(Self.largestNumber)")
        }
    }
}

/// Numbers that a sequence of pictures does not have.
package enum MissingPictures {
    /// That they are missing, for a person.
    /// - Parameter count: of them, from 1.
    package static func sentence(_ count: Int, from first: String, to last: String) -> String {
        count == 1
            ? "\(first) is missing" : "\(count) pictures are missing, from \(first) to \(last)"
    }
}
