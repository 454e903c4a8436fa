internal import Media

/// What is done to each frame of a film besides showing a source's: a film frame that nothing touches is the
/// source's own.
struct SmartTouch {
    /// A frame of a source.
    struct Plain: Hashable {
        let segment: TrackSegment
        let source: MediaSource
    }

    enum Verdict: Hashable {
        case plain(Plain)
        /// Its place, shape or colours are others.
        case changed(MediaSource)
        case touched(SmartReason)
    }

    let film: Film
    let frames: VideoComposition
    let subtitles: BurntSpans

    init(_ film: Film, _ frames: VideoComposition, shelf: SourceShelf) {
        self.film = film
        self.frames = frames
        subtitles = BurntSpans(film, frames, shelf: shelf)
    }

    /// - Parameter time: of the timeline.
    func verdict(at time: MediaTime) throws(MediaError) -> Verdict {
        guard let instruction = frames.instruction(at: time) else {
            return .touched(.nothing)
        }
        if instruction.enablePostProcessing, let titles = frames.animation,
            !titles.drawn(at: time).isEmpty
        {
            return .touched(SmartReason(text: "a title or watermark is drawn"))
        }
        if try subtitles.isShown(at: time) {
            return .touched(SmartReason(text: "a subtitle is drawn"))
        }
        let shown = instruction.shownLayers.filter { $0.opacity(at: time) > 0 }
        guard let layer = shown.first else { return .touched(.nothing) }
        guard shown.count == 1 else {
            return .touched(
                SmartReason(text: "a transition or an overlay shows several frames at once"))
        }
        guard let segment = film.composition.track(layer.trackID)?.segment(at: time),
            let source = segment.source
        else { return .touched(.nothing) }
        guard layer.isUntouched(at: time) else { return .changed(source) }
        if let what = segment.oddity {
            return .touched(SmartReason(text: what, source: source))
        }
        let natural = segment.mapping.source.duration.ticks(
            per: Composition.timescale, rounding: .down)
        // a cut may have moved an end by part of a tick
        guard abs(natural - segment.ticks) <= 1 else {
            return .touched(SmartReason(text: "it plays at another speed", source: source))
        }
        return .plain(Plain(segment: segment, source: source))
    }
}

extension LayerInstruction {
    /// Whether a frame as large as the film is shown as it is.
    fileprivate func isUntouched(at time: MediaTime) -> Bool {
        let map = transform(at: time)
        let moves = [map.a - 1, map.b, map.c, map.d - 1, map.tx, map.ty]
        return moves.allSatisfy { abs($0) < 1e-6 } && still(at: time).isUntouched
    }
}

extension TrackSegment {
    /// Why its frames are not its source's one after the other, a half-sentence; nil: they are, but for its speed.
    var oddity: String? {
        if isReversed { return "it plays backwards" }
        if isRamped { return "its speed changes" }
        return blendsFrames ? "its frames are mixed" : nil
    }
}
