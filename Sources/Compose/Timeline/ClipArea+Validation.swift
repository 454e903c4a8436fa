internal import Media

extension ClipMask {
    /// - Parameter name: of the clip.
    func validate(_ name: String) throws(MediaError) {
        let what = ItemName.mask(of: name)
        guard !area.isWhole else {
            throw .setting(
                what,
                "\(what) says nothing; give it a shape, a picture, or above or below which luma it shows"
            )
        }
        try area.validate(what, what)
        try keyframes.validate(area, what)
    }
}

extension ClipEffect {
    /// - Parameter what: for messages: the effect's name.
    func validate(_ what: String) throws(MediaError) {
        if let problem = effect.problem { throw .setting(what, "of \(what), \(problem)") }
        try at.checkOnTimeline("the beginning of \(what)", what)
        try duration?.checkOnTimeline("the length of \(what)", what)
        guard duration ?? .seconds(1) > .zero else {
            throw .setting(what, "\(what) lasts 0 s; it must be longer")
        }
        if follow != nil, area != FrameArea() || !keyframes.isEmpty {
            throw .setting(
                what,
                "\(what) follows something and has an area of its own; take one of them out")
        }
        try area.validate(what, what)
        guard !area.isWhole || !area.isInverted || follow != nil else {
            throw .setting(
                what,
                "\(what) is inverted and has no area, so that nothing is left for it; give it a shape, a "
                    + "picture, or above or below which luma it is")
        }
        try keyframes.validate(area, what)
    }
}

extension [AreaKeyframe] {
    /// - Parameters:
    ///   - area: that they change.
    ///   - name: of whose it is.
    fileprivate func validate(_ area: FrameArea, _ name: String) throws(MediaError) {
        try map { ($0.time, $0.curve, $0.isEmpty) }.validateKeys(of: name)
        var luma = (above: area.above, below: area.below)
        for (index, key) in enumerated() {
            let subject = ItemName.keyframe(index, of: name)
            guard !key.givesShape || area.shape != nil else {
                throw .setting(
                    subject,
                    "\(subject) changes a shape, and there is none; give \(name) a shape")
            }
            guard key.above == nil || area.above != nil, key.below == nil || area.below != nil
            else {
                throw .setting(
                    subject,
                    "\(subject) changes which luma counts, and \(name) does not say it; give it there as well"
                )
            }
            try checkRange("middle of \(subject)", key.x, -4...4, subject)
            try checkRange("middle of \(subject)", key.y, -4...4, subject)
            try checkRange("width of \(subject)", key.width, 0...4, subject)
            try checkRange("height of \(subject)", key.height, 0...4, subject)
            try checkRange("rotation of \(subject)", key.rotation, -36_000...36_000, subject)
            try checkRange("softness of \(subject)", key.softness, 0...1, subject)
            try checkRange("luma of \(subject)", key.above, 0...1, subject)
            try checkRange("luma of \(subject)", key.below, 0...1, subject)
            luma = (key.above ?? luma.above, key.below ?? luma.below)
            if let above = luma.above, let below = luma.below, above >= below {
                throw .setting(
                    subject,
                    "at \(subject) the luma is above \(above) and below \(below), which is nowhere; keep the first one "
                        + "smaller")
            }
        }
    }
}
