internal import Media
internal import Movie
internal import Writing

extension TakePlan {
    /// The first camera's track, whose frames the time code counts.
    private var counted: TrackPlan? { tracks.first { $0.format.mediaType == .video } }

    /// How many of them there are a second.
    var timeCodeRate: FrameRate? {
        guard let counted else { return nil }
        guard case .video(let settings) = counted.output, let rate = settings.expectedFrameRate
        else { return counted.format.video?.nominalRate }
        return rate
    }
}

extension RecordingSettings {
    /// - Throws: `unsupported` or `invalidSetting` where the movie cannot have the time code that is wanted.
    func requireTimeCode(_ plan: TakePlan) throws(MediaError) {
        guard let timeCode else { return }
        guard container.holdsTimeCode else {
            throw MediaError(
                code: .unsupported, subject: container.rawValue,
                message:
                    "A .\(container.rawValue) file has no place for time code: leave it out, or "
                    + "write .mp4, .mov or .mkv.")
        }
        guard plan.tracks.contains(where: { $0.format.mediaType == .video }) else {
            throw .setting("timeCode", "it counts frames, and no camera is recorded.")
        }
        guard let rate = plan.timeCodeRate else {
            throw .setting("timeCode", "the first camera does not say how many frames it delivers.")
        }
        if let obstacle = timeCode.obstacle(at: rate) {
            throw .setting("timeCode", "\(timeCode): \(obstacle).")
        }
    }
}
