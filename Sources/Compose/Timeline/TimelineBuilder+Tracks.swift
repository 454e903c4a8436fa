internal import Media

extension TimelineBuilder {
    /// Puts the clips on tracks: a clip after a cut takes its predecessor's, one that overlaps it on
    /// the other.
    func insert(
        _ clips: [PlacedClip], into composition: inout Composition, _ desk: inout MixDesk
    ) throws(MediaError) {
        var videoTracks: [Int?] = [nil, nil]
        var audioTracks: [Int?] = [nil, nil]
        var side = 0
        for clip in clips {
            if clip.overlapBefore > 0 { side = 1 - side }
            if let part = clip.picture {
                let id = videoTracks[side] ?? composition.addTrack(.video)
                videoTracks[side] = id
                try composition.place(part, of: clip, in: id)
            }
            if let part = clip.sound {
                let id = audioTracks[side] ?? composition.addTrack(.audio)
                if audioTracks[side] == nil { desk.open(id, pitch: timeline.settings.pitch) }
                audioTracks[side] = id
                try composition.place(part, of: clip, in: id)
                desk.add(clip.volumeRamps, to: id)
            }
        }
    }

    /// Puts sounds on tracks of their own, as few as do.
    /// - Returns: The tracks.
    func insert(
        _ sounds: [PlacedAudio], into composition: inout Composition, _ desk: inout MixDesk
    ) throws(MediaError) -> [Int] {
        var slots: [(id: Int, pan: Double, end: Int64)] = []
        for sound in sounds.sorted(by: { $0.start < $1.start }) {
            let free = slots.firstIndex { $0.pan == sound.item.pan && $0.end <= sound.start }
            let slot = free ?? slots.count
            if free == nil {
                let id = composition.addTrack(.audio)
                desk.open(id, pan: sound.item.pan)
                slots.append((id, sound.item.pan, 0))
            }
            let id = slots[slot].id
            var tick = sound.start
            for span in sound.spans {
                try composition.insert(
                    span.range, of: sound.asset, track: sound.track, at: .timeline(tick), into: id)
                tick += span.ticks
            }
            desk.add(sound.volumeRamps, to: id)
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
        let start = MediaTime.timeline(clip.start)
        try insert(part.range, of: clip.asset, track: part.track, at: start, into: id)
        guard clip.item.speed != .normal else { return }
        let natural = (track(id)?.endTick ?? 0) - clip.start
        guard let ticks = clip.item.speed.ticks(of: part.range.duration), ticks > 0 else {
            throw .setting(clip.name, "\(clip.name) has no length at its speed")
        }
        try scale(
            MediaTimeRange.ticks(clip.start, natural), toDuration: .timeline(ticks), of: id)
    }
}
