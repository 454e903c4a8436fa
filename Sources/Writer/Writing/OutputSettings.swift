public import Media
internal import Movie

/// How a video track is encoded. `validate()` names the field that is wrong.
public struct VideoOutputSettings: Sendable, Hashable {
    /// *codec of the track (h264, hevc, mjpeg, ffv1 or prores; default h264)*
    public var codec: VideoCodec
    /// *quality or size (see the cases; default quality 20 for H.264, 23 for HEVC, 3 for MJPEG;
    /// FFV1 is lossless, ProRes 4444 has a quality of its own: both take none)*
    public var rate: Rate?
    /// *speed against size, in the encoder's words (libx264/libx265: ultrafast…placebo; default
    /// veryfast; other codecs have none)*
    public var preset: String?
    /// *longest distance of sync samples (seconds; above 0, at most 10 s; default 1 s)*
    public var keyFrameInterval: MediaTime
    /// *encoder threads (count; 1…16; default by the machine's cores)*
    public var threads: Int?

    public enum Rate: Sendable, Hashable {
        /// Constant quality in the codec's own scale (CRF 0…51; MJPEG quantiser 1…31), lower is better.
        case quality(Double)
        /// Average bit rate (bits per second; 10,000…1,000,000,000).
        case bitrate(Int)
    }

    public init(
        codec: VideoCodec = .h264, rate: Rate? = nil, preset: String? = nil,
        keyFrameInterval: MediaTime = .seconds(1), threads: Int? = nil
    ) {
        self.codec = codec
        self.rate = rate
        self.preset = preset
        self.keyFrameInterval = keyFrameInterval
        self.threads = threads
    }

    /// Whether the codec's encoder has presets.
    package var hasPresets: Bool { codec == .h264 || codec == .hevc }

    /// - Throws: `invalidSetting`, naming the field.
    public func validate() throws(MediaError) {
        guard [.h264, .hevc, .mjpeg, .ffv1, .prores].contains(codec) else {
            throw .setting(
                "codec",
                "\(codec.rawValue) can be read but not encoded; "
                    + "use h264, hevc, mjpeg, ffv1 or prores.")
        }
        switch rate {
        case .quality(let value):
            let range: ClosedRange<Double> = codec == .mjpeg ? 1...31 : 0...51
            guard codec != .ffv1 else {
                throw .setting("quality", "FFV1 is lossless and takes no quality; leave it out.")
            }
            guard codec != .prores else {
                throw .setting(
                    "quality", "ProRes 4444 has one quality of its own; leave the setting out.")
            }
            guard range.contains(value) else {
                throw .setting(
                    "quality",
                    "\(value) is outside \(range.lowerBound) to "
                        + "\(range.upperBound) for \(codec.rawValue).")
            }
        case .bitrate(let value):
            guard codec != .ffv1 else {
                throw .setting("bitrate", "FFV1 is lossless and takes no bit rate; leave it out.")
            }
            guard codec != .mjpeg else {
                throw .setting(
                    "bitrate",
                    "Motion JPEG has a quality and no bit rate; give a quality of 1 to 31.")
            }
            guard codec != .prores else {
                throw .setting(
                    "bitrate", "ProRes 4444 has a bit rate of its own; leave the setting out.")
            }
            guard (10_000...1_000_000_000).contains(value) else {
                throw .setting("bitrate", "\(value) bit/s is outside 10,000 to 1,000,000,000.")
            }
        case nil: break
        }
        guard preset == nil || hasPresets else {
            throw .setting(
                "preset", "presets are for h264 and hevc, not \(codec.rawValue); leave it out.")
        }
        guard keyFrameInterval > .zero, keyFrameInterval <= .seconds(10) else {
            throw .setting("key-frame interval", "it must be above 0 and at most 10 s.")
        }
        if let threads, !(1...16).contains(threads) {
            throw .setting("threads", "\(threads) is outside 1 to 16.")
        }
    }
}

/// How an audio track is encoded. `validate()` names the field that is wrong.
public struct AudioOutputSettings: Sendable, Hashable {
    /// *codec of the track (aac, opus, mp3, flac, alac, pcm16, pcm24, pcm32 or pcmFloat; default aac)*
    public var codec: AudioCodec
    /// *bit rate for AAC, Opus and MP3 (bits per second; 6,000…512,000; default 96,000 a channel, of Opus
    /// 64,000)*
    public var bitrate: Int?

    /// Codecs that are encoded.
    package static let encodable: Set<AudioCodec> = [
        .aac, .opus, .mp3, .flac, .alac, .pcm16, .pcm24, .pcm32, .pcmFloat,
    ]

    public init(codec: AudioCodec = .aac, bitrate: Int? = nil) {
        self.codec = codec
        self.bitrate = bitrate
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
    }
}
