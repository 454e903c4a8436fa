public import Media

/// Finds machine-readable codes in frames: of a camera, a movie or a photo. Thread-safe.
public final class CodeDetector: Sendable {
    // immutable
    /// Which are looked for.
    public let types: Set<MetadataObjectType>
    /// The part of the upright frame that is looked at.
    public let rectOfInterest: NormalizedRect
    /// Whether a frame in which none is found is looked at once more.
    public let isThorough: Bool
    private let library: CodeLibrary

    /// - Parameters:
    ///   - types: some of `MetadataObjectType.codes` (default: all). Fewer are found a little faster, and nothing is
    ///     taken for another symbology.
    ///   - rectOfInterest: the part of the upright frame that is looked at (parts of its sides; default: all).
    ///   - isThorough: whether a frame in which none is found is looked at once more, enlarged and then inverted: finds
    ///     codes whose modules are smaller than three pixels, and those that are light on dark (but for linear ones), and
    ///     takes up to seven times as long (default: no).
    /// - Throws: `invalidSetting` for types that are no codes, and for a rectangle that is not in a frame;
    ///   `unsupported` where libvcap-codes.so or zxing-cpp is not installed.
    public init(
        types: Set<MetadataObjectType> = MetadataObjectType.codes,
        rectOfInterest: NormalizedRect = .whole, isThorough: Bool = false
    ) throws(MediaError) {
        guard !types.isEmpty, types.isSubset(of: MetadataObjectType.codes) else {
            let others = types.subtracting(MetadataObjectType.codes).map(\.rawValue).sorted()
            throw MediaError(
                code: .invalidSetting, subject: "types",
                message: "Cannot look for these codes: "
                    + (others.isEmpty ? "none is named." : others.joined(separator: ", ") + "."))
        }
        try rectOfInterest.requirePart()
        self.types = types
        self.rectOfInterest = rectOfInterest
        self.isThorough = isThorough
        library = try CodeLibrary.shared()
    }

    /// Looks at a decoded frame. Blocks: about 13 ms at 720p, 30 to 60 ms at 1080p; for QR alone a fifth of that.
    /// - Parameter frame: a sample of raw video.
    /// - Returns: what the frame shows, from top to bottom; each code once.
    /// - Throws: `invalidSetting` for anything but a raw frame; `conversionFailed` where its luma cannot be had,
    ///   `decoderFailed` for a frame larger than 16,384 pixels a side.
    public func codes(in frame: SampleBuffer) throws(MediaError) -> [MachineReadableCode] {
        let luma = try frame.uprightLuma()
        let place = rectOfInterest.pixels(width: luma.width, height: luma.height)
        let found = try luma.withPlane(0) { plane throws(MediaError) in
            try library.codes(
                in: plane, x: place.x, y: place.y, types: types, isThorough: isThorough)
        }
        var codes: [MachineReadableCode] = []
        for code in found.map({ Self.code($0, frame.presentationTime, luma) }) {
            let isKnown = codes.contains { $0.saysTheSame(as: code) && $0.overlaps(code) }
            if !isKnown { codes.append(code) }
        }
        return codes.sorted { ($0.bounds.y, $0.bounds.x) < ($1.bounds.y, $1.bounds.x) }
    }

    private static func code(
        _ found: CodeLibrary.Found, _ time: MediaTime, _ frame: PixelBuffer
    ) -> MachineReadableCode {
        let corners = found.corners.map { corner in
            NormalizedPoint(
                x: Double(corner.x) / Double(frame.width),
                y: Double(corner.y) / Double(frame.height))
        }
        return MachineReadableCode(
            type: found.type, time: time,
            stringValue: found.text.map { PrintedDigits.text($0, of: found.type) },
            bytes: found.bytes, corners: corners)
    }
}

extension MachineReadableCode {
    /// Whether both lie in one place: a reader may find one code twice.
    fileprivate func overlaps(_ other: MachineReadableCode) -> Bool {
        let (one, two) = (bounds, other.bounds)
        return one.x <= two.x + two.width && two.x <= one.x + one.width
            && one.y <= two.y + two.height && two.y <= one.y + one.height
    }
}
