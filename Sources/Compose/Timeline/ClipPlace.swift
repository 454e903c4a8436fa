internal import Media

/// Where in the film's frame a clip lies that does not fill it.
public struct ClipPlace: Sendable, Hashable {
    /// A corner, an edge's middle or the frame's middle (default bottom right).
    public var anchor: Watermark.Anchor
    /// From the edges of the frame that the anchor is at (fraction of the frame's shorter side; 0…1; default 0.04).
    public var margin: Double
    /// Of its left edge, in the anchor's place (fraction of the frame's width; -4…4).
    public var left: Double?
    /// Of its upper edge, in the anchor's place (fraction of the frame's height; -4…4).
    public var top: Double?
    /// Fraction of the frame's width (above 0, at most 4; default: by its height and the clip's shape; 0.3 where it
    /// has none either).
    public var width: Double?
    /// Fraction of the frame's height (above 0, at most 4; default: by its width and the clip's shape). Where width
    /// and height are given the clip is fitted into both.
    public var height: Double?
    /// About its middle (degrees, clockwise; default 0).
    public var rotation: Double

    /// A place; without arguments small in the lower right corner.
    public init(
        _ anchor: Watermark.Anchor = .bottomRight, margin: Double = 0.04, left: Double? = nil,
        top: Double? = nil, width: Double? = nil, height: Double? = nil, rotation: Double = 0
    ) {
        self.anchor = anchor
        self.margin = margin
        self.left = left
        self.top = top
        self.width = width
        self.height = height
        self.rotation = rotation
    }
}

/// What is cut off a clip's upright frame at each edge (fractions of its width and height; 0…1; default 0). Something
/// of it must be left.
public struct ClipCrop: Sendable, Hashable {
    /// Of the width.
    public var left: Double
    /// Of the height.
    public var top: Double
    /// Of the width.
    public var right: Double
    /// Of the height.
    public var bottom: Double

    /// A crop of some edges; of the others nothing is cut off.
    public init(left: Double = 0, top: Double = 0, right: Double = 0, bottom: Double = 0) {
        (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// What is left of a frame of a size (pixels).
    func rectangle(of size: Size) -> Rectangle {
        Rectangle(
            x: size.width * left, y: size.height * top, width: size.width * (1 - left - right),
            height: size.height * (1 - top - bottom))
    }
}

/// How a clip looks that does not simply show its frames: the same at every size of the film.
public struct ClipLook: Sendable, Hashable {
    /// A line inside the clip's edge.
    public struct Border: Sendable, Hashable {
        /// Fraction of the film's shorter side (above 0, at most 0.5; default 0.005).
        public var width: Double
        /// With its opacity (default white).
        public var color: Color

        /// A line of a width and a colour.
        public init(width: Double = 0.005, color: Color = .white) {
            (self.width, self.color) = (width, color)
        }
    }

    /// What the clip casts on what is behind it. Lengths are fractions of the film's shorter side.
    public struct Shadow: Sendable, Hashable {
        /// With its opacity (default black, half opaque).
        public var color: Color
        /// How far its edge fades to either side (0…0.5; default 0.02).
        public var blur: Double
        /// How far it lies to the right (-0.5…0.5; default 0).
        public var x: Double
        /// How far it lies below (-0.5…0.5; default 0.01).
        public var y: Double

        /// A soft shadow, a little below the clip.
        public init(
            color: Color = Color(red: 0, green: 0, blue: 0, alpha: 0.5), blur: Double = 0.02,
            x: Double = 0, y: Double = 0.01
        ) {
            (self.color, self.blur, self.x, self.y) = (color, blur, x, y)
        }
    }

    /// 0…1 (default 1).
    public var opacity: Double
    /// Fraction of the clip's shorter side as it is shown (0…0.5, a circle where that is a square; default 0).
    public var cornerRadius: Double
    /// Default none.
    public var border: Border?
    /// Default none.
    public var shadow: Shadow?

    /// A look; without arguments the clip's own.
    public init(
        opacity: Double = 1, cornerRadius: Double = 0, border: Border? = nil,
        shadow: Shadow? = nil
    ) {
        (self.opacity, self.cornerRadius) = (opacity, cornerRadius)
        (self.border, self.shadow) = (border, shadow)
    }

    /// In pixels of a film.
    /// - Parameters:
    ///   - shown: how large the clip is shown (pixels).
    ///   - frame: of the film (pixels).
    func decoration(of shown: Size, in frame: PixelSize) -> LayerDecoration {
        let unit = Double(min(frame.width, frame.height))
        return LayerDecoration(
            cornerRadius: cornerRadius * min(shown.width, shown.height),
            border: border.map { .init(width: $0.width * unit, color: $0.color) },
            shadow: shadow.map {
                .init(
                    color: $0.color, blur: $0.blur * unit, x: $0.x * unit, y: $0.y * unit)
            })
    }
}

/// One of a clip's audio tracks in the mix.
public struct ClipVoice: Sendable, Hashable {
    /// The container's number of the track.
    public var track: Int
    /// Gain on top of the clip's (factor; 0…16; default 1).
    public var volume: Double
    /// Left to right (-1…1; default 0).
    public var pan: Double
    /// In the place of the clip's, as far as it says something (default nothing).
    public var treatment = AudioTreatment()
    /// What changes of volume and pan while the clip shows, in order of time (default nothing).
    public var keyframes: [AudioKeyframe] = []

    /// A track as loud as it is, in the middle.
    public init(track: Int, volume: Double = 1, pan: Double = 0) {
        (self.track, self.volume, self.pan) = (track, volume, pan)
    }
}

/// Clips one after the other that lie over those of the film, each where its `VideoItem.place` says.
public struct OverlayTrack: Sendable, Hashable {
    /// In order; the first one's gap is from the film's beginning. Transitions are cuts and dissolves.
    public var videos: [VideoItem]

    /// A track of clips, at least one.
    public init(_ videos: [VideoItem]) { self.videos = videos }
}
