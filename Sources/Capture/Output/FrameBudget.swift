internal import Media

/// How many frames a pool may have out: more than a writer queues by default (64 MB), so that a slow
/// listener drops by its own policy before a camera runs out of memory to fill.
enum FrameBudget {
    /// What 96 MB of YUV 4:2:0 hold (frames; 8…64).
    static func limit(for size: PixelSize) -> Int {
        min(max(96_000_000 / max(size.area * 3 / 2, 1), 8), 64)
    }
}
