import Detect
import Media

/// The options of `vcap detect`, as declared. Those of the camera are `vcap record`'s own.
enum DetectOptions {
    static let camera = Option<String>(
        "c", "camera", .selector,
        "a camera instead of a movie: its number in vcap devices, /dev path, identity, alias or a part of its "
            + "name; test: is built in, file:CLIP plays a movie")
    static let kinds = Option<Set<MetadataObjectType>>(
        nil, "kinds", .detected,
        "what is looked for: codes, faces, bodies, cats, several with commas between; qr,ean13 and so on for these "
            + "codes only",
        default: .described("codes; with --recorded all that was found"))
    static let region = Option<NormalizedRect>(
        nil, "region", .region,
        "the part of the upright frame that is looked at: left edge, upper edge, width, height (parts of it)",
        default: .described("all of it"))
    static let rate = Option<FrameRate>(
        nil, "rate", .frameRate, "most frames a second that are looked at",
        default: .described("every frame of a movie, 5 of a camera"))
    static let thorough = Switch(
        nil, "thorough",
        "look closer: for codes whose modules are smaller than three pixels, five times slower; for smaller "
            + "bodies and faces, and for faces and cats that are tilted, and how far, up to twenty times slower"
    )
    static let faceModel = Option<String>(
        nil, "face-model", .path("MODEL"),
        "a YuNet model (.onnx, its form of March 2022) that finds faces, how far they are tilted and turned",
        default: .described("OpenCV's cascade"))
    static let recorded = Switch(
        nil, "recorded",
        "list what was found while the movie was recorded (--detect of vcap record), without looking at its "
            + "frames")
    static let duration = Option<MediaTime>(
        "t", "duration", .duration, "stop a camera by itself after this time",
        default: .described("it runs until Ctrl-C"))
    static let json = Switch(
        nil, "json", "print a line of JSON for each frame that shows something")

    /// Options that a movie has no use for.
    static let ofCameras = [
        duration.spec, RecordOptions.size.spec, RecordOptions.rate.spec,
        RecordOptions.inputFormat.spec, RecordOptions.controls.spec, RecordOptions.profile.spec,
        RecordOptions.rotation.spec,
        RecordOptions.horizontalFlip.spec, RecordOptions.verticalFlip.spec,
    ]

    /// Options that have no use where no frames are looked at.
    static let ofFrames = [region.spec, rate.spec, thorough.spec, faceModel.spec]

    static let groups: [Command.Group] = [
        .init(
            title: "What is looked for",
            options: [
                kinds.spec, region.spec, rate.spec, thorough.spec, faceModel.spec, recorded.spec,
            ]),
        .init(title: "Camera", options: [camera.spec] + ofCameras),
        .init(title: "Reporting", options: [json.spec] + StandardOptions.messages),
    ]
}
