internal import Media
internal import Reading

extension TimelineBuilder {
    /// Puts clips on tracks of their own: a clip after a cut takes its predecessor's, one that overlaps it the
    /// other.
    /// - Returns: the clips with the tracks that they are on.
    func insert(
        _ clips: [PlacedClip], into composition: inout Composition, _ desk: inout MixDesk
    ) throws(MediaError) -> [PlacedClip] {
        var videoTracks: [Int?] = [nil, nil]
        var audioTracks: [VoiceSlot: Int] = [:]
        var (side, heardSide) = (0, 0)
        var result = clips
        for (index, clip) in clips.enumerated() {
            if clip.overlapBefore > 0 { side = 1 - side }
            if clip.heard.crossBefore > 0 { heardSide = 1 - heardSide }
            if let part = clip.picture {
                let id = videoTracks[side] ?? composition.addTrack(.video)
                videoTracks[side] = id
                try composition.place(part, of: clip, in: id)
                result[index].videoTrackID = id
            }
            for (number, voice) in clip.voices.enumerated() {
                guard let heard = try clip.heardPart(of: voice) else { continue }
                let slot = VoiceSlot(
                    side: heardSide, number: number, pan: clip.pan(voice),
                    isPanned: clip.isPanned(voice), treatment: voice.treatment)
                let id = audioTracks[slot] ?? composition.addTrack(.audio)
                if audioTracks[slot] == nil {
                    desk.open(
                        id, pan: slot.pan, treatment: voice.treatment,
                        pitch: timeline.settings.pitch)
                }
                audioTracks[slot] = id
                try composition.place(
                    heard.part, of: clip, from: clip.asset, heard.run, at: clip.start, in: id)
                desk.add(
                    clip.volumeRamps(voice, .audio), panning: clip.panRamps(voice, .audio), to: id)
                result[index].audioTrackIDs.append(id)
            }
        }
        return result
    }

    /// Which of a row of clips' audio tracks a voice takes: a mix has one treatment for each, and one pan where
    /// none of its clips moves.
    private struct VoiceSlot: Hashable {
        let side: Int
        /// Among the clip's voices.
        let number: Int
        let pan: Double
        let isPanned: Bool
        let treatment: AudioTreatment
    }

    /// Puts sounds on tracks of their own, as few as do.
    /// - Returns: The tracks.
    func insert(
        _ sounds: [PlacedAudio], into composition: inout Composition, _ desk: inout MixDesk
    ) throws(MediaError) -> [Int] {
        var slots: [(id: Int, item: AudioItem, end: Int64)] = []
        for sound in sounds.sorted(by: { $0.start < $1.start }) {
            let free = slots.firstIndex {
                $0.item.pan == sound.item.pan && $0.item.treatment == sound.item.treatment
                    && $0.item.isPanned == sound.item.isPanned && $0.end <= sound.start
            }
            let slot = free ?? slots.count
            if free == nil {
                let id = composition.addTrack(.audio)
                desk.open(
                    id, pan: sound.item.isPanned ? 0 : sound.item.pan,
                    treatment: sound.item.treatment)
                slots.append((id, sound.item, 0))
            }
            let id = slots[slot].id
            var tick = sound.start
            for span in sound.spans {
                try composition.insert(
                    span.range, of: sound.asset, track: sound.track, at: .timeline(tick), into: id)
                tick += span.ticks
            }
            desk.add(
                sound.volumeRamps(.audio), panning: sound.panRamps(.audio), to: id)
            slots[slot].end = sound.end
        }
        return slots.map(\.id)
    }
}

extension Composition {
    /// Puts a part of a clip at the clip's place, at its speed.
    fileprivate mutating func place(
        _ part: PlacedClip.Part, of clip: PlacedClip, in id: Int
    ) throws(MediaError) {
        guard let run = clip.run(of: part) else {
            throw .setting(clip.name, "\(clip.name) has no length at its speed")
        }
        try place(part, of: clip, from: clip.asset, run, at: clip.start, in: id)
    }

    /// Puts a part of a clip at the end of a track.
    /// - Parameters:
    ///   - asset: what it is a part of.
    ///   - start: where the clip begins (ticks).
    mutating func place(
        _ part: PlacedClip.Part, of clip: PlacedClip, from asset: Asset, _ run: PlacedClip.Run,
        at start: Int64, in id: Int
    ) throws(MediaError) {
        let start = start + run.offset
        try insert(
            part.range, of: asset, track: part.track, at: .timeline(start), into: id)
        let isVideo = part.track.mediaType == .video
        playLast(
            of: id,
            SegmentPlay(
                isReversed: clip.item.isReversed, blendsFrames: isVideo && clip.item.blendsFrames,
                course: run.course))
        if run.course == nil, clip.item.speed != .normal || clip.item.freeze != nil {
            let natural = (track(id)?.endTick ?? 0) - start
            try scale(.ticks(start, natural), toDuration: .timeline(run.ticks), of: id)
        }
    }
}

extension PlacedClip {
    /// When a part of a clip plays (ticks from the clip's beginning), and how it advances in its source; nil: at one
    /// speed.
    struct Run {
        var offset: Int64 = 0
        let ticks: Int64
        var course: SourceCourse?
    }

    /// All parts begin with the clip's span of the source, and may end before it does; backwards they begin later.
    /// - Returns: nil: it lasts no time.
    func run(of part: Part) -> Run? {
        if let freeze = item.freeze { return Run(ticks: freeze.timelineTicks) }
        guard let course else {
            guard let own = item.speed.ticks(of: part.range.duration), own > 0 else { return nil }
            return Run(offset: item.isReversed ? max(0, ticks - own) : 0, ticks: own)
        }
        let length = part.range.duration.ticks(per: Composition.timescale, rounding: .down)
        // part of a tick is rounding
        guard length < course.sourceTicks - 1 else { return Run(ticks: ticks, course: course) }
        let played = item.isReversed ? course.sourceTicks - length : length
        let border = course.target(ofSource: played)
        let (before, after) = course.cut(at: border)
        guard let own = item.isReversed ? after : before else { return nil }
        return Run(offset: item.isReversed ? border : 0, ticks: own.ticks, course: own)
    }
}
