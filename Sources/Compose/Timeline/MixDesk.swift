internal import Media

/// Collects the volumes of what is put on the audio tracks.
struct MixDesk {
    private(set) var inputs: [AudioMixInput] = []

    mutating func open(
        _ trackID: Int, pan: Double, treatment: AudioTreatment, pitch: PitchPolicy = .kept
    ) {
        inputs.append(
            AudioMixInput(trackID: trackID, pan: pan, treatment: treatment, pitch: pitch))
    }

    mutating func add(_ ramps: [VolumeRamp], panning: [PanRamp] = [], to trackID: Int) {
        guard let index = inputs.firstIndex(where: { $0.trackID == trackID }) else { return }
        inputs[index].volumeRamps += ramps
        inputs[index].panRamps += panning
    }
}

extension PlacedClip {
    /// The volume of one of the clip's voices while it is heard, crossing over with its neighbours, and faded.
    func volumeRamps(_ voice: Voice, _ sampler: RampSampler) -> [VolumeRamp] {
        let own = KeyTrack(item.volume, item.keyframes.map { ($0.time, $0.curve, $0.volume) })
        let voices = voice.keyframes.volumes(voice.volume)
        // a fade and a crossfade at one end are both heard
        let isCurved =
            heard.crossBefore > 0 && item.fadeIn > .zero
            || heard.crossAfter > 0 && item.fadeOut > .zero
        guard own.isConstant, voices.isConstant, !isCurved else {
            let bends =
                heardTicks(own.ticks + voices.ticks) + [
                    heard.crossBefore, heard.ticks - heard.crossAfter, item.fadeIn.timelineTicks,
                    heard.ticks - item.fadeOut.timelineTicks,
                ]
            return sampler.pieces(bends.within(heard.ticks)) { tick, isBefore in
                let place = tick + heard.start - start
                let both =
                    min(16, max(0, own.number(at: place, before: isBefore)))
                    * min(16, max(0, voices.number(at: place, before: isBefore)))
                return both * heard.crossing(at: tick) * heardFade(at: tick)
            }.map { VolumeRamp(timeRange: $0.range(from: heard.start), from: $0.from, to: $0.to) }
        }
        let volume = item.volume * voice.volume
        var ramps: [VolumeRamp] = []
        let (fadeIn, fadeOut) = (item.fadeIn.timelineTicks, item.fadeOut.timelineTicks)
        if heard.crossBefore > 0 {
            ramps.append(
                VolumeRamp(
                    timeRange: .ticks(heard.start, heard.crossBefore), from: 0, to: volume,
                    shape: heard.shapeBefore))
        } else if fadeIn > 0 {
            ramps.append(VolumeRamp(timeRange: .ticks(heard.start, fadeIn), from: 0, to: volume))
        } else {
            ramps.append(VolumeRamp(volume, from: .timeline(heard.start)))
        }
        if heard.crossAfter > 0 {
            ramps.append(
                VolumeRamp(
                    timeRange: .ticks(heard.end - heard.crossAfter, heard.crossAfter),
                    from: volume, to: 0, shape: heard.shapeAfter))
        } else if fadeOut > 0 {
            ramps.append(
                VolumeRamp(timeRange: .ticks(heard.end - fadeOut, fadeOut), from: volume, to: 0))
        }
        return ramps
    }

    /// Ticks from the clip's beginning as those from where it begins to be heard.
    private func heardTicks(_ ticks: [Int64]) -> [Int64] {
        ticks.map { $0 + start - heard.start }
    }

    /// How much of the audio there is, but for crossing over (0…1).
    /// - Parameter tick: from where it begins to be heard.
    private func heardFade(at tick: Int64) -> Double {
        let (fadeIn, fadeOut) = (item.fadeIn.timelineTicks, item.fadeOut.timelineTicks)
        var factor = 1.0
        if tick < fadeIn { factor = Double(tick) / Double(fadeIn) }
        if heard.ticks - tick < fadeOut {
            factor *= Double(heard.ticks - tick) / Double(fadeOut)
        }
        return factor
    }
}

extension PlacedClip {
    /// What brings its voices to a loudness of their own; nil: nothing does.
    var levelRule: LevelRule? {
        guard let loudness = item.loudness, !voices.isEmpty else { return nil }
        return LevelRule(
            name, trackIDs: Set(audioTrackIDs).sorted(),
            timeRange: .ticks(heard.start, heard.ticks), loudness: loudness)
    }
}

extension PlacedClip {
    private var panTrack: KeyTrack<Double> {
        KeyTrack(item.pan, item.keyframes.map { ($0.time, $0.curve, $0.pan) })
    }

    /// Whether key frames pan one of its voices.
    func isPanned(_ voice: Voice) -> Bool {
        !panTrack.isConstant || !voice.keyframes.pans(voice.pan).isConstant
    }

    /// What a track's pan has to be for one of its voices, without ramps.
    func pan(_ voice: Voice) -> Double {
        isPanned(voice) ? 0 : min(1, max(-1, voice.pan + item.pan))
    }

    /// Where key frames pan one of its voices; empty: nowhere.
    func panRamps(_ voice: Voice, _ sampler: RampSampler) -> [PanRamp] {
        let (own, voices) = (panTrack, voice.keyframes.pans(voice.pan))
        guard !own.isConstant || !voices.isConstant else { return [] }
        return sampler.pieces(heardTicks(own.ticks + voices.ticks).within(heard.ticks)) {
            tick, isBefore in
            let place = tick + heard.start - start
            return min(
                1,
                max(
                    -1,
                    own.number(at: place, before: isBefore)
                        + voices.number(at: place, before: isBefore)))
        }.map { PanRamp(timeRange: $0.range(from: heard.start), from: $0.from, to: $0.to) }
    }
}

extension [AudioKeyframe] {
    /// What of them has no effect, one sentence each.
    /// - Parameters:
    ///   - name: of what they change.
    ///   - ticks: for how long it is heard from its beginning.
    func unused(_ name: String, lasting ticks: Int64) -> [String] {
        let late = filter { $0.time.timelineTicks > ticks }
        guard let first = late.first else { return [] }
        let one = late.count == 1
        return [
            "\(name): its key frame\(one ? " at" : "s from") \(first.time.spoken)\(one ? "" : " on") "
                + "\(one ? "lies" : "lie") behind its end; it is heard for \(MediaTime.timeline(ticks).spoken)"
        ]
    }
}

extension AudioItem {
    /// Whether its key frames pan it.
    var isPanned: Bool { !keyframes.pans(pan).isConstant }
}

extension PlacedAudio {
    /// Its volume with its fades.
    func volumeRamps(_ sampler: RampSampler) -> [VolumeRamp] {
        let track = item.keyframes.volumes(item.volume)
        let (fadeIn, fadeOut) = (item.fadeIn.timelineTicks, item.fadeOut.timelineTicks)
        let bends = track.ticks + [fadeIn, ticks - fadeOut]
        return sampler.pieces(bends.within(ticks)) { tick, isBefore in
            var gain = min(16, max(0, track.number(at: tick, before: isBefore)))
            if tick < fadeIn { gain *= Double(tick) / Double(fadeIn) }
            if ticks - tick < fadeOut { gain *= Double(ticks - tick) / Double(fadeOut) }
            return gain
        }.map { VolumeRamp(timeRange: $0.range(from: start), from: $0.from, to: $0.to) }
    }

    /// Where its key frames pan it; empty: nowhere.
    func panRamps(_ sampler: RampSampler) -> [PanRamp] {
        let track = item.keyframes.pans(item.pan)
        guard !track.isConstant else { return [] }
        return sampler.pieces(track.ticks.within(ticks)) { tick, isBefore in
            min(1, max(-1, track.number(at: tick, before: isBefore)))
        }.map { PanRamp(timeRange: $0.range(from: start), from: $0.from, to: $0.to) }
    }
}

extension MediaTimeRange {
    static func ticks(_ start: Int64, _ length: Int64) -> MediaTimeRange {
        MediaTimeRange(start: .timeline(start), duration: .timeline(length))
    }
}
