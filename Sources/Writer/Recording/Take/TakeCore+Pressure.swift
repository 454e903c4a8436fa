internal import LibAV
internal import Media
internal import Writing

/// A recording gives way to pressure: frames are encoded faster, audio is never touched.
extension TakeCore: PressureFollower {
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
        notes.followed(step)
        emit(.pressureStep(step))
        if case .encodingSpeed = step.measure { writer?.setEncodingSpeed(step.relief.speed) }
    }

    /// The writer has gone over to another preset.
    func changedPreset(ofTrack track: Int, _ preset: String, at time: MediaTime) {
        let source = plan.source(ofTrack: track)
        notes.changedPreset(ofSource: source, preset, at: time)
        emit(.presetChanged(track: source, preset, at: time))
    }
}

extension TrackPlan {
    /// Whether its frames can be encoded with a faster preset in the same track.
    fileprivate func canHurry(to speed: EncodingSpeed) -> Bool {
        guard case .video(let settings) = output else { return false }
        var coding = VideoEncoderSettings(settings, lowLatency: true)
        coding.speed = speed
        return coding.presetInUse != coding.preset
    }
}
