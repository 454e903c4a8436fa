/// What the keys of the keyboard do while recording.
struct KeyBindings: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case togglePause, mark, photo, livePhoto, stop, help
    }

    /// Keys that pause and resume.
    var pause: [Key] = [Key(byte: UInt8(ascii: "p")), Key(byte: UInt8(ascii: " "))]
    var mark = Key(byte: UInt8(ascii: "m"))
    let photo = Key(byte: UInt8(ascii: "i"))
    let livePhoto = Key(byte: UInt8(ascii: "l"))
    /// Whether the recording can take live photos.
    var hasLivePhotos = false
    var stop = Key(byte: UInt8(ascii: "q"))
    let help = Key(byte: UInt8(ascii: "?"))

    /// - Throws: usage, when one key would mean two things.
    init(pauseKey: Key?, stopKey: Key?) throws(CommandFailure) {
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

    func action(for key: Key) -> Action? {
        if pause.contains(key) { return .togglePause }
        if key == stop { return .stop }
        if key == mark { return .mark }
        if key == photo { return .photo }
        if hasLivePhotos, key == livePhoto { return .livePhoto }
        return key == help ? .help : nil
    }

    /// A page for people, a line each.
    var page: [String] {
        var lines = [
            (pause.map(\.name).joined(separator: " or "), "pause, or resume"),
            (stop.name + " or Ctrl-C", "stop and finish the movie; Ctrl-C again ends at once"),
            ("Ctrl-Z", "pause and give the terminal back; fg continues"),
            (help.name, "this page"),
        ]
        if action(for: livePhoto) == .livePhoto {
            lines.insert((livePhoto.name, "take a live photo, beside the movie"), at: 1)
        }
        if action(for: photo) == .photo {
            lines.insert((photo.name, "take a photo, beside the movie"), at: 1)
        }
        if action(for: mark) == .mark { lines.insert((mark.name, "set a marker"), at: 1) }
        if action(for: help) != .help { lines.removeAll { $0.0 == help.name } }
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { "  \($0.0.padded(to: width))  \($0.1)" }
    }

    /// One line for people.
    var description: String {
        let pauses = pause.map(\.name).joined(separator: " or ")
        let marks = action(for: mark) == .mark ? "\(mark.name) marker, " : ""
        let photos = action(for: photo) == .photo ? "\(photo.name) photo, " : ""
        let lives = action(for: livePhoto) == .livePhoto ? "\(livePhoto.name) live photo, " : ""
        let helps = action(for: help) == .help ? ", ? help" : ""
        return
            "keys: \(pauses) pause or resume, \(marks)\(photos)\(lives)\(stop.name) or Ctrl-C stop\(helps)"
    }
}
