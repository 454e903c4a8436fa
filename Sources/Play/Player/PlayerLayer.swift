public import Compose
public import Media

/// Where a player's frames are seen: a box, how frames lie in it, and which of them is due. AVPlayerLayer's place; your
/// program draws what it hands over, at each turn of a loop of its own (`newFrame`) or whenever a frame is due (a
/// handler). Thread-safe.
///
/// A frame's planes and rectangles are what SDL's `SDL_UpdateYUVTexture` and `SDL_RenderCopy` take.
public final class PlayerLayer: Sendable {
    /// A frame and its place.
    public struct Frame: Sendable {
        public let played: PlayedFrame
        /// What of its pixels is seen (whole pixels): all of them, but where the fit is `cover`.
        public let source: Rectangle
        /// Where they lie in the box (whole pixels).
        public let target: Rectangle

        /// Lends the planes for reading; the pointers are valid only inside the closure.
        public func withPlanes<Result, Failure: Error>(
            _ body: (Planes) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            try played.pixels.withPlanes { planes throws(Failure) in
                try body(Planes(y: planes[0], u: planes[1], v: planes[2]))
            }
        }
    }

    /// Planes of `yuv420p`: the chroma has half the width and height, rounded up.
    public struct Planes {
        public let y: UnsafePointer<UInt8>
        public let u: UnsafePointer<UInt8>
        public let v: UnsafePointer<UInt8>
        /// Of a row (bytes).
        public let yPitch: Int32
        public let uPitch: Int32
        public let vPitch: Int32

        init(y: PixelPlane, u: PixelPlane, v: PixelPlane) {
            (self.y, self.u, self.v) = (y.row(0), u.row(0), v.row(0))
            yPitch = Int32(y.bytesPerRow)
            uPitch = Int32(u.bytesPerRow)
            vPitch = Int32(v.bytesPerRow)
        }
    }

    private struct State: Sendable {
        var player: Player?
        var size: PixelSize
        var fit: FitMode
        var handler: (@Sendable (Frame) -> Void)?
        /// The one that is due, then those that are not yet.
        var frames: [PlayedFrame] = []
        /// Whether the first of them is to be drawn.
        var isNew = false
        var replaced = 0
        /// Another number with each player.
        var turn = 0

        func placed(_ frame: PlayedFrame) -> Frame {
            let own = PixelSize(frame.pixels.width, frame.pixels.height)
            let (source, target) = PlayerLayer.place(own, in: size, fit)
            return Frame(played: frame, source: source, target: target)
        }
    }

    // guarded by itself
    private let state: Lock<State>

    /// Frames that wait until they are due (count). More come only where a player's lead is longer.
    private static let most = 8

    /// - Parameters:
    ///   - player: whose frames are shown; the layer takes its handler's place.
    ///   - size: of the box (pixels; positive).
    ///   - fit: how frames lie in it; `blurred` is `contain`: bars are the program's.
    /// - Precondition: the size is positive.
    public init(_ player: Player? = nil, size: PixelSize, fit: FitMode = .contain) {
        precondition(size.width > 0 && size.height > 0, "a box has some pixels")
        state = Lock(State(size: size, fit: fit))
        setPlayer(player)
    }

    deinit { state.withLock { $0.player }?.setFrameHandler(nil) }

    // MARK: What is shown

    public var player: Player? { state.withLock { $0.player } }

    /// Shows another player's frames, or none. What the one before shows stays until the first one comes.
    public func setPlayer(_ player: Player?) {
        let (before, turn) = state.withLock { state in
            defer { state.player = player }
            state.turn += 1
            state.frames = player == nil ? [] : Array(state.frames.prefix(1))
            return (state.player, state.turn)
        }
        if before !== player { before?.setFrameHandler(nil) }
        player?.setFrameHandler { [weak self] in self?.take($0, turn) }
    }

    /// Of the box (pixels).
    public var size: PixelSize { state.withLock { $0.size } }

    /// - Precondition: the size is positive.
    public func setSize(_ size: PixelSize) {
        precondition(size.width > 0 && size.height > 0, "a box has some pixels")
        change { $0.size = size }
    }

    public var fit: FitMode { state.withLock { $0.fit } }

    public func setFit(_ fit: FitMode) { change { $0.fit = fit } }

    /// The frame on show lies elsewhere now, and is drawn again.
    private func change(_ body: (inout State) -> Void) {
        let (handler, frame) = state.withLock { state in
            body(&state)
            state.isNew = !state.frames.isEmpty
            return (state.handler, state.frames.first.map(state.placed))
        }
        if let frame { handler?(frame) }
    }

    /// Whether there is a frame to be shown.
    public var isReadyForDisplay: Bool { state.withLock { !$0.frames.isEmpty } }

    /// Where frames lie in the box (whole pixels); nil before the first one.
    public var videoRectangle: Rectangle? {
        state.withLock { state in state.frames.first.map { state.placed($0).target } }
    }

    /// Frames in whose place a newer one was drawn (count).
    public var replacedFrames: Int { state.withLock { $0.replaced } }

    // MARK: Frames

    /// Sets who gets each frame; nil removes it. The frame on show comes at once.
    /// - Parameter handler: called on the player's own thread, the setting's lead before a frame is to be seen
    ///   (`played.hostTime`), and on that of `setSize` and `setFit`.
    public func setHandler(_ handler: (@Sendable (Frame) -> Void)?) {
        let frame = state.withLock { state in
            state.handler = handler
            return state.frames.first.map(state.placed)
        }
        if let frame { handler?(frame) }
    }

    /// The frame to be drawn now; nil: what was drawn last is on show still.
    /// - Parameter time: at which it will be seen (host clock; default: now).
    public func newFrame(at time: MediaTime = HostClock().now()) -> Frame? {
        state.withLock { state in
            // of what is due only the last one is seen
            while state.frames.count > 1, state.frames[1].hostTime <= time {
                state.frames.removeFirst()
                if state.isNew { state.replaced += 1 }
                state.isNew = true
            }
            guard state.isNew, let frame = state.frames.first, frame.hostTime <= time else {
                return nil
            }
            state.isNew = false
            return state.placed(frame)
        }
    }

    private func take(_ frame: PlayedFrame, _ turn: Int) {
        let handed = state.withLock { state -> (@Sendable (Frame) -> Void, Frame)? in
            guard state.turn == turn else { return nil }
            if state.handler != nil {
                (state.frames, state.isNew) = ([frame], true)
            } else {
                if state.frames.isEmpty { state.isNew = true }
                // what would come later is not wanted any more: it was gone elsewhere
                while state.frames.count > 1, let last = state.frames.last,
                    last.hostTime > frame.hostTime
                {
                    state.frames.removeLast()
                }
                state.frames.append(frame)
                if state.frames.count > Self.most {
                    state.frames.removeFirst()
                    if state.isNew { state.replaced += 1 }
                    state.isNew = true
                }
            }
            return state.handler.map { ($0, state.placed(frame)) }
        }
        if let (handler, frame) = handed { handler(frame) }
    }

    /// What of a frame is seen, and where, in whole pixels.
    static func place(
        _ frame: PixelSize, in box: PixelSize, _ fit: FitMode
    ) -> (source: Rectangle, target: Rectangle) {
        let (width, height) = (Double(frame.width), Double(frame.height))
        let whole = fit.rectangle(of: Size(width: width, height: height), in: box)
        func inside(_ start: Double, _ length: Double, _ most: Int) -> (Double, Double) {
            let first = max(0, start.rounded())
            return (first, max(1, min(Double(most), (start + length).rounded()) - first))
        }
        let (x, across) = inside(whole.x, whole.width, box.width)
        let (y, down) = inside(whole.y, whole.height, box.height)
        func seen(_ place: Double, _ start: Double, _ scale: Double, _ most: Int) -> Double {
            min(Double(most), max(0, ((place - start) * scale).rounded()))
        }
        let (horizontal, vertical) = (width / whole.width, height / whole.height)
        let left = seen(x, whole.x, horizontal, frame.width)
        let top = seen(y, whole.y, vertical, frame.height)
        let right = seen(x + across, whole.x, horizontal, frame.width)
        let bottom = seen(y + down, whole.y, vertical, frame.height)
        return (
            Rectangle(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top)),
            Rectangle(x: x, y: y, width: across, height: down)
        )
    }
}
