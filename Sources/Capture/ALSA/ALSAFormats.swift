internal import CALSA

/// ALSA's sample formats vcap takes, best first: 32 bits keep what any converter delivers.
enum ALSAFormats {
    static let preferred: [(layout: DeviceSampleLayout, format: snd_pcm_format_t)] = [
        (.int32, SND_PCM_FORMAT_S32_LE),
        (.int24In3, SND_PCM_FORMAT_S24_3LE),
        (.int24In4, SND_PCM_FORMAT_S24_LE),
        (.int16, SND_PCM_FORMAT_S16_LE),
        (.float32, SND_PCM_FORMAT_FLOAT_LE),
    ]

    static func format(of layout: DeviceSampleLayout) -> snd_pcm_format_t {
        preferred.first { $0.layout == layout }?.format ?? SND_PCM_FORMAT_UNKNOWN
    }
}
