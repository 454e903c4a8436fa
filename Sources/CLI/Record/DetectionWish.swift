import Detect
import Media
import Movie

/// What is to be found in the frames of a recording's cameras.
struct DetectionWish: Sendable, Equatable {
    let kinds: Set<MetadataObjectType>
    let region: NormalizedRect
    let rate: FrameRate
    /// The path of a model for faces.
    let faceModel: String?
    /// Whether what is found gets a track of the movie for each camera.
    let isRecorded: Bool
    /// Whether slates are followed, and what they may do; `nil`: they are not.
    let slates: SlateWish?

    /// `nil` where nothing is looked for.
    init?(_ arguments: Arguments, hasCamera: Bool, output: String?) throws(CommandFailure) {
        slates = try SlateWish(arguments)
        let wanted = try arguments(RecordOptions.detect)
        guard wanted != nil || slates != nil else { return nil }
        guard hasCamera else {
            throw CommandFailure(
                .usage,
                "\(wanted == nil ? "--slate" : "--detect") has no frames to look at: -c none was given"
            )
        }
        isRecorded = output.flatMap(OutputContainer.init(path:))?.holdsMetadataTracks ?? true
        if wanted != nil, !isRecorded, let container = output.flatMap(OutputContainer.init(path:)) {
            throw CommandFailure(
                .usage,
                "a .\(container.rawValue) file holds no metadata tracks for what --detect finds: record into .mp4 "
                    + "or .mov, or leave --detect out")
        }
        kinds = (wanted ?? []).union(slates == nil ? [] : [.qr])
        region = try arguments(RecordOptions.detectRegion) ?? .whole
        rate = try arguments(RecordOptions.detectRate) ?? MetadataOutput.standardRate
        let model = try arguments(RecordOptions.faceModel)
        faceModel = kinds.contains(.face) ? model : nil
    }

    /// - Throws: where what detects is not installed.
    func output() throws(CommandFailure) -> MetadataOutput {
        do throws(MediaError) {
            return try MetadataOutput(
                metadataObjectTypes: kinds, rectOfInterest: region, maximumRate: rate,
                faceModel: faceModel)
        } catch { throw .noDetector(error) }
    }
}
