/// What is given up when the machine is pressed, in which order. Audio is never among it.
public struct PressurePolicy: Sendable, Hashable {
    /// One thing that is given up.
    public struct Step: Sendable, Hashable {
        /// Taken where one of `causes` has reached this level.
        public var level: PressureLevel
        /// What it is of use against.
        public var causes: Set<PressureCause>
        public var measure: PressureMeasure
        /// How long it has to help before the next step is taken (default 2 s).
        public var timeout: MediaTime

        public init(
            _ measure: PressureMeasure, from level: PressureLevel,
            against causes: Set<PressureCause> = Set(PressureCause.allCases),
            timeout: MediaTime = .seconds(2)
        ) {
            self.measure = measure
            self.level = level
            self.causes = causes
            self.timeout = timeout
        }

        func isCalledFor(by state: PressureState) -> Bool {
            causes.contains { (state.causes[$0] ?? .nominal) >= level }
        }
    }

    /// From what costs least to what costs most.
    public var steps: [Step]
    /// How long a step must not have been called for before it is taken back (default 15 s). Each time a step
    /// must be taken again within a minute this doubles for it, up to ten minutes.
    public var calm: MediaTime

    public init(steps: [Step], calm: MediaTime = .seconds(15)) {
        self.steps = steps
        self.calm = calm
    }

    /// First half, then a quarter of the frames for previews and detectors. Then faster presets, where they help:
    /// they make more bytes, so not against a slow disk. A preset helps from the next sync sample on, and a queue
    /// must drain before it shows.
    public static let standard = PressurePolicy(steps: [
        Step(.spareFrames(2), from: .fair),
        Step(.spareFrames(4), from: .serious),
        Step(
            .encodingSpeed(.faster), from: .serious, against: [.encoder, .heat],
            timeout: .seconds(6)),
        Step(.encodingSpeed(.fastest), from: .critical, against: [.encoder, .heat]),
    ])
}

/// Something that is given up.
public enum PressureMeasure: Sendable, Hashable {
    /// Outputs that are no movie's get one of so many frames.
    case spareFrames(Int)
    /// Frames of movies are encoded faster, from their next sync sample on.
    case encodingSpeed(EncodingSpeed)

    /// In one word, for reports: `spare-frames/2`, `encoding-faster`.
    public var name: String {
        switch self {
        case .spareFrames(let divisor): "spare-frames/\(divisor)"
        case .encodingSpeed(let speed): "encoding-\(speed)"
        }
    }
}

/// All that is given up at one moment.
public struct PressureRelief: Sendable, Hashable {
    /// Previews and detectors get one of so many frames (1: all).
    public var frameDivisor = 1
    public var speed = EncodingSpeed.asSet

    public init() {}

    init(_ measures: [PressureMeasure]) {
        for measure in measures {
            switch measure {
            case .spareFrames(let divisor): frameDivisor = max(frameDivisor, divisor)
            case .encodingSpeed(let speed): self.speed = max(self.speed, speed)
            }
        }
    }
}

/// A step that was taken, or taken back.
public struct PressureStep: Sendable, Hashable {
    public var measure: PressureMeasure
    /// Whether it was taken; else the machine is relieved and it was taken back.
    public var isTaken: Bool
    /// When (host clock).
    public var time: MediaTime
    /// Why.
    public var state: PressureState
    /// What is given up from then on, in all.
    public var relief: PressureRelief

    public init(
        measure: PressureMeasure, isTaken: Bool, time: MediaTime, state: PressureState,
        relief: PressureRelief
    ) {
        self.measure = measure
        self.isTaken = isTaken
        self.time = time
        self.state = state
        self.relief = relief
    }
}
