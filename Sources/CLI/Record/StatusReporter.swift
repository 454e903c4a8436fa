internal import Glibc
import Media

/// Shows how a recording stands, on a thread of its own: the status line each quarter second and
/// progress reports each half.
final class StatusReporter: Sendable {
    private let recording: any RecordingCommands
    private let progress: ProgressWriter?
    private let showsLine: Bool
    private let end = WakeSignal()
    private let clock = HostClock()

    init(_ recording: any RecordingCommands, progress: ProgressWriter?, showsLine: Bool) {
        self.recording = recording
        self.progress = progress
        self.showsLine = showsLine
    }

    /// Runs until `stop`; does nothing when there is nothing to show.
    func start() -> NamedThread? {
        guard progress != nil || showsLine else { return nil }
        return NamedThread(name: "vcap-status") { [self] in run() }
    }

    /// Shows the end and lets the thread go.
    func stop(_ thread: NamedThread?) {
        end.raise()
        thread?.join()
        if showsLine { Console.shared.status("") }
        progress?.write(ProgressSnapshot(recording.status()), isEnd: true)
    }

    private func run() {
        var next = clock.now()
        var turn = 0
        var view = StatusView()
        while true {
            let status = recording.status()
            if showsLine {
                let width = StatusLine.columns(of: STDERR_FILENO)
                let line = view.line(status, at: clock.now(), width: width)
                Console.shared.status(line, columns: width)
            }
            if turn % 2 == 0 { progress?.write(ProgressSnapshot(status), isEnd: false) }
            turn += 1
            next += .milliseconds(250)
            if clock.wait(until: next, orSignal: end) == .signalled { return }
        }
    }
}
