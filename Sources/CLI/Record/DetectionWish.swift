import Detect
import Media
import Movie

/// What is to be found in the frames of a recording's cameras.
struct DetectionWish: Sendable, Equatable {
    let kinds: Set<MetadataObjectType>
    let region: NormalizedRect
    let rate: FrameRate

    /// `nil` where nothing is looked for.
    init?(_ arguments: Arguments, hasCamera: Bool, output: String?) throws(CommandFailure) {
        guard let kinds = try arguments(RecordOptions.detect) else { return nil }
        guard hasCamera else {
            throw CommandFailure(.usage, "--detect has no frames to look at: -c none was given")
        }
        if let container = output.flatMap(OutputContainer.init(path:)),
            !container.holdsMetadataTracks
        {
            throw CommandFailure(
                .usage,
                "a .\(container.rawValue) file holds no metadata tracks for what --detect finds: record into .mp4 "
                    + "or .mov, or leave --detect out")
        }
        self.kinds = kinds
        region = try arguments(RecordOptions.detectRegion) ?? .whole
        rate = try arguments(RecordOptions.detectRate) ?? MetadataOutput.standardRate
    }

    /// - Throws: where what detects is not installed.
    func output() throws(CommandFailure) -> MetadataOutput {
        do throws(MediaError) {
            return try MetadataOutput(
                metadataObjectTypes: kinds, rectOfInterest: region, maximumRate: rate)
        } catch { throw .noDetector(error) }
    }
}
