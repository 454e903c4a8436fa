internal import Glibc
internal import Media

/// What refusals of sound servers and cards to play mean to a person.
enum SpeakerFailure {
    /// No server answers.
    static func noServer(_ subject: String) -> MediaError {
        MediaError(
            code: .noSuchDevice, function: "pa_context_connect", subject: subject,
            message: "Could not play to \(subject): no PulseAudio or PipeWire server answers; "
                + "start one (systemctl --user start pipewire-pulse, or pulseaudio --start), or "
                + "name a sound card with alsa:.")
    }

    /// A server answers, but has no such sink.
    static func missing(_ subject: String, present: [PulseSink]) -> MediaError {
        let rest =
            present.isEmpty
            ? "the sound server has no sink; connect a loudspeaker"
            : "the sound server has "
                + present.map { "\($0.description) (pulse:\($0.name))" }.joined(separator: ", ")
        return MediaError(
            code: .noSuchDevice, function: "pa_context_get_sink_info_list", subject: subject,
            message: "There is no loudspeaker \(subject); \(rest).")
    }

    /// The server refused something, or is gone.
    static func refused(_ function: String, _ subject: String, code: Int32) -> MediaError {
        MediaError(
            code: .deviceFailed, function: function, subject: subject,
            message: "Could not play to \(subject): the sound server answered "
                + "\"\(PulseFailure.text(code))\" to \(function); see the server's log, or name "
                + "the card itself with alsa:.")
    }

    /// What played is gone.
    static func gone(_ subject: String, _ reason: String) -> MediaError {
        MediaError(
            code: .deviceGone, subject: subject,
            message: "The loudspeaker \(subject) is gone (\(reason)); start the sound server or "
                + "plug the device in again.")
    }

    /// Why a card does not play.
    static func card(_ function: String, _ subject: String, error: Int32) -> MediaError {
        let (code, rest): (MediaError.Code, String) =
            switch error {
            case EACCES, EPERM:
                (
                    .notPermitted,
                    "this user may not open it; join the group audio (sudo usermod -aG audio "
                        + "$USER) and log in again"
                )
            case EBUSY, EAGAIN:
                (
                    .deviceBusy,
                    "another process plays on it; end it, or play through the sound server (pulse:)"
                )
            case ENOENT, ENODEV, ENXIO:
                (
                    .noSuchDevice,
                    "there is no such device; aplay -l lists the sound cards that play"
                )
            case EINVAL:
                (
                    .unsupportedFormat,
                    "it does not play 48,000 Hz in two channels; put plug before its name "
                        + "(alsa:plughw:…), which converts"
                )
            default:
                (
                    .deviceFailed,
                    "\(function) answered \"\(ALSACall.text(error))\"; unplug and replug the card"
                )
            }
        return MediaError(
            code: code, function: function, subject: subject, errno: error,
            message: "Could not play to \(subject): \(rest).")
    }
}
