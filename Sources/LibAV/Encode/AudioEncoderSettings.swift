package import Media

/// What an audio encoder is asked for.
package struct AudioEncoderSettings: Sendable, Hashable {
    /// aac, opus, mp3, flac, alac, pcm16, pcm24, pcm32 or pcmFloat.
    package var codec: AudioCodec
    /// Average rate of all channels (bit/s; 8,000…512,000 for each channel; default: 96,000 a
    /// channel for AAC and MP3 and 64,000 for Opus). FLAC, ALAC and PCM have none.
    package var bitrate: Int?

    package init(codec: AudioCodec, bitrate: Int? = nil) {
        self.codec = codec
        self.bitrate = bitrate
    }

    static let codecs: [AudioCodec] = [
        .aac, .opus, .mp3, .flac, .alac, .pcm16, .pcm24, .pcm32, .pcmFloat,
    ]

    /// - Throws: `MediaError` with `.invalidSetting` that names the setting.
    package func validate(channels: Int) throws(MediaError) {
        guard Self.codecs.contains(codec) else {
            let names = Self.codecs.map(\.rawValue).joined(separator: ", ")
            throw invalid("codec", "no encoder for \(codec.rawValue); use \(names)")
        }
        guard let bitrate else { return }
        guard codec == .aac || codec == .opus || codec == .mp3 else {
            throw invalid("bitrate", "\(codec.rawValue) is lossless and has none")
        }
        guard (8_000 * channels...512_000 * channels).contains(bitrate) else {
            throw invalid("bitrate", "\(bitrate) bit/s is not between 8 and 512 kbit/s a channel")
        }
    }

    func effectiveBitrate(channels: Int) -> Int? {
        switch codec {
        case .aac, .mp3: bitrate ?? 96_000 * channels
        case .opus: bitrate ?? 64_000 * channels
        default: nil
        }
    }

    private func invalid(_ field: String, _ why: String) -> MediaError {
        .refused(.invalidSetting, field, "Cannot use the audio encoder setting \(field): \(why).")
    }
}
