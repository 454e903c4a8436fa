import Media

/// What the status line tells that takes more than one look: how long a pause has lasted, what has not kept up
/// lately, and the microphones' levels as bars that fall slowly and hold their peaks. A pure value; fed with each snapshot.
struct StatusView: Sendable {
    /// How long it is told that something did not keep up.
    private static let memory = MediaTime.seconds(3)
    private static let slow: [SampleDrop.Cause] = [.encoderBehind, .diskBehind]

    private var meters = LevelMeters()
    private var pausedSince: MediaTime?
    private var counts: [SampleDrop.Cause: Int] = [:]
    private var lastLoss: [SampleDrop.Cause: MediaTime] = [:]

    /// The line for a snapshot taken `now` (host time).
    mutating func line(
        _ snapshot: RecordingSnapshot, at now: MediaTime, width: Int,
        look: TerminalLook = .own
    ) -> String {
        StatusLine.text(snapshot, surroundings(snapshot, at: now), width: width, look: look)
    }

    mutating func surroundings(
        _ snapshot: RecordingSnapshot, at now: MediaTime
    ) -> StatusLine.Surroundings {
        let isPaused = snapshot.state == .paused || snapshot.state == .pausing
        pausedSince = isPaused ? pausedSince ?? now : nil
        for cause in Self.slow {
            let count = snapshot.drops[cause] ?? 0
            if count > counts[cause] ?? 0 { lastLoss[cause] = now }
            counts[cause] = count
        }
        let behind = Self.slow.filter { cause in
            lastLoss[cause].map { now - $0 < Self.memory } ?? false
        }
        meters.take(snapshot.levels, at: now)
        return StatusLine.Surroundings(
            pausedTime: pausedSince.map { now - $0 }, behind: behind, levels: meters.parts)
    }
}
