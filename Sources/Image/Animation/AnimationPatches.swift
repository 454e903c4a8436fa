internal import Media

/// One picture of an animation before it is drawn on the canvas, of the size its placement states.
struct AnimationPatch {
    enum Pixels {
        /// Straight RGBA of 8 bits.
        case straight(PixelBuffer)
        /// Opaque ones, and some that are not there.
        case indexed(IndexedPicture)
    }

    var pixels: Pixels
    /// Why not all of it is there.
    var damage: MediaError?
}

/// A picture of at most 256 colours.
struct IndexedPicture {
    /// Row by row, in the order of `rows`; it may end too soon, and what follows is not there.
    var indices: ArraySlice<UInt8>
    var width: Int
    /// Where each row belongs.
    var rows: [Int]
    /// 256 colours as they lie in memory (RGBA); 0: not there.
    var palette: [UInt32]
    /// The index that stands for what is not there, if one does.
    var clear: UInt8?
}

/// The pictures of an animation of one kind, each by itself and in any order. Thread-bound.
protocol AnimationPatches: AnyObject {
    /// - Throws: `damaged-file` for one that cannot be decoded; others may be tried.
    func patch(_ index: Int) throws(MediaError) -> AnimationPatch
}
