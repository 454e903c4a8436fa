import Compose
internal import Glibc
import Media
import Play

/// Plays a film until its end, or until it is stopped.
struct PlayCommand: Sendable {
    let plan: PlayPlan

    func run() async throws -> ExitCode {
        let size = plan.clip.flatMap(PlayPlan.size)
        let film = try await plan.film()
        for note in film.notes { Console.shared.detail(note) }
        for warning in film.warnings + plan.idle { Console.shared.warning(warning) }
        let deck = PlayDeck(try await Self.player(of: film, plan))
        let stage = try PlayStage(plan, deck, size: size)
        do {
            try await stage.run()
        } catch {
            await deck.player.stop()
            // what was noted is not lost with a file
            await stage.sayNotes(asResults: !plan.writesJSON)
            throw error
        }
        await deck.player.stop()
        do { try await stage.saveRange() } catch {
            await stage.sayNotes(asResults: !plan.writesJSON)
            throw error
        }
        await stage.conclude()
        return stage.hasLostWindow ? .noDevice : .done
    }

    static func player(of film: Film, _ plan: PlayPlan) async throws -> Player {
        let item = try await NamedThread.run("vcap-work") {
            try PlayerItem(film, range: try plan.range(of: film))
        }
        var settings = PlayerSettings(
            wantedSize: plan.wantedSize, speaker: plan.speaker,
            lead: plan.display.isWindow ? lead : .zero)
        if plan.span == nil { settings.startTime = film.range?.start }
        return try Player(item, settings: settings)
    }

    /// So long before it is to be seen a window has a frame: its picture is made and brought there meanwhile.
    private static let lead = MediaTime.milliseconds(25)
}

/// A player with what it is shown on and what steers it. Thread-safe.
private final class PlayStage: Sendable {
    private let plan: PlayPlan
    private let deck: PlayDeck
    private let source: FilmSource
    private let controls: PlayControls
    private let stills: StillWriter?
    private let board: (any PreviewBoard)?
    private let raw: RawTerminal?
    private let isOver: AsyncStream<Void>
    private let end: @Sendable () -> Void
    /// Set while the process is stopped by the terminal: it played before.
    private let wasPlaying = Lock(false)
    /// Whether more of the take is waited for at the end of what is there.
    private let isWaiting = Lock(false)
    /// Why the display took the window away.
    private let lostWindow = Lock<String?>(nil)
    /// Whether it has been played at all.
    private let hasBegun = Lock(false)

    /// Bytes of the only clip, before it was read; `nil`: there are others.
    private let loadedSize: Lock<Int64?>

    /// - Parameter size: of the only clip, before it was read (bytes).
    init(_ plan: PlayPlan, _ deck: PlayDeck, size: Int64?) throws(CommandFailure) {
        (self.plan, self.deck, loadedSize) = (plan, deck, Lock(size))
        let (isOver, announce) = AsyncStream<Void>.makeStream()
        let end = { @Sendable in _ = announce.yield() }
        (self.isOver, self.end) = (isOver, end)
        let film = deck.item.film
        let stills = plan.stills.map { StillWriter(film, pattern: $0) }
        self.stills = stills
        let place = Lock<(any PreviewBoard)?>(nil)
        let controls = PlayControls(
            deck, .init(of: film),
            .init(
                quit: end, help: { place.withLock { $0 }?.toggleHelp() },
                fullScreen: { place.withLock { $0 }?.toggleFullScreen() ?? false },
                still: stills.map { stills in { @Sendable in stills.write(at: $0) } },
                changed: { place.withLock { $0 }?.refresh() }))
        self.controls = controls
        let source = FilmSource(deck)
        self.source = source
        let board = try Self.board(plan, deck, source, controls, isWaiting)
        self.board = board
        place.withLock { $0 = board }
        raw = RawTerminal(STDIN_FILENO)
    }

    private static func board(
        _ plan: PlayPlan, _ deck: PlayDeck, _ source: FilmSource, _ controls: PlayControls,
        _ isWaiting: Lock<Bool>
    ) throws(CommandFailure) -> (any PreviewBoard)? {
        let title = plan.title
        let footer = PlayFooter(
            deck: deck, isWaiting: { isWaiting.withLock { $0 } }, controls: controls,
            late: { source.late })
        let tile = BoardTile(source: source) { [StatusPart(title)] }
        let tiles = deck.item.hasFrames ? [tile] : []
        let lines = { @Sendable (columns: Int) in footer.lines(columns) }
        switch plan.display {
        case .none: return nil
        case .terminal(let terminal):
            return TerminalPreview(
                try ScreenOutput(terminal), tiles, page: PlayKeys.page, footer: lines)
        case .window(let program):
            return WindowPreview(
                program, title: "\(title), vcap", tiles, page: PlayKeys.page,
                size: WindowPainter.size(for: deck.player.size), interval: .milliseconds(4),
                footer: lines)
        }
    }

    /// Whether somebody can press keys.
    private var isSteered: Bool { plan.display.isWindow || raw != nil }

    func run() async throws {
        if board == nil { source.connect() }
        let reader = raw.map { raw in
            KeyReader(STDIN_FILENO, raw, begins: {}) { [self] key in
                press(key)
            } answers: { [self] answer in
                board?.take(answer)
            }
        }
        defer { reader?.stop() }
        (board as? WindowPreview)?.setHandlers(
            .init { [self] key, _ in
                press(key)
            } shown: { [self] in
                begin()
            } closed: { [self] in
                end()
            } lost: { [self] why in
                Console.shared.warning("there is no window any more: \(why)")
                lostWindow.withLock { $0 = "there is no window any more: \(why)" }
                end()
            })
        listen()
        deck.player.setLooping(plan.isLooping)
        // before it is played: a short film may be over before a task has begun
        let (reports, outs) = (deck.player.events(), outTimes())
        board?.start(
            answers: reader.flatMap { PreviewCommand.answers(from: $0, plan.display) })
        // what is played before there is a window is not seen
        if !plan.display.isWindow { begin() }
        let timeout = Task {
            try await Task.sleep(for: Self.windowTimeout)
            begin()
        }
        let events = Task { await follow(reports) }
        let stop = Task { await self.stop(at: outs) }
        for await _ in isOver { break }
        board?.stop()
        events.cancel()
        stop.cancel()
        timeout.cancel()
        if case .failed(let error) = deck.player.status { throw error }
    }

    /// When the end of a project's part is passed; `nil`: it has none, or nothing that is played lies behind it.
    private func outTimes() -> AsyncStream<MediaTime>? {
        let item = deck.item
        guard let part = item.film.range, item.range.contains(part.end), part.end < item.range.end
        else { return nil }
        return deck.player.boundaryTimes([part.end])
    }

    /// Where a project's part ends playing stands, or begins again; going on from there plays what lies behind it.
    private func stop(at outs: AsyncStream<MediaTime>?) async {
        let (player, item) = (deck.player, deck.item)
        guard let outs, let part = item.film.range else { return }
        for await _ in outs where player.rate > 0 {
            let rate = player.rate
            player.pause()
            let frame = max(part.start, part.end - item.frameDuration)
            await player.seek(to: player.isLooping ? part.start : frame)
            if player.isLooping { player.setRate(rate) }
        }
    }

    /// So long a window is waited for.
    private static let windowTimeout = Duration.seconds(3)

    /// A key that comes before the first picture finds it playing, as all others do.
    private func press(_ key: Key?) {
        begin()
        controls.press(key)
    }

    private func begin() {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        if isFirst { deck.player.play() }
    }

    /// Says what happens, of each player that comes on the deck.
    /// - Parameter reports: of the first one.
    private func follow(_ reports: AsyncStream<PlayerEvent>) async {
        var reports = reports
        while !Task.isCancelled, let next = await follow(deck.player, reports) { reports = next }
    }

    /// - Returns: what is reported of another player, which has taken its place.
    private func follow(
        _ player: Player, _ reports: AsyncStream<PlayerEvent>
    ) async -> AsyncStream<PlayerEvent>? {
        for await event in reports {
            switch event {
            case .status(.failed): end()
            case .ended:
                if player.currentTime > player.item.range.start, let next = await extend(player) {
                    return next
                }
                if plan.quitsAtEnd || !isSteered { end() }
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
        return nil
    }

    /// How often it is looked whether there is more of a take.
    private static let lookInterval = Duration.milliseconds(300)

    /// At the end of a take that is being written, or was when it was read: waits for more of it, and plays that.
    /// - Returns: what is reported while that is played; `nil`: there is no more, or somebody has gone elsewhere.
    private func extend(_ player: Player) async -> AsyncStream<PlayerEvent>? {
        guard plan.isWhole, !player.isLooping, let path = plan.clip else { return nil }
        let end = player.item.range.end
        var film = player.item.film
        isWaiting.withLock { $0 = true }
        defer { isWaiting.withLock { $0 = false } }
        while player.rate == 0, player.currentTime >= end - player.item.frameDuration {
            // in this order: what ended between both has another size
            let isGrowing = film.assets.contains(where: \.isBeingWritten)
            let size = PlayPlan.size(of: path)
            if size != loadedSize.withLock({ $0 }) {
                loadedSize.withLock { $0 = size }
                guard let longer = try? await plan.film() else { return nil }
                film = longer
                if film.composition.duration > end,
                    let next = await replace(player, film, from: end)
                {
                    return next
                }
            } else if !isGrowing {
                return nil
            }
            try? await Task.sleep(for: Self.lookInterval)
            if Task.isCancelled { return nil }
        }
        return nil
    }

    private func replace(
        _ player: Player, _ film: Film, from start: MediaTime
    ) async -> AsyncStream<PlayerEvent>? {
        guard let next = try? await PlayCommand.player(of: film, plan) else { return nil }
        await next.seek(to: start)
        let reports = next.events()
        let old = deck.replace(with: next)
        source.connect()
        next.play()
        await old.stop()
        return reports
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
                wasPlaying.withLock { $0 = deck.player.rate != 0 }
                deck.player.pause()
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
        if plays { deck.player.play() }
    }

    /// Whether the display took the window away.
    var hasLostWindow: Bool { lostWindow.withLock { $0 != nil } }

    private var listing: PlayListing {
        PlayListing(
            deck: deck, notes: controls.notes,
            isNoted: controls.notes != .init(of: deck.item.film), late: source.late,
            stills: stills?.paths ?? [],
            clip: plan.clip, isRange: plan.span != nil, failure: lostWindow.withLock { $0 })
    }

    func conclude() async {
        await stills?.finish()
        let listing = listing
        Console.shared.notice(listing.line)
        guard plan.writesJSON else { return await sayNotes(asResults: true) }
        Console.shared.result(listing.json.pretty + "\n")
    }

    /// Writes in and out into the project, where that was asked for and they are others than it has.
    func saveRange() async throws {
        guard let path = plan.savedProject else { return }
        let (known, notes) = (PlayControls.Notes(of: deck.item.film), controls.notes)
        guard (notes.start, notes.end) != (known.start, known.end) else { return }
        // one that is no longer set is where the film begins or ends
        let start = notes.start ?? known.start.map { _ in .zero }
        let end = notes.end ?? known.end.map { _ in deck.item.film.composition.duration }
        try await NamedThread.run("vcap-work") { () throws(MediaError) in
            try ProjectFile.setRange(of: path, from: start, to: end)
        }
        Console.shared.notice("\(path) is exported between in and out now")
    }

    /// Markers, and the part between in and out.
    func sayNotes(asResults isResult: Bool) async {
        await stills?.finish()
        let clock = FilmClock(item: deck.item)
        let listing = listing
        let lines = listing.notes.markers.map { "marker \(clock.text($0))" } + [listing.newPart]
        for line in lines.compactMap(\.self) {
            if isResult { Console.shared.result(line + "\n") } else { Console.shared.notice(line) }
        }
    }
}
