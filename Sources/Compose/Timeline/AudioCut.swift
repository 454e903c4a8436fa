public import Media

/// When the audio of the clip before gives way to a clip's own, where that is not when their frames do: earlier (a J
/// cut) or later (an L cut). The clip before is heard until then, the clip from then on, and both cross over for a while
/// if they are to.
public struct AudioCut: Sendable, Hashable {
    /// From when the clip's frames begin to show; negative: earlier (seconds of the film; default 0).
    public var offset: MediaTime
    /// How long both are heard from there on, crossing over at equal power (seconds of the film; nil: as long as the
    /// transition of the frames lasts).
    public var crossfade: MediaTime?

    public init(offset: MediaTime = .zero, crossfade: MediaTime? = nil) {
        (self.offset, self.crossfade) = (offset, crossfade)
    }

    /// The clip is heard before it is seen.
    /// - Parameters:
    ///   - lead: for how long (seconds of the film).
    ///   - crossfade: as that of a cut.
    public static func j(_ lead: MediaTime, crossfade: MediaTime? = nil) -> AudioCut {
        AudioCut(offset: -lead, crossfade: crossfade)
    }

    /// The clip before is still heard when it is no longer seen.
    /// - Parameters:
    ///   - lag: for how long (seconds of the film).
    ///   - crossfade: as that of a cut.
    public static func l(_ lag: MediaTime, crossfade: MediaTime? = nil) -> AudioCut {
        AudioCut(offset: lag, crossfade: crossfade)
    }
}

extension AudioCut {
    /// Reads a cut as it is written for short: `j:500ms`, `l:1s`, or a crossfade where the frames are cut:
    /// `crossfade:200ms`. Nil when it is none.
    public init?(projectText text: String) {
        guard let colon = text.firstIndex(of: ":"),
            let length = MediaTime(projectText: String(text[text.index(after: colon)...])),
            length >= .zero, length <= Composition.longestDuration
        else { return nil }
        switch text[..<colon] {
        case "j": self = .j(length)
        case "l": self = .l(length)
        case "crossfade": self = AudioCut(crossfade: length)
        default: return nil
        }
    }

    /// The short form; nil where only the long one says all.
    public var projectText: String? {
        func text(_ word: String, _ time: MediaTime) -> String {
            let length = time.projectText
            // a rational has no unit
            return word + ":" + length + (length.contains("/") ? "" : "s")
        }
        if let crossfade { return offset == .zero ? text("crossfade", crossfade) : nil }
        return offset < .zero ? text("j", -offset) : text("l", offset)
    }

    func validate(_ name: String) throws(MediaError) {
        let length = offset < .zero ? -offset : offset
        try length.checkOnTimeline("the audio cut of \(name)", name)
        try crossfade?.checkOnTimeline("the crossfade of \(name)", name)
    }
}
