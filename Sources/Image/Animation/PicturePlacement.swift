/// How one picture of an animation is drawn on the canvas.
struct PicturePlacement: Sendable, Hashable {
    /// What becomes of the picture's rectangle before the next picture is drawn.
    enum Disposal: Sendable, Hashable {
        case keep
        /// It becomes transparent.
        case clear
        /// It becomes what it was before.
        case restore
    }

    /// From the canvas's top left corner (pixels); a picture may reach beyond the canvas.
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var disposal = Disposal.keep
    /// Whether it is drawn over what is there; else it takes its place, opacity and all.
    var isBlended: Bool
    var mayBeTransparent: Bool

    /// Whether nothing of what was there before is left.
    func covers(_ width: Int, _ height: Int) -> Bool {
        x <= 0 && y <= 0 && x + self.width >= width && y + self.height >= height
            && !(isBlended && mayBeTransparent)
    }
}

extension Sequence<PicturePlacement> {
    /// Whether any pixel may be transparent at any time on a canvas that begins transparent.
    func leaveTransparent(_ width: Int, _ height: Int) -> Bool {
        // whether the canvas is opaque wherever a picture comes
        var isFilled = false
        for placement in self {
            let fills = placement.covers(width, height) && !placement.mayBeTransparent
            let replaces = !placement.isBlended && placement.mayBeTransparent
            guard fills || isFilled && !replaces else { return true }
            switch placement.disposal {
            case .keep: isFilled = true
            case .clear: isFilled = false
            case .restore: break
            }
        }
        return false
    }
}
