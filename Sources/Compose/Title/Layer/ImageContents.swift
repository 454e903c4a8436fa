internal import Media

/// A picture in a layer: a still one (PNG, JPEG, WebP, HEIC, AVIF), an animation (GIF, WebP, APNG, AVIF), or the first
/// frame of a movie.
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

    /// Whether an animation plays, again and again from when its layer comes (default yes); else its first picture shows.
    public var animates = true
    /// Which picture of an animation is on show (its time); nil: the first.
    var instant: MediaTime?

    public init(path: String, fit: Fit = .contain, alignment: Point = Point(x: 0.5, y: 0.5)) {
        self.path = path
        self.fit = fit
        self.alignment = alignment
    }
}
