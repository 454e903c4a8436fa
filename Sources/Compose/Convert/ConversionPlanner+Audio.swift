internal import LibAV
internal import Media
internal import Movie
internal import Writing

/// In which codec sound is encoded that cannot be copied.
extension ConversionPlanner {
    func audioCodec(for format: AudioFormat) -> AudioCodec {
        if case .codec(let codec) = settings.audio {
            // "pcm" is whatever keeps the source's samples
            return codec == .pcm16 ? format.plainPCM : codec
        }
        let own = format.codec?.isPCM ?? false ? format.plainPCM : format.codec
        if let own, AudioOutputSettings.encodable.contains(own),
            container.audioCodecs.contains(own)
        {
            return own
        }
        // what has lost nothing yet loses nothing
        return container.usualAudioCodec == .pcm16 ? format.plainPCM : container.usualAudioCodec
    }
}

extension AudioFormat {
    /// The PCM that holds every sample: of what is coded with losses 16 bits.
    fileprivate var plainPCM: AudioCodec {
        switch codec {
        case .pcm24, .pcm32, .pcmFloat: codec ?? .pcm16
        case .pcm24Big: .pcm24
        case .pcmDouble: .pcmFloat
        case .flac, .alac: (significantBits ?? 16) > 16 ? .pcm24 : .pcm16
        default: .pcm16
        }
    }

    /// Width of the samples where the coding keeps them exactly (bits); nil for all others.
    var significantBits: Int? {
        switch codec {
        case .pcm8, .aLaw, .muLaw, .pcm16, .pcm16Big: 16
        case .pcm24, .pcm24Big: 24
        case .pcm32, .pcmFloat, .pcmDouble: 32
        case .alac: ALACConfiguration.depth(of: codecConfiguration)
        case .flac where codecConfiguration.count == 34:
            Int((codecConfiguration[12] & 1) << 4 | codecConfiguration[13] >> 4) + 1
        default: nil
        }
    }
}

extension AudioCodec {
    fileprivate var isPCM: Bool { bytesPerPCMSample != nil }

    /// Whether what comes out is what went in.
    var isLossless: Bool { self == .flac || self == .alac || isPCM }

    /// Of channels beyond what the codec has, what is mixed.
    func mixing(of channels: Int) -> [String] {
        let most = encodableChannels(for: channels)
        return most < channels ? ["its \(channels) channels are mixed into \(most)"] : []
    }

    func encodableChannels(for channels: Int) -> Int {
        let known = AudioOutputSettings.channelCounts(of: self)
        return known.filter { $0 <= channels }.max() ?? known.min() ?? 1
    }

    /// The rate to encode at: the source's where the codec has it (Hz).
    func encodableRate(for rate: Int) -> Int {
        let known: Set<Int>
        switch self {
        case .opus: known = [48_000, 24_000, 16_000, 12_000, 8_000]
        case .aac:
            known = [
                96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000,
                11_025, 8_000,
            ]
        case .mp3:
            known = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000]
        default: return max(8000, rate)
        }
        return known.contains(rate) ? rate : 48_000
    }
}
