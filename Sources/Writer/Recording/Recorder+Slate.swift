public import Media
internal import Movie
internal import Writing

extension Recorder {
    /// Where an instant is in the movie (movie time); of one in a pause, where it was cut.
    /// - Parameter time: on the host clock.
    /// - Returns: `nil` before the movie begins, for an instant before its first one, and once it ends.
    public func movieTime(of time: MediaTime) -> MediaTime? {
        guard core.life == .running, let timeline = core.timeline,
            time.nanoseconds() >= timeline.start
        else { return nil }
        return .nanoseconds(timeline.length(at: time.nanoseconds()))
    }

    /// Notes a slate that a camera was shown, for the report; sets its marker at the frame; from then on the movie
    /// says what the slate names: `title`, `org.vcap.scene` and `org.vcap.take`.
    /// - Parameters:
    ///   - slate: what it says, and who saw it.
    ///   - keepsTitle: whether the movie's title stays as it is.
    ///   - time: when the frame began that showed it first (host clock).
    /// - Returns: whether it is noted (`false` before the movie begins and after its end).
    @discardableResult
    public func noteSlate(
        _ slate: SeenSlate, keepsTitle: Bool = false, at time: MediaTime
    ) -> Bool {
        let host = time.nanoseconds()
        guard movieTime(of: time) != nil else { return false }
        core.notes.saw(slate, at: host)
        core.emit(.slate(entry(slate, at: host, core.timeline)))
        let tags = [
            "title": keepsTitle ? nil : slate.title, MovieMetadata.sceneKey: slate.scene,
            MovieMetadata.takeKey: slate.take,
        ].compactMapValues(\.self)
        if !tags.isEmpty { _ = core.describe(tags, at: host) }
        if let marker = slate.marker { mark(marker, at: time) }
        return true
    }

    func entry(
        _ slate: SeenSlate, at host: Int64, _ timeline: PauseGate?
    ) -> TakeReport.SlateEntry {
        TakeReport.SlateEntry(
            movieTime: TakeTime(nanoseconds: timeline?.length(at: host) ?? 0),
            hostTime: TakeTime(nanoseconds: host), slate: slate)
    }
}
