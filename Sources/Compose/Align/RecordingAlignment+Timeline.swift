public import Media

/// A film of aligned recordings.
extension RecordingAlignment {
    /// What a timeline makes of the alignment.
    public struct AlignedTimeline: Sendable {
        public let timeline: Timeline
        /// What a timeline does not have, one sentence each.
        public let notes: [String]
    }

    /// The first recording with video (else the reference) as the clip, whole, and the audio of each of the others
    /// as a voice-over where it belongs, cut to the clip. The reference is heard; the others have volume 0. Speeds
    /// are not changed: what drifts is exact where it begins.
    /// - Parameter layout: how the video of all recordings shares the frame, each from when it began until it ended;
    ///   nil: the first one's alone is shown.
    /// - Throws: the first recording's reason that is not aligned.
    public func timeline(layout: AngleLayout? = nil) throws(MediaError) -> AlignedTimeline {
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
        let cameras = placed.filter(\.recording.hasVideo).count
        var camera = 0
        for (index, placed) in placed.enumerated() {
            let volume: Double = index == 0 ? 1 : 0
            if placed.recording.path == picture.recording.path {
                var item = VideoItem(placed.recording.path, volume: volume)
                layout?.dress(&item, 0, of: cameras)
                timeline.videos = [item]
                continue
            }
            if var item = placed.item(beside: picture, notes: &notes) {
                item.volume = volume
                timeline.voiceOvers.append(item)
            }
            guard let layout, placed.recording.hasVideo else { continue }
            camera += 1
            if var item = placed.clip(beside: picture, notes: &notes) {
                layout.dress(&item, camera, of: cameras)
                timeline.overlays.append(OverlayTrack([item]))
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
            guard let span = span(of: recording.audioDuration, beside: picture) else {
                notes.append(
                    "\(recording.path) is left out of the project: it has no moment in common with "
                        + "\(picture.recording.path), whose frames are shown.")
                return nil
            }
            noteDrift(span, beside: picture, &notes)
            return AudioItem(recording.path, at: span.place, start: span.start, end: span.end)
        }

        /// Its video in the same film, silent.
        func clip(beside picture: Placed, notes: inout [String]) -> VideoItem? {
            guard let span = span(of: recording.duration, beside: picture) else {
                notes.append(
                    "The video of \(recording.path) is left out of the project: it has no moment in common with "
                        + "\(picture.recording.path).")
                return nil
            }
            if recording.audioDuration == .zero { noteDrift(span, beside: picture, &notes) }
            var item = VideoItem(recording.path, start: span.start, end: span.end)
            item.at = span.place
            item.voices = []
            return item
        }

        /// Where it begins in the film, and what of it the film has; nil: nothing.
        private func span(
            of length: MediaTime, beside picture: Placed
        ) -> (place: MediaTime, start: MediaTime, end: MediaTime?, duration: MediaTime)? {
            // both by the reference's clock
            let at = picture.placement.time(ofReference: placement.referenceTime(of: .zero))
            let start =
                at < .zero
                ? placement.time(ofReference: picture.placement.referenceTime(of: .zero))
                : .timeline(0)
            let place = max(at, .timeline(0))
            let film = picture.recording.duration.onTimeline()
            let last = length.onTimeline()
            let end = min(last, start + film - place)
            guard place < film, start < end else { return nil }
            return (place, start, end < last ? end : nil, end - start)
        }

        private func noteDrift(
            _ span: (place: MediaTime, start: MediaTime, end: MediaTime?, duration: MediaTime),
            beside picture: Placed, _ notes: inout [String]
        ) {
            let parting = placement.drift - picture.placement.drift
            let late = Int((span.duration.approximateSeconds * parting * 1e-3).rounded())
            guard late != 0 else { return }
            notes.append(
                "\(recording.path) is exact where it begins and \(abs(late)) ms "
                    + "\(late > 0 ? "late" : "early") where it ends: a project does not correct "
                    + "clocks.")
        }
    }
}
