public import Media

/// What a recording reports while it runs. Movie times count from the first instant of the movie,
/// with pauses cut out.
public enum RecorderEvent: Sendable {
    /// Every source has delivered; the movie begins at this host time.
    case started(at: MediaTime)
    /// The movie holds at this movie time.
    case paused(at: MediaTime)
    /// The movie continues from this movie time.
    case resumed(at: MediaTime)
    /// The user set a marker at this movie time.
    case marked(text: String, at: MediaTime)
    /// A camera was shown a slate.
    case slate(TakeReport.SlateEntry)
    /// Frames lost by a source: at most one event a second for each source and cause, summing up. Those of a
    /// pause are not missing from the movie.
    case drop(track: Int, cause: SampleDrop.Cause, count: Int, isInPause: Bool)
    /// A source whose frames build on each other (H.264 or HEVC of the camera's own) was joined between two sync samples:
    /// its first frame is the next one, at this movie time, and nothing shows before.
    case beganLate(track: Int, at: MediaTime)
    /// A source fell silent; its track is filled (silence, or the held last frame).
    case interrupted(track: Int, SourceInterruption)
    /// The source delivers again after `gap`.
    case back(track: Int, gap: MediaTime)
    /// The time stamps of a microphone jumped by so much (positive: forward): its clock was set anew. Its audio
    /// continues by its count of frames, and may be out of place from there on.
    case clockSet(track: Int, by: MediaTime)
    /// A source delivers, but has been black, frozen or silent since `at` (movie time) for `length`; reported when
    /// it has lasted long enough to count, and again when it is over.
    case condition(
        track: Int, TrackCondition, at: MediaTime, length: MediaTime, isOver: Bool)
    /// How hard the machine is pressed has changed (only with a `PressureMonitor`).
    case pressure(PressureState)
    /// Something was given up because of that, or is as it was asked for again.
    case pressureStep(PressureStep)
    /// From this movie time on a source's frames are encoded with another preset.
    case presetChanged(track: Int, String, at: MediaTime)
    /// The disk will be full soon at the measured rate.
    case diskLow(DiskWarning)
    /// The disk is full or nearly so; the recording ends by itself.
    case diskFull(freeBytes: Int64)
    /// The disk lost bytes of the movie that it had taken, so many times so far. They were written again, and the
    /// movie lacks nothing; the disk is failing.
    case diskLostBytes(times: Int)
    /// The movie's file was deleted, moved, replaced or cut by another program, and the recording ends; or
    /// what was recorded could not be saved.
    case fileLost(MediaError)
    /// What was recorded lies there now.
    case fileSaved(as: String)
    /// The take's report could not be written; the movie is not affected.
    case reportFailed(MediaError)
    /// The recording ended by a failure; what was written is a valid movie if it had begun.
    case failed(MediaError)
    /// The file is closed. Always the last event, after `failed` too.
    case finished(TakeReport)
}

/// How soon the disk will be full.
public enum DiskWarning: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    case tenMinutes = "ten-minutes"
    case oneMinute = "one-minute"

    /// Recording time left (seconds).
    public var secondsLeft: Int64 { self == .tenMinutes ? 600 : 60 }

    public static func < (left: DiskWarning, right: DiskWarning) -> Bool {
        left.secondsLeft > right.secondsLeft
    }
}
