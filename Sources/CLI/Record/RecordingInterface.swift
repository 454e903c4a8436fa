internal import Glibc
import Media

/// What people and programs steer a running recording by: keys, signals and the control socket.
final class RecordingInterface: Sendable {
    private let recording: any RecordingCommands
    private let terminal: RawTerminal?
    private let keys: KeyReader?
    private let server: ControlServer?
    private let preview: TakePreview?
    /// Guarded by its lock; touched by the signal thread.
    private let interrupts = Lock(0)

    /// - Parameters:
    ///   - bindings: `nil` reads no keys.
    ///   - server: `nil` when there is no control socket.
    ///   - preview: `nil` when there is none.
    ///   - signals: of the process, from now on.
    init(
        _ recording: any RecordingCommands, bindings: KeyBindings?, server: ControlServer?,
        preview: TakePreview?, signals: OpeningSignals
    ) {
        self.preview = preview
        self.recording = recording
        self.server = server
        terminal = bindings == nil ? nil : RawTerminal(STDIN_FILENO)
        let desk = bindings.map { KeyDesk($0, recording, preview: preview) }
        preview?.listen { key in desk?.press(key) }
        if let terminal, let bindings, let desk {
            keys = KeyReader(STDIN_FILENO, terminal) {
                Console.shared.notice(bindings.description)
                for line in bindings.moves { Console.shared.notice(line) }
            } handler: {
                desk.press($0)
            } answers: {
                preview?.take($0)
            }
        } else {
            keys = nil
            if bindings != nil, isatty(STDIN_FILENO) == 1 {
                Console.shared.notice(
                    "keys are not read: standard input is the terminal of another session")
            }
        }
        signals.hand { [weak self] event in self?.take(event) }
    }

    /// Gives the terminal back and closes the control socket. Signals are still taken: one that comes
    /// now must not kill the process before it has said how it ended.
    func stop() {
        preview?.stop()
        keys?.stop()
        server?.stop()
    }

    /// The devices run: begins to show them.
    func startPreview() { preview?.start(recording, keys) }

    private func take(_ event: SignalListener.Event) {
        switch event {
        case .interrupt:
            let count = interrupts.withLock { count in
                count += 1
                return count
            }
            if count > 2 { leave() }
            recording.requestStop(fast: count > 1)
        case .terminate, .hangUp: recording.requestStop(fast: false)
        case .togglePause: recording.togglePauseOrSay()
        case .suspend: suspend()
        case .continued:
            Console.shared.showStatus()
            terminal?.comeBack()
            preview?.comeBack()
        }
    }

    /// Whatever does not end is not waited for any longer.
    private func leave() -> Never {
        Console.shared.error(
            "ended without waiting for devices and files; what was written plays, and vcap repair "
                + "completes it")
        TerminalRestorer.restoreScreen()
        terminal?.leave()
        _exit(ExitCode.failedRunning.rawValue)
    }

    /// Ctrl-Z: the movie holds, the terminal is given back, the process stops. When it continues, so
    /// does the movie, unless it was paused before.
    private func suspend() {
        let changes = recording.pause()
        awaitPause()
        preview?.suspend()
        Console.shared.hideStatus()
        terminal?.leave()
        SignalListener.stopProcess()
        Console.shared.showStatus()
        terminal?.comeBack()
        preview?.comeBack()
        if changes { recording.resume() }
    }

    /// A pause takes effect with the next frame; two seconds are many frames.
    private func awaitPause() {
        let clock = HostClock()
        let idle = WakeSignal()
        for _ in 0..<100 where recording.status().state == .pausing {
            _ = clock.wait(until: clock.now() + .milliseconds(20), orSignal: idle)
        }
    }
}
