public import Media

/// How one video track's picture lies in the frame during an instruction.
public struct LayerInstruction: Sendable, Hashable {
    /// Of the composition.
    public var trackID: Int
    /// From the upright frame (square pixels, origin top left) to the render area, in order of time.
    /// Empty: the frame lies at the top left in its own size.
    public var transforms: [TransformRamp]
    /// In order of time. Empty: opaque.
    public var opacities: [OpacityRamp]
    /// In order of time. Empty: the whole frame shows.
    public var crops: [CropRectangleRamp]
    public var fill: Fill
    /// Of a layer without a fill (default none).
    public var decoration: LayerDecoration
    /// In order of time, in the place of `decoration`. Empty: it stays.
    public var decorations: [DecorationRamp]
    /// What is transparent in it (default nothing); not of a layer with a blurred fill.
    public var key: ChromaKey?
    /// What is done to its colours, those of a blurred fill among them (default nothing).
    public var grade: ColorGrade?
    /// In order of time, in the place of `grade`. Empty: it stays.
    public var grades: [GradeRamp]
    /// In order of time. Empty: it shows wherever it lies.
    public var masks: [MaskRamp]
    /// What is done to areas of its frame, once it is graded, in this order (default nothing).
    public var effects: [LayerEffect]
    /// What of its frame shows, wherever that lies; not of a layer with a blurred fill. In order of time. Empty: all.
    public var shownAreas: [AreaRamp]

    public init(
        trackID: Int, transforms: [TransformRamp] = [], opacities: [OpacityRamp] = [],
        crops: [CropRectangleRamp] = [], fill: Fill = .none,
        decoration: LayerDecoration = LayerDecoration(), decorations: [DecorationRamp] = [],
        grade: ColorGrade? = nil, grades: [GradeRamp] = [],
        masks: [MaskRamp] = [], key: ChromaKey? = nil, effects: [LayerEffect] = [],
        shownAreas: [AreaRamp] = []
    ) {
        self.trackID = trackID
        self.transforms = transforms
        self.opacities = opacities
        self.crops = crops
        self.fill = fill
        self.decoration = decoration
        self.decorations = decorations
        self.grade = grade
        self.grades = grades
        self.masks = masks
        self.key = key
        self.effects = effects
        self.shownAreas = shownAreas
    }

    /// At an instant of the timeline.
    public func transform(at time: MediaTime) -> Transform2D {
        transforms.value(at: time) ?? .identity
    }

    /// At an instant of the timeline (0…1).
    public func opacity(at time: MediaTime) -> Double { opacities.value(at: time) ?? 1 }

    /// At an instant of the timeline; nil: all of the frame.
    public func crop(at time: MediaTime) -> CropRectangle? { crops.value(at: time) }

    /// At an instant of the timeline.
    public func decoration(at time: MediaTime) -> LayerDecoration {
        decorations.value(at: time) ?? decoration
    }

    /// At an instant of the timeline.
    public func grade(at time: MediaTime) -> ColorGrade? { grades.value(at: time) ?? grade }

    /// At an instant of the timeline; nil: it shows wherever it lies.
    public func mask(at time: MediaTime) -> LayerMask? { masks.value(at: time) }

    /// At an instant of the timeline; nil: all of its frame.
    public func shownArea(at time: MediaTime) -> FrameArea? { shownAreas.value(at: time) }

    /// At an instant of the timeline; those that change nothing then are left out.
    package func effects(at time: MediaTime) -> [SceneEffect] {
        effects.compactMap { effect in
            let area = effect.area(at: time)
            return area?.isNothing ?? false ? nil : SceneEffect(effect.effect, in: area)
        }
    }
}
