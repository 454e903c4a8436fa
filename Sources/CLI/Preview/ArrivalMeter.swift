import Capture
import Media

/// Counts the samples of a camera as they come, without decoding any: their rate and what is lost on its side.
/// Thread-safe.
final class ArrivalMeter: Sendable {
    struct Counts: Sendable, Equatable {
        /// Frames that came (count).
        var frames = 0
        /// Frames that were lost on the way to this program (count).
        var lost = 0
        /// Over the last two seconds (frames per second); `nil` before there are two frames.
        var rate: Double?
    }

    private struct State: Sendable {
        var counts = Counts()
        /// Of the last two seconds (host clock).
        var times: [MediaTime] = []
    }

    private static let span = MediaTime.seconds(2)
    /// The camera's own samples.
    let output = VideoDataOutput(lateFrames: .dropOldest, queueLimit: 4, role: .preview)
    private let state = Lock(State())

    init() {
        output.setHandler { [weak self] in self?.take($0) }
    }

    var counts: Counts { state.withLock { $0.counts } }

    private func take(_ event: SourceEvent) {
        state.withLock { state in
            switch event {
            case .sample(let sample):
                state.counts.frames += 1
                state.times.append(sample.presentationTime)
                state.times.removeAll { sample.presentationTime - $0 > Self.span }
                guard let first = state.times.first, state.times.count > 1,
                    sample.presentationTime > first
                else { return }
                let span = (sample.presentationTime - first).approximateSeconds
                state.counts.rate = Double(state.times.count - 1) / span
            case .dropped(let drop):
                // what this listener did not take in time came all the same
                if drop.cause == .late {
                    state.counts.frames += drop.count
                } else {
                    state.counts.lost += drop.count
                }
            // what was measured before the end stays
            case .ended: break
            case .interrupted, .resumed:
                state.times = []
                state.counts.rate = nil
            }
        }
    }
}
