/// How fast frames are to be encoded, against what was asked for.
public enum EncodingSpeed: Int, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// By the preset that was asked for.
    case asSet
    /// As with the encoder's next to fastest preset, at the cost of larger samples.
    case faster
    /// As with the encoder's fastest preset, at the cost of larger samples.
    case fastest

    public static func < (left: EncodingSpeed, right: EncodingSpeed) -> Bool {
        left.rawValue < right.rawValue
    }
}
