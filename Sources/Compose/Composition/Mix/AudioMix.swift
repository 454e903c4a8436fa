public import Media

/// How the audio tracks of a composition sound together. A track without an input sounds as recorded.
public struct AudioMix: Sendable {
    /// At most one a track.
    public var inputs: [AudioMixInput]
    public var ducking: [DuckingRule]
    /// What is brought to a loudness of its own before anything is ducked (default nothing).
    public var levels: [LevelRule]
    /// How loud the whole is made; nil: as the volumes say.
    public var loudness: LoudnessTarget?

    public init(
        inputs: [AudioMixInput] = [], ducking: [DuckingRule] = [],
        loudness: LoudnessTarget? = nil, levels: [LevelRule] = []
    ) {
        self.inputs = inputs
        self.ducking = ducking
        self.loudness = loudness
        self.levels = levels
    }

    public func input(forTrack id: Int) -> AudioMixInput {
        inputs.first { $0.trackID == id } ?? AudioMixInput(trackID: id)
    }

    /// Checks every value against its range.
    /// - Throws: `invalid-setting`, naming the track and the time.
    public func validate() throws(MediaError) {
        var seen: Set<Int> = []
        for input in inputs {
            guard seen.insert(input.trackID).inserted else {
                throw .setting(
                    "track \(input.trackID)",
                    "the audio mix has two inputs for track \(input.trackID); leave one")
            }
            try input.validate()
        }
        for rule in ducking { try rule.validate() }
        for rule in levels { try rule.validate() }
        try loudness?.validate()
    }
}

extension AudioMixInput {
    func validate() throws(MediaError) {
        let subject = "track \(trackID)"
        guard volume.isVolume else {
            throw .setting(subject, "the volume of \(subject) is \(volume); it can be 0 to 16")
        }
        guard pan.isPan else {
            throw .setting(subject, "the pan of \(subject) is \(pan); it can be -1 to 1")
        }
        try volumeRamps.map(\.timeRange).checkRamps("volume", subject)
        for ramp in volumeRamps where !ramp.startVolume.isVolume || !ramp.endVolume.isVolume {
            throw .setting(
                subject,
                "the volume ramp of \(subject) at \(ramp.timeRange.start.spoken) goes from "
                    + "\(ramp.startVolume) to \(ramp.endVolume); a volume can be 0 to 16")
        }
        try panRamps.map(\.timeRange).checkRamps("pan", subject)
        for ramp in panRamps where !ramp.startPan.isPan || !ramp.endPan.isPan {
            throw .setting(
                subject,
                "the pan ramp of \(subject) at \(ramp.timeRange.start.spoken) goes from "
                    + "\(ramp.startPan) to \(ramp.endPan); a pan can be -1 to 1")
        }
        try treatment.validate(subject, subject)
    }
}

extension DuckingRule {
    func validate() throws(MediaError) {
        guard (0...60).contains(depth) else {
            throw .setting("ducking", "the depth of the ducking is \(depth) dB; it can be 0 to 60")
        }
        guard (-90...0).contains(threshold) else {
            throw .setting(
                "ducking", "the threshold of the ducking is \(threshold) dB; it can be -90 to 0")
        }
        guard min(attack, hold, release) >= .zero else {
            throw .setting("ducking", "attack, hold and release of the ducking cannot be negative")
        }
    }
}

extension Double {
    fileprivate var isVolume: Bool { (0...16).contains(self) }
    fileprivate var isPan: Bool { (-1...1).contains(self) }
}
