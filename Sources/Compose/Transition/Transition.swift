public import Media

/// How one clip gives way to the next. The two overlap for the transition's length, and their audio
/// crosses over by the same span, at equal power: the sounds of two clips have nothing to do with one
/// another, so a cross-over of equal gain would dip by 3 dB in its middle.
public struct Transition: Sendable, Hashable {
    /// Which way the frame or the edge moves.
    public enum Direction: String, Sendable, Hashable, Codable, CaseIterable {
        case left, right, up, down
    }

    public enum Kind: Sendable, Hashable {
        /// No overlap.
        case cut
        /// One frame fades into the other.
        case dissolve
        /// The new picture pushes the old one out of the frame.
        case push(Direction)
        /// An edge moves over the frame and uncovers the new picture.
        /// `softness`: width of the edge (fraction of the frame along the way; 0…1).
        case wipe(Direction, softness: Double)
        /// The old frame fades into a colour, then the new one out of it.
        case fade(through: Color)
        /// A dissolve towards the viewer, or away.
        case zoom(ZoomTransition)
        /// A circle opens, or closes.
        case iris(IrisTransition)
        /// By the lightness of a picture.
        case luma(LumaTransition)
        /// One's own.
        case custom(CustomTransition)
    }

    public var kind: Kind
    /// How long the clips overlap (seconds; zero for a cut, else positive).
    public var duration: MediaTime
    /// How progress in time becomes progress of the pictures, not of the audio; not of a cut (default linear). Where it
    /// leads beyond its ends a push moves on, and all else stays at its end.
    public var curve: TimingCurve

    public init(_ kind: Kind, duration: MediaTime, curve: TimingCurve = .linear) {
        self.kind = kind
        self.duration = duration
        self.curve = curve
    }

    public static let cut = Transition(.cut, duration: .zero)

    public static func dissolve(_ duration: MediaTime) -> Transition {
        Transition(.dissolve, duration: duration)
    }

    public static func push(_ direction: Direction, _ duration: MediaTime) -> Transition {
        Transition(.push(direction), duration: duration)
    }

    public static func wipe(
        _ direction: Direction, softness: Double = 0.02, _ duration: MediaTime
    ) -> Transition {
        Transition(.wipe(direction, softness: softness), duration: duration)
    }

    public static func fade(through color: Color = .black, _ duration: MediaTime) -> Transition {
        Transition(.fade(through: color), duration: duration)
    }

    public static func zoom(
        _ direction: ZoomTransition.Direction, _ duration: MediaTime
    ) -> Transition {
        Transition(.zoom(ZoomTransition(direction)), duration: duration)
    }

    public static func iris(
        _ direction: IrisTransition.Direction, softness: Double = 0.02,
        center: Point = Point(x: 0.5, y: 0.5), _ duration: MediaTime
    ) -> Transition {
        Transition(
            .iris(IrisTransition(direction, softness: softness, center: center)),
            duration: duration)
    }

    public static func luma(
        _ path: String, softness: Double = 0.1, isInverted: Bool = false, _ duration: MediaTime
    ) -> Transition {
        Transition(
            .luma(LumaTransition(path, softness: softness, isInverted: isInverted)),
            duration: duration)
    }

    public static func custom(_ effect: some TransitionEffect, _ duration: MediaTime) -> Transition
    {
        Transition(.custom(CustomTransition(effect)), duration: duration)
    }
}

extension Transition {
    /// What makes the instruction, where that is a value of its own.
    var effect: (any TransitionEffect)? {
        switch kind {
        case .zoom(let zoom): zoom
        case .iris(let iris): iris
        case .luma(let luma): luma
        case .custom(let custom): custom.effect
        case .cut, .dissolve, .push, .wipe, .fade: nil
        }
    }

    var isCustom: Bool { if case .custom = kind { true } else { false } }

    /// Picture files that it takes.
    public var imagePaths: [String] { effect?.imagePaths ?? [] }

    /// The same with another path in the place of its picture's; one's own effects stay as they are.
    public func replacingImagePaths<Failure: Error>(
        _ path: (String) throws(Failure) -> String
    ) throws(Failure) -> Transition {
        guard case .luma(var luma) = kind else { return self }
        luma.path = try path(luma.path)
        return Transition(.luma(luma), duration: duration, curve: curve)
    }

    /// - Throws: `invalid-setting`, naming `subject`.
    func validate(_ subject: String) throws(MediaError) {
        switch kind {
        case .cut:
            guard duration == .zero else {
                throw .setting(
                    subject,
                    "\(subject) is a cut, so it cannot last \(duration.spoken); leave the "
                        + "length out or choose dissolve")
            }
            guard curve == .linear else {
                throw .setting(
                    subject,
                    "\(subject) is a cut, so it has no curve; leave it out or choose dissolve")
            }
            return
        case .wipe(_, let softness) where !(0...1).contains(softness):
            throw .setting(
                subject, "the softness of \(subject) is \(softness); it can be 0 to 1")
        case .fade(let color):
            try color.validate("the colour of \(subject)")
        default: try effect?.validate(subject)
        }
        guard duration > .zero else {
            throw .setting(
                subject, "\(subject) lasts \(duration.spoken); it must be more than nothing")
        }
        try curve.validate(subject)
    }
}

extension TimingCurve {
    /// - Throws: `invalid-setting`, naming `subject`.
    func validate(_ subject: String) throws(MediaError) {
        for number in [x1, x2] { try checkRange("curve of \(subject)", number, 0...1, subject) }
        for number in [y1, y2] {
            try checkRange("curve of \(subject)", number, -100...100, subject)
        }
    }
}

extension Color {
    func validate(_ subject: String) throws(MediaError) {
        let parts = [red, green, blue, alpha]
        guard parts.allSatisfy({ (0...1).contains($0) }) else {
            throw .setting(subject, "\(subject) has a part outside 0 to 1")
        }
    }
}
