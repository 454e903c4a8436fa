internal import Media

extension FrameArea {
    /// - Parameters:
    ///   - what: for messages, such as "the mask of clip 1".
    ///   - subject: of the error.
    func validate(_ what: String, _ subject: String) throws(MediaError) {
        try checkRange("middle of \(what)", x, -4...4, subject)
        try checkRange("middle of \(what)", y, -4...4, subject)
        try checkRange("width of \(what)", width, 0...4, subject)
        try checkRange("height of \(what)", height, 0...4, subject)
        try checkRange("rotation of \(what)", rotation, -36_000...36_000, subject)
        try checkRange("corner radius of \(what)", cornerRadius, 0...0.5, subject)
        try checkRange("softness of \(what)", softness, 0...1, subject)
        try checkRange("luma above which \(what) begins", above, 0...1, subject)
        try checkRange("luma below which \(what) lies", below, 0...1, subject)
        try checkRange("luma softness of \(what)", lumaSoftness, 0...1, subject)
        let usual = FrameArea()
        guard shape != nil || softness == 0 && rotation == 0 else {
            throw .setting(
                subject,
                "\(what) has a softness or a rotation and no shape that they could be of; give it a shape, "
                    + "or a softness of its luma where that is meant")
        }
        guard shape == .rectangle || cornerRadius == 0 else {
            throw .setting(
                subject,
                "\(what) has a corner radius, and only rectangles have corners; take it out")
        }
        guard usesLuma || lumaSoftness == usual.lumaSoftness else {
            throw .setting(
                subject,
                "\(what) has a softness of luma, but neither above nor below says which luma; give one of them"
            )
        }
        if let above, let below, above >= below {
            throw .setting(
                subject,
                "\(what) is where luma is above \(above) and below \(below), which is nowhere; for all but "
                    + "what lies between, swap them and invert the area")
        }
    }
}
