internal import LibAV
internal import Media
internal import Writing

/// A recording gives way to pressure: pictures are encoded faster, sound is never touched.
extension TakeCore: PressureFollower {
    func measure(into reading: inout PressureReading) {
        control.withLock { control in
            guard control.machine.life == .running, let writer = control.writer else { return }
            control.load?.look(writer.status, into: &reading)
        }
    }

    func canFollow(_ measure: PressureMeasure) -> Bool {
        guard case .encodingSpeed(let speed) = measure, life == .running else { return false }
        // a writer that waits is never behind
        return settings.overflow == .dropVideo && plan.tracks.contains { $0.canHurry(to: speed) }
    }

    func pressureChanged(to state: PressureState, at time: MediaTime) {
        if life == .running { emit(.pressure(state)) }
    }

    func follow(_ step: PressureStep) {
        guard life == .running else { return }
        notes.withLock { notes in
            notes.steps.append(step)
            notes.isReportDirty = true
        }
        emit(.pressureStep(step))
        if case .encodingSpeed = step.measure { writer?.setEncodingSpeed(step.relief.speed) }
    }

    /// The writer has gone over to another preset.
    func changedPreset(ofTrack track: Int, _ preset: String, at time: MediaTime) {
        let source = plan.source(ofTrack: track)
        notes.withLock { notes in
            notes.presets[source, default: []].append(
                TakeReport.PresetChange(movieTime: TakeTime(time), preset: preset))
            notes.isReportDirty = true
        }
        emit(.presetChanged(track: source, preset, at: time))
    }
}

extension TrackPlan {
    /// Whether its pictures can be encoded with a faster preset in the same track.
    fileprivate func canHurry(to speed: EncodingSpeed) -> Bool {
        guard case .video(let settings) = output else { return false }
        var coding = VideoEncoderSettings(settings, lowLatency: true)
        coding.speed = speed
        return coding.presetInUse != coding.preset
    }
}
