/// A still picture in a layer: PNG, JPEG, WebP, or the first picture of a GIF or a movie.
public struct ImageContents: Sendable, Hashable {
    /// How the picture fills the bounds.
    public enum Fit: String, Sendable, Hashable, CaseIterable, Codable {
        /// Whole, as large as it fits.
        case contain
        /// Filling the bounds, what stands out cut off.
        case cover
        /// Exactly the bounds.
        case stretch
    }

    /// A regular file; never taken for a protocol. At most 64 megapixels.
    public var path: String
    /// Default: `.contain`.
    public var fit: Fit
    /// Where the picture lies in the bounds if its shape is another (fractions; 0, 0 = top left; default
    /// 0.5, 0.5).
    public var alignment: Point

    public init(path: String, fit: Fit = .contain, alignment: Point = Point(x: 0.5, y: 0.5)) {
        self.path = path
        self.fit = fit
        self.alignment = alignment
    }
}
