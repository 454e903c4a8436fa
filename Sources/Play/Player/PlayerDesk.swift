internal import Compose
internal import Media

/// What a player knows and decides: where it is, what is shown next, what is rendered next. A value; its owner locks
/// it. Times are ticks of the timeline from the range's start on, host times nanoseconds. They and the frames'
/// indexes count on while it loops: frame *n* in the pass *p* has the index *p* · frames + *n*.
struct PlayerDesk {
    enum Motion {
        /// The frame at `target` is waited for.
        case waits
        /// It is there; playing begins as soon as the audio can.
        case starts
        /// The audio thread begins and says when it is heard.
        case startsAudio
        case runs
        case stands
    }

    enum AudioState {
        case opening
        case ready
        case none
    }

    /// A frame that must be shown, however long it takes.
    struct Target {
        let index: Int64
        /// Of the wish that it fulfils.
        let wish: Int?
        /// Whether frames before it will be wanted next.
        let isBackward: Bool
    }

    // immutable
    let times: FilmTimes
    let frameBytes: Int
    let settings: PlayerSettings
    let length: Int64
    let lead: Int64

    // what is wanted
    var rate = 0.0
    var isLooping = false
    var isMuted = false
    var volume: Double
    var isStopped = false

    // where it is
    var clock = PlayerClock()
    var motion = Motion.waits
    var target: Target? = Target(index: 0, wish: nil, isBackward: false)
    /// Times that the range was played through since the last seek.
    var pass: Int64 = 0
    var shown: Int64?
    /// A frame that was wished for and made, while a newer wish has taken its place: it is shown on the way there.
    var passed: Int64?
    var shownQuality = PlayerQuality.full
    /// Index of the frame to be shown after the one on show.
    var next: Int64 = 0
    var isStalled = false
    /// When a frame was shown last, or could have been (host).
    var lastShownAt: Int64 = 0

    // frames
    var store: FrameStore
    var quality = PlayerQuality.full
    /// Another number: what is being rendered is not wanted any more.
    var renderTurn = 0
    /// What a frame takes (ns), about.
    var renderTime: Int64 = 0
    var window = (due: 0, missed: 0)

    /// Of the frames that are made now.
    var frameFormat: VideoFormat?

    // audio
    var audio: AudioState
    /// Another number: what is being played is not wanted any more.
    var audioTurn = 0
    /// The time runs by the host clock until the device says what is heard.
    var isAssumed = false

    // what is reported
    var status = PlayerStatus.loading
    var counts = PlayerCounts()
    var listeners: [Int: AsyncStream<PlayerEvent>.Continuation] = [:]
    /// What holds whenever somebody begins to listen: that nothing is heard, and what is damaged.
    var lasting: [PlayerEvent] = []
    var wishes: [Int: @Sendable (Bool) -> Void] = [:]
    /// Says what has happened, in order; its owner does that without its lock. Who wakes a task waits for the task's
    /// own lock, which a task that is being cancelled holds while it leaves the desk.
    var news: [@Sendable () -> Void] = []
    /// Whether a thread says the news, and what is added meanwhile.
    var isSaying = false
    var observers = TimeObservers()
    var lastTicket = 0
    /// Grows with every change that a thread may wait for.
    var version = 0

    init(_ item: PlayerItem, _ settings: PlayerSettings, frameBytes: Int) {
        times = item.times
        self.settings = settings
        self.frameBytes = max(1, frameBytes)
        length = item.duration.playerTicks
        lead = settings.lead.nanoseconds()
        volume = settings.volume
        audio = item.hasAudio && settings.speaker != .none ? .opening : .none
        store = FrameStore(capacity: Self.capacity(settings.cacheBytes, frameBytes))
        guard let start = settings.startTime else { return }
        let ticks = min(max((start - item.range.start).playerTicks, 0), length)
        clock.stand(at: ticks)
        target = Target(index: standingIndex(at: ticks), wish: nil, isBackward: false)
    }

    private static func capacity(_ bytes: Int, _ frame: Int) -> Int {
        min(600, max(4, bytes / max(1, frame)))
    }

    // MARK: Frames and times

    var hasFrames: Bool { times.frameCount > 0 }
    var isForward: Bool { rate >= 0 }
    var direction: Int64 { isForward ? 1 : -1 }

    /// Every so many frames are shown at this rate.
    var stride: Int64 {
        guard abs(rate) > 1, times.frameDuration > .zero else { return 1 }
        let frames = abs(rate) / times.frameDuration.approximateSeconds
        return max(1, Int64((frames / settings.maximumRate - 0.001).rounded(.up)))
    }

    func number(of index: Int64) -> Int64 {
        index - index.pass(of: times.frameCount) * times.frameCount
    }

    /// When a frame begins.
    func ticks(of index: Int64) -> Int64 {
        let pass = index.pass(of: times.frameCount)
        let time = times.time(ofFrame: index - pass * times.frameCount) - times.range.start
        return pass * length + time.playerTicks
    }

    /// The frame on show at a time, wherever it lies.
    func index(at ticks: Int64) -> Int64 {
        let pass = ticks.pass(of: length)
        let time = times.range.start + .playerTicks(ticks - pass * length)
        return pass * times.frameCount + times.frame(at: time)
    }

    /// The frame on show at a time of the first pass, its end included.
    func standingIndex(at ticks: Int64) -> Int64 {
        hasFrames ? min(max(index(at: ticks), 0), times.frameCount - 1) : 0
    }

    /// When a frame begins to be shown, in the direction of playing.
    func due(_ index: Int64) -> Int64 { isForward ? ticks(of: index) : ticks(of: index + 1) }

    /// The time on show, in the first pass.
    func standingTicks(at now: Int64) -> Int64 {
        let ticks = clock.time(at: now)
        if isLooping, clock.isRunning { return ticks - ticks.pass(of: length) * length }
        return min(max(ticks - pass * length, 0), length)
    }

    func currentTime(at now: Int64) -> MediaTime {
        times.range.start + .playerTicks(standingTicks(at: now))
    }

    // MARK: Reports

    mutating func report(_ event: PlayerEvent) {
        switch event {
        case .audioLost, .damaged: lasting.append(event)
        default: break
        }
        guard !listeners.isEmpty else { return }
        news.append { [listeners = Array(listeners.values)] in
            for listener in listeners { listener.yield(event) }
        }
    }

    mutating func nextTicket() -> Int {
        lastTicket += 1
        return lastTicket
    }

    private mutating func finish(_ wish: Int?, _ isFulfilled: Bool) {
        guard let wish, let waiting = wishes.removeValue(forKey: wish) else { return }
        news.append { waiting(isFulfilled) }
    }

    /// The frame of a target was handed over.
    mutating func delivered(_ target: Target) {
        finish(target.wish, true)
        guard status == .loading else { return }
        status = .ready
        report(.status(.ready))
    }

    /// Nothing that was wished for will come any more.
    mutating func giveUp() {
        for wish in wishes.keys { finish(wish, false) }
        target = nil
        version += 1
    }

    mutating func fail(_ error: MediaError, at now: Int64) {
        guard !isStopped else { return }
        status = .failed(error)
        report(.status(status))
        clock.stop(host: now)
        motion = .stands
        audioTurn += 1
        renderTurn += 1
        if rate != 0 {
            rate = 0
            report(.rate(0))
        }
        giveUp()
    }

    // MARK: Commands

    var canMove: Bool {
        if case .failed = status { return false }
        return !isStopped
    }

    /// - Parameter rate: already within bounds; 0 pauses.
    mutating func setRate(_ rate: Double, at now: Int64) {
        guard canMove, rate != self.rate else { return }
        var ticks = standingTicks(at: now)
        self.rate = rate
        version += 1
        audioTurn += 1
        pass = 0
        if rate > 0, ticks >= length { ticks = 0 }
        if rate < 0, ticks <= 0 { ticks = length }
        clock.stand(at: ticks)
        report(.rate(rate))
        if rate == 0 { raiseQuality() }
        settle(at: ticks)
    }

    /// Shows the frame of a time, where it is not on show or wished for, and continues from there.
    private mutating func settle(at ticks: Int64) {
        renderTurn += 1
        isStalled = false
        if let target, target.wish != nil {
            motion = .waits
            return
        }
        let index = standingIndex(at: ticks)
        // somebody new may want it though it is on show
        let isOnShow =
            shown.map(number) == index && target?.index != index
            && (shownQuality == .full || rate != 0)
        if hasFrames ? !isOnShow : status == .loading {
            target = Target(index: index, wish: nil, isBackward: rate < 0)
            motion = .waits
        } else {
            target = nil
            if hasFrames { shown = index }
            next = index + direction * stride
            motion = rate == 0 ? .stands : .starts
        }
    }

    /// - Parameters:
    ///   - ticks: of the range.
    ///   - wish: is answered when the frame is on show, or another wish took its place.
    ///   - tolerance: a frame that is at hand and no further away will do (ticks).
    mutating func seek(
        to ticks: Int64, wish: Int, tolerance: Int64, isBackward: Bool = false
    ) {
        guard canMove else { return finish(wish, false) }
        for other in wishes.keys where other != wish { finish(other, false) }
        version += 1
        audioTurn += 1
        renderTurn += 1
        isStalled = false
        pass = 0
        var ticks = min(max(ticks, 0), length)
        var index = standingIndex(at: ticks)
        if tolerance > 0, hasFrames, !store.contains(index),
            let near = store.nearest(to: index, within: times.frameCount),
            abs(self.ticks(of: near) - ticks) <= tolerance
        {
            (index, ticks) = (near, self.ticks(of: near))
        }
        clock.stand(at: ticks)
        target = Target(index: index, wish: wish, isBackward: isBackward || rate < 0)
        motion = .waits
    }

    /// Pauses and goes so many frames further.
    mutating func step(by frames: Int64, wish: Int, at now: Int64) {
        setRate(0, at: now)
        let from = target?.index ?? shown ?? standingIndex(at: standingTicks(at: now))
        let here = hasFrames ? number(of: from) : 0
        let wanted = Int64(clamping: Int128(here) + Int128(frames))
        let index = min(max(wanted, 0), max(0, times.frameCount - 1))
        guard canMove, hasFrames, index != here else { return finish(wish, false) }
        seek(to: ticks(of: index), wish: wish, tolerance: 0, isBackward: frames < 0)
    }

    /// Somebody new wants the frame on show.
    mutating func showAgain() {
        guard motion == .stands, hasFrames, canMove, target == nil else { return }
        target = Target(
            index: standingIndex(at: clock.time(at: 0)), wish: nil, isBackward: false)
        motion = .waits
        version += 1
    }

    // MARK: Quality

    mutating func setQuality(_ quality: PlayerQuality) {
        guard quality != self.quality else { return }
        self.quality = quality
        let divisor = quality.divisor * quality.divisor
        store = FrameStore(
            capacity: Self.capacity(settings.cacheBytes, max(1, frameBytes / divisor)))
        renderTurn += 1
        renderTime = 0
        window = (0, 0)
        version += 1
        report(.quality(quality))
    }

    private mutating func raiseQuality() {
        setQuality(.full)
        window = (0, 0)
    }

    /// Counts what was due; where a fifth of it was not there, frames become smaller.
    mutating func note(due: Int, missed: Int) {
        window.due += due
        window.missed += missed
        guard window.due >= 12 else { return }
        if window.missed * 5 >= window.due, let lower = quality.lower { setQuality(lower) }
        window = (0, 0)
    }
}

extension Int64 {
    /// The quotient, towards negative infinity.
    func pass(of length: Int64) -> Int64 {
        guard length > 0 else { return 0 }
        let (quotient, remainder) = quotientAndRemainder(dividingBy: length)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension MediaTime {
    /// Ticks of the timeline, the nearest.
    var playerTicks: Int64 { ticks(per: Composition.timescale, rounding: .nearest) }

    static func playerTicks(_ ticks: Int64) -> MediaTime {
        MediaTime(value: ticks, timescale: Composition.timescale)
    }
}
