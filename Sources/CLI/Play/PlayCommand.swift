internal import Glibc
import Media
import Play

/// Plays a film until its end, or until it is stopped.
struct PlayCommand: Sendable {
    let plan: PlayPlan

    func run() async throws -> ExitCode {
        let film = try await plan.film()
        for note in film.notes { Console.shared.detail(note) }
        for warning in film.warnings { Console.shared.warning(warning) }
        let item = try await NamedThread.run("vcap-work") {
            try PlayerItem(film, range: try plan.range(of: film))
        }
        let settings = PlayerSettings(wantedSize: plan.wantedSize, speaker: plan.speaker)
        let player = try Player(item, settings: settings)
        let stage = try PlayStage(plan, player)
        do {
            try await stage.run()
        } catch {
            await player.stop()
            throw error
        }
        await player.stop()
        await stage.conclude()
        return .done
    }
}

/// A player with what it is shown on and what steers it. Thread-safe.
private final class PlayStage: Sendable {
    private let plan: PlayPlan
    private let player: Player
    private let source: FilmSource
    private let controls: PlayControls
    private let stills: StillWriter?
    private let board: (any PreviewBoard)?
    private let raw: RawTerminal?
    private let isOver: AsyncStream<Void>
    private let end: @Sendable () -> Void
    /// Set while the process is stopped by the terminal: it played before.
    private let wasPlaying = Lock(false)

    init(_ plan: PlayPlan, _ player: Player) throws(CommandFailure) {
        (self.plan, self.player) = (plan, player)
        let (isOver, announce) = AsyncStream<Void>.makeStream()
        let end = { @Sendable in _ = announce.yield() }
        (self.isOver, self.end) = (isOver, end)
        let film = player.item.film
        let stills = plan.stills.map { StillWriter(film, pattern: $0) }
        self.stills = stills
        let place = Lock<(any PreviewBoard)?>(nil)
        let controls = PlayControls(
            player,
            .init(
                quit: end, help: { place.withLock { $0 }?.toggleHelp() },
                fullScreen: { place.withLock { $0 }?.toggleFullScreen() ?? false },
                still: stills.map { stills in { @Sendable in stills.write(at: $0) } },
                changed: { place.withLock { $0 }?.refresh() }))
        self.controls = controls
        let source = FilmSource(player)
        self.source = source
        let board = try Self.board(plan, player, source, controls)
        self.board = board
        place.withLock { $0 = board }
        raw = RawTerminal(STDIN_FILENO)
    }

    private static func board(
        _ plan: PlayPlan, _ player: Player, _ source: FilmSource, _ controls: PlayControls
    ) throws(CommandFailure) -> (any PreviewBoard)? {
        let title = plan.title
        let footer = PlayFooter(player: player, controls: controls) { source.late }
        let tile = BoardTile(source: source) { [StatusPart(title)] }
        let tiles = player.item.hasFrames ? [tile] : []
        let lines = { @Sendable (columns: Int) in footer.lines(columns) }
        switch plan.display {
        case .none: return nil
        case .terminal(let terminal):
            return TerminalPreview(
                try ScreenOutput(terminal), tiles, page: PlayKeys.page, footer: lines)
        case .window(let program):
            return WindowPreview(
                program, title: "\(title), vcap", tiles, page: PlayKeys.page,
                size: WindowPainter.size(for: player.size), interval: .milliseconds(4),
                footer: lines)
        }
    }

    /// Whether somebody can press keys.
    private var isSteered: Bool { plan.display.isWindow || raw != nil }

    func run() async throws {
        if board == nil { player.setFrameHandler { _ in } }
        let reader = raw.map { raw in
            KeyReader(STDIN_FILENO, raw, begins: {}) { [self] key in
                controls.press(key)
            } answers: { [self] answer in
                board?.take(answer)
            }
        }
        defer { reader?.stop() }
        (board as? WindowPreview)?.setHandlers(
            .init { [self] key, _ in
                controls.press(key)
            } closed: { [self] in
                end()
            } lost: { [self] why in
                Console.shared.warning("there is no window any more: \(why)")
                end()
            })
        listen()
        player.setLooping(plan.isLooping)
        board?.start(
            answers: reader.flatMap { PreviewCommand.answers(from: $0, plan.display) })
        player.play()
        let events = Task { try await follow() }
        for await _ in isOver { break }
        board?.stop()
        events.cancel()
        if case .failed(let error) = player.status { throw error }
    }

    private func follow() async throws {
        for await event in player.events() {
            switch event {
            case .status(.failed): end()
            case .ended: if plan.quitsAtEnd || !isSteered { end() }
            case .audioLost(let why): Console.shared.warning("nothing is heard: \(why)")
            case .damaged(let sentence): Console.shared.warning(sentence)
            case .quality(.full): break
            case .quality(let quality):
                let words = quality == .half ? "half" : "a quarter"
                Console.shared.notice(
                    "this machine cannot keep up: frames are made in \(words) of the size")
            case .status, .rate, .stalled, .resumed: break
            }
            board?.refresh()
        }
    }

    private func listen() {
        let count = Lock(0)
        SignalListener.listen { [self] event in
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
                wasPlaying.withLock { $0 = player.rate != 0 }
                player.pause()
                board?.suspend()
                raw?.leave()
                SignalListener.stopProcess()
                comeBack()
            case .continued: comeBack()
            case .togglePause: break
            }
        }
    }

    private func comeBack() {
        raw?.comeBack()
        board?.comeBack()
        let plays = wasPlaying.withLock { wasPlaying in
            defer { wasPlaying = false }
            return wasPlaying
        }
        if plays { player.play() }
    }

    func conclude() async {
        await stills?.finish()
        let listing = PlayListing(
            player: player, notes: controls.notes, late: source.late, stills: stills?.paths ?? [],
            clip: plan.clip)
        Console.shared.notice(listing.line)
        if plan.writesJSON { return Console.shared.result(listing.json.pretty + "\n") }
        for marker in listing.notes.markers {
            Console.shared.result("marker \(FilmClock(item: player.item).text(marker))\n")
        }
        if let part = listing.part { Console.shared.result(part + "\n") }
    }
}
