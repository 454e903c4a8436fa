public import Media

/// Frames, perhaps with audio, that come of no file: what a clip shows in the place of one. They are made in the film's
/// own size, rate and colours, so they are sharp and exact in each.
public enum Generator: Sendable, Hashable {
    /// One colour; transparent in part where the colour is.
    case color(Color)
    case gradient(Gradient)
    /// Colour bars, and a tone of 1 kHz.
    case bars(Bars)
    /// A leader that counts, and a beep each second.
    case counter(Counter)

    /// Colours that go into each other, evenly, as their codes do (as in style sheets).
    public struct Gradient: Sendable, Hashable {
        public enum Shape: String, Sendable, Hashable, CaseIterable {
            /// Along a line through the middle, from corner to corner.
            case linear
            /// From the middle to the corners, in circles.
            case radial
        }

        /// From the first to the last, at equal distances (2 to 16).
        public var colors: [Color]
        /// Where a linear one goes (degrees, clockwise from the right; -360…360; default 90, downwards).
        public var angle: Double
        public var shape: Shape

        /// A gradient; without more than its colours from the top to the bottom.
        public init(_ colors: [Color], angle: Double = 90, shape: Shape = .linear) {
            (self.colors, self.angle, self.shape) = (colors, angle, shape)
        }
    }

    /// Which colour bars.
    public enum Bars: String, Sendable, Hashable, CaseIterable {
        /// SMPTE RP 219-1, with white and black where it leaves a choice, and a tone at -20 dB of full scale (RP 155).
        case smpte
        /// EBU's, of 75 % (100/0/75/0), and a tone at -18 dB of full scale (R 68).
        case ebu
        /// The same of 100 % (100/0/100/0).
        case ebu100 = "ebu-100"
    }

    /// Time code and number of each frame, with a hand that goes round in a second. The frame with which a second begins
    /// has a white disc and a beep of 1 kHz, which lasts as long as it does.
    public struct Counter: Sendable, Hashable {
        public enum Direction: String, Sendable, Hashable, CaseIterable {
            case up, down
        }

        public var direction: Direction
        /// What the first frame shows (seconds, less than 24 h; nil: 0, and where it counts down the clip's length).
        public var from: MediaTime?

        /// A counter; without arguments from 0 on.
        public init(_ direction: Direction = .up, from: MediaTime? = nil) {
            (self.direction, self.from) = (direction, from)
        }
    }
}

extension Generator {
    /// Whether it is heard.
    public var hasAudio: Bool {
        switch self {
        case .color, .gradient: false
        case .bars, .counter: true
        }
    }

    /// Whether all of its frames are one.
    var isStill: Bool {
        if case .counter = self { false } else { true }
    }

    /// Whether nothing is seen through it.
    var isOpaque: Bool {
        switch self {
        case .color(let color): color.alpha >= 1
        case .gradient(let gradient): gradient.colors.allSatisfy { $0.alpha >= 1 }
        case .bars, .counter: true
        }
    }

    /// Checks every value.
    /// - Parameter name: of the clip, for messages.
    func validate(_ name: String) throws(MediaError) {
        switch self {
        case .bars: break
        case .color(let color): try color.validateParts(name)
        case .gradient(let gradient):
            guard (2...16).contains(gradient.colors.count) else {
                throw .setting(
                    name,
                    "the gradient of \(name) has \(gradient.colors.count) colours; it can have 2 to 16"
                )
            }
            for color in gradient.colors { try color.validateParts(name) }
            try checkRange("angle of the gradient of \(name)", gradient.angle, -360...360, name)
        case .counter(let counter):
            guard let from = counter.from else { return }
            try from.checkOnTimeline("what \(name) counts from", name)
            guard from < Composition.longestDuration else {
                throw .setting(name, "\(name) counts from 24 h; its clock ends before that")
            }
        }
    }
}

extension Color {
    fileprivate func validateParts(_ name: String) throws(MediaError) {
        for part in [red, green, blue, alpha] {
            try checkRange("colour of \(name)", part, 0...1, name)
        }
    }
}
