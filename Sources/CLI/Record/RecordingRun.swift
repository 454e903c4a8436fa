import Media
import Synchronization
import Writer

/// One running recording as keys, signals and the control socket see it. Thread-safe.
final class RecordingRun: RecordingCommands {
    private let recorder: Recorder
    private let wanted: MediaTime?
    private let counts = Mutex((markers: 0, pauses: 0, cuts: 0))

    init(_ recorder: Recorder) {
        self.recorder = recorder
        wanted = recorder.settings.duration
    }

    @discardableResult
    func pause() -> Bool {
        let changes = recorder.pause()
        if changes { counts.withLock { $0.pauses += 1 } }
        return changes
    }

    @discardableResult
    func resume() -> Bool { recorder.resume() }

    func togglePause() {
        if !pause() { resume() }
    }

    /// A marker without a text gets a number.
    func mark(_ text: String?) {
        let number = counts.withLock { counts in
            counts.markers += 1
            return counts.markers
        }
        recorder.mark(text ?? "Marker \(number)")
    }

    /// A pause that was asked for has taken effect.
    func noteCut() { counts.withLock { $0.cuts += 1 } }

    func stop(fast: Bool) { recorder.requestStop(fast: fast) }

    func snapshot() -> RecordingSnapshot {
        let status = recorder.status()
        var snapshot = RecordingSnapshot()
        let (_, pauses, cuts) = counts.withLock { $0 }
        snapshot.pauses = pauses
        snapshot.state = RecordingRun.state(status.state, awaitsCut: cuts < pauses)
        snapshot.duration = status.elapsed
        if let lead = status.tracks.first(where: { $0.mediaType == .video }) {
            snapshot.frames = Int(clamping: lead.frames)
            snapshot.measuredRate = lead.measuredRate
            snapshot.nominalRate = lead.nominalRate?.approximate
        }
        for track in status.tracks {
            snapshot.drops.merge(track.drops, uniquingKeysWith: +)
        }
        snapshot.audioPeak = status.tracks.compactMap(\.audioPeak).max()
        snapshot.bytes = status.bytesWritten
        snapshot.secondsLeft = status.secondsLeft.map(Double.init)
        snapshot.wanted = wanted
        return snapshot
    }

    private static func state(
        _ state: RecorderState, awaitsCut: Bool
    ) -> RecordingSnapshot.State {
        switch state {
        case .idle, .waitingForSources: .starting
        case .recording: .recording
        case .paused: awaitsCut ? .pausing : .paused
        case .stopping: .finishing
        case .finished, .failed: .finished
        }
    }
}
