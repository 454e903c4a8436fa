import Media

/// Does what the keys of the keyboard ask of a recording, and answers each one. Thread-safe.
final class KeyDesk: Sendable {
    /// Keys without a meaning are answered once in this time: pasted text is one mistake.
    private static let answerInterval = MediaTime.seconds(1)

    private let bindings: KeyBindings
    private let recording: any RecordingCommands
    private let preview: TakePreview?
    private let clock = HostClock()
    private let lastAnswer = Lock<MediaTime?>(nil)

    init(
        _ bindings: KeyBindings, _ recording: any RecordingCommands, preview: TakePreview? = nil
    ) {
        self.bindings = bindings
        self.preview = preview
        self.recording = recording
    }

    /// - Parameter key: `nil` for one that has no character of its own.
    func press(_ key: Key?) {
        // a terminal makes a signal of it, a window does not
        if key == .interrupt { return recording.requestStop(fast: false) }
        switch key.flatMap(bindings.action) {
        case .togglePause: recording.togglePauseOrSay()
        case .mark: recording.markOrSay()
        case .photo: recording.photoOrSay(PhotoRequest())
        case .livePhoto: recording.photoOrSay(PhotoRequest(live: .ofRecording))
        case .stop: recording.requestStop(fast: false)
        case .preview(let action): preview?.take(action)
        case .help:
            if preview?.toggleHelp() ?? false { return }
            Console.shared.notice("keys while recording:")
            for line in bindings.page() { Console.shared.notice(line) }
            Console.shared.notice("from elsewhere: vcap ctl; see vcap help ctl")
        case nil: answerUnknown(key)
        }
    }

    private func answerUnknown(_ key: Key?) {
        let now = clock.now()
        let isDue = lastAnswer.withLock { last in
            if let last, now - last < Self.answerInterval { return false }
            last = now
            return true
        }
        guard isDue else { return }
        let name = key.map { "the key \($0.name)" } ?? "this key"
        Console.shared.notice(
            "\(name) does nothing here; \(bindings.help.name) shows those that do")
    }
}

extension RecordingCommands {
    /// Sets a marker; says so when there is no movie that could have one.
    func markOrSay() {
        if !mark(nil) { Console.shared.notice("nothing is being recorded: no marker is set") }
    }

    /// Takes a photo beside the movie; says so when it cannot.
    func photoOrSay(_ request: PhotoRequest) {
        var request = request
        request.isByKey = true
        takePhoto(request) { _ in }
    }

    /// Pauses or continues; says so when there is no movie yet that could be paused.
    func togglePauseOrSay() {
        toggle()
        if isStarting {
            Console.shared.notice("nothing is recorded yet: the pause has no effect")
        }
    }

    /// Whether there is no movie yet.
    var isStarting: Bool { [.idle, .starting].contains(status().state) }
}
