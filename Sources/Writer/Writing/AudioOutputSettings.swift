public import Media

/// How an audio track is encoded. `validate()` names the field that is wrong.
public struct AudioOutputSettings: Sendable, Hashable {
    /// *codec of the track (aac, opus, mp3, flac, alac, pcm16, pcm24, pcm32 or pcmFloat; default aac)*
    public var codec: AudioCodec
    /// *bit rate for AAC, Opus and MP3 (bits per second; 6,000…512,000; default 96,000 a channel, of Opus
    /// 64,000)*
    public var bitrate: Int?
    /// *rate of the track; audio is resampled to it (Hz; 8,000…384,000, of Opus 8,000, 12,000, 16,000, 24,000 or
    /// 48,000; default the source's)*
    public var sampleRate: Int?
    /// *channels of the track; audio is mixed to them (count; 1…8, of MP3 1…2, of Opus not 3 and 4, of ALAC not 3, 7
    /// and 8; default the source's)*
    public var channels: Int?
    /// *order of the channels of the track, which says their number too (default the usual one of that number)*
    public var layout: AudioChannelLayout?

    /// Codecs that are encoded.
    package static let encodable: Set<AudioCodec> = [
        .aac, .opus, .mp3, .flac, .alac, .pcm16, .pcm24, .pcm32, .pcmFloat,
    ]

    public init(
        codec: AudioCodec = .aac, bitrate: Int? = nil, sampleRate: Int? = nil,
        channels: Int? = nil, layout: AudioChannelLayout? = nil
    ) {
        self.codec = codec
        self.bitrate = bitrate
        self.sampleRate = sampleRate
        self.channels = channels
        self.layout = layout
    }

    /// - Throws: `invalidSetting`, naming the field.
    public func validate() throws(MediaError) {
        guard Self.encodable.contains(codec) else {
            throw .setting(
                "audio codec",
                "\(codec.rawValue) can be read but not encoded; "
                    + "use aac, opus, mp3, flac, alac or pcm.")
        }
        if let bitrate {
            guard [.aac, .opus, .mp3].contains(codec) else {
                throw .setting(
                    "audio bitrate", "\(codec.rawValue) takes no bit rate; leave it out.")
            }
            guard (6_000...512_000).contains(bitrate) else {
                throw .setting("audio bitrate", "\(bitrate) bit/s is outside 6,000 to 512,000.")
            }
        }
        try validateFormat()
    }

    private func validateFormat() throws(MediaError) {
        if let sampleRate {
            let known = Self.rates[codec]
            guard known?.contains(sampleRate) ?? (8_000...384_000).contains(sampleRate) else {
                let list = known.map { $0.sorted().map(String.init).joined(separator: ", ") }
                throw .setting(
                    "sample rate",
                    "\(sampleRate) Hz is not one of \(list ?? "8,000 to 384,000") for "
                        + "\(codec.rawValue).")
            }
        }
        if let channels { try requireRoom(for: channels, as: "channels", "\(channels) channels") }
        guard let layout else { return }
        try requireRoom(for: layout.channels, as: "layout", layout.rawValue)
        guard channels == nil || channels == layout.channels else {
            throw .setting(
                "layout",
                "\(layout.rawValue) has \(layout.channels) channels, not \(channels ?? 0).")
        }
    }

    /// - Throws: `invalidSetting` for a source whose channels the codec has not, where none are set.
    func requireRoom(for source: AudioFormat) throws(MediaError) {
        guard channels == nil, layout == nil else { return }
        let count = source.channels
        try requireRoom(
            for: count, as: "channels",
            "the source's \(count == 1 ? "channel" : "\(count) channels")")
    }

    private func requireRoom(
        for channels: Int, as field: String, _ words: String
    ) throws(MediaError) {
        let known = Self.channelCounts(of: codec)
        guard !known.contains(channels) else { return }
        let names = AudioChannelLayout.allCases.filter { known.contains($0.channels) }
            .map(\.rawValue)
        throw .setting(
            field,
            "\(codec.rawValue) is not encoded with \(words); it has "
                + "\(names.dropLast().joined(separator: ", ")) and \(names.last ?? "").")
    }

    /// The numbers of channels that a codec is encoded with, each in its usual order: Opus and ALAC have some of them
    /// in other orders only (libavcodec 59).
    package static func channelCounts(of codec: AudioCodec) -> Set<Int> {
        switch codec {
        case .mp3: [1, 2]
        case .opus: [1, 2, 5, 6, 7, 8]
        case .alac: [1, 2, 4, 5, 6]
        default: Set(1...8)
        }
    }

    /// Rates of codecs that do not take any.
    private static let rates: [AudioCodec: Set<Int>] = [
        .aac: [
            7350, 8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000,
            88_200, 96_000,
        ],
        .opus: [8000, 12_000, 16_000, 24_000, 48_000],
        .mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
    ]

    /// What is encoded, raw.
    /// - Parameter source: what is appended.
    func trackFormat(for source: AudioFormat) -> AudioFormat {
        var format = source
        format.sampleRate = sampleRate ?? source.sampleRate
        format.channels = layout?.channels ?? channels ?? source.channels
        return format
    }
}
