internal import Media

extension VideoItem {
    /// Checks every value that can be checked without the media.
    /// - Parameter name: for messages.
    func validate(_ name: String) throws(MediaError) {
        try validateGenerator(name)
        if generator == nil { try sequence?.validate(path, name) }
        try checkTrim(start, end, name)
        try gap.checkOnTimeline("the gap before \(name)", name)
        try at?.checkOnTimeline("the beginning of \(name)", name)
        guard at == nil || gap == .zero && transition.kind == .cut else {
            throw .setting(
                name,
                "\(name) has a time at which it begins, and a gap or a transition before it; take one of "
                    + "them out")
        }
        guard gap == .zero || transition.kind == .cut else {
            throw .setting(
                name,
                "\(name) has a gap and a transition before it; take one of them out")
        }
        guard (0.01...100).contains(speed.approximate) else {
            throw .setting(
                name, "the speed of \(name) is \(speed.approximate); it can be 0.01 to 100")
        }
        try validateFreeze(name)
        try checkRange("volume of \(name)", volume, 0...16, name)
        try checkRange("loudness of \(name)", loudness, LevelRule.range, name)
        try checkRange("pan of \(name)", pan, -1...1, name)
        try treatment.validate(name, name)
        try audioCut?.validate(name)
        try fadeIn.checkOnTimeline("the fade in of \(name)", name)
        try fadeOut.checkOnTimeline("the fade out of \(name)", name)
        try place?.validate(name, name)
        try crop.validate(name, name)
        try look.validate(name, name)
        try grade.validate(name, name)
        try view?.validate(name, name)
        try validateMotion(name)
        try validateKeyframes(name)
        if fit == .blurred, isFramed {
            throw .setting(
                name,
                "\(name) has a fit that fills the whole frame, and a place or look of its own; use contain, "
                    + "cover or stretch")
        }
        try key?.validate(name)
        if fit == .blurred, key != nil {
            throw .setting(
                name,
                "\(name) has a key and blurred bars, through which its screen would show; use contain, cover or "
                    + "stretch")
        }
        try mask?.validate(name)
        if fit == .blurred, mask != nil {
            throw .setting(
                name,
                "\(name) has a mask and blurred bars, which are of all of it; use contain, cover or stretch"
            )
        }
        for (index, effect) in effects.enumerated() {
            try effect.validate(ItemName.effect(index, of: name))
        }
        var seen: Set<Int> = []
        for voice in voices ?? [] {
            try checkRange("volume of track \(voice.track)", voice.volume, 0...16, name)
            try checkRange("pan of track \(voice.track)", voice.pan, -1...1, name)
            try voice.treatment.validate("track \(voice.track)", name)
            try voice.keyframes.validate("track \(voice.track) of \(name)")
            guard seen.insert(voice.track).inserted else {
                throw .setting(name, "the audio of \(name) names track \(voice.track) twice")
            }
        }
    }

    private func validateFreeze(_ name: String) throws(MediaError) {
        guard let freeze else { return }
        try freeze.checkOnTimeline("the length for which \(name) stands still", name)
        guard freeze > .zero else {
            throw .setting(name, "\(name) stands still for 0 s; it must be longer")
        }
        guard end == nil, speed == .normal, voices ?? [] == [], loudness == nil, follow == nil,
            !isReversed,
            !isRamped, !blendsFrames
        else {
            throw .setting(
                name,
                "\(name) stands still at its start, so it has no end, speed, direction, mixed frames or "
                    + "audio, and follows nothing; take these out, or freeze")
        }
    }

    private func validateMotion(_ name: String) throws(MediaError) {
        let hasKeys = keyframes.contains { $0.view != nil }
        if follow != nil, hasKeys || motion ?? .none != .none {
            throw .setting(
                name,
                "\(name) follows something and has \(hasKeys ? "key frames of its view" : "a motion"); take one "
                    + "of them out")
        }
        guard follow == nil || view.map({ $0.x == 0.5 && $0.y == 0.5 }) ?? true else {
            throw .setting(
                name,
                "\(name) follows something and has a view with another middle; of a view only the zoom counts "
                    + "then, so leave x and y out")
        }
        guard let motion, motion != .none else { return }
        try motion.validate(name)
        if view != nil || hasKeys {
            throw .setting(
                name,
                "\(name) has a motion and a view of its own; take one of them out")
        }
    }

    /// A look can come and go, but no table can become another one.
    private func validateTables(_ name: String) throws(MediaError) {
        guard Set(grades.map(\.inputTable)).count < 2, Set(grades.compactMap(\.table)).count < 2
        else {
            throw .setting(
                name,
                "the key frames of \(name) change its lookup table; repeat inputLut in each of their grades, and "
                    + "use the same lut with another lutStrength, or cut the clip in two")
        }
    }

    private func validateKeyframes(_ name: String) throws(MediaError) {
        try keyframes.map { ($0.time, $0.curve, $0.isEmpty) }.validateKeys(of: name)
        try validateTables(name)
        for (index, key) in keyframes.enumerated() {
            let subject = ItemName.keyframe(index, of: name)
            try key.place?.validate(subject, subject)
            try key.view?.validate(subject, subject)
            try key.crop?.validate(subject, subject)
            try checkRange("opacity of \(subject)", key.opacity, 0...1, subject)
            try checkRange("corner radius of \(subject)", key.cornerRadius, 0...0.5, subject)
            try key.border?.validate(subject, subject)
            try key.shadow?.validate(subject, subject)
            try key.grade?.validate(subject, subject)
            try checkRange("volume of \(subject)", key.volume, 0...16, subject)
            try checkRange("speed of \(subject)", key.speed?.approximate, 0.01...100, subject)
            try checkRange("pan of \(subject)", key.pan, -1...1, subject)
        }
    }
}

extension [(time: MediaTime, curve: TimingCurve, isEmpty: Bool)] {
    /// What key frames of clips and titles have.
    /// - Parameter name: of the item, for messages.
    func validateKeys(of name: String) throws(MediaError) {
        var last = MediaTime.zero
        for (index, key) in enumerated() {
            let subject = ItemName.keyframe(index, of: name)
            try key.time.checkOnTimeline("the time of \(subject)", subject)
            guard key.time >= last else {
                throw .setting(
                    subject,
                    "the key frames of \(name) are not in order of time at \(key.time.spoken)")
            }
            last = key.time
            try key.curve.validate(subject)
            guard !key.isEmpty else {
                throw .setting(
                    subject, "\(subject) changes nothing; give it a value or take it out")
            }
        }
    }
}

/// - Throws: where a value is there and outside of what it can be.
func checkRange(
    _ what: String, _ value: Double?, _ range: ClosedRange<Double>, aboveZero: Bool = false,
    _ name: String
) throws(MediaError) {
    guard let value, !range.contains(value) || aboveZero && value <= 0 else { return }
    func text(_ number: Double) -> String {
        number == number.rounded() && number.magnitude < 1e6 ? "\(Int(number))" : "\(number)"
    }
    let low = aboveZero ? "above 0" : text(range.lowerBound)
    throw .setting(name, "the \(what) is \(value); it can be \(low) to \(text(range.upperBound))")
}

extension ClipPlace {
    /// - Parameters:
    ///   - subject: whose it is, for messages.
    ///   - name: of the clip.
    fileprivate func validate(_ subject: String, _ name: String) throws(MediaError) {
        try checkRange("margin of \(subject)", margin, 0...1, name)
        try checkRange("left edge of \(subject)", left, -4...4, name)
        try checkRange("upper edge of \(subject)", top, -4...4, name)
        try checkRange("width of \(subject)", width, 0...4, aboveZero: true, name)
        try checkRange("height of \(subject)", height, 0...4, aboveZero: true, name)
        try checkRange("rotation of \(subject)", rotation, -36_000...36_000, name)
    }
}

extension ClipCrop {
    fileprivate func validate(_ subject: String, _ name: String) throws(MediaError) {
        for edge in [left, top, right, bottom] {
            try checkRange("crop of \(subject)", edge, 0...1, name)
        }
        guard left + right < 1, top + bottom < 1 else {
            throw .setting(name, "the crop of \(subject) leaves nothing of it; cut less off")
        }
    }
}

extension ClipLook {
    fileprivate func validate(_ subject: String, _ name: String) throws(MediaError) {
        try checkRange("opacity of \(subject)", opacity, 0...1, name)
        try checkRange("corner radius of \(subject)", cornerRadius, 0...0.5, name)
        try border?.validate(subject, name)
        try shadow?.validate(subject, name)
    }
}

extension ClipLook.Border {
    fileprivate func validate(_ subject: String, _ name: String) throws(MediaError) {
        try checkRange("border of \(subject)", width, 0...0.5, aboveZero: true, name)
        try color.validate("the border of \(subject)")
    }
}

extension ClipLook.Shadow {
    fileprivate func validate(_ subject: String, _ name: String) throws(MediaError) {
        try color.validate("the shadow of \(subject)")
        try checkRange("blur of the shadow of \(subject)", blur, 0...0.5, name)
        try checkRange("shift of the shadow of \(subject)", x, -0.5...0.5, name)
        try checkRange("shift of the shadow of \(subject)", y, -0.5...0.5, name)
    }
}

extension PictureMotion.View {
    fileprivate func validate(_ subject: String, _ name: String) throws(MediaError) {
        try checkRange("zoom of \(subject)", zoom, 1...10, name)
        try checkRange("view of \(subject)", x, 0...1, name)
        try checkRange("view of \(subject)", y, 0...1, name)
    }
}

extension ClipMotion {
    /// - Parameter subject: whose it is, for messages.
    func validate(_ subject: String) throws(MediaError) {
        guard case .views(let motion) = self else { return }
        for view in [motion.from, motion.to] {
            try view.validate("the motion of \(subject)", subject)
        }
    }
}
