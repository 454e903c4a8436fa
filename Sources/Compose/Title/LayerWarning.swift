/// Something about a layer that its author should know, though it was drawn.
public struct LayerWarning: Sendable, Hashable, CustomStringConvertible {
    public enum Kind: Sendable, Hashable {
        /// A family is not installed; another one is used.
        case missingFont(requested: String, used: String)
        /// Characters show as boxes, as was allowed.
        case missingGlyphs(String)
        /// A text is larger than its bounds even at its smallest size.
        case doesNotFit
        /// A picture could not be decoded whole; what could be shows.
        case damagedImage(path: String)
    }

    public let kind: Kind
    /// The layer concerned.
    public let layer: String
    /// One sentence a user can act on.
    public let message: String

    public var description: String { message }

    init(_ kind: Kind, _ layer: Layer) {
        self.kind = kind
        self.layer = layer.displayName
        message =
            switch kind {
            case .missingFont(let requested, let used):
                "The font \"\(requested)\" of \(self.layer) is not installed; \"\(used)\" is used "
                    + "instead."
            case .missingGlyphs(let characters):
                "No installed font has these characters of \(self.layer), which show as boxes: "
                    + "\(characters)."
            case .doesNotFit:
                "\(self.layer) is larger than its bounds even at its smallest size; shorten it or "
                    + "allow smaller letters."
            case .damagedImage(let path): SourceDamage.sentence(of: path)
            }
    }
}
