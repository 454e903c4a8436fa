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
            try item.validateLook(name)
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

extension VideoItem {
    fileprivate func validate(_ name: String) throws(MediaError) {
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
        guard (0...16).contains(volume) else {
            throw .setting(name, "the volume of \(name) is \(volume); it can be 0 to 16")
        }
    }
}

extension VideoItem {
    /// Whether it has a shape of its own, wherever it is.
    fileprivate var isFramed: Bool {
        place != nil || crop != ClipCrop() || look != ClipLook()
    }

    fileprivate func validateLook(_ name: String) throws(MediaError) {
        func check(
            _ what: String, _ value: Double?, _ range: ClosedRange<Double>, aboveZero: Bool = false
        ) throws(MediaError) {
            guard let value, !range.contains(value) || aboveZero && value <= 0 else { return }
            let low = aboveZero ? "above 0" : "\(range.lowerBound)"
            throw .setting(
                name,
                "the \(what) of \(name) is \(value); it can be \(low) to \(range.upperBound)")
        }
        try fadeIn.checkOnTimeline("the fade in of \(name)", name)
        try fadeOut.checkOnTimeline("the fade out of \(name)", name)
        try check("margin", place?.margin, 0...1)
        try check("left edge", place?.left, -4...4)
        try check("upper edge", place?.top, -4...4)
        try check("width", place?.width, 0...4, aboveZero: true)
        try check("height", place?.height, 0...4, aboveZero: true)
        try check("rotation", place?.rotation, -36_000...36_000)
        for edge in [crop.left, crop.top, crop.right, crop.bottom] {
            try check("crop", edge, 0...1)
        }
        guard crop.left + crop.right < 1, crop.top + crop.bottom < 1 else {
            throw .setting(name, "the crop of \(name) leaves nothing of it; cut less off")
        }
        try check("opacity", look.opacity, 0...1)
        try check("corner radius", look.cornerRadius, 0...0.5)
        try check("border", look.border?.width, 0...0.5, aboveZero: true)
        try look.border?.color.validate("the border of \(name)")
        try look.shadow?.color.validate("the shadow of \(name)")
        try check("blur of the shadow", look.shadow?.blur, 0...0.5)
        try check("shift of the shadow", look.shadow?.x, -0.5...0.5)
        try check("shift of the shadow", look.shadow?.y, -0.5...0.5)
        if fit == .blurred, isFramed {
            throw .setting(
                name,
                "\(name) has a fit that fills the whole frame, and a place or look of its own; use contain, "
                    + "cover or stretch")
        }
        var seen: Set<Int> = []
        for voice in voices ?? [] {
            try check("volume of track \(voice.track)", voice.volume, 0...16)
            try check("pan of track \(voice.track)", voice.pan, -1...1)
            guard seen.insert(voice.track).inserted else {
                throw .setting(name, "the audio of \(name) names track \(voice.track) twice")
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
        var last: MediaTime?
        for point in automation {
            try point.time.checkOnTimeline("a volume point of \(name)", name)
            guard (0...16).contains(point.volume) else {
                throw .setting(
                    name,
                    "the volume of \(name) at \(point.time.spoken) is \(point.volume); it can "
                        + "be 0 to 16")
            }
            if let last, point.time <= last {
                throw .setting(
                    name,
                    "the volume points of \(name) are not in order of time at \(point.time.spoken)")
            }
            last = point.time
        }
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
        guard !text.isEmpty || image != nil else {
            throw .setting(name, "\(name) is empty; give it a text or an image")
        }
        try look.color.validate("the colour of \(name)")
        try look.accent.validate("the accent colour of \(name)")
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

private func checkTrim(
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
    fileprivate func checkOnTimeline(_ what: String, _ subject: String) throws(MediaError) {
        guard self >= .zero, self <= Composition.longestDuration else {
            throw .setting(subject, "\(what) is \(spoken); it can be 0 s to 24 h")
        }
    }
}
