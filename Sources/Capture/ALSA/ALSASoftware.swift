internal import CALSA
internal import Media

/// `snd_pcm_sw_params`: wake at each period, stamp on the monotonic clock.
enum ALSASoftware {
    static func apply(
        to pcm: OpaquePointer, grant: ALSAGrant, subject: String
    ) throws(MediaError) {
        var settings: OpaquePointer?
        try check("snd_pcm_sw_params_malloc", snd_pcm_sw_params_malloc(&settings), subject)
        guard let settings else { return }
        defer { snd_pcm_sw_params_free(settings) }
        try check(
            "snd_pcm_sw_params_current", snd_pcm_sw_params_current(pcm, settings), subject)
        try check(
            "snd_pcm_sw_params_set_avail_min",
            snd_pcm_sw_params_set_avail_min(
                pcm, settings, snd_pcm_uframes_t(grant.periodFrames)), subject)
        try check(
            "snd_pcm_sw_params_set_tstamp_mode",
            snd_pcm_sw_params_set_tstamp_mode(pcm, settings, SND_PCM_TSTAMP_ENABLE), subject)
        // plugins of the user's configuration may refuse the type; their stamps are then checked
        // against the clock like all others (see `CaptureStamp`)
        _ = snd_pcm_sw_params_set_tstamp_type(pcm, settings, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        try check("snd_pcm_sw_params", snd_pcm_sw_params(pcm, settings), subject)
    }

    private static func check(
        _ function: String, _ result: Int32, _ subject: String
    ) throws(MediaError) {
        guard result < 0 else { return }
        throw ALSAFailure.failed(function, subject, -result, doing: "set the stamps of")
    }
}
