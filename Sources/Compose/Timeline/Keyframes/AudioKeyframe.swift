public import Media

/// What the audio of a voice, or of a piece of music, is at an instant. What a key frame does not give continues between
/// those that do; it begins as it is itself, and after the last key frame nothing changes any more.
public struct AudioKeyframe: Sendable, Hashable {
    /// From the item's or clip's beginning (seconds of the film; not negative). Of two at one time it comes to the first
    /// one and continues from the second.
    public var time: MediaTime
    /// How it comes to it from the key frame before that gives the same (default linear).
    public var curve: TimingCurve
    /// Gain (factor; 0…16).
    public var volume: Double?
    /// Left to right (−1…1).
    public var pan: Double?

    /// A key frame, which gives nothing yet unless values are given.
    public init(
        _ time: MediaTime, curve: TimingCurve = .linear, volume: Double? = nil,
        pan: Double? = nil
    ) {
        (self.time, self.curve, self.volume, self.pan) = (time, curve, volume, pan)
    }

    /// Whether it gives nothing.
    var isEmpty: Bool { volume == nil && pan == nil }
}

extension [AudioKeyframe] {
    func volumes(_ own: Double) -> KeyTrack<Double> {
        KeyTrack(own, map { ($0.time, $0.curve, $0.volume) })
    }

    func pans(_ own: Double) -> KeyTrack<Double> {
        KeyTrack(own, map { ($0.time, $0.curve, $0.pan) })
    }

    /// - Parameter name: of what they change.
    func validate(_ name: String) throws(MediaError) {
        try map { ($0.time, $0.curve, $0.isEmpty) }.validateKeys(of: name)
        for (index, key) in enumerated() {
            let subject = ItemName.keyframe(index, of: name)
            try checkRange("volume of \(subject)", key.volume, 0...16, subject)
            try checkRange("pan of \(subject)", key.pan, -1...1, subject)
        }
    }
}

extension KeyTrack<Double> {
    /// The number at an instant.
    func number(at tick: Int64, before isBefore: Bool) -> Double {
        value(at: tick, before: isBefore) { $0.mixed($1, $2) }
    }
}
