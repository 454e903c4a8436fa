package import Media

/// What a picture file from a stranger may cost; files beyond are refused before anything is decoded.
package struct ImageLimits: Sendable, Hashable {
    /// Largest still picture (pixels).
    package var stillPixels = 64 << 20
    /// Largest picture of an animation, and its canvas (pixels).
    package var animationPixels = 33 << 20
    /// Most pictures of an animation (count).
    package var pictures = 50_000
    /// Most pixels of all pictures of an animation together, each with the whole canvas (pixels).
    package var allPixels = 1 << 36
    /// Longest animation (seconds).
    package var duration = MediaTime.seconds(24 * 3600)
    /// Largest coded picture that is read at once (bytes).
    package var codedBytes = 256 << 20

    /// Longest side of a picture that is handed out (pixels); a longer one is made smaller while it is read, where
    /// less is wanted of it.
    static let shownSide = 16_384

    package init() {}

    /// - Throws: `over-limit` for a picture or canvas that is too large, `damaged-file` for one of no pixels.
    func checkSize(
        _ width: Int, _ height: Int, isStill: Bool, of path: String
    ) throws(MediaError) {
        guard width > 0, height > 0 else { throw .damaged(path, "its pictures have no pixels") }
        let most = isStill ? stillPixels : animationPixels
        guard width <= 65_535, height <= 65_535, width * height <= most else {
            throw .overLimit(path, "pictures of \(width)x\(height) are")
        }
    }

    /// - Throws: `over-limit`.
    func checkCount(
        _ count: Int, width: Int, height: Int, of path: String
    ) throws(MediaError) {
        guard count <= pictures, width * height <= allPixels / max(1, count) else {
            throw .overLimit(path, "\(count) or more pictures of \(width)x\(height) are")
        }
    }
}
