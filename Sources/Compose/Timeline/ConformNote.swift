/// Something of an item that had to be brought to what the film is.
public struct ConformNote: Sendable, Hashable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case size, orientation
        case pixelAspect = "pixel aspect"
        case rate, fields, color, light, range, depth, channels
        case sampleRate = "sample rate"
        case length, text, chapters, motion
    }

    /// How messages call the item.
    public let item: String
    public let kind: Kind
    /// What was done and why.
    public let text: String

    /// Whether it is of frames that are made anew: copied ones stay what they are.
    var isOfRendering: Bool { kind == .fields || kind == .light }

    /// Whether it is of audio that is mixed: a copy stays what it is.
    var isOfMixing: Bool { kind == .channels || kind == .sampleRate }

    public var description: String { "\(item): \(text)" }
}
