import Compose
import Media
import Recording

/// How far any work that takes time has come, in the words all progress reports share.
struct ProgressSnapshot: Sendable, Equatable {
    /// Video frames in the movie.
    var frames: Int64
    /// Frames per second: measured of the camera, or made.
    var rate: Double?
    /// Bytes of the movie.
    var bytes: Int64
    /// Length of the movie so far (seconds).
    var duration: MediaTime
    var repeatedFrames = 0
    var droppedFrames = 0
    /// Movie time per time (1 = real time).
    var speed: Double
    /// How much is done (0…1; nil when there is no end).
    var fraction: Double?
    /// Time to go (seconds; nil when nobody can say).
    var remaining: Double?
    var state: String
    /// Cameras and microphones; empty for work that has none.
    var tracks: [RecorderStatus.Track] = []
    /// Slates that cameras were shown so far (count), and the latest of them.
    var slates = 0
    var lastSlate: TakeReport.SlateEntry?

    /// Bits per second of the movie so far.
    var bitrate: Double? {
        let seconds = duration.approximateSeconds
        return seconds > 0 ? Double(bytes) * 8 / seconds : nil
    }
}

extension ProgressSnapshot {
    init(_ recording: RecorderStatus) {
        self.init(
            frames: recording.frames, rate: recording.measuredRate, bytes: recording.bytesWritten,
            duration: recording.elapsed, repeatedFrames: Int(clamping: recording.repeatedFrames),
            droppedFrames: recording.dropCount,
            // a camera delivers in real time; while paused the movie stands still
            speed: recording.state == .recording ? 1 : 0, fraction: recording.fraction,
            remaining: recording.remaining?.approximateSeconds, state: recording.state.word,
            tracks: recording.tracks, slates: recording.slates, lastSlate: recording.lastSlate)
    }

    init(_ report: ExportReport) {
        self.init(
            frames: Int64(report.frames), bytes: report.bytes, duration: report.duration,
            elapsed: report.elapsed)
    }

    /// Work that has ended.
    init(
        frames: Int64, bytes: Int64, duration: MediaTime, elapsed: MediaTime, fraction: Double = 1,
        state: String = "finished"
    ) {
        let seconds = elapsed.approximateSeconds
        self.init(
            frames: frames, rate: seconds > 0 ? Double(frames) / seconds : nil, bytes: bytes,
            duration: duration, speed: seconds > 0 ? duration.approximateSeconds / seconds : 0,
            fraction: fraction, remaining: 0, state: state)
    }

    init(_ export: ExportProgress, state: String) {
        let seconds = export.elapsed.approximateSeconds
        let made = export.made.approximateSeconds
        let share = export.time > .zero ? made / export.time.approximateSeconds : 0
        self.init(
            frames: export.frames,
            rate: seconds > 0 ? Double(export.frames) * share / seconds : nil,
            bytes: export.bytes, duration: export.time, speed: export.speed,
            fraction: export.fraction, remaining: export.timeLeft?.approximateSeconds,
            state: state)
    }
}
