import Capture
import Compose
import Media

/// The options of `vcap play`, as declared. Those of films are `vcap compose`'s own.
enum PlayOptions {
    static let speaker = Option<SpeakerSelector>(
        nil, "speaker", .speaker,
        "where audio is heard: the sound server's default, one of its sinks, a device of ALSA, or nowhere",
        default: .value("default"))
    static let loop = Switch(nil, "loop", "begin again at the end")
    static let once = Switch(nil, "once", "quit at the end")
    static let saveRange = Switch(
        nil, "save-range",
        "write in and out into the project at the end, which is exported between them then")
    static let still = Option<String>(
        nil, "still-on-s", .path(),
        "the key s writes the frame on show there, in the film's size (.png, .jpg); strftime patterns and %v, a counter, "
            + "are replaced",
        bare: "still-%v.png")

    static let group = Command.Group(
        title: "Playing",
        options: [
            PreviewOptions.display.spec, speaker.spec, ExportOptions.range.spec, loop.spec,
            once.spec, still.spec, saveRange.spec, Verbs.mediaRoot.spec, StandardOptions.json.spec,
        ])
}

extension ValueKind where Value == SpeakerSelector {
    static var speaker: ValueKind {
        ValueKind(
            "SPEAKER", expected: "default, pulse:SINK, alsa:DEVICE or none",
            completion: .words(["default", "none"]), parse: { SpeakerSelector($0) })
    }
}
