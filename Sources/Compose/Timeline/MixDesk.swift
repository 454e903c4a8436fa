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
    /// The volume of one of the clip's voices, crossing over with its neighbours at equal power, and faded as it is
    /// seen.
    func volumeRamps(_ voice: Voice, _ sampler: RampSampler) -> [VolumeRamp] {
        let track = KeyTrack(item.volume, item.keyframes.map { ($0.time, $0.curve, $0.volume) })
        guard track.isConstant else {
            let bends =
                track.ticks + [
                    overlapBefore, ticks - overlapAfter, item.fadeIn.timelineTicks,
                    ticks - item.fadeOut.timelineTicks,
                ]
            return sampler.pieces(bends.within(ticks)) { tick, isBefore in
                let own = track.value(at: tick, before: isBefore) { $0.mixed($1, $2) }
                return min(16, max(0, own)) * voice.volume * crossing(at: tick) * fade(at: tick)
            }.map { VolumeRamp(timeRange: $0.range(from: start), from: $0.from, to: $0.to) }
        }
        let volume = item.volume * voice.volume
        var ramps: [VolumeRamp] = []
        let (fadeIn, fadeOut) = (item.fadeIn.timelineTicks, item.fadeOut.timelineTicks)
        if overlapBefore > 0 {
            ramps.append(
                VolumeRamp(
                    timeRange: .ticks(start, overlapBefore), from: 0, to: volume,
                    shape: .equalPower))
        } else if fadeIn > 0 {
            ramps.append(VolumeRamp(timeRange: .ticks(start, fadeIn), from: 0, to: volume))
        } else {
            ramps.append(VolumeRamp(volume, from: .timeline(start)))
        }
        if overlapAfter > 0 {
            ramps.append(
                VolumeRamp(
                    timeRange: .ticks(end - overlapAfter, overlapAfter), from: volume, to: 0,
                    shape: .equalPower))
        } else if fadeOut > 0 {
            ramps.append(
                VolumeRamp(timeRange: .ticks(end - fadeOut, fadeOut), from: volume, to: 0))
        }
        return ramps
    }
}

extension PlacedClip {
    /// What brings its voices to a loudness of their own; nil: nothing does.
    var levelRule: LevelRule? {
        guard let loudness = item.loudness, !voices.isEmpty else { return nil }
        return LevelRule(
            name, trackIDs: Set(audioTrackIDs).sorted(), timeRange: .ticks(start, ticks),
            loudness: loudness)
    }
}

extension PlacedClip {
    private var panTrack: KeyTrack<Double> {
        KeyTrack(item.pan, item.keyframes.map { ($0.time, $0.curve, $0.pan) })
    }

    /// Whether its key frames pan it.
    var isPanned: Bool { !panTrack.isConstant }

    /// What a track's pan has to be for one of its voices, without ramps.
    func pan(_ voice: Voice) -> Double {
        isPanned ? voice.pan : min(1, max(-1, voice.pan + item.pan))
    }

    /// Where its key frames pan it, on top of a voice's own pan; empty: nowhere.
    func panRamps(_ sampler: RampSampler) -> [PanRamp] {
        let track = panTrack
        guard !track.isConstant else { return [] }
        return sampler.pieces(track.ticks.within(ticks)) { tick, isBefore in
            min(1, max(-1, track.value(at: tick, before: isBefore) { $0.mixed($1, $2) }))
        }.map { PanRamp(timeRange: $0.range(from: start), from: $0.from, to: $0.to) }
    }
}

extension PlacedClip {
    /// What transitions leave of the audio: equal power (0…1).
    /// - Parameter tick: from its beginning.
    private func crossing(at tick: Int64) -> Double {
        func rise(_ part: Double) -> Double {
            VolumeRamp(timeRange: .ticks(0, 1), from: 0, to: 1, shape: .equalPower)
                .volume(progress: part)
        }
        var factor = 1.0
        if tick < overlapBefore { factor = rise(Double(tick) / Double(overlapBefore)) }
        if ticks - tick < overlapAfter {
            factor *= rise(Double(ticks - tick) / Double(overlapAfter))
        }
        return factor
    }
}

extension PlacedAudio {
    /// Volume times automation times fades: a ramp from each instant at which one of them bends to the
    /// next. Where a fade crosses a moving volume their product is a curve, made of sixteen pieces.
    var volumeRamps: [VolumeRamp] {
        let (fadeIn, fadeOut) = (item.fadeIn.timelineTicks, item.fadeOut.timelineTicks)
        var bends: Set<Int64> = [0, fadeIn, ticks - fadeOut, ticks]
        bends.formUnion(item.automation.map { $0.time.timelineTicks }.filter { $0 < ticks })
        if item.automation.count > 1 {
            for piece in Int64(1)..<16 {
                bends.insert(fadeIn * piece / 16)
                bends.insert(ticks - fadeOut + fadeOut * piece / 16)
            }
        }
        let instants = bends.sorted()
        return zip(instants, instants.dropFirst()).map { from, to in
            VolumeRamp(
                timeRange: .ticks(start + from, to - from), from: gain(from), to: gain(to))
        }
    }

    /// At ticks from the item's beginning.
    private func gain(_ tick: Int64) -> Double {
        let (fadeIn, fadeOut) = (item.fadeIn.timelineTicks, item.fadeOut.timelineTicks)
        var gain = item.volume * automation(tick)
        if tick < fadeIn { gain *= Double(tick) / Double(fadeIn) }
        if ticks - tick < fadeOut { gain *= Double(ticks - tick) / Double(fadeOut) }
        return gain
    }

    private func automation(_ tick: Int64) -> Double {
        let points = item.automation
        let next = points.partitioningIndex { $0.time.timelineTicks > tick }
        guard next > 0 else { return points.first?.volume ?? 1 }
        guard next < points.count else { return points[next - 1].volume }
        let (from, to) = (points[next - 1], points[next])
        let begin = from.time.timelineTicks
        let part = Double(tick - begin) / Double(to.time.timelineTicks - begin)
        return from.volume + (to.volume - from.volume) * part
    }
}

extension MediaTimeRange {
    static func ticks(_ start: Int64, _ length: Int64) -> MediaTimeRange {
        MediaTimeRange(start: .timeline(start), duration: .timeline(length))
    }
}
