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
    }

    public var kind: Kind
    /// How long the clips overlap (seconds; zero for a cut, else positive).
    public var duration: MediaTime

    public init(_ kind: Kind, duration: MediaTime) {
        self.kind = kind
        self.duration = duration
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
}

extension Transition {
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
            return
        case .wipe(_, let softness) where !(0...1).contains(softness):
            throw .setting(
                subject, "the softness of \(subject) is \(softness); it can be 0 to 1")
        case .fade(let color):
            try color.validate("the colour of \(subject)")
        default: break
        }
        guard duration > .zero else {
            throw .setting(
                subject, "\(subject) lasts \(duration.spoken); it must be more than nothing")
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
