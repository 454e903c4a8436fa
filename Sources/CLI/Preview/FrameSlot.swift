import Media
import Play

/// The newest frame of a tile that a display has not taken yet. One that is replaced is counted. Thread-safe.
final class FrameSlot: Sendable {
    private let source: any PictureSource
    private let frame = Lock<PreviewFrame?>(nil)

    /// - Parameter wake: raised with each frame.
    init(_ source: any PictureSource, wake: WakeSignal) {
        self.source = source
        source.setHandler { [weak self] in
            self?.put($0)
            wake.raise()
        }
    }

    private func put(_ fresh: PreviewFrame) {
        let isReplaced = frame.withLock { frame in
            defer { frame = fresh }
            return frame != nil
        }
        if isReplaced { source.countLate() }
    }

    /// `nil` where none has come since the last one was taken.
    func take() -> PreviewFrame? {
        frame.withLock { frame in
            defer { frame = nil }
            return frame
        }
    }
}
