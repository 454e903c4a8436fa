import Capture
import Media
import Play
import Recording

/// The preview of a recording. Closing it, or a terminal that does not read, costs the recording nothing. Thread-safe.
final class TakePreview: Sendable {
    // immutable
    private let display: TerminalPreview
    private let place: PreviewDisplay
    private let source: StatusSource

    /// What the lines at the bottom are made of.
    private final class StatusSource: Sendable {
        private struct State: Sendable {
            var recording: (any RecordingCommands)?
            var view = StatusView()
        }

        private let keys: String
        private let state = Lock(State())

        init(keys: String) { self.keys = keys }

        func begin(_ recording: any RecordingCommands) {
            state.withLock { $0.recording = recording }
        }

        func lines(_ columns: Int) -> [[StatusPart]] {
            let recording = state.withLock { $0.recording }
            guard let status = recording?.status() else { return [[], []] }
            let now = HostClock().now()
            let parts = state.withLock { $0.view.parts(status, at: now, width: columns) }
            return [parts, [StatusPart(Console.shared.newestHeld(at: now) ?? keys)]]
        }
    }

    private init(
        _ display: TerminalPreview, on place: PreviewDisplay, _ source: StatusSource
    ) {
        (self.display, self.place, self.source) = (display, place, source)
    }

    /// Where it is to be shown; says so where that is nowhere, and the recording continues without it. A preview of the
    /// configuration's is not missed by a recording without a terminal.
    static func place(_ arguments: Arguments) throws(CommandFailure) -> PreviewDisplay {
        guard let wish = try arguments(RecordOptions.preview) else { return .none }
        if wish != .none, let progress = try arguments(RecordOptions.progress),
            progress.isOnTerminal
        {
            let line =
                "--progress is written to a terminal, over the picture of --preview: give it a file"
            guard !arguments.isTyped(RecordOptions.preview.spec) else {
                throw CommandFailure(.usage, line)
            }
            Console.shared.detail("\(line); recording without a preview")
            return .none
        }
        do throws(CommandFailure) { return try PreviewDisplay.find(wish) } catch {
            let line = "\(error.message): recording without it"
            if arguments.isTyped(RecordOptions.preview.spec) {
                Console.shared.warning(line)
            } else {
                Console.shared.detail(line)
            }
            return .none
        }
    }

    /// Adds one more listener to each camera. What keeps it from being shown is said, and no failure of the recording.
    static func open(
        _ inputs: RecordInputs, _ plan: RecordPlan, on place: PreviewDisplay,
        bindings: KeyBindings?
    ) async -> TakePreview? {
        guard case .terminal(let terminal) = place, !inputs.cameras.isEmpty else { return nil }
        do {
            let screen = try ScreenOutput(terminal)
            var cameras: [TerminalPreview.Camera] = []
            for device in inputs.cameras {
                let layer = PreviewLayer()
                let input = CaptureDeviceInput(
                    camera: device, settings: plan.cameraSettings(of: device))
                try await layer.add(input, plan.connection, to: inputs.session)
                let name = await inputs.session.grant(of: device)?.device.name ?? device.name
                cameras.append(.init(layer: layer) { caption(name, layer) })
            }
            let source = StatusSource(keys: bindings?.description ?? "Ctrl-C stops")
            let display = TerminalPreview(screen, cameras, page: bindings?.page ?? []) {
                source.lines($0)
            }
            if plan.filters != nil {
                display.noticeWhenShown("the preview shows frames before --filter changes them")
            }
            return TakePreview(display, on: place, source)
        } catch {
            let failure = CommandFailure.from(error, while: .reading)
            Console.shared.warning("recording without a preview: \(failure.message)")
            return nil
        }
    }

    private static func caption(_ name: String, _ layer: PreviewLayer) -> [StatusPart] {
        let parts = [StatusPart(name), StatusPart(layer.cameraSize.description)]
        if let why = layer.counts.interruption { return parts + [StatusPart(why, .red)] }
        if layer.counts.shown == 0 { return parts + [StatusPart("no frame yet")] }
        guard let reach = layer.shownDistances else { return parts }
        return parts + [StatusPart(PreviewInputs.Camera.words(reach))]
    }

    /// - Parameter keys: who reads the keys; `nil` where nobody does.
    func start(_ recording: any RecordingCommands, _ keys: KeyReader?) {
        source.begin(recording)
        display.start(answers: keys.flatMap { PreviewCommand.answers(from: $0, place) })
    }

    /// Gives the screen back for good.
    func stop() { display.stop() }

    /// Gives the screen back, as for Ctrl-Z.
    func suspend() { display.suspend() }
    func comeBack() { display.comeBack() }

    func take(_ action: PreviewKeys.Action) { display.take(action) }
    func take(_ answer: TerminalAnswer) { display.take(answer) }

    /// - Returns: whether the page of keys is a matter of the preview, because it is shown.
    func toggleHelp() -> Bool {
        guard display.isWanted else { return false }
        display.toggleHelp()
        return true
    }
}
