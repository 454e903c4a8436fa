public import Media

/// A text over the film for a while.
public struct TitleItem: Sendable, Hashable {
    /// At most 10,000 characters; line feeds begin new paragraphs.
    public var text: String
    /// Default fade.
    public var style: TitleStyle
    /// When it begins to come (seconds of the film; default 0).
    public var at: MediaTime
    /// Until it is gone (seconds; positive; default 4).
    public var duration: MediaTime
    /// A still picture shown with the text (a file).
    public var image: String?
    public var look: TitleLook
    /// Where it lies, beside where its style puts it, and how opaque it is.
    public var placement = TitlePlacement()
    /// What changes while it shows, in order of time (default nothing).
    public var keyframes: [TitleKeyframe] = []

    public init(
        _ text: String, style: TitleStyle = .fade, at: MediaTime = .zero,
        duration: MediaTime = .seconds(4), image: String? = nil, look: TitleLook = TitleLook()
    ) {
        self.text = text
        self.style = style
        self.at = at
        self.duration = duration
        self.image = image
        self.look = look
    }
}
