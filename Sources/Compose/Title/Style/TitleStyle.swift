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

    /// The title as a layer of the render area.
    /// - Parameters:
    ///   - text: paragraphs separated by line feeds.
    ///   - image: a file to show with the text (`ImageContents.path`).
    ///   - timeRange: when it shows (timeline time); it comes and goes within.
    ///   - renderSize: of the film (pixels).
    ///   - look: font and colours.
    public func layer(
        text: String, image: String? = nil, timeRange: MediaTimeRange, renderSize: PixelSize,
        look: TitleLook = TitleLook()
    ) -> Layer {
        let stage = TitleStage(timeRange: timeRange, renderSize: renderSize, look: look)
        var layer: Layer
        switch self {
        case .plain: layer = stage.centered(text, image)
        case .fade: layer = stage.fade(text, image)
        case .slide: layer = stage.slide(text, image)
        case .lowerThird: layer = stage.lowerThird(text, image)
        case .classic: layer = stage.classic(text, image)
        }
        layer.timeRange = timeRange
        return layer
    }
}
