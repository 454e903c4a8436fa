import Compose
import Media
import Play

/// Does what keys ask of a player. Thread-safe.
final class PlayControls: Sendable {
    /// What a person has noted of the film.
    struct Notes: Sendable, Equatable {
        /// Where a part begins and ends (seconds of the timeline).
        var start: MediaTime?
        var end: MediaTime?
        var markers: [MediaTime] = []

        init() {}

        /// Of a film that is exported in part.
        init(of film: Film) {
            guard let range = film.range else { return }
            if range.start > .zero { start = range.start }
            if range.end < film.composition.duration { end = range.end }
        }
    }

    private struct State: Sendable {
        var notes = Notes()
        /// While a time is typed.
        var entry: TimeEntry?
        /// Where it is going: keys that are pressed meanwhile count from there.
        var target: MediaTime?
        /// Of the seeks, the newest.
        var turn = 0
    }

    /// What the player cannot do itself.
    struct Handlers: Sendable {
        var quit: @Sendable () -> Void
        var help: @Sendable () -> Void
        /// - Returns: whether there is a window.
        var fullScreen: @Sendable () -> Bool
        /// Writes the frame at a time; `nil`: that was not asked for.
        var still: (@Sendable (MediaTime) -> Void)?
        /// What is shown of the player has changed.
        var changed: @Sendable () -> Void
    }

    // immutable
    private let deck: PlayDeck
    private let handlers: Handlers
    // guarded by itself
    private let state = Lock(State())

    /// So much further back than the last stop the one before is meant, while it plays.
    private static let grace = MediaTime.seconds(1)

    /// - Parameter notes: what the project says already.
    init(_ deck: PlayDeck, _ notes: Notes, _ handlers: Handlers) {
        (self.deck, self.handlers) = (deck, handlers)
        state.withLock { $0.notes = notes }
    }

    private var player: Player { deck.player }
    private var item: PlayerItem { deck.item }

    /// Cuts and chapters, and the beginning.
    private var stops: [MediaTime] {
        Set([item.range.start] + item.cuts + item.chapters.map(\.time)).sorted()
    }

    var notes: Notes { state.withLock { $0.notes } }
    /// What is being typed; `nil` while nothing is.
    var typed: String? { state.withLock { $0.entry?.text } }

    /// - Parameter key: `nil` for one that has no character of its own.
    func press(_ key: Key?) {
        defer { handlers.changed() }
        guard let key else { return sayUnknown(nil) }
        if state.withLock({ $0.entry != nil }) { return type(key) }
        guard let action = PlayKeys.action(for: key) else { return sayUnknown(key) }
        perform(action)
    }

    private func sayUnknown(_ key: Key?) {
        let name = key.map { "the key \($0.name)" } ?? "this key"
        Console.shared.notice("\(name) does nothing here; ? shows those that do")
    }

    private func perform(_ action: PlayKeys.Action) {
        switch action {
        case .toggle: player.rate == 0 ? player.play() : player.pause()
        case .pause: player.pause()
        case .faster: player.setRate(player.rate > 0 ? player.rate * 2 : 1)
        case .backwards: player.setRate(player.rate < 0 ? player.rate * 2 : -1)
        case .frameBack: step(-1)
        case .frameOn: step(1)
        case .secondBack: move(by: -1)
        case .secondOn: move(by: 1)
        case .tenBack: move(by: -10)
        case .tenOn: move(by: 10)
        case .start: go(to: item.range.start)
        case .end: go(to: lastFrame)
        case .previousCut: previousStop()
        case .nextCut: nextStop()
        case .goTo: state.withLock { $0.entry = TimeEntry() }
        case .setIn, .setOut, .mark: note(action)
        case .still: writeStill()
        case .louder: setVolume(player.volume + 0.1)
        case .quieter: setVolume(player.volume - 0.1)
        case .mute: player.setMuted(!player.isMuted)
        case .loop: player.setLooping(!player.isLooping)
        case .fullScreen:
            if !handlers.fullScreen() {
                Console.shared.notice("there is no window that could fill the screen")
            }
        case .help: handlers.help()
        case .quit: handlers.quit()
        }
    }

    // MARK: Going somewhere

    private var here: MediaTime { state.withLock { $0.target } ?? player.currentTime }

    /// When the frame on show begins; of audio alone: where it is.
    private var frameTime: MediaTime {
        let time = player.currentTime
        return item.hasFrames ? item.time(ofFrame: item.frame(at: time)) : time
    }

    private var lastFrame: MediaTime {
        item.hasFrames ? item.time(ofFrame: item.frameCount - 1) : item.range.end
    }

    private func step(_ count: Int) {
        // at once: a task of its own could come after the next key's
        player.step(byFrames: count) { [self] _ in handlers.changed() }
    }

    private func move(by seconds: Int64) { go(to: here + .seconds(seconds)) }

    private func go(to time: MediaTime) {
        let time = min(max(time, item.range.start), lastFrame)
        let turn = state.withLock { state in
            state.target = time
            state.turn += 1
            return state.turn
        }
        player.seek(to: time) { [self] _ in
            state.withLock { if $0.turn == turn { $0.target = nil } }
            handlers.changed()
        }
    }

    private func previousStop() {
        let limit = player.rate > 0 ? here - Self.grace : here
        go(to: stops.last { $0 < limit } ?? item.range.start)
    }

    private func nextStop() {
        let here = here
        guard let next = stops.first(where: { $0 > here }) else {
            return Console.shared.notice("there is no cut or chapter after this")
        }
        go(to: next)
    }

    private func type(_ key: Key) {
        let step = state.withLock { state -> TimeEntry.Step in
            guard var entry = state.entry else { return .cancelled }
            let step = entry.take(key)
            state.entry = step == .typing ? entry : nil
            return step
        }
        guard case .done(let text) = step else { return }
        let clock = FilmClock(item: item)
        guard let time = TimeEntry.time(text, timeCode: clock.time) else {
            return Console.shared.notice(
                "\(text) is no time of it: type seconds (3.2), 1:30 or a time code (00:01:30:12)")
        }
        go(to: time)
    }

    // MARK: Noting something

    private func note(_ action: PlayKeys.Action) {
        let time = frameTime
        // of two that are no part the newer one is meant
        let cleared = state.withLock { state -> String? in
            let end = min(time + item.frameDuration, item.range.end)
            switch action {
            case .setIn:
                state.notes.start = time
                guard let other = state.notes.end, other <= time else { return nil }
                state.notes.end = nil
                return "out, which lay before it, is not set any more"
            case .setOut:
                state.notes.end = end
                guard let other = state.notes.start, other >= end else { return nil }
                state.notes.start = nil
                return "in, which lay behind it, is not set any more"
            default:
                state.notes.markers.append(time)
                return nil
            }
        }
        let name =
            switch action {
            case .setIn: "in"
            case .setOut: item.hasFrames ? "out, with this frame" : "out"
            default: "marker"
            }
        let place = FilmClock(item: item).text(time)
        Console.shared.notice("\(name): \(place)" + (cleared.map { "; \($0)" } ?? ""))
    }

    private func writeStill() {
        guard let still = handlers.still else {
            return Console.shared.notice("frames are written where --still-on-s was given")
        }
        still(frameTime)
    }

    private func setVolume(_ volume: Double) {
        player.setVolume((volume * 10).rounded() / 10)
        player.setMuted(false)
    }
}
