import Media
import Recording

/// What the status line says that takes more than one look: how long a pause has lasted, what has not kept up
/// lately, and the microphones' levels as bars that fall slowly and hold their peaks. A pure value; fed with each status.
struct StatusView: Sendable {
    /// How long it is reported that something did not keep up.
    private static let memory = MediaTime.seconds(3)
    private static let slow: [SampleDrop.Cause] = [.encoderBehind, .diskBehind]

    private var meters = LevelMeters()
    private var pausedSince: MediaTime?
    private var counts: [SampleDrop.Cause: Int] = [:]
    private var lastLoss: [SampleDrop.Cause: MediaTime] = [:]

    /// The line for a status taken `now` (host time).
    mutating func line(
        _ status: RecorderStatus, at now: MediaTime, width: Int,
        look: TerminalLook = .own
    ) -> String {
        StatusLine.text(status, surroundings(status, at: now), width: width, look: look)
    }

    /// As `line`, part by part.
    mutating func parts(
        _ status: RecorderStatus, at now: MediaTime, width: Int
    ) -> [StatusPart] {
        StatusLine.fitting(status, surroundings(status, at: now), width: width)
    }

    mutating func surroundings(
        _ status: RecorderStatus, at now: MediaTime
    ) -> StatusLine.Surroundings {
        let isPaused = status.state == .paused || status.state == .pausing
        pausedSince = isPaused ? pausedSince ?? now : nil
        for cause in Self.slow {
            let count = status.drops[cause] ?? 0
            if count > counts[cause] ?? 0 { lastLoss[cause] = now }
            counts[cause] = count
        }
        let behind = Self.slow.filter { cause in
            lastLoss[cause].map { now - $0 < Self.memory } ?? false
        }
        meters.take(Self.levels(of: status), at: now)
        return StatusLine.Surroundings(
            pausedTime: pausedSince.map { now - $0 }, behind: behind, levels: meters.parts)
    }

    /// Of each microphone, in the order of the take (dBFS); `nil` while it is gone.
    private static func levels(of status: RecorderStatus) -> [Double?] {
        status.tracks.filter { $0.mediaType == .audio }
            .map { $0.isInterrupted ? nil : $0.audioPeak }
    }
}
