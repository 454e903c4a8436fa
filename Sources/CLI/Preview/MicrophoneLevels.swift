import Capture
import Media
import Recording

/// The level of a microphone. Thread-safe.
final class MicrophoneLevels: Sendable {
    private struct State: Sendable {
        var meter = PeakMeter()
        /// When the last audio came (host clock).
        var last: MediaTime?
        /// The highest level so far (dBFS).
        var highest = -Double.infinity
        /// What the last interruption says while it lasts.
        var interruption: String?
    }

    let output = AudioDataOutput()
    private let state = Lock(State())

    init() {
        output.setHandler { [weak self] in self?.take($0) }
    }

    private func take(_ event: SourceEvent) {
        switch event {
        case .interrupted(let what): state.withLock { $0.interruption = what.message }
        case .sample, .resumed: state.withLock { $0.interruption = nil }
        case .dropped, .ended: break
        }
        guard case .sample(let sample) = event, let block = sample.block,
            let format = sample.format.audio?.sampleFormat
        else { return }
        state.withLock { state in
            let peak = state.meter.add(
                block, format, at: sample.presentationTime.nanoseconds())
            state.last = sample.presentationTime
            if peak > 0 { state.highest = max(state.highest, decibels(peak)) }
        }
    }

    /// Of the last half second before a host time (dBFS); `nil` where none came for a second.
    func level(at now: MediaTime) -> Double? {
        state.withLock { state in
            guard let last = state.last, now - last < .seconds(1) else { return nil }
            return state.meter.level(at: now.nanoseconds())
        }
    }

    /// Why nothing comes from it; `nil` while it works.
    var interruption: String? { state.withLock { $0.interruption } }

    /// The highest so far (dBFS); `nil` for silence.
    var highest: Double? {
        state.withLock { $0.highest.isFinite ? $0.highest : nil }
    }

    private func decibels(_ peak: Float) -> Double { PeakMeter.decibels(peak) }
}
