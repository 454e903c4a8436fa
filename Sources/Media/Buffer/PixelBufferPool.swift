/// Frames of one size and format, bounded and reused. Memory of large ones goes round through `PixelHeap`, so
/// that no pool keeps what another one needs. Thread-safe.
public final class PixelBufferPool: Sendable {
    public struct Exhausted: Error, Sendable, CustomStringConvertible {
        /// The pool's bound (frames).
        public let limit: Int
        public var description: String {
            "All \(limit) frames of the pool are in use; release one or raise the limit."
        }
    }

    // immutable
    public let width: Int
    public let height: Int
    public let format: PixelFormat
    /// Most frames in existence at once (frames; positive).
    public let limit: Int
    private let state: Shared

    /// Outlives the pool while frames are out.
    private final class Shared: Sendable {
        struct State {
            var free: [PixelBlock] = []
            var out = 0
            var highWater = 0
            var isClosed = false
            /// In the order they came; each looks again when it is woken.
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        let mutex = Lock(State())

        func giveBack(_ block: PixelBlock) {
            let (frees, next) = mutex.withLock { state in
                state.out -= 1
                let isKept = !state.isClosed && !block.isMapped
                if isKept { state.free.append(block) }
                return (!isKept, state.waiting.isEmpty ? nil : state.waiting.removeFirst())
            }
            if frees { block.free() }
            next?.resume()
        }

        /// Returns when a frame has come back, at once while there is room.
        func room(limit: Int) async {
            await withCheckedContinuation { continuation in
                let isThere = mutex.withLock { state in
                    if state.out >= limit { state.waiting.append(continuation) }
                    return state.out < limit
                }
                if isThere { continuation.resume() }
            }
        }
    }

    public init(width: Int, height: Int, format: PixelFormat, limit: Int) {
        precondition(limit > 0 && width > 0 && height > 0)
        self.width = width
        self.height = height
        self.format = format
        self.limit = limit
        state = Shared()
    }

    deinit {
        let free = state.mutex.withLock { state in
            state.isClosed = true
            let free = state.free
            state.free = []
            return free
        }
        for block in free { block.free() }
    }

    /// Frames handed out and not returned yet (frames).
    public var outCount: Int { state.mutex.withLock { $0.out } }

    /// Most frames that were out at once (frames).
    public var highWater: Int { state.mutex.withLock { $0.highWater } }

    /// As `makeBuffer`, waiting for a frame to come back while all are in use.
    public func nextBuffer() async -> PixelBuffer {
        while true {
            if let frame = try? makeBuffer() { return frame }
            await state.room(limit: limit)
        }
    }

    /// A writable frame; its old pixels are still in it.
    public func makeBuffer() throws(Exhausted) -> PixelBuffer {
        let (isAllowed, reused) = state.mutex.withLock { state -> (Bool, PixelBlock?) in
            guard state.out < limit else { return (false, nil) }
            state.out += 1
            state.highWater = max(state.highWater, state.out)
            return (true, state.free.popLast())
        }
        guard isAllowed else { throw Exhausted(limit: limit) }
        let block = reused ?? PixelBlock(width: width, height: height, format: format)
        let storage = PixelStorage(planes: block.planes) { [state] in state.giveBack(block) }
        return PixelBuffer(width: width, height: height, format: format, storage: storage)
    }
}
