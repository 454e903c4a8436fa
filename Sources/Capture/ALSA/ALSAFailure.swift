internal import Glibc
internal import Media

/// What libasound's refusals mean to a person.
enum ALSAFailure {
    /// Why a PCM did not open.
    static func opening(_ device: ALSADeviceName, error: Int32) -> MediaError {
        let card = device.card.flatMap { ALSACards.present().card(named: $0) }
        let node = card.map { "/dev/snd/pcmC\($0.number)D\(device.device)c" }
        let subject = "alsa:\(device.pcmName)"
        switch isForbidden(node) ? EACCES : error {
        case EACCES, EPERM:
            let group = node.flatMap(DeviceNodeAccess.group(of:)) ?? "audio"
            return MediaError(
                code: .notPermitted, function: "snd_pcm_open", subject: subject, errno: error,
                message: "The microphone \(subject) may not be opened by this user; join the "
                    + "group \(group) (sudo usermod -aG \(group) $USER) and log in again.")
        case EBUSY, EAGAIN:
            let holder = node.flatMap { DeviceNodeAccess.holder(of: $0) }
            return MediaError(
                code: .deviceBusy, function: "snd_pcm_open", subject: subject, errno: error,
                message: "The microphone \(subject) is held by "
                    + "\(holder ?? "another process"); end it, or record through the sound "
                    + "server (pulse:).")
        case ENOENT, ENODEV, ENXIO:
            return missing(subject)
        default:
            return failed("snd_pcm_open", subject, error, doing: "open the microphone")
        }
    }

    /// Whether a node is there but closed to this user: libasound, which looks a card's id up in
    /// the cards it may open, then says that there is no such card (libasound 1.2.8).
    private static func isForbidden(_ node: String?) -> Bool {
        guard let node else { return false }
        return access(node, R_OK) != 0 && errno == EACCES
    }

    /// Why a call on an open PCM failed.
    static func failed(
        _ function: String, _ subject: String, _ error: Int32, doing: String
    ) -> MediaError {
        if error == ENODEV {
            return MediaError(
                code: .deviceGone, function: function, subject: subject, errno: error,
                message: "The microphone \(subject) is gone (unplugged); plug it in again.")
        }
        return MediaError(
            code: .deviceFailed, function: function, subject: subject, errno: error,
            message: "Could not \(doing) \(subject): \(function) answered "
                + "\"\(ALSACall.text(error))\"; unplug and replug the card, or try plughw:.")
    }

    static func missing(_ subject: String) -> MediaError {
        let present = ALSACards.present().captureDevices.map { "\($0.name) (\($0.id))" }
        let rest =
            present.isEmpty
            ? "no sound card that records is present; plug one in"
            : "present are \(present.joined(separator: ", "))"
        return MediaError(
            code: .noSuchDevice, function: "snd_pcm_open", subject: subject,
            message: "There is no microphone \(subject); \(rest).")
    }
}
