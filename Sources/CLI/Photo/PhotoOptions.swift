import Capture
import Media

/// The options of `vcap photo`, as declared. Those of the camera are `vcap record`'s own.
enum PhotoOptions {
    static let output = Option<String>(
        "o", "output", .path(),
        "the photo; its ending chooses the form (jpg, png, heic; dng: raw, of cameras with Bayer formats); strftime patterns and %v, a counter, are replaced, "
            + "folders made; several photos are counted",
        default: .described("a dated jpg in the folder vcap of your pictures"))
    static let replace = Switch("y", "yes", "replace the photo if it is there")
    static let full = Switch(
        nil, "full", "the largest size the camera has, however slow it delivers it")
    static let count = Option<Int>(
        "n", "count", .integer("N", in: 1...10_000), "take so many photos",
        default: .value("1"))
    static let interval = Option<MediaTime>(
        nil, "every", .duration, "time between photos (s, or 500ms, 1m)",
        default: .described("the camera's next frame"))
    static let timer = Option<MediaTime>(
        nil, "timer", .duration, "wait this long before the first photo, and count down")
    static let warmUp = Option<MediaTime>(
        nil, "warm-up", .instant,
        "time the camera gets to adjust exposure and focus before the first photo",
        default: .described("500ms; 0 for test: and file:"))
    static let bracket = Option<[BracketedExposure]>(
        nil, "bracket", .bracket,
        "take one photo of each exposure, with the camera's controls, which are set back afterwards"
    )
    static let depthCamera = Option<String>(
        nil, "depth-camera", .selector,
        "a depth camera beside it, in the same words: its map of the photo's moment lies in the photo (jpg), to the "
            + "unit; with --stereo the right camera of a pair",
        default: .described("none"))
    static let stereo = Option<StereoWish>(
        nil, "stereo", .stereo,
        "compute the depth of --camera (left) and --depth-camera (right), rectified: baseline=6cm,focal=700px and, with "
            + "commas, unit=, max-disparity= and block=, as of vcap depth",
        default: .described("the depth camera measures it"))
    static let microphone = Option<String>(
        "a", "mic", .selector,
        "the microphone of live photos, in the same words as a camera (alsa:hw:1,0, pulse:NAME, default, test:, "
            + "file:CLIP, none)",
        default: .described("the system's default, if there is one"))
    static let quality = Option<String>(
        nil, "quality", .choice(PhotoQuality.allCases.map(\.rawValue)),
        "what matters more about a photo that is encoded: speed, quality or neither",
        default: .value(PhotoQuality.balanced.rawValue))

    static let groups: [Command.Group] = [
        .init(
            title: "Camera",
            options: [
                StandardOptions.camera.spec, RecordOptions.size.spec, full.spec,
                RecordOptions.rate.spec, RecordOptions.inputFormat.spec,
                RecordOptions.controls.spec, RecordOptions.profile.spec,
                RecordOptions.rotation.spec,
                RecordOptions.horizontalFlip.spec, RecordOptions.verticalFlip.spec,
            ]),
        .init(title: "Output", options: [output.spec, replace.spec, quality.spec]),
        .init(
            title: "Depth", options: [depthCamera.spec, RecordOptions.depth.spec, stereo.spec]),
        .init(title: "Live photos", options: [LivePhotoForm.option.spec, microphone.spec]),
        .init(
            title: "When",
            options: [count.spec, interval.spec, bracket.spec, timer.spec, warmUp.spec]),
        .init(
            title: "Reporting", options: [StandardOptions.json.spec] + StandardOptions.messages),
    ]
}
