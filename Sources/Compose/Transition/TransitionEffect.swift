public import Media

/// What a transition looks like: its values, and the ramps that they come to. Zoom, iris and luma are such values;
/// others come into a film as `Transition.custom(_:_:)`. Projects and OpenTimelineIO cannot hold those.
///
/// The renderer knows ramps only. So a film with effects of one's own is planned, rendered, resumed and played as any
/// other, and a frame stays a function of its instant.
public protocol TransitionEffect: Sendable, Hashable {
    /// Picture files that it takes, which must be there before the film is made (default none).
    var imagePaths: [String] { get }

    /// - Parameter subject: how messages call the transition.
    /// - Throws: `invalid-setting` where it cannot be made (default never).
    func validate(_ subject: String) throws(MediaError)

    /// The instruction for the span in which the clips overlap: of that span, with layers of these two tracks.
    ///
    /// - Parameters:
    ///   - old: the clip that goes.
    ///   - new: the clip that comes.
    ///   - span: where and when they overlap.
    func instruction(
        from old: Transition.Side, to new: Transition.Side, over span: TransitionSpan
    ) -> Instruction
}

extension TransitionEffect {
    public var imagePaths: [String] { [] }

    public func validate(_ subject: String) throws(MediaError) {}
}

/// Where and when a transition happens.
public struct TransitionSpan: Sendable, Hashable {
    /// On the timeline.
    public var timeRange: MediaTimeRange
    /// The render area (pixels).
    public var frame: PixelSize
    /// What bars are made of.
    public var background: Color
    /// How progress in time becomes progress of the transition; it may lead beyond 0…1.
    public var curve: TimingCurve

    public init(
        timeRange: MediaTimeRange, frame: PixelSize, background: Color = .black,
        curve: TimingCurve = .linear
    ) {
        self.timeRange = timeRange
        self.frame = frame
        self.background = background
        self.curve = curve
    }

    /// An opacity that goes from one value to another one over the span.
    public func opacity(from start: Double, to end: Double) -> [OpacityRamp] {
        [OpacityRamp(timeRange: timeRange, from: start, to: end, curve: curve)]
    }

    /// A mask that goes from one to another one over the span.
    public func mask(from start: LayerMask, to end: LayerMask) -> [MaskRamp] {
        [MaskRamp(timeRange: timeRange, from: start, to: end, curve: curve)]
    }

    /// The instruction of the span.
    /// - Parameter layers: front first.
    public func instruction(_ layers: [LayerInstruction]) -> Instruction {
        Instruction(timeRange: timeRange, background: background, layers: layers)
    }
}

/// An effect of somebody's own, as a value among the others.
public struct CustomTransition: Sendable, Hashable {
    public let effect: any TransitionEffect

    public init(_ effect: some TransitionEffect) { self.effect = effect }

    public static func == (left: CustomTransition, right: CustomTransition) -> Bool {
        AnyHashable(left.effect) == AnyHashable(right.effect)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(effect)) }
}
