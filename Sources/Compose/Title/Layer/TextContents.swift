/// Text in a layer: any script, laid out within the layer's bounds.
///
/// Text is text: nothing in it is taken for markup unless `markup` asks. Lines break at words, at
/// characters where a word is too long. Sizes are pixels of the layer, whatever the screen's resolution.
public struct TextContents: Sendable, Hashable {
    public enum Alignment: String, Sendable, Hashable, CaseIterable, Codable {
        /// Where each paragraph's script begins: left for Latin, right for Arabic.
        case natural
        case left, center, right
        /// Both edges straight, but for the last line of a paragraph.
        case justified
    }

    public enum VerticalAlignment: String, Sendable, Hashable, CaseIterable, Codable {
        case top, center, bottom
    }

    /// The side from which a line with several scripts is put in order.
    public enum Direction: String, Sendable, Hashable, CaseIterable, Codable {
        /// By the first letter of each paragraph.
        case automatic
        case leftToRight = "left-to-right"
        case rightToLeft = "right-to-left"
    }

    /// What happens to text that is larger than the bounds.
    public enum Fit: Sendable, Hashable {
        /// It stands out.
        case none
        /// All sizes shrink until it fits, but not below a font size (pixels; positive).
        case shrink(minimumSize: Double)
    }

    public enum Markup: String, Sendable, Hashable, CaseIterable, Codable {
        case none
        /// Pango's: `<b>`, `<i>`, `<span foreground="red">`; a text that is not well-formed is refused.
        case pango
    }

    /// A line around the letters.
    public struct Outline: Sendable, Hashable {
        public var color: Color
        /// How far it stands out of the letters (pixels; not negative).
        public var width: Double

        public init(color: Color, width: Double) {
            self.color = color
            self.width = width
        }
    }

    public struct Shadow: Sendable, Hashable {
        public var color: Color
        /// How far right and down it lies (pixels).
        public var offset: Point
        /// How far it is blurred: about twice the standard deviation (pixels; not negative).
        public var radius: Double

        public init(color: Color, offset: Point, radius: Double) {
            self.color = color
            self.offset = offset
            self.radius = radius
        }
    }

    /// A box behind the text.
    public struct Background: Sendable, Hashable {
        public enum Extent: String, Sendable, Hashable, CaseIterable, Codable {
            /// As large as the text.
            case text
            /// As wide as the text, as tall as the layer's bounds.
            case textAcross = "text-across"
            /// As large as the layer's bounds.
            case bounds
        }

        public var color: Color
        public var extent: Extent
        /// How far it stands out on the left and right, above and below (pixels; not negative).
        public var padding: Size
        /// Of its corners (pixels; not negative).
        public var cornerRadius: Double

        public init(
            color: Color, extent: Extent = .text, padding: Size = Size(width: 0, height: 0),
            cornerRadius: Double = 0
        ) {
            self.color = color
            self.extent = extent
            self.padding = padding
            self.cornerRadius = cornerRadius
        }
    }

    /// How far a text has come: letter by letter in the order in which it is read.
    public struct Progress: Sendable, Hashable {
        /// What the letters that have not come look like.
        public enum Rest: Sendable, Hashable {
            case hidden
            case color(Color)
        }

        /// Share of the characters that have come (0…1).
        public var fraction: Double
        public var rest: Rest

        public init(_ fraction: Double, rest: Rest = .hidden) {
            self.fraction = fraction
            self.rest = rest
        }
    }

    /// At most 10,000 characters; line feeds begin new paragraphs.
    public var text: String
    public var font: TitleFont
    public var color: Color
    /// Default: `.natural`.
    public var alignment: Alignment
    /// Default: `.center`.
    public var verticalAlignment: VerticalAlignment
    public var direction: Direction
    /// RFC 3066 tag that chooses between forms of a letter ("ja", "zh-cn", "ur"); nil: by the script.
    public var language: String?
    public var outline: Outline?
    public var shadow: Shadow?
    public var background: Background?
    /// Distance of lines as a factor of the font's own (0.1…10; default 1).
    public var lineSpacing: Double
    /// Widest line (pixels; positive); nil: the bounds' width.
    public var wrapWidth: Double?
    /// Default: `.none`.
    public var fit: Fit
    public var markup: Markup
    /// Whether characters that no installed font has may show as boxes; else they are an error.
    public var allowsMissingGlyphs: Bool
    /// Nil: all of it is there. The box behind the text is always whole.
    public var progress: Progress?

    public init(
        _ text: String, font: TitleFont = TitleFont(), color: Color = .white,
        alignment: Alignment = .natural, verticalAlignment: VerticalAlignment = .center,
        direction: Direction = .automatic, language: String? = nil, outline: Outline? = nil,
        shadow: Shadow? = nil, background: Background? = nil, lineSpacing: Double = 1,
        wrapWidth: Double? = nil, fit: Fit = .none, markup: Markup = .none,
        allowsMissingGlyphs: Bool = false
    ) {
        self.text = text
        self.font = font
        self.color = color
        self.alignment = alignment
        self.verticalAlignment = verticalAlignment
        self.direction = direction
        self.language = language
        self.outline = outline
        self.shadow = shadow
        self.background = background
        self.lineSpacing = lineSpacing
        self.wrapWidth = wrapWidth
        self.fit = fit
        self.markup = markup
        self.allowsMissingGlyphs = allowsMissingGlyphs
    }
}
