public import Media

/// A film of aligned recordings.
extension RecordingAlignment {
    /// What a timeline makes of the alignment: one picture track, and the audio of the others at its place.
    public struct AlignedTimeline: Sendable {
        public let timeline: Timeline
        /// What a timeline cannot do, one sentence each.
        public let notes: [String]
    }

    /// The first recording with video (else the reference) as the clip, whole, and the audio of each of the others
    /// as a voice-over where it belongs, cut to the clip. The reference is heard; the others have volume 0. Speeds
    /// are not changed: what drifts is exact where it begins.
    /// - Throws: the first recording's reason that is not aligned.
    public func timeline() throws(MediaError) -> AlignedTimeline {
        var placed: [Placed] = []
        for recording in recordings {
            placed.append(
                Placed(recording: recording, placement: try recording.placement.get()))
        }
        guard let picture = placed.first(where: \.recording.hasVideo) ?? placed.first else {
            return AlignedTimeline(timeline: Timeline(), notes: [])
        }
        var timeline = Timeline()
        var notes: [String] = []
        for (index, placed) in placed.enumerated() {
            let volume: Double = index == 0 ? 1 : 0
            if placed.recording.path == picture.recording.path {
                timeline.videos = [VideoItem(placed.recording.path, volume: volume)]
            } else if var item = placed.item(beside: picture, notes: &notes) {
                item.volume = volume
                timeline.voiceOvers.append(item)
            }
        }
        return AlignedTimeline(timeline: timeline, notes: notes)
    }

    private struct Placed {
        let recording: Recording
        let placement: Placement

        /// Its audio in a film of another one, which is shown whole.
        func item(beside picture: Placed, notes: inout [String]) -> AudioItem? {
            guard recording.audioDuration > .zero else {
                notes.append("\(recording.path) is left out of the project: it has no audio.")
                return nil
            }
            // both by the reference's clock
            let at = picture.placement.time(ofReference: placement.referenceTime(of: .zero))
            let start =
                at < .zero
                ? placement.time(ofReference: picture.placement.referenceTime(of: .zero))
                : .timeline(0)
            let place = max(at, .timeline(0))
            let film = picture.recording.duration.onTimeline()
            let last = recording.audioDuration.onTimeline()
            let end = min(last, start + film - place)
            guard place < film, start < end else {
                notes.append(
                    "\(recording.path) is left out of the project: it has no moment in common with "
                        + "\(picture.recording.path), whose frames are shown.")
                return nil
            }
            let parting = placement.drift - picture.placement.drift
            let late = Int(((end - start).approximateSeconds * parting * 1e-3).rounded())
            if late != 0 {
                notes.append(
                    "\(recording.path) is exact where it begins and \(abs(late)) ms "
                        + "\(late > 0 ? "late" : "early") where it ends: a project does not correct "
                        + "clocks.")
            }
            return AudioItem(
                recording.path, at: place, start: start, end: end < last ? end : nil)
        }
    }
}
