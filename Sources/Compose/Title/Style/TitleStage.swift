internal import Media

/// Measures and times that the ready styles share.
struct TitleStage {
    /// The timeline's ticks (1/s).
    static let timescale: Int32 = 705_600_000

    let timeRange: MediaTimeRange
    let width: Double
    let height: Double
    let theme: TitleTheme
    let palette: TitlePalette
    /// Of letters without a box.
    let pictureInk: Color
    private let allowsMissingGlyphs: Bool

    init(
        timeRange: MediaTimeRange, renderSize: PixelSize, look: TitleLook,
        theme: TitleTheme = .plain
    ) {
        self.timeRange = timeRange
        width = Double(renderSize.width)
        height = Double(renderSize.height)
        self.theme = look.over(theme)
        palette = TitlePalette(self.theme)
        pictureInk = look.color ?? theme.lightest
        allowsMissingGlyphs = look.allowsMissingGlyphs
    }

    /// The name of a lower third's bar, about which it is scaled and rotated.
    static let bar = "title bar"

    /// The measure of all sizes (pixels).
    var unit: Double { min(width, height) }

    /// Distance from the frame's edges (pixels).
    var margin: Point { Point(x: (width * 0.05).rounded(), y: (height * 0.05).rounded()) }

    /// The frame without its margins.
    var safeArea: Rectangle {
        Rectangle(
            x: margin.x, y: margin.y, width: max(1, width - 2 * margin.x),
            height: max(1, height - 2 * margin.y))
    }

    /// The whole frame.
    func root(_ name: String, _ sublayers: [Layer]) -> Layer {
        Layer(
            name: name, frame: Rectangle(x: 0, y: 0, width: width, height: height),
            sublayers: sublayers)
    }

    /// White on anything: a soft shadow for bright pictures, a thin dark line for busy ones.
    func letters(_ text: String, size: Double, weight: Int = 700) -> TextContents {
        TextContents(
            text, font: TitleFont(family: theme.family, size: size, weight: weight),
            color: pictureInk, alignment: .center,
            outline: .init(color: edge(0.55), width: size * 0.026),
            shadow: .init(
                color: edge(0.7), offset: Point(x: 0, y: size * 0.04), radius: size * 0.16),
            fit: .shrink(minimumSize: 1), allowsMissingGlyphs: allowsMissingGlyphs)
    }

    /// Where letters of a size stand so that their shadow stays in a frame as well.
    func inked(_ frame: Rectangle, size: Double) -> Rectangle {
        let edge = (size * 0.2).rounded(.up)
        return Rectangle(
            x: frame.x + edge, y: frame.y + edge, width: max(1, frame.width - 2 * edge),
            height: max(1, frame.height - 2 * edge))
    }

    /// Dark under light letters, light under dark ones.
    func edge(_ alpha: Double) -> Color {
        let (red, green, blue) = (pictureInk.red, pictureInk.green, pictureInk.blue)
        let light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        var color = light > 0.4 ? Color.black : Color.white
        color.alpha = alpha
        return color
    }

    /// How long a part of the title's time may take, at most a share of the whole.
    func span(_ wanted: MediaTime, share: Int64) -> MediaTime {
        let whole = timeRange.duration.ticks(per: Self.timescale, rounding: .down)
        let limit = MediaTime(value: whole / share, timescale: Self.timescale)
        return min(wanted.scaled(to: Self.timescale, rounding: .nearest), limit)
    }

    /// An animation at the beginning.
    func entering(
        _ span: MediaTime, _ curve: TimingCurve = .easeOut
    ) -> AnimationTiming {
        AnimationTiming(
            begin: timeRange.start.scaled(to: Self.timescale, rounding: .nearest), duration: span,
            curve: curve)
    }

    /// An animation at the end.
    func leaving(_ span: MediaTime, _ curve: TimingCurve = .easeIn) -> AnimationTiming {
        let start = timeRange.start.scaled(to: Self.timescale, rounding: .nearest)
        let length = timeRange.duration.scaled(to: Self.timescale, rounding: .down)
        return AnimationTiming(begin: start + length - span, duration: span, curve: curve)
    }

    /// Opacity from 0 and back to 0.
    func fades(_ wanted: MediaTime = .milliseconds(600)) -> [LayerAnimation] {
        let length = span(wanted, share: 4)
        guard length > .zero else { return [] }
        return [
            .basic(.opacity, from: 0, to: 1, timing: entering(length, .linear)),
            .basic(.opacity, from: 1, to: 0, timing: leaving(length, .linear)),
        ]
    }

    /// Whether the first letter is written from right to left.
    static func isRightToLeft(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first(where: \.properties.isAlphabetic) else {
            return false
        }
        switch first.value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
            return true
        default: return false
        }
    }
}
