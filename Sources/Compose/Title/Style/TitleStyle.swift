public import Media

/// Ready titles: from a text, perhaps an image, a span of time and the size of the film to a layer.
///
/// All sizes are fractions of the frame's shorter side, and everything stays within 90 % of the frame, so
/// that a title looks the same at every size. Long texts wrap and shrink.
public enum TitleStyle: String, Sendable, Hashable, CaseIterable, Codable {
    /// Stands in the middle.
    case plain
    /// Fades in and out in the middle.
    case fade
    /// Comes in from one side and leaves on the other.
    case slide
    /// Lines on boxes in a lower corner: the first large, the others small.
    case lowerThird = "lower-third"
    /// Fades in and out under an image that pops up and spins about its vertical axis.
    case classic
    /// A band opens in the middle: the first line large, the others small below an accent.
    case opener
    /// In a lower corner: a line grows, the name rises over it, the rest comes below it.
    case lowerThirdLine = "lower-third-line"
    /// In a lower corner: the name on a block of the accent's colour.
    case lowerThirdBlock = "lower-third-block"
    /// In a lower corner: a card, with a picture if there is one.
    case lowerThirdCard = "lower-third-card"
    /// A card over the whole frame: of two lines the first is small ("Chapter 2").
    case chapter
    /// In an upper corner: a place, letter by letter, and the date below it.
    case place
    /// A card in the middle with a quotation mark; the last of several lines says whose it is.
    case quote
    /// Counts the seconds that are left, in a ring that empties; the text below it.
    case countdown
    /// Lines roll up over the whole frame: of each paragraph the first line is small, a line alone large.
    case credits
    /// A card over the whole frame: a picture, a large line, small lines.
    case end
    /// A frame as of a print around the picture, the text below it.
    case frame
    /// Letter by letter on a box in the middle.
    case typewriter
    /// Words near the lower edge that take the accent's colour one after the other.
    case karaoke

    /// Seconds that a countdown can count.
    public static let longestCountdown: Int64 = 600

    /// Whether it shows something without a text and a picture.
    public var needsNoText: Bool { self == .countdown || self == .frame }

    /// Whether it stands in a corner or near an edge, beside what stands in the middle.
    public var isAside: Bool {
        switch self {
        case .lowerThird, .lowerThirdLine, .lowerThirdBlock, .lowerThirdCard, .place, .karaoke,
            .frame:
            true
        case .plain, .fade, .slide, .classic, .opener, .chapter, .quote, .countdown, .credits, .end,
            .typewriter:
            false
        }
    }

    /// The title as a layer of the render area.
    /// - Parameters:
    ///   - text: paragraphs separated by line feeds.
    ///   - image: a file to show with the text (`ImageContents.path`).
    ///   - timeRange: when it shows (timeline time); it comes and goes within.
    ///   - renderSize: of the film (pixels).
    ///   - look: font and colours of its own.
    ///   - theme: fonts and colours of the film.
    public func layer(
        text: String, image: String? = nil, timeRange: MediaTimeRange, renderSize: PixelSize,
        look: TitleLook = TitleLook(), theme: TitleTheme = .plain
    ) -> Layer {
        let stage = TitleStage(
            timeRange: timeRange, renderSize: renderSize, look: look, theme: theme)
        var layer: Layer
        switch self {
        case .plain: layer = stage.centered(text, image)
        case .fade: layer = stage.fade(text, image)
        case .slide: layer = stage.slide(text, image)
        case .lowerThird: layer = stage.lowerThird(text, image)
        case .classic: layer = stage.classic(text, image)
        case .opener: layer = stage.opener(text, image)
        case .lowerThirdLine: layer = stage.lowerThirdLine(text, image)
        case .lowerThirdBlock: layer = stage.lowerThirdBlock(text, image)
        case .lowerThirdCard: layer = stage.lowerThirdCard(text, image)
        case .chapter: layer = stage.chapter(text, image)
        case .place: layer = stage.place(text, image)
        case .quote: layer = stage.quote(text, image)
        case .countdown: layer = stage.countdown(text, image)
        case .credits: layer = stage.credits(text, image)
        case .end: layer = stage.end(text, image)
        case .frame: layer = stage.pictureFrame(text, image)
        case .typewriter: layer = stage.typewriter(text, image)
        case .karaoke: layer = stage.karaoke(text, image)
        }
        layer.timeRange = timeRange
        return layer
    }
}
