/// What the keys of the keyboard do while recording.
struct KeyBindings: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case togglePause, mark, photo, livePhoto, stop, help
        /// Of a preview.
        case preview(PreviewKeys.Action)
    }

    /// Keys that pause and resume.
    var pause: [Key] = [Key(byte: UInt8(ascii: "p")), Key(byte: UInt8(ascii: " "))]
    let mark: Key
    let photo: Key
    let livePhoto: Key
    /// Whether the recording can take live photos.
    var hasLivePhotos = false
    var stop = Key(byte: UInt8(ascii: "q"))
    let help: Key
    /// Of a preview; `nil` where there is none.
    private(set) var preview: PreviewKeys?

    /// Keys of an action, the first that is free is its own: the user has two, and none is in another's list.
    private enum Candidates {
        static let mark = "mnb"
        static let photo = "ifo"
        static let livePhoto = "lvj"
        static let help = "?h/"
    }

    /// - Throws: usage, when one key would mean two things.
    init(pauseKey: Key?, stopKey: Key?) throws(CommandFailure) {
        let own = Set([pauseKey, stopKey].compactMap(\.self))
        mark = Self.first(of: Candidates.mark, besides: own)
        photo = Self.first(of: Candidates.photo, besides: own)
        livePhoto = Self.first(of: Candidates.livePhoto, besides: own)
        help = Self.first(of: Candidates.help, besides: own)
        if let stopKey { stop = stopKey }
        if let pauseKey { pause = [pauseKey] }
        // a key of the user's own wins over a built-in meaning
        if pauseKey == nil { pause.removeAll { $0 == stop } }
        if pause.contains(stop) {
            throw CommandFailure(
                .usage,
                "the key \(stop.name) cannot both pause and stop: choose another "
                    + "--pause-key or --stop-key")
        }
    }

    /// With the keys of a preview, which are none of the others.
    var withPreview: KeyBindings {
        var bindings = self
        bindings.preview = PreviewKeys(
            besides: Set(pause + [mark, photo, livePhoto, stop, help]))
        return bindings
    }

    private static func first(of candidates: String, besides own: Set<Key>) -> Key {
        let keys = candidates.utf8.map { Key(byte: $0) }
        return keys.first { !own.contains($0) } ?? keys[0]
    }

    /// What has another key than usual, because the user gave its own a meaning: a line each.
    var moves: [String] {
        let all = [
            (mark, Candidates.mark, "sets markers"), (photo, Candidates.photo, "takes photos"),
            (livePhoto, Candidates.livePhoto, "takes live photos"),
            (help, Candidates.help, "shows the keys"),
        ]
        return all.compactMap { key, candidates, effect in
            let usual = Self.first(of: candidates, besides: [])
            guard key != usual, key != livePhoto || hasLivePhotos else { return nil }
            let taken = pause.contains(usual) ? "pauses and resumes" : "stops"
            return "the key \(usual.name) \(taken): \(key.name) \(effect)"
        }
    }

    func action(for key: Key) -> Action? {
        if pause.contains(key) { return .togglePause }
        if key == stop { return .stop }
        if key == mark { return .mark }
        if key == photo { return .photo }
        if hasLivePhotos, key == livePhoto { return .livePhoto }
        if key == help { return .help }
        return preview?.action(for: key).map(Action.preview)
    }

    /// A page for people, a line each.
    /// - Parameter isWindow: whether the keys are those of a window.
    func page(isWindow: Bool = false) -> [String] {
        var lines = [
            (pause.map(\.name).joined(separator: " or "), "pause, or resume"),
            (stop.name + " or Ctrl-C", "stop and finish the movie; Ctrl-C again ends at once"),
            isWindow
                ? ("F11", "fill the screen with the window, or not")
                : ("Ctrl-Z", "pause and give the terminal back; fg continues"),
            (help.name, "this page"),
        ]
        if hasLivePhotos {
            lines.insert((livePhoto.name, "take a live photo, beside the movie"), at: 1)
        }
        lines.insert((photo.name, "take a photo, beside the movie"), at: 1)
        lines.insert((mark.name, "set a marker"), at: 1)
        lines += preview?.keys.map { ($0.key.name, $0.action.words) } ?? []
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { "  \($0.0.padded(to: width))  \($0.1)" }
    }

    /// One line for people.
    var description: String {
        let pauses = pause.map(\.name).joined(separator: " or ")
        let lives = hasLivePhotos ? "\(livePhoto.name) live photo, " : ""
        return
            "keys: \(pauses) pause or resume, \(mark.name) marker, \(photo.name) photo, \(lives)"
            + "\(stop.name) or Ctrl-C stop, \(help.name) help"
    }

    /// The same for a narrow place.
    var shortDescription: String {
        let keys: [(Key?, String)] = [
            (pause.first, "pause"), (mark, "marker"), (photo, "photo"),
            (hasLivePhotos ? livePhoto : nil, "live photo"), (stop, "stop"), (help, "help"),
        ]
        return keys.compactMap { key, effect in key.map { "\($0.name) \(effect)" } }
            .joined(separator: "  ")
    }
}
