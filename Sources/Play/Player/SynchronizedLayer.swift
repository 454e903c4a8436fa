public import Compose
public import Media

/// A layer tree whose time is a player's: it moves while the player plays, also backwards, stands while it pauses, and
/// jumps with it. For what lies over a film and is no part of it, such as a time code or a hint; your program draws its
/// pictures over the frames. What is to be exported is a title or a layer track. Thread-safe.
public final class SynchronizedLayer: Sendable {
    /// What the tree looks like from an instant on.
    public struct Picture: Sendable {
        /// Of the timeline.
        public let time: MediaTime
        /// `bgra` in the layer's size, sRGB in full range, transparent where nothing is drawn, its colours not multiplied
        /// by the opacity; nil where nothing is drawn at all.
        public let pixels: PixelBuffer?
    }

    private struct State: Sendable {
        var frames: LayerFrames
        /// Another number with each tree.
        var turn = 0
        var listeners: [Int: Listener] = [:]
        var lastListener = 0
    }

    private struct Listener: Sendable {
        let continuation: AsyncStream<Picture>.Continuation
        var shown: Look?
    }

    /// Pictures that are equal were drawn at one time.
    private struct Look: Sendable, Equatable {
        let turn: Int
        let drawnAt: MediaTime?
    }

    // immutable
    /// Whose time it has.
    public let player: Player
    /// The render area, in whose coordinates the outermost layer lies (pixels).
    public let size: PixelSize
    // guarded by itself
    private let state: Lock<State>
    /// Pictures are handed over in the order in which they are drawn.
    private let order = Lock(0)

    /// How often it is looked where there are no frames (seconds).
    private static let pulse = MediaTime(value: 1, timescale: 30)

    /// - Parameters:
    ///   - layer: its times are those of the player's timeline.
    ///   - player: whose time it has.
    ///   - size: of the pictures (pixels).
    /// - Throws: `invalid-setting`, `missing-glyphs`, `no-such-file`, `damaged-file` or `unsupported`, of the tree.
    public init(_ layer: Layer, player: Player, size: PixelSize) throws(MediaError) {
        (self.player, self.size) = (player, size)
        state = Lock(State(frames: try LayerFrames(layer, renderSize: size)))
    }

    /// Takes another tree, whose pictures come at once.
    /// - Parameter layer: as of `init`.
    /// - Throws: as `init`; then the tree that there was stays.
    public func setLayer(_ layer: Layer) throws(MediaError) {
        let frames = try LayerFrames(layer, renderSize: size)
        let ids = state.withLock { state in
            state.frames = frames
            state.turn += 1
            return Array(state.listeners.keys)
        }
        for id in ids { refresh(id, at: player.currentTime) }
    }

    /// What the tree looks like at an instant, such as a frame's.
    /// - Parameter time: of the timeline.
    /// - Returns: as `Picture.pixels`.
    /// - Throws: what cannot be drawn any more (a file that is gone).
    public func picture(at time: MediaTime) throws(MediaError) -> PixelBuffer? {
        try state.withLock { (state) throws(MediaError) in
            try state.frames.picture(at: time)?.pixelBuffer
        }
    }

    /// What the tree looks like now, and whenever it looks different: to the frame, at each step and jump. The newest
    /// waits for the reader. Ends with the player, and where the tree cannot be drawn any more.
    public func pictures() -> AsyncStream<Picture> {
        let (stream, continuation) = AsyncStream<Picture>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        let id = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = Listener(continuation: continuation)
            return state.lastListener
        }
        let step = player.item.frameDuration
        let times = player.periodicTimes(every: step > .zero ? step : Self.pulse)
        let task = Task { [self] in
            refresh(id, at: player.currentTime)
            for await time in times { refresh(id, at: time) }
            continuation.finish()
        }
        continuation.onTermination = { [weak self] _ in
            task.cancel()
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    /// Without the state's lock a task is woken that takes it when it is cancelled.
    private func refresh(_ id: Int, at time: MediaTime) {
        order.withLock { _ in
            let news = state.withLock {
                state -> (AsyncStream<Picture>.Continuation, Picture?)? in
                guard var listener = state.listeners[id] else { return nil }
                do throws(MediaError) {
                    let sample = try state.frames.picture(at: time)
                    let look = Look(turn: state.turn, drawnAt: sample?.presentationTime)
                    guard look != listener.shown else { return nil }
                    listener.shown = look
                    state.listeners[id] = listener
                    return (
                        listener.continuation, Picture(time: time, pixels: sample?.pixelBuffer)
                    )
                } catch { return (listener.continuation, nil) }
            }
            guard let (listener, picture) = news else { return }
            if let picture { listener.yield(picture) } else { listener.finish() }
        }
    }
}
