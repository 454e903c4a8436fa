package import Media

/// Looks at one frame after the other, on a thread where it may block.
package protocol FrameDetector: Sendable {
    /// - Parameter frame: luma, upright.
    func found(in frame: SampleBuffer) throws -> [any MetadataObject]
}

/// All that is wanted of a frame, by the detectors for it.
package final class FrameDetectors: FrameDetector {
    // immutable
    private let codes: CodeDetector?
    private let objects: ObjectDetector?

    /// - Parameters:
    ///   - types: some of what codes and objects have.
    ///   - rectOfInterest: the part of the upright frame that is looked at.
    ///   - isThorough: as `CodeDetector`'s and `ObjectDetector`'s.
    ///   - faceModel: as `ObjectDetector`'s.
    ///   - interval: after which everything is looked at for objects; before, what is around those that were seen.
    /// - Throws: `invalidSetting` for no types, unknown ones and a rectangle outside the frame; `unsupported` where what
    ///   detects one of them is not installed.
    package init(
        types: Set<MetadataObjectType>, rectOfInterest: NormalizedRect, isThorough: Bool,
        searchInterval interval: MediaTime = .zero, faceModel: String? = nil
    ) throws(MediaError) {
        let codes = types.intersection(MetadataObjectType.codes)
        // what is neither is refused by name
        let others = types.subtracting(codes)
        self.codes =
            codes.isEmpty && !others.isEmpty
            ? nil
            : try CodeDetector(
                types: codes, rectOfInterest: rectOfInterest, isThorough: isThorough)
        objects =
            others.isEmpty
            ? nil
            : try ObjectDetector(
                types: others, rectOfInterest: rectOfInterest, isThorough: isThorough,
                searchInterval: interval, faceModel: faceModel)
    }

    package func found(in frame: SampleBuffer) throws -> [any MetadataObject] {
        let codes = try codes?.codes(in: frame) ?? []
        return codes + (try objects?.objects(in: frame) ?? [])
    }
}
