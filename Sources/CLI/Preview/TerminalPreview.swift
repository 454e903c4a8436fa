internal import Glibc
import Media
import Play

/// Shows tiles on a terminal, on a thread of its own, which composes and writes: one drawing at a time, of the newest
/// frames. A terminal that does not read holds nobody but this thread. Thread-safe.
final class TerminalPreview: Sendable {
    private enum Wish: Sendable {
        case shown, away, over
    }

    private struct State: Sendable {
        var isBegun = false
        /// Whether a key closed it.
        var isClosed = false
        /// Whether the process is about to be stopped.
        var isSuspended = false
        var isEnding = false
        /// Whether the terminal shows it.
        var isShown = false
        var look = PreviewLook()
        var graphics: TerminalGraphics
        var isOver = false
        /// What is to be said when it is shown.
        var notices: [String] = []

        var wish: Wish {
            isEnding ? .over : isBegun && !isClosed && !isSuspended ? .shown : .away
        }
    }

    // immutable
    private let screen: ScreenOutput
    private let tiles: [BoardTile]
    private let slots: [FrameSlot]
    private let footer: @Sendable (_ columns: Int) -> [[StatusPart]]
    private let page: [String]
    private let wake: WakeSignal
    /// Ends a writing that waits.
    private let interruption = WakeSignal()
    private let clock = HostClock()
    // guarded by itself
    private let state: BlockingLock<State>
    private let expect = Lock(Expectation())

    private struct Expectation {
        /// Called with whether answers come among the keys; `nil`: nobody reads them.
        var answers: (@Sendable (Bool) -> Void)?
    }

    /// Drawings are at least so far apart, whatever number of tiles there is.
    private static let interval = MediaTime.milliseconds(40)
    /// The lines at the bottom change at least so often.
    private static let pulse = MediaTime.milliseconds(250)
    /// How long answers are waited for.
    private static let answerTime = MediaTime.seconds(2)

    /// - Parameters:
    ///   - tiles: in the order they are shown.
    ///   - page: what the keys do, a line each.
    ///   - footer: the lines at the bottom; called on the display's thread.
    init(
        _ screen: ScreenOutput, _ tiles: [BoardTile], page: [String],
        footer: @escaping @Sendable (_ columns: Int) -> [[StatusPart]]
    ) {
        let wake = WakeSignal()
        (self.screen, self.tiles, self.page, self.footer) = (screen, tiles, page, footer)
        self.wake = wake
        slots = tiles.map { FrameSlot($0.source, wake: wake) }
        let graphics = TerminalGraphics { name in getenv(name).map { String(cString: $0) } }
        state = BlockingLock(State(graphics: graphics))
    }

    /// Says something as soon as the picture is there: before that it would be gone at once.
    func noticeWhenShown(_ sentence: String) {
        state.withLock { $0.notices.append(sentence) }
    }

    /// Begins to show it; its thread lives until `stop`.
    /// - Parameter answers: called with whether answers of the terminal come among its keys, for who reads them; `nil`
    ///   where nobody does, and nothing is asked then.
    func start(answers: (@Sendable (Bool) -> Void)?) {
        expect.withLock { $0.answers = answers }
        state.withLock { $0.isBegun = true }
        NamedThread(name: "vcap-preview") { [self] in
            var drawing = Drawing(count: tiles.count)
            run(&drawing)
            state.withLock { $0.isOver = true }
        }.detach()
    }

    /// Gives the screen back for good, and waits until it is.
    func stop() {
        let isBegun = state.read { $0.isBegun }
        change { $0.isEnding = true }
        guard isBegun else { return }
        _ = state.wait(nanoseconds: 2_000_000_000) { $0.isOver ? true : nil }
    }

    /// Gives the screen back, and waits until it is; nothing is decoded meanwhile.
    func suspend() {
        change { $0.isSuspended = true }
        _ = state.wait(nanoseconds: 2_000_000_000) { $0.isShown ? nil : true }
    }

    /// Shows it again, unless it was closed.
    func comeBack() { change { $0.isSuspended = false } }

    /// Whether it is shown, or is to be.
    var isWanted: Bool { state.read { $0.wish == .shown } }

    private func change(_ body: (inout State) -> Void) {
        let (before, wish) = state.withLock { state in
            let before = state.wish
            body(&state)
            return (before, state.wish)
        }
        guard wish != before else { return }
        for tile in tiles { tile.source.setEnabled(wish == .shown) }
        interruption.raise()
        wake.raise()
    }

    /// What a key asks for.
    func take(_ action: PreviewKeys.Action) {
        if action == .view {
            return change { $0.isClosed.toggle() }
        }
        let look = state.withLock { state in
            state.look.take(action)
            return state.look
        }
        for tile in tiles { tile.source.setZoomed(look.isZoomed) }
        wake.raise()
    }

    /// Shows what the keys do in the place of the picture, or the picture again.
    func toggleHelp() {
        state.withLock { $0.look.showsHelp.toggle() }
        wake.raise()
    }

    func refresh() { wake.raise() }

    /// What the terminal says of itself.
    func take(_ answer: TerminalAnswer) {
        let isKnown = state.withLock { state in
            state.graphics.take(answer)
            return state.graphics.isKnown
        }
        if isKnown { expect.withLock { $0.answers }?(false) }
        wake.raise()
    }

    /// How it is shown, in words.
    var words: String { state.read { $0.look.words } }

    // MARK: The display's thread

    private func run(_ drawing: inout Drawing) {
        var next = clock.now()
        var answersEnd: MediaTime?
        while true {
            // first: what is wished for after this ends the next wait
            interruption.lower()
            let wish = state.read { $0.wish }
            if wish != .shown {
                hide(&drawing)
                if wish == .over { return }
                _ = wake.wait(nanoseconds: .max)
                wake.lower()
                continue
            }
            guard screen.isInForeground else {
                // the screen is the shell's: what is here is drawn anew when it is ours again
                drawing.forget()
                _ = wake.wait(nanoseconds: 300_000_000)
                wake.lower()
                _ = interruption.wait(nanoseconds: 100_000_000)
                continue
            }
            if !state.read({ $0.isShown }) {
                guard show() else { return }
                drawing.forget()
                answersEnd = ask()
            }
            if let end = answersEnd, clock.now() > end {
                expect.withLock { $0.answers }?(false)
                answersEnd = nil
            }
            wake.lower()
            let bytes = compose(&drawing)
            switch screen.write(bytes, unless: interruption) {
            case .gone:
                // it is no screen any more: what is held has nowhere else to go
                hide(&drawing)
                return
            case .interrupted: drawing.forget()
            case .written: break
            }
            next = clock.now() + Self.interval
            if clock.wait(until: next, orSignal: interruption) == .signalled { continue }
            _ = wake.wait(nanoseconds: (Self.pulse - Self.interval).nanoseconds())
        }
    }

    /// - Returns: whether there is a terminal.
    private func show() -> Bool {
        Console.shared.hold()
        let notices = state.withLock { state in
            state.isShown = true
            defer { state.notices = [] }
            return state.notices
        }
        let outcome = screen.enter()
        if outcome == .gone { hide() }
        for sentence in notices { Console.shared.notice(sentence) }
        return outcome != .gone
    }

    private func hide(_ drawing: inout Drawing) {
        hide()
        drawing.forget()
    }

    private func hide() {
        guard state.read({ $0.isShown }) else { return }
        expect.withLock { $0.answers }?(false)
        screen.leave()
        Console.shared.release()
        state.withLock { $0.isShown = false }
    }

    /// Asks the terminal what it can, once.
    /// - Returns: when it is not waited for any longer.
    private func ask() -> MediaTime? {
        guard let answers = expect.withLock({ $0.answers }), !state.read({ $0.graphics.isKnown })
        else { return nil }
        answers(true)
        _ = screen.write(TerminalQuery.bytes, unless: interruption)
        return clock.now() + Self.answerTime
    }

    private func compose(_ drawing: inout Drawing) -> [UInt8] {
        let (look, graphics) = state.read { ($0.look, $0.graphics) }
        let size = screen.size
        let lines = footer(size.columns)
        if drawing.keepsGraphics(graphics.form(size)) { screen.holdGraphics() }
        for (index, slot) in slots.enumerated() {
            if let frame = slot.take() { drawing.take(frame, of: index) }
        }
        return drawing.bytes(
            look, graphics, size, captions: tiles.map { $0.caption() }, lines: lines,
            page: page)
    }
}
