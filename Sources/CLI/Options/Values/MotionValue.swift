import Compose

extension ValueKind where Value == PictureMotion {
    /// A direction by name, or two views: how much larger, and what of the frame is in the middle (per cent from
    /// the left and from the top), such as `1@50,50:1.4@70,30`.
    static var motion: ValueKind {
        ValueKind(
            "MOTION",
            expected:
                "in, out, left, right, up, down, or two views such as 1@50,50:1.4@70,30 (zoom 1 to 10, per cent)",
            completion: .words(PictureMotion.named.map(\.name)),
            parse: PictureMotion.init(projectText:))
    }
}

extension ValueKind where Value == ClipMotion {
    /// The same for the still pictures of a film.
    static var stillMotion: ValueKind {
        ValueKind(
            "MOTION",
            expected:
                "auto, none, in, out, left, right, up, down, or two views such as 1@50,50:1.4@70,30 (zoom 1 to 10, per cent)",
            completion: .words(["auto", "none"] + PictureMotion.named.map(\.name)),
            parse: ClipMotion.init(projectText:))
    }
}

extension ValueKind where Value == PictureMotion.View {
    /// One view, such as `1.4@70,30`.
    static var view: ValueKind {
        ValueKind(
            "VIEW", expected: "a view such as 1@50,50 or 1.4@70,30 (zoom 1 to 10, then per cent)",
            parse: PictureMotion.View.init(projectText:))
    }
}
