public import Media

/// A picture says when each place of the frame goes over to the new clip: where it is black first, where it is white
/// last. It is stretched to the frame.
public struct LumaTransition: TransitionEffect {
    /// The picture: a still one, of any size.
    public var path: String
    /// How long a place takes to go over (fraction of the picture's lightness; 0…1; default 0.1).
    public var softness: Double
    /// Whether what is white goes over first (default no).
    public var isInverted: Bool

    public init(_ path: String, softness: Double = 0.1, isInverted: Bool = false) {
        self.path = path
        self.softness = softness
        self.isInverted = isInverted
    }

    public var imagePaths: [String] { [path] }

    public func validate(_ subject: String) throws(MediaError) {
        guard !path.isEmpty else {
            throw .setting(subject, "\(subject) goes by a picture; name its file")
        }
        guard (0...1).contains(softness) else {
            throw .setting(
                subject, "the softness of \(subject) is \(softness); it can be 0 to 1")
        }
    }

    public func instruction(
        from old: Transition.Side, to new: Transition.Side, over span: TransitionSpan
    ) -> Instruction {
        func mask(_ threshold: Double) -> LayerMask {
            LayerMask(
                .picture(path: path, threshold: threshold), softness: softness,
                isInverted: !isInverted)
        }
        var front = old.covering(span)
        // inverted, the old clip lies where the picture is still darker than what went over
        front.masks =
            isInverted
            ? span.mask(from: mask(1 + softness), to: mask(0))
            : span.mask(from: mask(0), to: mask(1 + softness))
        return span.instruction([front, new.layer])
    }
}
