/// What a movie may claim before it is refused: a stranger's file must not cost memory or time
/// beyond its own size.
package struct MovieLimits: Sendable, Hashable {
    /// Tracks (count): frames and audio, and text in as many languages.
    package var tracks = 64
    /// Samples of all tracks (count; a day of video and audio needs 7 million).
    package var samples = 16_000_000
    /// Boxes at the top of the file (count; a day of fragments needs 700,000).
    package var rootBoxes = 2_000_000
    /// Size of a `moov` (bytes).
    package var movieBox: Int64 = 256 << 20
    /// Size of a `moof` (bytes).
    package var fragmentBox: Int64 = 16 << 20

    package init() {}
}
