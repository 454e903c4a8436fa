package import Media

/// Everything one output frame is made of: layers back to front, then tiles over all of them.
package struct Scene: Sendable {
    package var background: Color
    package var layers: [SceneLayer]
    package var overlays: [OverlayTile]

    package init(
        background: Color = .black, layers: [SceneLayer] = [], overlays: [OverlayTile] = []
    ) {
        self.background = background
        self.layers = layers
        self.overlays = overlays
    }
}

/// One picture and how it lies in the frame.
package struct SceneLayer: Sendable {
    package var picture: PixelBuffer
    /// The frame's format: size, colours, pixel aspect and the orientation still to be applied.
    package var format: VideoFormat
    /// From the upright frame with square pixels (pixels, origin top left) to the render area.
    package var transform: Transform2D
    /// What of the upright frame shows (pixels of it); nil: all.
    package var crop: Rectangle?
    /// Over how many pixels of the upright frame a cropped edge goes from 1 to 0, inwards.
    package var softness: Double
    /// 0…1.
    package var opacity: Double
    package var fill: Fill
    /// In pixels of the frames made.
    package var decoration: LayerDecoration
    /// What is transparent in it, before it is graded.
    package var key: ChromaKey?
    package var grade: ColorGrade?
    /// Whether the next frame's grade is another one.
    package var isGradeChanging: Bool
    /// Whether the next frame shows the same picture elsewhere.
    package var isMovingStill: Bool
    /// In pixels of the frames made; nil: it shows wherever it lies.
    package var mask: LayerMask?
    /// Once it is graded, in this order.
    package var effects: [SceneEffect]
    /// What of its upright frame shows; nil: all.
    package var shownArea: FrameArea?

    package init(
        picture: PixelBuffer, format: VideoFormat, transform: Transform2D = .identity,
        crop: Rectangle? = nil, softness: Double = 0, opacity: Double = 1, fill: Fill = .none,
        decoration: LayerDecoration = LayerDecoration(), key: ChromaKey? = nil,
        grade: ColorGrade? = nil, isGradeChanging: Bool = false, isMovingStill: Bool = false,
        mask: LayerMask? = nil, effects: [SceneEffect] = [], shownArea: FrameArea? = nil
    ) {
        self.picture = picture
        self.format = format
        self.transform = transform
        self.crop = crop
        self.softness = softness
        self.opacity = opacity
        self.fill = fill
        self.decoration = decoration
        self.key = key
        self.grade = grade
        self.isGradeChanging = isGradeChanging
        self.isMovingStill = isMovingStill
        self.mask = mask
        self.effects = effects
        self.shownArea = shownArea
    }
}

/// What is done to an area of a layer's frame.
package struct SceneEffect: Sendable, Hashable {
    package var effect: any AreaEffect
    /// Nil: all of the frame.
    package var area: FrameArea?

    package init(_ effect: any AreaEffect, in area: FrameArea? = nil) {
        (self.effect, self.area) = (effect, area)
    }

    package static func == (one: SceneEffect, other: SceneEffect) -> Bool {
        one.area == other.area && one.effect.isEqual(to: other.effect)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(area)
        hasher.combine(effect)
    }
}
