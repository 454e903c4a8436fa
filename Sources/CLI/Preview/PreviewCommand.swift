import Capture
internal import Glibc
import Media
import Play

/// Shows cameras and microphones until it is stopped.
struct PreviewCommand: Sendable {
    let plan: PreviewPlan
    let aliases: [String: String]

    private static let quit = Key(byte: UInt8(ascii: "q"))
    private static let help = Key(byte: UInt8(ascii: "?"))
    /// There is nothing to record that a closed preview would leave alone.
    private static let keys = PreviewKeys(
        [.mirror, .zoom, .guides, .peaking, .zebra], besides: [quit, help])

    func run() async throws -> ExitCode {
        let inputs = try await PreviewInputs.open(plan, aliases: aliases)
        let (isOver, announce) = AsyncStream<Void>.makeStream()
        let shown: (any PreviewBoard)?
        let reader: KeyReader?
        let raw: RawTerminal?
        let readsKeys = RawTerminal(STDIN_FILENO) != nil
        let isLost = Lock(false)
        do throws(CommandFailure) {
            shown = try display(inputs, readsKeys: readsKeys)
        } catch {
            try? await inputs.session.stop()
            throw error
        }
        raw = shown == nil ? nil : RawTerminal(STDIN_FILENO)
        reader = raw.map { raw in
            KeyReader(STDIN_FILENO, raw, begins: {}) { key in
                press(key, shown) { announce.yield() }
            } answers: {
                shown?.take($0)
            }
        }
        (shown as? WindowPreview)?.setHandlers(
            .init { key, repeats in
                guard !repeats else { return }
                press(key, shown) { announce.yield() }
            } closed: {
                Console.shared.detail("the window was closed")
                announce.yield()
            } lost: { why in
                Console.shared.warning("there is no window any more: \(why)")
                isLost.withLock { $0 = true }
                announce.yield()
            })
        listen(shown, raw) { announce.yield() }
        let follower = follow(inputs.session)
        defer { follower.cancel() }
        let start = HostClock().now()
        do {
            try await inputs.session.start()
        } catch {
            reader?.stop()
            throw error
        }
        shown?.start(answers: reader.flatMap { Self.answers(from: $0, plan.display) })
        if let duration = plan.duration {
            Task {
                try? await Task.sleep(for: .nanoseconds(duration.nanoseconds()))
                announce.yield()
            }
        }
        for await _ in isOver { break }
        shown?.stop()
        reader?.stop()
        let length = HostClock().now() - start
        try? await inputs.session.stop()
        conclude(inputs, length)
        return isLost.withLock { $0 } ? .noDevice : .done
    }

    /// Only where the keys come from the terminal that is drawn on do its answers come there.
    static func answers(
        from reader: KeyReader, _ display: PreviewDisplay
    ) -> (@Sendable (Bool) -> Void)? {
        guard case .terminal(let terminal) = display,
            ScreenOutput.isSame(STDIN_FILENO, terminal)
        else { return nil }
        return { reader.expectAnswers($0) }
    }

    /// - Parameter readsKeys: whether standard input is the terminal's keys.
    private func display(
        _ inputs: PreviewInputs, readsKeys: Bool
    ) throws(CommandFailure) -> (any PreviewBoard)? {
        if case .none = plan.display { return nil }
        let meters = Lock(LevelMeters())
        let board = Lock<(any PreviewBoard)?>(nil)
        let keys =
            readsKeys || plan.display.isWindow
            ? "q quit, ? help" : "Ctrl-C quits; standard input is not this terminal"
        let cameras = inputs.cameras.map { camera in
            BoardTile(source: camera.layer) { camera.caption }
        }
        let footer = { @Sendable (columns: Int) -> [[StatusPart]] in
            let now = HostClock().now()
            let parts = meters.withLock { meters in
                meters.take(inputs.microphones.map { $0.levels.level(at: now) }, at: now)
                let cells = max(8, min(40, columns / 2))
                return meters.meters.map { $0.part(cells: cells) }
            }
            let levels = zip(inputs.microphones, parts).map { microphone, part in
                Self.line(of: microphone.device.name, part, columns)
            }
            let words = board.withLock { $0 }?.words ?? ""
            let message = Console.shared.newestMessage(at: now)
            let last =
                message.map { [StatusPart($0)] }
                ?? [StatusPart(keys), StatusPart(words)].filter { $0.width > 0 }
            return levels + [last]
        }
        let preview: any PreviewBoard
        switch plan.display {
        case .none: return nil
        case .terminal(let terminal):
            preview = TerminalPreview(
                try ScreenOutput(terminal), cameras, page: Self.page(isWindow: false),
                footer: footer)
        case .window(let program):
            preview = WindowPreview(
                program, title: Self.title(inputs), cameras, page: Self.page(isWindow: true),
                footer: footer)
        }
        board.withLock { $0 = preview }
        return preview
    }

    /// A level with as much of the microphone's name as there is room for.
    private static func line(
        of name: String, _ level: StatusPart, _ columns: Int
    ) -> [StatusPart] {
        let room = max(4, columns - level.width - 2)
        let shown = name.count > room ? String(name.prefix(room - 1)) + "…" : name
        return [StatusPart(shown), level]
    }

    private static func title(_ inputs: PreviewInputs) -> String {
        (inputs.cameras.map(\.device.name) + ["vcap"]).joined(separator: ", ")
    }

    private static func page(isWindow: Bool) -> [String] {
        let lines =
            keys.keys.map { ($0.key.name, $0.action.words) } + [
                (quit.name + " or Ctrl-C", "quit"),
                isWindow
                    ? ("F11", "fill the screen with the window, or not")
                    : ("Ctrl-Z", "give the terminal back; fg continues"),
                (help.name, "this page"),
            ]
        let width = lines.map(\.0.count).max() ?? 0
        return lines.map { "\($0.0.padded(to: width))  \($0.1)" }
    }

    private func press(_ key: Key?, _ shown: (any PreviewBoard)?, quit: () -> Void) {
        switch key {
        case Self.quit, .interrupt: quit()
        case Self.help: shown?.toggleHelp()
        default: if let action = key.flatMap(Self.keys.action) { shown?.take(action) }
        }
    }

    private func listen(
        _ shown: (any PreviewBoard)?, _ raw: RawTerminal?, end: @escaping @Sendable () -> Void
    ) {
        let count = Lock(0)
        SignalListener.listen { event in
            switch event {
            case .interrupt, .terminate, .hangUp:
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number > 1 {
                    TerminalRestorer.restore()
                    _exit(ExitCode.failedRunning.rawValue)
                }
                end()
            case .suspend:
                shown?.suspend()
                raw?.leave()
                SignalListener.stopProcess()
                raw?.comeBack()
                shown?.comeBack()
            case .continued:
                raw?.comeBack()
                shown?.comeBack()
            case .togglePause: break
            }
        }
    }

    /// Says when a device goes and comes.
    private func follow(_ session: CaptureSession) -> Task<Void, Never> {
        Task {
            for await event in session.events {
                switch event {
                case .interrupted(_, let interruption): Console.shared.warning(interruption.message)
                case .resumed(let device, _): Console.shared.notice("\(device.name) is back")
                default: break
                }
            }
        }
    }

    private func conclude(_ inputs: PreviewInputs, _ length: MediaTime) {
        if plan.writesJSON {
            let document = PreviewListing.json(inputs, duration: length)
            return Console.shared.result(document.pretty + "\n")
        }
        for line in PreviewListing.lines(inputs) { Console.shared.notice(line) }
    }
}
