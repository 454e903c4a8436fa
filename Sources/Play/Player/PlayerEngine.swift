internal import Capture
internal import Compose
internal import Media

/// The desk of a player behind its lock, and the three threads that ask it what to do: one renders, one hands frames
/// over, one plays audio. They end with `stop()`. Thread-safe.
final class PlayerEngine: Sendable {
    typealias SpeakerOpener =
        @Sendable (PlayerSettings) throws(MediaError) -> (any SpeakerDriver)?

    struct FrameHandler: Sendable {
        let take: @Sendable (PlayedFrame) -> Void
    }

    struct SpeakerMaker: Sendable {
        let open: SpeakerOpener
    }

    // immutable
    let item: PlayerItem
    let settings: PlayerSettings
    let clock = HostClock()
    /// Of frames of full quality (pixels).
    let size: PixelSize
    private let speakers: SpeakerMaker
    // guarded by themselves
    private let desk: BlockingLock<PlayerDesk>
    private let handler = Lock(HandlerPlace())
    private let running = BlockingLock(0)

    struct HandlerPlace: Sendable {
        var handler: FrameHandler?
        /// What frames of a sequence are waiting for their reader.
        var turn = 0
    }

    init(_ item: PlayerItem, _ settings: PlayerSettings, speakers: SpeakerMaker) {
        self.item = item
        self.settings = settings
        self.speakers = speakers
        let own = item.size ?? PixelSize(2, 2)
        size = settings.wantedSize.map { own.fitted(into: $0, grows: false).even } ?? own.even
        desk = BlockingLock(
            PlayerDesk(item, settings, frameBytes: item.hasFrames ? size.frameBytes : 1))
    }

    /// Starts the threads, which keep the engine until `stop()`.
    func start() {
        run("vcap-show") { $0.showFrames() }
        if item.hasFrames { run("vcap-render") { PlayerRendering($0).run() } }
        if item.hasAudio, settings.speaker != .none {
            run("vcap-audio") { engine in PlayerAudio(engine).run() }
        }
    }

    private func run(_ name: String, _ body: @escaping @Sendable (PlayerEngine) -> Void) {
        running.withLock { $0 += 1 }
        NamedThread(name: name) { [self] in
            body(self)
            running.withLock { $0 -= 1 }
        }.detach()
    }

    /// Asks or changes the desk, and says what has happened.
    func withDesk<Result>(_ body: (inout PlayerDesk) -> Result) -> Result {
        let (result, saysNews) = desk.withLock { desk in
            let result = body(&desk)
            let saysNews = !desk.news.isEmpty && !desk.isSaying
            if saysNews { desk.isSaying = true }
            return (result, saysNews)
        }
        if saysNews { sayNews() }
        return result
    }

    /// Changes the desk where a task ends that listened to it: what waits to be said is said by others.
    func forget(_ body: (inout PlayerDesk) -> Void) { desk.withLock { body(&$0) } }

    /// In order, on one thread at a time, and without a lock: who hears of it may ask for more.
    private func sayNews() {
        while true {
            let news = desk.withLock { desk in
                defer { desk.news = [] }
                desk.isSaying = !desk.news.isEmpty
                return desk.news
            }
            if news.isEmpty { return }
            for say in news { say() }
        }
    }

    func read<Result>(_ body: (PlayerDesk) -> Result) -> Result { desk.read(body) }

    var now: Int64 { clock.now().nanoseconds() }

    /// Blocks until the desk has another version, or at most until a host time.
    func wait(for version: Int, until deadline: Int64?) {
        let hasChanged: (inout PlayerDesk) -> Void? = { $0.version != version ? () : nil }
        guard let deadline else { return desk.wait(hasChanged) }
        let left = deadline - now
        if left > 0 { _ = desk.wait(nanoseconds: left, hasChanged) }
    }

    func openSpeaker() throws(MediaError) -> (any SpeakerDriver)? { try speakers.open(settings) }

    // MARK: End

    /// Ends the threads; nothing is handed over any more once they have ended.
    func stop() {
        withDesk { desk in
            desk.isStopped = true
            desk.giveUp()
            let listeners = Array(desk.listeners.values)
            let observers = desk.observers.finish()
            desk.listeners = [:]
            // behind what they have yet to hear of
            desk.news.append {
                for listener in listeners { listener.finish() }
                for observer in observers { observer.finish() }
            }
        }
    }

    /// Blocks until the threads have ended and all is said.
    func waitForEnd() {
        running.wait { $0 == 0 ? () : nil }
        desk.wait { $0.isSaying ? nil : () }
    }

    // MARK: Frames

    func setHandler(_ handler: FrameHandler?) -> Int {
        self.handler.withLock { place in
            place.handler = handler
            place.turn += 1
            return place.turn
        }
    }

    func removeHandler(_ turn: Int) {
        handler.withLock { if $0.turn == turn { $0.handler = nil } }
    }

    /// The thread that hands frames over.
    private func showFrames() {
        while true {
            let (step, version) = withDesk { ($0.showing(at: now), $0.version) }
            switch step {
            case .end: return
            case .again: continue
            case .wait(let deadline): wait(for: version, until: deadline)
            case .show(let frame, let target):
                let place = handler.withLock { $0 }
                place.handler?.take(frame)
                if let target { withDesk { $0.delivered(target) } }
            }
        }
    }
}

extension PixelSize {
    /// The nearest size that chroma of four pixels each has.
    var even: PixelSize { PixelSize(max(2, width / 2 * 2), max(2, height / 2 * 2)) }

    /// Of a frame of 8 bits.
    var frameBytes: Int { width * height * 3 / 2 }

    func divided(by divisor: Int) -> PixelSize {
        PixelSize(width / divisor, height / divisor).even
    }
}
