public import Media

/// Finds faces, bodies and cats' heads in frames, and knows each again from frame to frame. Thread-safe; frames are given
/// in the order of their times.
///
/// They are found where they look at the camera: faces and cats' heads from the front, upright or slightly tilted,
/// bodies that stand or walk and are seen whole. A face has about 7 % of the width of a 16:9 frame or
/// more, a body two sevenths of its height.
public final class ObjectDetector: Sendable {
    // immutable
    /// What is looked for.
    public let types: Set<MetadataObjectType>
    /// The part of the upright frame that is looked at.
    public let rectOfInterest: NormalizedRect
    /// Whether smaller ones are looked for, and faces and cats' heads in all rotations.
    public let isThorough: Bool
    /// After so long everything is looked at; before, only what is around what was seen, which takes a tenth of the
    /// time. What comes into view is found as much later. Zero: everything, always.
    let searchInterval: MediaTime

    private struct State {
        let finder: FaceFinder
        var tracker = ObjectTracker()
        /// When everything was looked at.
        var lastSearch: MediaTime?
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
    ///   - faceModel: the path of a YuNet model (ONNX) that finds faces in the cascade's place, with roll and yaw. It is
    ///     tried first, in a process of its own, which blocks for a second or so.
    /// - Throws: `invalidSetting` for types that cannot be looked for, and for a rectangle that is not in a frame;
    ///   `unsupported` where libvcap-faces.so, OpenCV or its cascades are not installed; `damagedFile` for a model that
    ///   is of no use.
    public convenience init(
        types: Set<MetadataObjectType> = [.face], rectOfInterest: NormalizedRect = .whole,
        isThorough: Bool = false, faceModel: String? = nil
    ) throws(MediaError) {
        try self.init(
            types: types, rectOfInterest: rectOfInterest, isThorough: isThorough,
            searchInterval: .zero, faceModel: faceModel)
    }

    /// - Parameters:
    ///   - interval: after which everything is looked at.
    ///   - model: for faces.
    ///   - folder: of the cascades.
    init(
        types: Set<MetadataObjectType>, rectOfInterest: NormalizedRect = .whole,
        isThorough: Bool = false, searchInterval interval: MediaTime = .zero,
        faceModel model: String? = nil, cascades folder: String = FaceLibrary.cascades
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
        searchInterval = interval
        let library = try FaceLibrary.shared()
        if let model { try library.require(model: model) }
        let finder = try FaceFinder(library, types: types, cascades: folder, model: model)
        state = Lock(State(finder: finder))
    }

    /// Looks at a decoded frame. Blocks: 15 to 50 ms for each kind, by machine and content, whatever the frame's size.
    /// - Parameter frame: a sample of raw video.
    /// - Returns: what the frame shows, from left to right; each once.
    /// - Throws: `invalidSetting` for anything but a raw frame; `conversionFailed` where its luma cannot be had,
    ///   `decoderFailed` for a frame larger than 16,384 pixels a side.
    public func objects(in frame: SampleBuffer) throws(MediaError) -> [DetectedObject] {
        let luma = try frame.uprightLuma()
        let time = frame.presentationTime
        return try luma.withPlane(0) { plane throws(MediaError) in
            try state.withLock { state throws(MediaError) in
                var found = try followed(&state, plane, luma, time)
                if found == nil { found = try searched(&state, plane, luma, time) }
                return (found ?? []).sorted {
                    ($0.bounds.x, $0.bounds.y) < ($1.bounds.x, $1.bounds.y)
                }
            }
        }
    }

    /// What a frame shows, of which nobody says which one it is. Looks at everything.
    /// - Parameter frame: a sample of raw video.
    /// - Throws: as `objects(in:)`.
    func sightings(in frame: SampleBuffer) throws(MediaError) -> [Sighting] {
        let luma = try frame.uprightLuma()
        return try luma.withPlane(0) { plane throws(MediaError) in
            try state.withLock { state throws(MediaError) in
                try look(state.finder, plane, luma)
            }
        }
    }

    /// Looks at everything.
    private func searched(
        _ state: inout State, _ plane: PixelPlane, _ luma: PixelBuffer, _ time: MediaTime
    ) throws(MediaError) -> [DetectedObject] {
        let sightings = try look(state.finder, plane, luma)
        state.lastSearch = time
        let identities = state.tracker.take(sightings, at: time)
        return zip(sightings, identities).map { DetectedObject($0, $1, time) }
    }

    /// Looks around what was seen in the frame before.
    /// - Returns: nil where everything is to be looked at: it is time for it, or one of them is not there any more.
    private func followed(
        _ state: inout State, _ plane: PixelPlane, _ luma: PixelBuffer, _ time: MediaTime
    ) throws(MediaError) -> [DetectedObject]? {
        guard !isThorough, let last = state.lastSearch, time >= last, time - last < searchInterval
        else { return nil }
        let places = state.tracker.tracks.filter(\.isSeen).map { track in
            FaceFinder.Place(track, at: time, in: luma)
        }
        let sightings = try look(state.finder, plane, luma, near: places)
        var tracker = state.tracker
        let identities = tracker.take(sightings, at: time)
        let known = Set(state.tracker.tracks.filter(\.isSeen).map(\.identity))
        guard known.isSubset(of: identities) else { return nil }
        state.tracker = tracker
        return zip(sightings, identities).map { DetectedObject($0, $1, time) }
    }

    private func look(
        _ finder: FaceFinder, _ plane: PixelPlane, _ luma: PixelBuffer,
        near places: [FaceFinder.Place]? = nil
    ) throws(MediaError) -> [Sighting] {
        let part = rectOfInterest.pixels(width: luma.width, height: luma.height)
        return try finder.objects(
            in: plane, x: part.x, y: part.y, isThorough: isThorough, near: places
        ).compactMap { Self.sighting($0, plane, luma) }
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
            confidence: found.confidence, roll: found.roll, yaw: found.yaw)
    }
}

extension DetectedObject {
    fileprivate init(_ sighting: Sighting, _ identity: Int, _ time: MediaTime) {
        self.init(
            type: sighting.type, time: time, bounds: sighting.bounds, objectID: identity,
            confidence: sighting.confidence, rollAngle: sighting.roll, yawAngle: sighting.yaw)
    }
}

extension FaceFinder.Place {
    fileprivate init(_ track: ObjectTracker.Track, at time: MediaTime, in frame: PixelBuffer) {
        let bounds = track.expectedBounds(at: time)
        let (width, height) = (Double(frame.width), Double(frame.height))
        self.init(
            type: track.type, left: bounds.x * width, top: bounds.y * height,
            width: bounds.width * width, height: bounds.height * height,
            // of one that was found once it is not known how it moves
            margin: track.velocity == nil ? 1 : 0.6)
    }
}
