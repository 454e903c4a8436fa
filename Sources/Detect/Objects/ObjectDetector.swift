public import Media

/// Finds faces, bodies and cats' heads in frames, and knows each again from frame to frame. Thread-safe; frames are given
/// in the order of their times.
///
/// They are found where they look at the camera: faces and cats' heads from the front, upright or slightly tilted,
/// bodies that stand or walk and are seen whole. A face has a twentieth of the frame's width or more, a
/// body two sevenths of its height.
public final class ObjectDetector: Sendable {
    // immutable
    /// What is looked for.
    public let types: Set<MetadataObjectType>
    /// The part of the upright frame that is looked at.
    public let rectOfInterest: NormalizedRect
    /// Whether smaller ones are looked for, and faces and cats' heads in all rotations.
    public let isThorough: Bool

    private struct State {
        let finder: FaceFinder
        var tracker = ObjectTracker()
    }

    // guarded by itself
    private let state: Lock<State>

    /// - Parameters:
    ///   - types: some of `MetadataObjectType.objects` (default: faces).
    ///   - rectOfInterest: the part of the upright frame that is looked at (parts of its sides; default: all). What it
    ///     shows may be smaller.
    ///   - isThorough: whether smaller ones are looked for (faces of a twenty-fifth of the width, bodies of a seventh of
    ///     the height), and faces and cats' heads in all rotations: says their roll, and takes up to twenty times as
    ///     long (default: no).
    /// - Throws: `invalidSetting` for types that cannot be looked for, and for a rectangle that is not in a frame;
    ///   `unsupported` where libvcap-faces.so, OpenCV or its cascades are not installed.
    public convenience init(
        types: Set<MetadataObjectType> = [.face], rectOfInterest: NormalizedRect = .whole,
        isThorough: Bool = false
    ) throws(MediaError) {
        try self.init(
            types: types, rectOfInterest: rectOfInterest, isThorough: isThorough,
            cascades: FaceLibrary.cascades)
    }

    /// - Parameter folder: of the cascades.
    init(
        types: Set<MetadataObjectType>, rectOfInterest: NormalizedRect = .whole,
        isThorough: Bool = false, cascades folder: String
    ) throws(MediaError) {
        guard !types.isEmpty, types.isSubset(of: MetadataObjectType.objects) else {
            let others = types.subtracting(MetadataObjectType.objects).map(\.rawValue).sorted()
            throw MediaError(
                code: .invalidSetting, subject: "types",
                message: "Cannot look for these: "
                    + (others.isEmpty ? "none is named." : others.joined(separator: ", ") + "."))
        }
        try rectOfInterest.requirePart()
        self.types = types
        self.rectOfInterest = rectOfInterest
        self.isThorough = isThorough
        let finder = try FaceFinder(FaceLibrary.shared(), types: types, cascades: folder)
        state = Lock(State(finder: finder))
    }

    /// Looks at a decoded frame. Blocks: 15 to 50 ms for each kind, by machine and content, whatever the frame's size.
    /// - Parameter frame: a sample of raw video.
    /// - Returns: what the frame shows, from left to right; each once.
    /// - Throws: `invalidSetting` for anything but a raw frame; `conversionFailed` where its luma cannot be had,
    ///   `decoderFailed` for a frame larger than 16,384 pixels a side.
    public func objects(in frame: SampleBuffer) throws(MediaError) -> [DetectedObject] {
        let luma = try frame.uprightLuma()
        let place = rectOfInterest.pixels(width: luma.width, height: luma.height)
        let time = frame.presentationTime
        return try luma.withPlane(0) { plane throws(MediaError) in
            try state.withLock { state throws(MediaError) in
                let found = try state.finder.objects(
                    in: plane, x: place.x, y: place.y, isThorough: isThorough)
                let sightings = found.compactMap { Self.sighting($0, plane, luma) }
                let identities = state.tracker.take(sightings, at: time)
                return zip(sightings, identities).map { DetectedObject($0, $1, time) }
                    .sorted { ($0.bounds.x, $0.bounds.y) < ($1.bounds.x, $1.bounds.y) }
            }
        }
    }

    /// - Returns: nil for what lies outside the frame.
    private static func sighting(
        _ found: FaceFinder.Found, _ plane: PixelPlane, _ frame: PixelBuffer
    ) -> Sighting? {
        let (width, height) = (Double(frame.width), Double(frame.height))
        let (left, top) = (max(found.left, 0), max(found.top, 0))
        let right = min(found.left + found.width, width)
        let bottom = min(found.top + found.height, height)
        guard left < right, top < bottom else { return nil }
        let bounds = NormalizedRect(
            x: left / width, y: top / height, width: (right - left) / width,
            height: (bottom - top) / height)
        let pixels = bounds.pixels(width: frame.width, height: frame.height)
        return Sighting(
            type: found.type, bounds: bounds,
            appearance: Appearance(of: plane, x: pixels.x, y: pixels.y),
            confidence: found.confidence, roll: found.roll)
    }
}

extension DetectedObject {
    fileprivate init(_ sighting: Sighting, _ identity: Int, _ time: MediaTime) {
        self.init(
            type: sighting.type, time: time, bounds: sighting.bounds, objectID: identity,
            confidence: sighting.confidence, rollAngle: sighting.roll)
    }
}
