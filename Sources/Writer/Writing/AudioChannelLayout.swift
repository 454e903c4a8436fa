/// The channels of a track by their usual order, as FFmpeg names them.
public enum AudioChannelLayout: String, Sendable, Hashable, Codable, CaseIterable {
    case mono, stereo
    /// Left, right, low frequencies.
    case twoPointOne = "2.1"
    /// Left, right, centre, back centre.
    case fourPointZero = "4.0"
    /// Left, right, centre, back left, back right.
    case fivePointZero = "5.0"
    /// Left, right, centre, low frequencies, back left, back right.
    case fivePointOne = "5.1"
    /// As 5.1 with one more channel in the middle of the back, the others at the sides.
    case sixPointOne = "6.1"
    /// Left, right, centre, low frequencies, back left, back right, side left, side right.
    case sevenPointOne = "7.1"

    /// Its number of channels (count).
    public var channels: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
}
