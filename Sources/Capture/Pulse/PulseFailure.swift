internal import CPulse
internal import Media

/// What a sound server's refusals mean to a person.
enum PulseFailure {
    /// No server answers. `subject` is the source wanted.
    static func noServer(_ subject: String, code: Int32) -> MediaError {
        MediaError(
            code: .noSuchDevice, function: "pa_context_connect", subject: subject,
            message: "Could not record from \(subject): no PulseAudio or PipeWire server answers "
                + "(\(text(code))); start one (systemctl --user start pipewire-pulse, or "
                + "pulseaudio --start), or name a sound card with alsa:.")
    }

    /// A server answers, but has no such source.
    static func missing(_ subject: String, present: [PulseSource]) -> MediaError {
        let rest =
            present.isEmpty
            ? "the sound server has no source; plug a microphone in"
            : "the sound server has "
                + present.map { "\($0.description) (pulse:\($0.name))" }.joined(separator: ", ")
        return MediaError(
            code: .noSuchDevice, function: "pa_context_get_source_info_list", subject: subject,
            message: "There is no microphone \(subject); \(rest).")
    }

    /// The server refused something.
    static func refused(_ function: String, _ subject: String, code: Int32) -> MediaError {
        let kind: MediaError.Code =
            code == Int32(PA_ERR_ACCESS.rawValue)
            ? .notPermitted
            : code == Int32(PA_ERR_NOENTITY.rawValue) ? .deviceGone : .deviceFailed
        return MediaError(
            code: kind, function: function, subject: subject,
            message: "Could not record from \(subject): the sound server answered "
                + "\"\(text(code))\" to \(function); see the server's log, or record the card "
                + "itself with alsa:.")
    }

    static func text(_ code: Int32) -> String {
        pa_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
