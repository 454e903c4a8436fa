public import Media

/// What the images of an `ImageGenerator` are like. `validate()` names the field that is wrong.
public struct ImageGeneratorSettings: Sendable, Hashable {
    /// *a box in which images fit: larger ones are made smaller in their own shape, none is made larger
    /// (pixels; 2…16,384 a side; default as large as they are)*
    public var maximumSize: PixelSize?
    /// *whether a track's orientation and pixel aspect are applied, so that images are upright with square
    /// pixels, as films are at any rate; otherwise pictures are as the track stores them (default yes)*
    public var appliesPreferredTrackTransform = true
    /// *how much earlier than asked for an image of an asset may be: of the sync samples within the
    /// tolerances the nearest one is shown, which costs least; where there is none, and of films, the
    /// picture on show (seconds; nil: any; default 0, the picture on show)*
    public var requestedTimeToleranceBefore: MediaTime? = .zero
    /// *the same for later ones (seconds; nil: any; default 0)*
    public var requestedTimeToleranceAfter: MediaTime? = .zero
    /// *of the images: `bgra`, or `rgba64le` for 16 bits; straight opacity (default `bgra`)*
    public var pixelFormat = PixelFormat.bgra

    public init(maximumSize: PixelSize? = nil) { self.maximumSize = maximumSize }

    /// - Throws: `invalid-setting`, naming the field.
    public func validate() throws(MediaError) {
        if let box = maximumSize,
            !(2...16_384).contains(box.width) || !(2...16_384).contains(box.height)
        {
            throw .setting(
                "maximum size",
                "The maximum size \(box.width)x\(box.height) is outside 2 to 16384 pixels a side.")
        }
        for tolerance in [requestedTimeToleranceBefore, requestedTimeToleranceAfter] {
            guard let tolerance, tolerance < .zero else { continue }
            throw .setting(
                "tolerance", "The tolerance \(tolerance.spoken) is negative; it can be 0 or more.")
        }
        guard pixelFormat == .bgra || pixelFormat == .rgba64le else {
            throw .setting(
                "pixel format",
                "Images cannot be made in \(pixelFormat.rawValue); use bgra or rgba64le.")
        }
    }

    /// Whether another picture than the one on show will do.
    var allowsOthers: Bool {
        requestedTimeToleranceBefore != .zero || requestedTimeToleranceAfter != .zero
    }

    /// Whether an image of one time will do for another.
    func allows(_ time: MediaTime, for requested: MediaTime) -> Bool {
        let tolerance =
            time < requested ? requestedTimeToleranceBefore : requestedTimeToleranceAfter
        guard let tolerance else { return true }
        return time < requested ? requested - time <= tolerance : time - requested <= tolerance
    }
}

extension PixelSize {
    /// Made smaller where it does not fit a box, in its own shape.
    func fitted(in box: PixelSize?) -> PixelSize {
        guard let box else { return self }
        let scale = min(
            1, Double(box.width) / Double(width), Double(box.height) / Double(height))
        func side(_ length: Int, _ most: Int) -> Int {
            min(most, max(1, Int((Double(length) * scale).rounded())))
        }
        return PixelSize(width: side(width, box.width), height: side(height, box.height))
    }
}
