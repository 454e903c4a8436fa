import Media
import Recording

/// The recorder's status in the words of the status line, progress and `vcap ctl status`. It knows nothing of
/// its own.
struct RecordingSnapshot: Sendable, Equatable {
    enum State: String, Sendable {
        case starting, recording, pausing, paused, resuming, finishing, finished, failed
    }

    /// One camera or microphone.
    struct Source: Sendable, Equatable {
        var name: String
        var mediaType: MediaType
        /// How long it has been gone or silent; `nil` while it delivers.
        var silence: MediaTime?
        /// Frames of the movie.
        var frames: Int64 = 0
        /// Measured while recording (frames per second); `nil` for microphones.
        var measuredRate: Double?
        /// Frames that the movie lacks, by cause.
        var drops: [SampleDrop.Cause: Int] = [:]
        /// Frames lost while the movie was paused, by cause.
        var dropsInPauses: [SampleDrop.Cause: Int] = [:]
        /// Black, frozen or silent although it delivers, and for how long; `nil` for neither.
        var condition: RecorderStatus.Track.Condition?
        /// Loudest audio sample of the last half second (dBFS; at most 0); `nil` for cameras.
        var audioPeak: Double?
    }

    var state: State = .starting
    /// Length of the movie so far (seconds).
    var duration: MediaTime = .zero
    /// Video frames in the movie, of the first camera.
    var frames = 0
    /// Measured while recording, of the first camera (frames per second).
    var measuredRate: Double?
    var nominalRate: Double?
    /// Video frames that the movie lacks, by cause, of all cameras.
    var drops: [SampleDrop.Cause: Int] = [:]
    /// Video frames shown again to bridge a gap, of all cameras.
    var repeatedFrames = 0
    /// Video frames that wait for their encoder, of all cameras.
    var waitingFrames = 0
    /// Loudest audio sample of the last half second (dBFS; at most 0).
    var audioPeak: Double?
    /// Bytes of the file.
    var bytes: Int64 = 0
    /// How long the disk lasts at this rate (seconds).
    var secondsLeft: Double?
    /// The length asked for with `--duration`.
    var wanted: MediaTime?
    /// Pauses of the movie so far, and how long they lasted in all.
    var pauses = 0
    var pausedTime: MediaTime = .zero
    /// Every camera and microphone, in the order of the take.
    var sources: [Source] = []

    var droppedFrames: Int { drops.values.reduce(0, +) }

    /// Of each microphone, in the order of the take (dBFS); `nil` while it is gone.
    var levels: [Double?] {
        sources.filter { $0.mediaType == .audio }.map { $0.silence == nil ? $0.audioPeak : nil }
    }

    /// Cameras and microphones that are gone or silent.
    var silentSources: [Source] { sources.filter { $0.silence != nil } }

    /// How much of the wanted length is done (0…1); a take that was stopped before is done.
    var fraction: Double? {
        guard let wanted, wanted > .zero else { return nil }
        if state == .finished { return 1 }
        return min(1, duration.approximateSeconds / wanted.approximateSeconds)
    }

    /// Time to go until the wanted length (seconds).
    var remaining: Double? {
        guard let wanted else { return nil }
        return max(0, wanted.approximateSeconds - duration.approximateSeconds)
    }
}

extension RecordingSnapshot {
    init(_ status: RecorderStatus, wanted: MediaTime?) {
        state = State(status.state)
        duration = status.elapsed
        pauses = status.pauses
        pausedTime = status.pausedTime
        bytes = status.bytesWritten
        secondsLeft = status.secondsLeft.map(Double.init)
        self.wanted = wanted
        sources = status.tracks.map(Source.init)
        audioPeak = status.tracks.compactMap(\.audioPeak).max()
        let cameras = status.tracks.filter { $0.mediaType == .video }
        if let lead = cameras.first {
            frames = Int(clamping: lead.frames)
            measuredRate = lead.measuredRate
            nominalRate = lead.nominalRate?.approximate
        }
        for camera in cameras {
            drops.merge(camera.drops, uniquingKeysWith: +)
            repeatedFrames += Int(clamping: camera.repeatedFrames)
            waitingFrames += camera.waitingSamples
        }
    }
}

extension RecordingSnapshot.Source {
    fileprivate init(_ track: RecorderStatus.Track) {
        self.init(
            name: track.name, mediaType: track.mediaType, silence: track.silence,
            frames: track.frames, measuredRate: track.measuredRate, drops: track.drops,
            dropsInPauses: track.dropsInPauses, condition: track.condition,
            audioPeak: track.audioPeak)
    }
}

extension RecordingSnapshot.State {
    fileprivate init(_ state: RecorderState) {
        self =
            switch state {
            case .idle, .waitingForSources: .starting
            case .recording: .recording
            case .pausing: .pausing
            case .paused: .paused
            case .resuming: .resuming
            case .stopping: .finishing
            case .finished: .finished
            case .failed: .failed
            }
    }
}
