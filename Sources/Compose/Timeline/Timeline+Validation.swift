public import Media

extension Timeline {
    /// Checks every value that can be checked without the media.
    /// - Throws: `invalid-setting`, naming the item.
    public func validate() throws(MediaError) {
        guard
            !(videos.isEmpty && overlays.isEmpty && titles.isEmpty && voiceOvers.isEmpty
                && music.isEmpty)
        else {
            throw .setting("timeline", "the timeline is empty; give it a clip, a title or audio")
        }
        try settings.validate()
        try videos.validate(isOverlay: false) { ItemName.clip($0, $1) }
        for (number, track) in overlays.enumerated() {
            guard !track.videos.isEmpty else {
                throw .setting(
                    "overlay \(number + 1)",
                    "overlay \(number + 1) is empty; give it a clip or take it out")
            }
            try track.videos.validate(isOverlay: true) {
                ItemName.overlay(number, $0, of: track.videos.count, $1)
            }
        }
        try gapAtEnd.checkOnTimeline("the gap after the last clip", "gapAtEnd")
        guard gapAtEnd == .zero || !videos.isEmpty else {
            throw .setting("gapAtEnd", "there is a gap after the last clip, but no clip")
        }
        try inPoint?.checkOnTimeline("the in point", "in")
        try outPoint?.checkOnTimeline("the out point", "out")
        if let outPoint, outPoint <= inPoint ?? .zero {
            throw .setting(
                "out",
                "the out point at \(outPoint.spoken) does not lie behind the in point at "
                    + (inPoint ?? .zero).spoken)
        }
        for (index, item) in titles.enumerated() {
            try item.validate(ItemName.title(index, item))
        }
        for (index, item) in voiceOvers.enumerated() {
            let name = ItemName.voiceOver(index, item)
            guard !item.loops else {
                throw .setting(name, "\(name) cannot loop; only music can")
            }
            try item.validate(name)
        }
        for (index, item) in music.enumerated() {
            try item.validate(ItemName.music(index, item))
        }
        for (index, item) in subtitles.enumerated() {
            try item.validate(ItemName.subtitles(index, item), clips: videos.count)
        }
        try clipSubtitleLook.validate("the clips' subtitles")
        try ducking?.rule(trackIDs: [], under: []).validate()
        try watermark?.validate()
        for (index, chapter) in chapters.enumerated() {
            let name = ItemName.chapter(index, chapter)
            try chapter.time.checkOnTimeline("the time of \(name)", name)
        }
    }
}

extension TimelineSettings {
    fileprivate func validate() throws(MediaError) {
        try background.validate("the background")
        try stillDuration.checkOnTimeline("the length of still pictures", "stillDuration")
        guard stillDuration > .zero else {
            throw .setting("stillDuration", "still pictures must show for longer than 0 s")
        }
        try stillMotion.validate("still pictures")
        let probe = VideoComposition(
            renderSize: renderSize ?? PixelSize(width: 2, height: 2),
            frameDuration: (frameRate ?? FrameRate(30)).frameDuration,
            pixelFormat: pixelFormat ?? .yuv420p)
        try probe.validateSettings()
    }
}

extension [VideoItem] {
    /// A row of clips.
    fileprivate func validate(
        isOverlay: Bool, name: (Int, VideoItem) -> String
    ) throws(MediaError) {
        for (index, item) in enumerated() {
            let name = name(index, item)
            try item.validate(name)
            let transition = ItemName.transition(to: name)
            try item.transition.validate(transition)
            guard index > 0 else {
                if item.transition.kind == .cut { continue }
                throw .setting(
                    transition,
                    "\(transition) has no clip before it; take it out or put a clip first")
            }
            let before = self[index - 1]
            let isFramed = isOverlay || item.isFramed || before.isFramed
            if isFramed, ![.cut, .dissolve].contains(item.transition.kind) {
                throw .setting(
                    transition,
                    "\(transition) moves or covers the whole frame, and one of its clips does not fill it; "
                        + "make it a cut or a dissolve")
            }
            if item.transition.kind != .cut, item.fadeIn > .zero || before.fadeOut > .zero {
                throw .setting(
                    transition,
                    "\(transition) is a fade of both clips already; take it out, or fadeIn and fadeOut"
                )
            }
        }
    }
}

extension AudioItem {
    fileprivate func validate(_ name: String) throws(MediaError) {
        try checkTrim(start, end, name)
        try at.checkOnTimeline("the beginning of \(name)", name)
        try fadeIn.checkOnTimeline("the fade in of \(name)", name)
        try fadeOut.checkOnTimeline("the fade out of \(name)", name)
        guard (0...16).contains(volume) else {
            throw .setting(name, "the volume of \(name) is \(volume); it can be 0 to 16")
        }
        guard (-1...1).contains(pan) else {
            throw .setting(name, "the pan of \(name) is \(pan); it can be -1 to 1")
        }
        try treatment.validate(name, name)
        try keyframes.validate(name)
    }
}

extension TitleItem {
    fileprivate func validate(_ name: String) throws(MediaError) {
        try at.checkOnTimeline("the beginning of \(name)", name)
        try duration.checkOnTimeline("the length of \(name)", name)
        guard duration > .zero else {
            throw .setting(name, "\(name) lasts 0 s; it must last longer")
        }
        guard text.count <= Layer.maximumCharacters else {
            throw .setting(
                name, "\(name) has \(text.count) characters; a title has at most 10000")
        }
        guard style != .countdown || duration <= .seconds(TitleStyle.longestCountdown) else {
            throw .setting(
                name, "\(name) counts down \(duration.spoken); a countdown counts 600 s at most")
        }
        guard !text.isEmpty || image != nil || style.needsNoText else {
            throw .setting(name, "\(name) is empty; give it a text or an image")
        }
        try look.color?.validate("the colour of \(name)")
        try look.accent?.validate("the accent colour of \(name)")
        try check(
            x: placement.x, y: placement.y, scale: placement.scale, rotation: placement.rotation,
            opacity: placement.opacity, name)
        try keyframes.map { ($0.time, $0.curve, $0.isEmpty) }.validateKeys(of: name)
        for (index, key) in keyframes.enumerated() {
            let subject = ItemName.keyframe(index, of: name)
            try check(
                x: key.x, y: key.y, scale: key.scale, rotation: key.rotation,
                opacity: key.opacity, subject)
        }
    }

    private func check(
        x: Double?, y: Double?, scale: Double?, rotation: Double?, opacity: Double?,
        _ subject: String
    ) throws(MediaError) {
        try checkRange("shift of \(subject)", x, -4...4, subject)
        try checkRange("shift of \(subject)", y, -4...4, subject)
        try checkRange("scale of \(subject)", scale, 0...10, subject)
        try checkRange("rotation of \(subject)", rotation, -36_000...36_000, subject)
        try checkRange("opacity of \(subject)", opacity, 0...1, subject)
    }
}

extension Watermark {
    fileprivate func validate() throws(MediaError) {
        if case .text(let text) = contents, text.allSatisfy(\.isWhitespace) {
            throw .setting("watermark", "the watermark is empty; give it a text or an image")
        }
        guard (0...1).contains(opacity) else {
            throw .setting(
                "watermark", "the opacity of the watermark is \(opacity); it can be 0 to 1")
        }
        guard size > 0, size <= 1 else {
            throw .setting(
                "watermark", "the size of the watermark is \(size); it can be above 0 to 1")
        }
        for margin in [horizontalMargin, verticalMargin].compactMap({ $0 })
        where !(0...1).contains(margin) {
            throw .setting(
                "watermark", "a margin of the watermark is \(margin); it can be 0 to 1")
        }
        if let origin {
            for place in [origin.x, origin.y] where !(-16_384...16_384).contains(place) {
                throw .setting(
                    "watermark",
                    "the watermark is at \(place); it can be -16384 to 16384 pixels")
            }
        }
        guard let timeRange else { return }
        try timeRange.start.checkOnTimeline("the start of the watermark", "watermark")
        try timeRange.end.checkOnTimeline("the end of the watermark", "watermark")
        guard !timeRange.isEmpty else {
            throw .setting("watermark", "the watermark shows for no time; give it a length")
        }
    }
}

/// - Throws: where a part of a source has no length.
func checkTrim(
    _ start: MediaTime, _ end: MediaTime?, _ name: String
) throws(MediaError) {
    try start.checkOnTimeline("the start of \(name)", name)
    guard let end else { return }
    try end.checkOnTimeline("the end of \(name)", name)
    guard start < end else {
        throw .setting(
            name,
            "\(name) starts at \(start.spoken) and ends at \(end.spoken) of its source; the "
                + "end must come after the start")
    }
}

extension MediaTime {
    func checkOnTimeline(_ what: String, _ subject: String) throws(MediaError) {
        guard self >= .zero, self <= Composition.longestDuration else {
            throw .setting(subject, "\(what) is \(spoken); it can be 0 s to 24 h")
        }
    }
}
