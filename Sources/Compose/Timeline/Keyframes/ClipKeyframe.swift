public import Media

/// What a clip is at an instant. What a key frame does not give continues between those that do; a clip begins as it is
/// itself, and after the last key frame nothing changes any more.
public struct ClipKeyframe: Sendable, Hashable {
    /// From the clip's beginning (seconds of the film; not negative). Of two at one time the clip comes to the first one
    /// and continues from the second.
    public var time: MediaTime
    /// How the clip comes to it from the key frame before that gives the same (default linear).
    public var curve: TimingCurve
    /// All of the place, as a clip's own.
    public var place: ClipPlace?
    /// What of the clip fills its room.
    public var view: PictureMotion.View?
    /// All four edges, as a clip's own.
    public var crop: ClipCrop?
    /// 0…1.
    public var opacity: Double?
    /// Fraction of the clip's shorter side as it is shown (0…0.5).
    public var cornerRadius: Double?
    /// All of the border, as a clip's own.
    public var border: ClipLook.Border?
    /// All of the shadow, as a clip's own.
    public var shadow: ClipLook.Shadow?
    /// All of the grade, as a clip's own.
    public var grade: ColorGrade?
    /// Gain of its audio (factor; 0…16).
    public var volume: Double?
    /// How fast the clip plays. The times of all key frames are the film's, so that a slower clip shows less of its
    /// source until the next one, and lasts longer.
    public var speed: Speed?
    /// Of its audio, left to right (−1…1).
    public var pan: Double?

    /// A key frame, which gives nothing yet.
    public init(_ time: MediaTime, curve: TimingCurve = .linear) {
        (self.time, self.curve) = (time, curve)
    }

    /// Whether it changes what a clip is in the frame, but for what of it is seen there.
    var givesShape: Bool {
        place != nil || crop != nil || opacity != nil || cornerRadius != nil || border != nil
            || shadow != nil
    }

    /// Whether it gives nothing.
    var isEmpty: Bool {
        !givesShape && view == nil && grade == nil && !givesSound && speed == nil
    }

    /// Whether it changes how a clip is heard.
    var givesSound: Bool { volume != nil || pan != nil }
}
