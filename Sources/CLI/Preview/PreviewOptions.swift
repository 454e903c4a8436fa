import Media

/// The options of `vcap preview`, as declared. Those of cameras are `vcap record`'s own.
enum PreviewOptions {
    static let camera = RecordOptions.camera
    static let microphone = Option<String>(
        "a", "mic", .selector,
        "a microphone, in the same words, whose level is shown",
        default: .described("the system's default, if there is one"), isRepeatable: true)
    static let display = Option<PreviewWish>(
        nil, "display", .preview,
        "where the picture is shown: kms is the whole screen of a machine without a desktop, none shows nothing",
        default: .value("auto"))
    static let duration = Option<MediaTime>(
        "t", "duration", .duration, "stop by itself after this time (s, or 1m30s, 00:01:30)",
        default: .described("it runs until q or Ctrl-C"))
    static let json = Switch(
        nil, "json", "print at the end what came, as one JSON document")

    /// Of cameras.
    static let ofFrames = [
        RecordOptions.size.spec, RecordOptions.rate.spec, RecordOptions.inputFormat.spec,
        RecordOptions.controls.spec, RecordOptions.profile.spec, RecordOptions.rotation.spec,
        RecordOptions.horizontalFlip.spec, RecordOptions.verticalFlip.spec,
    ]

    static let groups: [Command.Group] = [
        .init(
            title: "Cameras and microphones (the video options apply to every camera)",
            options: [camera.spec, microphone.spec] + ofFrames),
        .init(title: "Display", options: [display.spec, duration.spec]),
        .init(title: "Reporting", options: [json.spec] + StandardOptions.messages),
    ]
}
