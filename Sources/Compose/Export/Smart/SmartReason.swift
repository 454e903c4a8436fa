internal import Media

/// Why frames of a film are not copied.
struct SmartReason: Error, Hashable {
    /// A half-sentence; of a clip "it" is the clip.
    let text: String
    /// The clip that it is said of; nil: it is said of the film.
    var source: MediaSource?
    /// Said of few frames in a row, it goes without saying beside what is said of others of the clip.
    var isTrifle = false

    static let nothing = SmartReason(text: "no clip is shown")
    /// Of few frames, between which and the next ones frames are left out or repeated.
    static let scattered = SmartReason(
        text: "its frames do not come at the film's rate", isTrifle: true)
    static let short = SmartReason(text: "less than 0.4 s of it are in a row there", isTrifle: true)
    /// Of frames among which no whole group begins.
    static let open = SmartReason(text: "no closed group of frames begins there")
    static let inside = SmartReason(
        text:
            "its frames need others there that are cut away, changed or left out for the film's rate"
    )
    static let crowded = SmartReason(text: "its parameter sets find no place beside the others'")

    func of(_ source: MediaSource) -> SmartReason {
        var reason = self
        reason.source = source
        return reason
    }
}

extension [SmartReason] {
    /// - Parameter naming: whether the film shows several files, so that each is named.
    /// - Returns: each reason once, in order, without trifles beside others.
    func spoken(naming: Bool) -> [String] {
        var texts: [String] = []
        for reason in self {
            let isPlain = contains { !$0.isTrifle && $0.source == reason.source }
            // what is short by its own words is so beside any other
            let isShort = reason.text == SmartReason.short.text && contains { !$0.isTrifle }
            if reason.isTrifle, isPlain || isShort { continue }
            let file = reason.source?.shortName
            let name = naming ? file.map { "\($0): " } ?? "" : ""
            let text = name + reason.text
            if !texts.contains(text) { texts.append(text) }
        }
        return texts
    }
}
