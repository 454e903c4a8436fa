import Capture
internal import Glibc
import Media
import Play
import Recording

/// The preview of a recording. Closing it, or a terminal that does not read, costs the recording nothing. Thread-safe.
final class TakePreview: Sendable {
    // immutable
    private let display: any PreviewBoard
    private let place: PreviewDisplay
    private let source: StatusSource
    /// Of the terminal: opens a window again; `nil` where no keys are read there.
    private let viewKey: Key?

    /// What the lines at the bottom are made of.
    private final class StatusSource: Sendable {
        private struct State: Sendable {
            var recording: (any RecordingCommands)?
            var view = StatusView()
        }

        /// In a long and a short form.
        private let keys: (long: String, short: String)
        private let state = Lock(State())

        init(_ bindings: KeyBindings?) {
            let none = "Ctrl-C stops"
            keys = (bindings?.description ?? none, bindings?.shortDescription ?? none)
        }

        func begin(_ recording: any RecordingCommands) {
            state.withLock { $0.recording = recording }
        }

        func lines(_ columns: Int) -> [[StatusPart]] {
            let recording = state.withLock { $0.recording }
            guard let status = recording?.status() else { return [[], []] }
            let now = HostClock().now()
            let parts = state.withLock { $0.view.parts(status, at: now, width: columns * 2) }
            let keys = keys.long.count <= columns ? keys.long : keys.short
            return StatusPart.lines(parts, columns: columns, limit: 2)
                + [[StatusPart(Console.shared.newestMessage(at: now) ?? keys)]]
        }
    }

    private init(
        _ display: any PreviewBoard, on place: PreviewDisplay, _ source: StatusSource,
        viewKey: Key?
    ) {
        (self.display, self.place, self.source) = (display, place, source)
        self.viewKey = viewKey
    }

    /// Where it is to be shown; says so where that is nowhere, and the recording continues without it. A preview of the
    /// configuration's is not missed by a recording without a terminal.
    static func place(_ arguments: Arguments) throws(CommandFailure) -> PreviewDisplay {
        guard let wish = try arguments(RecordOptions.preview) else { return .none }
        let place: PreviewDisplay
        do throws(CommandFailure) { place = try PreviewDisplay.find(wish) } catch {
            let line = "\(error.message): recording without it"
            if arguments.isTyped(RecordOptions.preview.spec) {
                Console.shared.warning(line)
            } else {
                Console.shared.detail(line)
            }
            return .none
        }
        guard case .terminal = place, let progress = try arguments(RecordOptions.progress),
            progress.isOnTerminal
        else { return place }
        let line =
            "--progress is written to a terminal, over the picture of --preview: give it a file, or show the preview in "
            + "a window"
        guard !arguments.isTyped(RecordOptions.preview.spec) else {
            throw CommandFailure(.usage, line)
        }
        Console.shared.detail("\(line); recording without a preview")
        return .none
    }

    /// Adds one more listener to each camera. What keeps it from being shown is said, and no failure of the recording.
    static func open(
        _ inputs: RecordInputs, _ plan: RecordPlan, on place: PreviewDisplay,
        bindings: KeyBindings?
    ) async -> TakePreview? {
        if case .none = place { return nil }
        guard !inputs.cameras.isEmpty else { return nil }
        do {
            var screen: ScreenOutput?
            if case .terminal(let terminal) = place { screen = try ScreenOutput(terminal) }
            var cameras: [BoardTile] = []
            for device in inputs.cameras {
                let layer = PreviewLayer()
                let input = CaptureDeviceInput(
                    camera: device, settings: plan.cameraSettings(of: device))
                try await layer.add(input, plan.connection, to: inputs.session)
                let name = await inputs.session.grant(of: device)?.device.name ?? device.name
                cameras.append(.init(source: layer) { caption(name, layer) })
            }
            let source = StatusSource(bindings)
            let page = bindings?.page(isWindow: place.isWindow) ?? []
            let display: any PreviewBoard
            if case .window(let program) = place {
                display = window(program, cameras, page, source)
            } else if let screen {
                display = TerminalPreview(screen, cameras, page: page) { source.lines($0) }
            } else {
                return nil
            }
            if plan.filters != nil {
                display.noticeWhenShown("the preview shows frames before --filter changes them")
            }
            let views = bindings?.preview?.keys.first { $0.action == .view }
            return TakePreview(
                display, on: place, source,
                viewKey: isatty(STDIN_FILENO) == 1 ? views?.key : nil)
        } catch {
            let failure = CommandFailure.from(error, while: .reading)
            Console.shared.warning("recording without a preview: \(failure.message)")
            return nil
        }
    }

    private static func window(
        _ program: WindowProgram, _ cameras: [BoardTile], _ page: [String],
        _ source: StatusSource
    ) -> WindowPreview {
        let title = (cameras.compactMap { $0.caption().first?.runs.first?.text } + ["vcap"])
            .joined(separator: ", ")
        return WindowPreview(program, title: title, cameras, page: page) { source.lines($0) }
    }

    /// Keys that are pressed in a window are the recorder's too.
    func listen(_ press: @escaping @Sendable (Key) -> Void) {
        (display as? WindowPreview)?.setHandlers(
            .init { key, repeats in
                // a key that is held is pressed once
                if !repeats { press(key) }
            } closed: { [self] in
                Console.shared.notice(closedWords)
            } lost: { why in
                Console.shared.warning(
                    "the preview's window is gone (\(why)): the recording continues")
            })
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

    func take(_ action: PreviewKeys.Action) {
        display.take(action)
        if action == .view, place.isWindow, !display.isWanted { Console.shared.notice(closedWords) }
    }

    /// What a person can do who closed the window, whose keys are gone with it.
    private var closedWords: String {
        let more = viewKey.map { "\($0.name) opens it again" } ?? "vcap ctl stop finishes it"
        return "the preview is closed: the recording continues; \(more)"
    }

    func take(_ answer: TerminalAnswer) { display.take(answer) }

    /// - Returns: whether the page of keys is a matter of the preview, because it is shown.
    func toggleHelp() -> Bool {
        guard display.isWanted else { return false }
        display.toggleHelp()
        return true
    }
}
