internal import Media

/// One picture of an animation before it is laid on the canvas.
struct AnimationPatch {
    /// Straight RGBA of 8 bits, of the size its placement tells.
    var picture: PixelBuffer
    /// Whether every pixel is either opaque or not there.
    var isCutOut = false
    /// Why not all of it is there.
    var damage: ImageError?
}

/// The pictures of an animation of one kind, each by itself and in any order. Thread-bound.
protocol AnimationPatches: AnyObject {
    /// - Throws: `damaged-file` for one that cannot be decoded; others may be tried.
    func patch(_ index: Int) throws(ImageError) -> AnimationPatch
}
