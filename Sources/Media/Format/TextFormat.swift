/// The format of a text track: plain text or coded samples.
public struct TextFormat: Sendable, Hashable {
    public enum Coding: Sendable, Hashable {
        /// UTF-8, lines divided by line feeds, without styles.
        case raw
        case coded(TextCodec)
    }

    /// The size of the frames that text is shown on (pixels).
    public struct Frame: Sendable, Hashable {
        public var width: Int
        public var height: Int

        public init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
        }
    }

    public var coding: Coding
    /// Where players put the text: at the bottom of frames of this size; nil: anywhere.
    public var frame: Frame?
    /// Of SubStation: the script without its lines (styles and, at times, fonts); else empty.
    public var codecConfiguration: [UInt8]

    public init(coding: Coding, frame: Frame? = nil, codecConfiguration: [UInt8] = []) {
        self.coding = coding
        self.frame = frame
        self.codecConfiguration = codecConfiguration
    }

    public var codec: TextCodec? {
        if case .coded(let codec) = coding { codec } else { nil }
    }
}
