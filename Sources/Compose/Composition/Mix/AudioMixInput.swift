public import Media

/// How one audio track sounds in the mix.
public struct AudioMixInput: Sendable {
    /// Of the composition.
    public var trackID: Int
    /// Gain of the whole track, on top of its ramps (factor; 0…16; default 1).
    public var volume: Double
    /// In order of time, without overlaps. Empty: always 1.
    public var volumeRamps: [VolumeRamp]
    /// Left to right (−1…1; default 0). Off centre the far side of a stereo pair is lowered.
    public var pan: Double
    /// Added to `pan`, the sum staying within −1…1. In order of time, without overlaps; empty: always 0.
    public var panRamps: [PanRamp]
    /// Low cut and gate come before the fades of cuts and the volume, the limiter behind the pan.
    public var treatment: AudioTreatment
    /// What becomes of the pitch where the track plays faster or slower than its source (default kept).
    public var pitch: PitchPolicy
    /// Sees and may change the track's frames after volume, pan and limiter; nil: nothing.
    public var tap: AudioTap?

    public init(
        trackID: Int, volume: Double = 1, volumeRamps: [VolumeRamp] = [], pan: Double = 0,
        panRamps: [PanRamp] = [], treatment: AudioTreatment = AudioTreatment(),
        pitch: PitchPolicy = .kept, tap: AudioTap? = nil
    ) {
        self.trackID = trackID
        self.volume = volume
        self.volumeRamps = volumeRamps
        self.pan = pan
        self.panRamps = panRamps
        self.treatment = treatment
        self.pitch = pitch
        self.tap = tap
    }

    /// The gain at an instant of the timeline: the track's volume times its ramp's.
    public func gain(at time: MediaTime) -> Double {
        volume * rampVolume(at: time)
    }

    /// The pan at an instant of the timeline (−1…1): the track's and its ramp's.
    public func pan(at time: MediaTime) -> Double {
        min(1, max(-1, pan + rampPan(at: time)))
    }

    private func rampVolume(at time: MediaTime) -> Double {
        guard let index = volumeRamps.lastIndex(where: { $0.timeRange.start <= time }) else {
            return volumeRamps.first?.startVolume ?? 1
        }
        let ramp = volumeRamps[index]
        return ramp.volume(progress: ramp.timeRange.progress(at: time))
    }

    private func rampPan(at time: MediaTime) -> Double {
        guard let index = panRamps.lastIndex(where: { $0.timeRange.start <= time }) else {
            return panRamps.first?.startPan ?? 0
        }
        let ramp = panRamps[index]
        return ramp.pan(progress: ramp.timeRange.progress(at: time))
    }
}
