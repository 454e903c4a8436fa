import Capture
import Media
import Play

/// Shows tiles in a window, on a thread of its own: the newest frame of each, captions below and lines at the bottom.
/// A display that does not take pictures costs pictures and nothing else. Thread-safe.
final class WindowPreview: PreviewBoard {
    private struct State: Sendable {
        var isBegun = false
        /// Whether a key or the window's frame closed it.
        var isClosed = false
        var isEnding = false
        /// Whether the process is about to be stopped.
        var isSuspended = false
        /// Whether there is a window.
        var isShown = false
        var look = PreviewLook()
        var isOver = false
        /// How often it was to fill the screen, or no longer.
        var turns = 0

        var wantsWindow: Bool { isBegun && !isClosed && !isEnding && !isSuspended }
    }

    /// What the window asks of the program.
    struct Handlers: Sendable {
        /// A key was pressed in it.
        var key: @Sendable (_ key: Key, _ repeats: Bool) -> Void = { _, _ in }
        /// It shows a picture, for the first time or again after it was taken away.
        var shown: @Sendable () -> Void = {}
        /// The person closed it.
        var closed: @Sendable () -> Void = {}
        /// It takes no pictures, or takes them again.
        var stalled: @Sendable (Bool) -> Void = WindowPreview.sayStalled
        /// The display took it away; the sentence says why.
        var lost: @Sendable (String) -> Void = { _ in }
    }

    // immutable
    private let program: WindowProgram
    private let title: String
    private let tiles: [BoardTile]
    private let slots: [FrameSlot]
    private let footer: @Sendable (_ columns: Int) -> [[StatusPart]]
    private let page: [String]
    private let wake: WakeSignal
    /// Ends a writing that waits.
    private let interruption = WakeSignal()
    private let clock = HostClock()
    // guarded by themselves
    private let state = BlockingLock(State())
    private let handlers = Lock(Handlers())

    /// From picture to picture at least (seconds).
    private let interval: MediaTime
    /// When it opens (pixels).
    private let firstSize: PixelSize
    /// Of cameras: 15 a second (seconds).
    private static let usualInterval = MediaTime(value: 1, timescale: 15)
    /// How often captions and lines are drawn where no frame comes (seconds).
    private static let pulse = MediaTime.milliseconds(250)
    /// One camera has a picture of 640x360 as the layer makes it, with its text; several have room for their captions.
    private static func usualSize(_ count: Int) -> PixelSize {
        switch count {
        case ...1: PixelSize(640, 440)
        case 2: PixelSize(1280, 440)
        case 3...4: PixelSize(960, 640)
        default: PixelSize(1200, 560)
        }
    }

    /// - Parameters:
    ///   - program: what shows it.
    ///   - tiles: in the order they are shown.
    ///   - page: what the keys do, a line each.
    ///   - size: before the person makes it larger (pixels; default: by the number of tiles).
    ///   - interval: from picture to picture at least (seconds).
    ///   - footer: the lines at the bottom; called on the display's thread.
    init(
        _ program: WindowProgram, title: String, _ tiles: [BoardTile], page: [String],
        size: PixelSize? = nil,
        interval: MediaTime = WindowPreview.usualInterval,
        footer: @escaping @Sendable (_ columns: Int) -> [[StatusPart]]
    ) {
        (firstSize, self.interval) = (size ?? Self.usualSize(tiles.count), interval)
        let wake = WakeSignal()
        (self.program, self.title, self.tiles) = (program, title, tiles)
        (self.page, self.footer, self.wake) = (page, footer, wake)
        slots = tiles.map { FrameSlot($0.source, wake: wake) }
    }

    /// Sets what the window asks for; before `start`.
    func setHandlers(_ handlers: Handlers) { self.handlers.withLock { $0 = handlers } }

    func start(answers: (@Sendable (Bool) -> Void)?) {
        state.withLock { $0.isBegun = true }
        NamedThread(name: "vcap-preview") { [self] in
            run()
            state.withLock { $0.isOver = true }
        }.detach()
    }

    func stop() {
        let isBegun = state.read { $0.isBegun }
        change { $0.isEnding = true }
        guard isBegun else { return }
        _ = state.wait(nanoseconds: 2_000_000_000) { $0.isOver ? true : nil }
    }

    /// Takes the window away: what would stand in it would not be true, and no key of it would be heard.
    func suspend() {
        change { $0.isSuspended = true }
        _ = state.wait(nanoseconds: 2_000_000_000) { $0.isShown ? nil : true }
    }

    func comeBack() { change { $0.isSuspended = false } }

    var isWanted: Bool { state.read { $0.wantsWindow } }
    var words: String { state.read { $0.look.words } }

    private func change(_ body: (inout State) -> Void) {
        let (before, after) = state.withLock { state in
            let before = state.wantsWindow
            body(&state)
            return (before, state.wantsWindow)
        }
        guard before != after || state.read({ $0.isEnding }) else { return }
        for tile in tiles { tile.source.setEnabled(after) }
        interruption.raise()
        wake.raise()
    }

    func take(_ action: PreviewKeys.Action) {
        if action == .view { return change { $0.isClosed.toggle() } }
        let look = state.withLock { state in
            state.look.take(action)
            return state.look
        }
        for tile in tiles { tile.source.setZoomed(look.isZoomed) }
        wake.raise()
    }

    func refresh() { wake.raise() }

    func toggleFullScreen() -> Bool {
        state.withLock { $0.turns += 1 }
        wake.raise()
        return true
    }

    func toggleHelp() {
        state.withLock { $0.look.showsHelp.toggle() }
        wake.raise()
    }

    /// Said at once: a window lies over no message.
    func noticeWhenShown(_ sentence: String) { Console.shared.notice(sentence) }

    // MARK: The display's thread

    private func run() {
        var painter = WindowPainter(count: tiles.count)
        while true {
            interruption.lower()
            let state = state.read { $0 }
            if state.isEnding { return }
            guard state.wantsWindow else {
                _ = wake.wait(nanoseconds: .max)
                wake.lower()
                continue
            }
            do throws(CommandFailure) {
                let window = try WindowProcess(program, firstSize, title: title)
                self.state.withLock { $0.isShown = true }
                defer {
                    window.end()
                    self.state.withLock { $0.isShown = false }
                }
                if let why = show(window, &painter) { lose(why) }
            } catch { lose(error.message) }
        }
    }

    private func lose(_ why: String) {
        change { $0.isClosed = true }
        handlers.withLock { $0 }.lost(why)
    }

    private static func sayStalled(_ isStalled: Bool) {
        if isStalled {
            Console.shared.warning(
                "the window takes no pictures: it, or its desktop, stands still; what it shows is old"
            )
        } else {
            Console.shared.notice("the window takes pictures again")
        }
    }

    /// Says once that the window stands still, and once that it does not.
    private struct Stall {
        private static let limit = MediaTime.seconds(3)
        /// When the picture that is on its way was begun (host time).
        private var start: MediaTime?
        private var isSaid = false

        mutating func begin(at now: MediaTime) { start = now }

        mutating func end(_ say: (Bool) -> Void) {
            start = nil
            if isSaid { say(false) }
            isSaid = false
        }

        mutating func look(at now: MediaTime, _ say: (Bool) -> Void) {
            guard let start, !isSaid, now - start > Self.limit else { return }
            isSaid = true
            say(true)
        }
    }

    /// Until it is not wanted any more.
    /// - Returns: why the display took it away; `nil` where it did not.
    private func show(_ window: WindowProcess, _ painter: inout WindowPainter) -> String? {
        var size: (pixels: PixelSize, scale: Int)?
        // one picture is on its way at a time: what a slow display has not shown is replaced by what is new
        var hasRoom = true
        var isFirst = true
        // what is shown is not what is wished for
        var isStale = true
        var next = clock.now()
        var pulse = clock.now()
        var turns = state.read { $0.turns }
        var stall = Stall()
        while true {
            // first: what is wished for after this ends the next wait
            interruption.lower()
            guard state.read({ $0.wantsWindow }) else { return nil }
            for event in window.events() {
                switch event {
                case .size(let pixels, let scale):
                    size = (pixels, scale)
                    isStale = true
                case .shown:
                    hasRoom = true
                    if isFirst { handlers.withLock { $0 }.shown() }
                    isFirst = false
                    stall.end(handlers.withLock { $0 }.stalled)
                case .key(let key, let repeats): handlers.withLock { $0 }.key(key, repeats)
                case .close:
                    change { $0.isClosed = true }
                    handlers.withLock { $0 }.closed()
                case .gone(let why): return state.read { $0.wantsWindow } ? why : nil
                }
            }
            if hasRoom {
                if clock.now() >= pulse { isStale = true }
                if wake.isRaised {
                    // before what was wished for is read: what comes later raises it again
                    wake.lower()
                    isStale = true
                }
                takeFrames(&painter)
            }
            while turns < state.read({ $0.turns }) {
                turns += 1
                guard window.toggleFullScreen(unless: interruption) else { return end(of: window) }
            }
            if let size, hasRoom, isStale, clock.now() >= next {
                let picture = painter.picture(
                    state.read { $0.look }, size: size.pixels, scale: size.scale,
                    captions: tiles.map { $0.caption() }, lines: footer, page: page)
                next = clock.now() + interval
                pulse = clock.now() + Self.pulse
                (hasRoom, isStale) = (false, false)
                stall.begin(at: clock.now())
                let say = handlers.withLock { $0 }.stalled
                let isShown = window.show(picture, at: painter.time, unless: interruption) {
                    stall.look(at: clock.now(), say)
                }
                guard isShown else {
                    // cut in its middle, or nobody is there to take it
                    return end(of: window)
                }
            }
            stall.look(at: clock.now(), handlers.withLock { $0 }.stalled)
            let start = isStale ? next : pulse
            wait(window, until: hasRoom ? start : clock.now() + Self.pulse, hasRoom && !isStale)
        }
    }

    private func end(of window: WindowProcess) -> String? {
        for case .gone(let why) in window.events() where state.read({ $0.wantsWindow }) {
            return why
        }
        return nil
    }

    private func takeFrames(_ painter: inout WindowPainter) {
        for (index, slot) in slots.enumerated() {
            if let frame = slot.take() { painter.take(frame, of: index) }
        }
    }

    /// Until something comes from the window, or a time.
    /// - Parameter wakes: whether a frame or a wish ends it, too.
    private func wait(_ window: WindowProcess, until end: MediaTime, _ wakes: Bool) {
        let left = max(end - clock.now(), .milliseconds(1))
        window.wait(nanoseconds: left.nanoseconds(), interruption, wakes ? wake : nil)
    }
}
