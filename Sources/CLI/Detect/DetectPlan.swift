import Capture
import Detect
import Media

/// What is to be looked for and in what, read from the options and checked as far as that needs no file or device.
struct DetectPlan: Sendable {
    enum Subject: Sendable, Equatable {
        /// The frames of a movie or picture.
        case frames(path: String)
        /// What was found while a movie was recorded.
        case recorded(path: String)
        case camera(selector: String)
    }

    let subject: Subject
    /// `nil`: what suits the subject.
    let kinds: Set<MetadataObjectType>?
    let region: NormalizedRect
    /// `nil`: what suits the subject.
    let rate: FrameRate?
    let isThorough: Bool
    /// The path of a model for faces.
    let faceModel: String?
    let writesJSON: Bool
    /// Of a camera; `nil`: until it is stopped.
    let duration: MediaTime?
    let settings: VideoInputSettings
    let profile: CameraProfile?
    let connection: CaptureConnection

    init(_ arguments: Arguments) throws(CommandFailure) {
        kinds = try arguments(DetectOptions.kinds)
        region = try arguments(DetectOptions.region) ?? .whole
        rate = try arguments(DetectOptions.rate)
        isThorough = arguments.isOn(DetectOptions.thorough)
        faceModel = try arguments(DetectOptions.faceModel)
        writesJSON = arguments.isOn(DetectOptions.json)
        duration = try arguments(DetectOptions.duration)
        settings = try RecordPlan.cameraSettings(arguments, copies: false)
        connection = try RecordPlan.connection(arguments)
        subject = try DetectPlan.subject(arguments)
        if case .camera = subject {
            profile = try CameraProfiles.wanted(arguments)
        } else {
            profile = nil
        }
        if faceModel != nil, !wanted.contains(.face) {
            throw CommandFailure(
                .usage, "--face-model finds faces, and they are not looked for: add --kinds faces")
        }
    }

    private static func subject(_ arguments: Arguments) throws(CommandFailure) -> Subject {
        let isRecorded = arguments.isOn(DetectOptions.recorded)
        if let camera = try arguments(DetectOptions.camera) {
            guard arguments.operands.isEmpty else {
                throw CommandFailure(
                    .usage, "a movie and --camera exclude each other: give one of them")
            }
            guard !isRecorded else {
                throw CommandFailure(
                    .usage, "--recorded is for a movie: leave it out, or --camera")
            }
            return .camera(selector: camera)
        }
        guard let path = arguments.operands.first else {
            throw CommandFailure(.usage, "say what to look at: a movie, or a camera with -c")
        }
        let idle =
            DetectOptions.ofCameras
            + (isRecorded ? DetectOptions.ofFrames : [])
        if let option = idle.first(where: arguments.isTyped) {
            throw CommandFailure(
                .usage,
                isRecorded && !DetectOptions.ofCameras.contains { $0.long == option.long }
                    ? "--recorded looks at no frames: leave out \(option.name)"
                    : "\(option.name) is for a camera, not for a movie: leave it out, or name a camera with -c"
            )
        }
        return isRecorded ? .recorded(path: path) : .frames(path: path)
    }

    /// What frames are looked at for.
    var wanted: Set<MetadataObjectType> { kinds ?? MetadataObjectType.codes }

    /// - Throws: where what detects is not installed.
    func detector() throws(CommandFailure) -> FrameDetectors {
        do throws(MediaError) {
            return try FrameDetectors(
                types: wanted, rectOfInterest: region, isThorough: isThorough,
                faceModel: faceModel)
        } catch { throw .noDetector(error) }
    }
}

extension CommandFailure {
    /// What detects is missing: no fault of the words typed, of a file or a device.
    static func noDetector(_ error: MediaError) -> CommandFailure {
        error.code == .unsupported
            ? CommandFailure(.failedRunning, error.message)
            : CommandFailure(error, while: .reading)
    }
}
