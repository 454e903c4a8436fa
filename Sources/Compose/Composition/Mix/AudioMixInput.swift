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
    /// What becomes of the pitch where the track plays faster or slower than its source (default kept).
    public var pitch: PitchPolicy
    /// Sees and may change the track's frames after volume and pan; nil: nothing.
    public var tap: AudioTap?

    public init(
        trackID: Int, volume: Double = 1, volumeRamps: [VolumeRamp] = [], pan: Double = 0,
        pitch: PitchPolicy = .kept, tap: AudioTap? = nil
    ) {
        self.trackID = trackID
        self.volume = volume
        self.volumeRamps = volumeRamps
        self.pan = pan
        self.pitch = pitch
        self.tap = tap
    }

    /// The gain at an instant of the timeline: the track's volume times its ramp's.
    public func gain(at time: MediaTime) -> Double {
        volume * rampVolume(at: time)
    }

    private func rampVolume(at time: MediaTime) -> Double {
        guard let index = volumeRamps.lastIndex(where: { $0.timeRange.start <= time }) else {
            return volumeRamps.first?.startVolume ?? 1
        }
        let ramp = volumeRamps[index]
        return ramp.volume(progress: ramp.timeRange.progress(at: time))
    }
}
