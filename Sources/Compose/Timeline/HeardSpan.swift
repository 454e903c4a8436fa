internal import Media
internal import Reading

/// When a clip is heard: as long as it shows, unless audio cuts say otherwise (ticks of the timeline).
struct HeardSpan: Equatable {
    var start: Int64
    var end: Int64
    /// How long it crosses over with the clip before and the one after.
    var crossBefore: Int64 = 0
    var crossAfter: Int64 = 0
    /// How it does with each of them.
    var shapeBefore = VolumeRamp.Shape.equalPower
    var shapeAfter = VolumeRamp.Shape.equalPower

    var ticks: Int64 { end - start }

    /// What crossing over leaves of the audio (0…1).
    /// - Parameter tick: from its beginning.
    func crossing(at tick: Int64) -> Double {
        func rise(_ part: Double, _ shape: VolumeRamp.Shape) -> Double {
            VolumeRamp(timeRange: .ticks(0, 1), from: 0, to: 1, shape: shape)
                .volume(progress: part)
        }
        var factor = 1.0
        if tick < crossBefore {
            factor = rise(Double(tick) / Double(crossBefore), shapeBefore)
        }
        if ticks - tick < crossAfter {
            factor *= rise(Double(ticks - tick) / Double(crossAfter), shapeAfter)
        }
        return factor
    }
}

extension PlacedClip {
    /// For how much longer it is heard than it shows, before it does and after it (ticks; negative: shorter).
    fileprivate var lead: Int64 { start - heard.start }
    fileprivate var tail: Int64 { heard.end - end }

    /// What of one of its voices is heard, and when (nil: nothing).
    /// - Throws: where its source has nothing of what an audio cut asks for.
    func heardPart(of voice: Voice) throws(MediaError) -> (part: Part, run: Run)? {
        guard lead != 0 || tail != 0, let whole = range else {
            return run(of: voice.part).map { (voice.part, $0) }
        }
        guard course == nil else {
            throw .setting(
                name,
                "\(name) cannot be heard longer or shorter than it shows, because its speed changes; take the "
                    + "audio cut out, or give it one speed")
        }
        let (from, to) = item.isReversed ? (tail, lead) : (lead, tail)
        let begin = shifted(whole.start, by: -source(from))
        let end = shifted(whole.end, by: source(to))
        try check(begin, end, of: voice.part.track)
        guard begin < end,
            let part = MediaTimeRange(from: max(.zero, begin), to: end)
                .clipped(to: voice.part.track),
            let own = item.speed.ticks(of: part.duration), own > 0
        else { return nil }
        let length = min(own, heard.ticks)
        let offset = item.isReversed ? ticks + tail - length : -lead
        return (Part(track: voice.part.track, range: part), Run(offset: offset, ticks: length))
    }

    /// Whether the audio of both is one recording's that plays through, as where a clip was cut in two: their samples
    /// are then the same ones while both are heard.
    fileprivate func isPlayed(onBy next: PlacedClip) -> Bool {
        guard let own = range, let others = next.range, course == nil, next.course == nil,
            item.speed == .normal, next.item.speed == .normal, !item.isReversed,
            !next.item.isReversed, asset.path == next.asset.path,
            voices.map(\.part.track.id) == next.voices.map(\.part.track.id)
        else { return false }
        let there = shifted(own.start, by: next.start - start)
        let gap = there - others.start
        // less than a sample of 48 kHz
        return max(gap, .zero - gap) < MediaTime(value: 1, timescale: 48_000)
    }

    /// - Throws: where a track has nothing there.
    private func check(
        _ begin: MediaTime, _ end: MediaTime, of track: AssetTrack
    ) throws(MediaError) {
        let tolerance = MediaTime.milliseconds(1)
        // what begins with its movie begins with the first packet
        let first = max(.zero, track.start - .milliseconds(50))
        let missing: (length: MediaTime, isBefore: Bool)
        if begin < first - tolerance, tail > 0 || lead > 0 {
            missing = (first - begin, true)
        } else if end > track.reach + tolerance, tail > 0 || lead > 0 {
            missing = (end - track.reach, false)
        } else {
            return
        }
        let isJ = missing.isBefore != item.isReversed
        if item.generator != nil {
            throw .setting(
                name,
                "\(name) is to be heard before it shows, but what is generated has nothing before its beginning; take "
                    + "the audio cut out")
        }
        throw .setting(
            name,
            "\(name) is to be heard \(isJ ? "before" : "after") it shows, but its source has "
                + "\(missing.length.spoken) too little audio \(missing.isBefore ? "before its part" : "after its part"); "
                + "make the audio cut shorter, or \(missing.isBefore ? "begin the clip later" : "end the clip earlier")"
        )
    }

    /// A time of the source, where possible exactly.
    private func shifted(_ time: MediaTime, by ticks: Int64) -> MediaTime {
        (try? time.adding(.timeline(ticks))) ?? .timeline(time.timelineTicks + ticks)
    }

    /// Of the source in ticks of the timeline.
    private func source(_ ticks: Int64) -> Int64 {
        Int64(Int128(ticks) * Int128(item.speed.numerator) / Int128(item.speed.denominator))
    }
}

extension [PlacedClip] {
    /// What is heard of one recording twice at once adds up by gain, not by power: it would be louder by up to 3 dB.
    mutating func crossRecordings() {
        for index in indices.dropFirst() where self[index].heard.crossBefore > 0 {
            guard self[index - 1].isPlayed(onBy: self[index]) else { continue }
            self[index - 1].heard.shapeAfter = .linear
            self[index].heard.shapeBefore = .linear
        }
    }

    /// Puts audio cuts where they are asked for.
    /// - Throws: where nothing is left of a clip's audio, or it would begin before the film.
    mutating func cutAudio() throws(MediaError) {
        for index in indices {
            guard let cut = self[index].item.audioCut else { continue }
            let clip = self[index]
            let begin = clip.start + cut.offset.timelineTicks
            guard begin >= 0 else {
                throw .setting(
                    clip.name,
                    "\(clip.name) would be heard \(MediaTime.timeline(-begin).spoken) before the film begins; make "
                        + "its audio cut shorter")
            }
            guard index > 0 else {
                self[index].heard.start = begin
                continue
            }
            let crossing = cut.crossfade?.timelineTicks ?? clip.overlapBefore
            // over a gap only what is to be heard longer is
            let isShort = clip.start > self[index - 1].end && cut.offset <= .zero
            let wanted =
                isShort ? Swift.min(self[index - 1].end, begin + crossing) : begin + crossing
            // nothing gives way to a clip that is silent, and nothing waits for one
            let isAlone = self[index - 1].voices.isEmpty
            let start = isAlone ? Swift.min(begin, clip.start) : begin
            let end = clip.voices.isEmpty ? Swift.max(wanted, self[index - 1].end) : wanted
            self[index].heard.start = start
            self[index - 1].heard.end = end
            let both = isAlone || clip.voices.isEmpty ? 0 : Swift.max(0, end - start)
            self[index - 1].heard.crossAfter =
                clip.voices.isEmpty && end == self[index - 1].end ? clip.overlapBefore : both
            self[index].heard.crossBefore =
                isAlone && start == clip.start ? clip.overlapBefore : both
        }
        guard contains(where: { $0.item.audioCut != nil }) else { return }
        var last: PlacedClip?
        for clip in self where !clip.voices.isEmpty {
            let heard = clip.heard
            guard heard.ticks > 0 else {
                throw .setting(
                    clip.name,
                    "the audio cuts leave nothing of the audio of \(clip.name); make them shorter")
            }
            let fades = clip.item.fadeIn.timelineTicks + clip.item.fadeOut.timelineTicks
            guard heard.crossBefore + heard.crossAfter + fades <= heard.ticks else {
                throw .setting(
                    clip.name,
                    "\(clip.name) is heard for \(MediaTime.timeline(heard.ticks).spoken), which is shorter than its "
                        + "crossfades and fades; make them or the audio cuts shorter")
            }
            if let last, last.heard.end > heard.start + heard.crossBefore {
                throw .setting(
                    last.name,
                    "\(last.name) would still be heard when \(clip.name) already is; make the audio cut after it shorter"
                )
            }
            last = clip
        }
    }
}
