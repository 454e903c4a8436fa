import Recording

/// One running recording as keys, signals and the control socket see it. Thread-safe: the recorder is.
final class RecordingRun: RecordingCommands {
    private let recorder: Recorder

    init(_ recorder: Recorder) { self.recorder = recorder }

    @discardableResult
    func pause() -> Bool { recorder.pause() }

    @discardableResult
    func resume() -> Bool { recorder.resume() }

    func togglePause() { recorder.toggle() }

    @discardableResult
    func mark(_ text: String?) -> Bool { recorder.mark(text) }

    func stop(fast: Bool) { recorder.requestStop(fast: fast) }

    func snapshot() -> RecordingSnapshot {
        RecordingSnapshot(recorder.status(), wanted: recorder.settings.duration)
    }
}
