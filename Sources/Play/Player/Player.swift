package import Capture
internal import Compose
public import Media

/// Plays a film or a movie: frames at the instants at which they are to be seen, audio on a device, both together.
/// AVPlayer's place, without a layer: frames are handed over and drawn by the program. Thread-safe.
///
/// Frames and audio are those that an export would encode. The audio device's clock sets the pace; without audio the
/// host clock does. A frame whose time is over is dropped and counted, never shown late. Audio is heard at the rates 0.5 to 2.
/// Playing ends with `stop()`, or when nothing holds the player any more.
public final class Player: Sendable {
    /// The fastest rates.
    public static let rates = -8.0...8.0
    /// Those at which audio is heard, at its own pitch.
    public static let audibleRates = 0.5...2.0

    public let item: PlayerItem
    public let settings: PlayerSettings
    private let engine: PlayerEngine

    /// Begins to load; it is paused at the item's beginning, whose first frame is handed over.
    /// - Throws: `invalid-setting`, naming the field.
    public convenience init(
        _ item: PlayerItem, settings: PlayerSettings = PlayerSettings()
    ) throws(MediaError) {
        try self.init(item, settings: settings) { settings throws(MediaError) in
            try settings.speaker.open(server: settings.soundServer)
        }
    }

    /// - Parameter openSpeaker: opens the audio device, on the audio's thread.
    package init(
        _ item: PlayerItem, settings: PlayerSettings,
        openSpeaker: @escaping @Sendable (PlayerSettings) throws(MediaError) -> (any SpeakerDriver)?
    ) throws(MediaError) {
        try settings.validate()
        self.item = item
        self.settings = settings
        engine = PlayerEngine(item, settings, speakers: .init(open: openSpeaker))
        engine.start()
    }

    deinit { engine.stop() }

    /// Ends playing; returns when no frame will be handed over any more. Nothing happens afterwards.
    public func stop() async {
        engine.stop()
        await NamedThread.run("vcap-stop") { [engine] in engine.waitForEnd() }
    }

    // MARK: State

    public var status: PlayerStatus { engine.read(\.status) }
    /// What was set (factor; 0: paused).
    public var rate: Double { engine.read(\.rate) }
    public var counts: PlayerCounts { engine.read(\.counts) }
    /// Of the frames that are made now. It falls, to half and a quarter of the size, while a fifth of the frames cannot
    /// be made in time, and is full again when it is paused.
    public var quality: PlayerQuality { engine.read(\.quality) }
    /// Of frames of full quality (pixels).
    public var size: PixelSize { engine.size }
    /// Whether audio is heard, or would be at an audible rate.
    public var hasAudio: Bool { engine.read { $0.audio != .none } }

    /// The time on show (seconds of the timeline).
    public var currentTime: MediaTime {
        let now = engine.now
        return engine.read { $0.currentTime(at: now) }
    }

    /// Bytes that frames of full quality may take: those around the playhead, those on their way, and those that a
    /// client holds (24 of them at most; who holds more ends the playing).
    public var memoryBound: Int {
        (engine.read(\.store.capacity) + 36) * engine.size.frameBytes
    }

    // MARK: Commands

    /// Plays at the rate 1; from the beginning if it is at its end.
    public func play() { setRate(1) }

    /// Stands at the time that is on show. The frame on show stays, in full quality.
    public func pause() { setRate(0) }

    /// - Parameter rate: factor, −8…8 (beyond: the nearest); negative: backwards, which shows each frame, and waits
    ///   for those that are not decoded yet; 0 pauses. Audio is heard at 0.5 to 2, at its own pitch (to a thousandth of
    ///   the rate).
    public func setRate(_ rate: Double) {
        let rate = rate.isNaN ? 0 : min(max(rate, Self.rates.lowerBound), Self.rates.upperBound)
        engine.withDesk { $0.setRate(rate, at: engine.now) }
    }

    /// Goes to an instant and plays on from there if it plays.
    /// - Parameters:
    ///   - time: of the timeline; outside of the item's range its nearest end.
    ///   - tolerance: a frame that is at hand and no further away will do (seconds; default: that frame).
    /// - Returns: whether its frame was handed over; false: another seek or step took its place, or the player ended.
    @discardableResult
    public func seek(to time: MediaTime, tolerance: MediaTime = .zero) async -> Bool {
        await withCheckedContinuation { continuation in
            seek(to: time, tolerance: tolerance) { continuation.resume(returning: $0) }
        }
    }

    /// The same without waiting: of seeks and steps that one thread wishes for the last one counts.
    /// - Parameters:
    ///   - time: of the timeline; outside of the item's range its nearest end.
    ///   - tolerance: a frame that is at hand and no further away will do (seconds; default: that frame).
    ///   - completionHandler: is called with what the other one returns, on one of the player's threads or on that of a
    ///     later command.
    public func seek(
        to time: MediaTime, tolerance: MediaTime = .zero,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        let ticks = (time - item.range.start).playerTicks
        wish(completionHandler) { desk, wish, _ in
            desk.seek(to: ticks, wish: wish, tolerance: tolerance.playerTicks)
        }
    }

    /// Pauses and goes some frames on.
    /// - Parameter count: of frames; negative: back.
    /// - Returns: whether another frame was handed over; false: there is none further on, or as of `seek`.
    @discardableResult
    public func step(byFrames count: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            step(byFrames: count) { continuation.resume(returning: $0) }
        }
    }

    /// The same without waiting.
    /// - Parameters:
    ///   - count: of frames; negative: back.
    ///   - completionHandler: as of `seek(to:tolerance:completionHandler:)`.
    public func step(
        byFrames count: Int, completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        wish(completionHandler) { desk, wish, now in
            desk.step(by: Int64(count), wish: wish, at: now)
        }
    }

    private func wish(
        _ handler: @escaping @Sendable (Bool) -> Void,
        _ body: (inout PlayerDesk, Int, Int64) -> Void
    ) {
        engine.withDesk { desk in
            let wish = desk.nextTicket()
            desk.wishes[wish] = handler
            body(&desk, wish, engine.now)
        }
    }

    /// Whether it begins again at its end, backwards at its beginning (default: no).
    public var isLooping: Bool { engine.read(\.isLooping) }

    public func setLooping(_ isLooping: Bool) {
        engine.withDesk { desk in
            desk.isLooping = isLooping
            desk.version += 1
        }
    }

    /// Gain of the audio (factor; 0…1). What changes is heard when the device has played its buffer (0.2 s).
    public var volume: Double { engine.read(\.volume) }

    public func setVolume(_ volume: Double) {
        let volume = volume.isNaN ? 0 : min(max(volume, 0), 1)
        engine.withDesk { $0.volume = volume }
    }

    /// Whether silence is played (default: no). The device sets the pace none the less.
    public var isMuted: Bool { engine.read(\.isMuted) }

    public func setMuted(_ isMuted: Bool) { engine.withDesk { $0.isMuted = isMuted } }

    // MARK: Frames

    /// Sets who gets the frames; nil removes it. The frame on show comes at once.
    /// - Parameter handler: called on the player's own thread, at the instant at which a frame is to be seen, less the
    ///   setting's lead. What it takes longer than a frame costs frames.
    public func setFrameHandler(_ handler: (@Sendable (PlayedFrame) -> Void)?) {
        _ = engine.setHandler(handler.map { .init(take: $0) })
        if handler != nil { engine.withDesk { $0.showAgain() } }
    }

    /// The frames from the one on show on, of which the newest waits for the reader. It takes the handler's place.
    public func frames() -> AsyncStream<PlayedFrame> {
        let (stream, continuation) = AsyncStream<PlayedFrame>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let turn = engine.setHandler(.init { continuation.yield($0) })
        continuation.onTermination = { [weak engine] _ in engine?.removeHandler(turn) }
        engine.withDesk { $0.showAgain() }
        return stream
    }

    // MARK: Reports

    /// Reports that wait for a listener (count).
    private static let mostWaiting = 256

    /// What happens from now on, beginning with the status and what holds: that nothing is heard, and what is damaged.
    /// For a listener that does not keep up the newest 256 wait.
    public func events() -> AsyncStream<PlayerEvent> {
        let (stream, continuation) = AsyncStream<PlayerEvent>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.mostWaiting))
        let id = engine.withDesk { desk -> Int? in
            continuation.yield(.status(desk.status))
            for event in desk.lasting { continuation.yield(event) }
            guard !desk.isStopped else { return nil }
            let id = desk.nextTicket()
            desk.listeners[id] = continuation
            return id
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak engine] _ in
            engine?.forget { $0.listeners[id] = nil }
        }
        return stream
    }

    /// The time on show, whenever it passes a multiple of an interval, and after each jump.
    /// - Parameter interval: of the timeline (seconds; positive).
    public func periodicTimes(every interval: MediaTime) -> AsyncStream<MediaTime> {
        observe { $0.add($1, every: interval.playerTicks, $2) }
    }

    /// Each of some instants of the timeline, whenever it is passed; not where it is jumped over.
    public func boundaryTimes(_ times: [MediaTime]) -> AsyncStream<MediaTime> {
        observe { $0.add($1, at: times.map(\.playerTicks), $2) }
    }

    private func observe(
        _ body: (inout TimeObservers, Int, AsyncStream<MediaTime>.Continuation) -> Void
    ) -> AsyncStream<MediaTime> {
        let (stream, continuation) = AsyncStream<MediaTime>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.mostWaiting))
        let id = engine.withDesk { desk -> Int? in
            guard !desk.isStopped else { return nil }
            let id = desk.nextTicket()
            body(&desk.observers, id, continuation)
            desk.version += 1
            return id
        }
        guard let id else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak engine] _ in
            engine?.forget { $0.observers.remove(id) }
        }
        return stream
    }
}
