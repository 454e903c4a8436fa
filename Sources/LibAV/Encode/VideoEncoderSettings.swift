package import Media

/// What a video encoder is asked for.
package struct VideoEncoderSettings: Sendable, Hashable {
    /// How many bits a frame may cost.
    package enum RateControl: Sendable, Hashable {
        /// Constant quality in the codec's own scale (`VideoCodec.qualities`, lower is better): a CRF, MJPEG's quantiser.
        case quality(Double)
        /// Average rate (bit/s; 10,000…1,000,000,000) of predictive codecs. In one pass of H.264, HEVC and VP9 it is the
        /// greatest over any second, too; AV1's is an average alone.
        case bitrate(Int)
        /// Every frame exactly. FFV1 only, and its only one.
        case lossless
        /// What the codec's profile gives each block. ProRes only, and its only one.
        case profile

        /// For messages.
        fileprivate var spoken: String {
            switch self {
            case .quality: "a constant quality"
            case .bitrate: "a bit rate"
            case .lossless: "a lossless coding"
            case .profile: "a profile's own rate"
            }
        }
    }

    /// h264 (libx264), hevc (libx265), av1 (libsvtav1), vp9 (libvpx), mjpeg, ffv1 or prores (4444, prores_ks).
    package var codec: VideoCodec
    package var rateControl: RateControl
    /// Speed against size in x264's words (`ultrafast`…`placebo`; default `veryfast`); of predictive codecs.
    package var preset: String
    /// Greatest time from a sync sample to the next (seconds; positive; default 1 s). Counted in
    /// time and not in frames, so that it holds for variable rates; AV1's are counted at the nominal rate. Every MJPEG,
    /// FFV1 and ProRes frame is a sync sample.
    package var keyFrameInterval: MediaTime
    /// Greatest distance from a sync sample to the next (frames; 1…1,000), in the place of `keyFrameInterval`
    /// (default none). Of predictive codecs.
    package var keyFrameFrames: Int?
    /// What of the codec is used (H.264: baseline, main or high; HEVC: main or main10; default: what the preset
    /// makes of the frames).
    package var profile: VideoProfile?
    /// What the stream says that decoders must be able to do (default: what it takes). H.264 and HEVC.
    package var level: VideoLevel?
    /// Threads (count; 1…16; default at low latency: the machine's cores, 2 at most up to 1080p and 4
    /// above; otherwise all cores, for x264 one and a half threads a core, as is its own default, but above 720p
    /// only from three cores on). Each thread costs x264 about one more frame of delay and 10 MB at 720p, 20 at 1080p.
    package var threads: Int?
    /// Identifier of the parameter sets (0…31; default 0): a re-encoded span takes another one, so
    /// that its parameter sets and the original's fit one configuration. H.264 only.
    package var parameterSetID: Int
    /// Whether a frame comes out at most 200 ms after it went in, at the nominal rate: no
    /// B-frames, look-ahead cut to fit (default true). Without it the preset decides everything, as
    /// in `ffmpeg -preset`: B-frames, full look-ahead, sync samples at scene cuts too; then samples have
    /// decode times that differ from their presentation times.
    package var lowLatency: Bool
    /// How much faster than `preset` says frames are encoded, with its very parameter sets, so that both fit one
    /// track (default `asSet`). H.264 and HEVC at low latency. Where that cannot be, `VideoEncoder.format`
    /// has another configuration.
    package var speed: EncodingSpeed
    /// Whether the opacity of bgra frames means nothing and is not coded (default false). FFV1 only.
    package var ignoresOpacity: Bool

    /// Which of two passes is made (default: there is one alone). Needs a bit rate; H.264, HEVC and VP9 without low
    /// latency.
    package var pass: EncodingPass?

    /// The defaults for a codec, its usual quality above all.
    package init(codec: VideoCodec) {
        self.codec = codec
        switch codec {
        case .ffv1: rateControl = .lossless
        case .prores: rateControl = .profile
        default: rateControl = .quality(codec.usualQuality ?? 20)
        }
        preset = "veryfast"
        keyFrameInterval = .seconds(1)
        threads = nil
        parameterSetID = 0
        lowLatency = true
        speed = .asSet
        ignoresOpacity = false
    }

    /// From fast to slow.
    static let presets = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
        "veryslow", "placebo",
    ]

    /// `slow`: what x265's slower presets write no faster one can.
    private static let slowestOfHEVC = 6

    /// The preset that frames are encoded with: `preset`, or the faster one that `speed` asks for.
    package var presetInUse: String {
        guard lowLatency, codec == .h264 || codec == .hevc,
            let own = Self.presets.firstIndex(of: preset),
            codec == .h264 || own <= Self.slowestOfHEVC
        else { return preset }
        switch speed {
        case .asSet: return preset
        case .faster: return Self.presets[min(own, 1)]
        case .fastest: return Self.presets[0]
        }
    }

    /// - Throws: `MediaError` with `.invalidSetting` that names the setting.
    package func validate() throws(MediaError) {
        guard VideoCodec.encodable.contains(codec) else {
            throw invalid(
                "codec", "no encoder for \(codec.rawValue); use \(VideoCodec.encodableNames)")
        }
        guard !lowLatency || codec.isForRecording else {
            throw invalid(
                "codec",
                "\(codec.rawValue) is encoded for films and conversions, not while recording; record "
                    + "h264 or hevc")
        }
        try validateRate()
        guard Self.presets.contains(preset) else {
            throw invalid("preset", "\"\(preset)\" is not one of ultrafast … placebo")
        }
        guard keyFrameInterval > .zero else {
            throw invalid("keyFrameInterval", "it must be longer than nothing")
        }
        if pass != nil {
            guard case .bitrate = rateControl, EncodingPass.codecs.contains(codec), !lowLatency
            else {
                throw invalid("pass", "two passes are for a bit rate of h264, hevc or vp9")
            }
        }
        if let threads, !(1...16).contains(threads) {
            throw invalid("threads", "\(threads) is not between 1 and 16")
        }
        if let keyFrameFrames, !(1...1000).contains(keyFrameFrames) {
            throw invalid("keyFrameFrames", "\(keyFrameFrames) is not between 1 and 1,000")
        }
        guard (0...31).contains(parameterSetID) else {
            throw invalid("parameterSetID", "\(parameterSetID) is not between 0 and 31")
        }
        guard parameterSetID == 0 || codec == .h264 else {
            throw invalid("parameterSetID", "only H.264 parameter sets can be numbered")
        }
    }

    private func validateRate() throws(MediaError) {
        switch (codec, rateControl) {
        case (_, .quality(let value)) where codec.qualities != nil:
            guard let range = codec.qualities, range.contains(value) else {
                throw invalid(
                    "rateControl",
                    "quality \(value) is not between \(Int(codec.qualities?.lowerBound ?? 0)) and "
                        + "\(Int(codec.qualities?.upperBound ?? 0))")
            }
        case (_, .bitrate(let rate)) where codec.isPredictive:
            guard (10_000...1_000_000_000).contains(rate) else {
                throw invalid("rateControl", "\(rate) bit/s is not between 10 kbit/s and 1 Gbit/s")
            }
        case (.ffv1, .lossless), (.prores, .profile): break
        default:
            throw invalid(
                "rateControl", "\(rateControl.spoken) does not exist for \(codec.rawValue)")
        }
    }

    private func invalid(_ field: String, _ why: String) -> MediaError {
        .refused(.invalidSetting, field, "Cannot use the video encoder setting \(field): \(why).")
    }

    /// Up to this size (pixels) x264 has what makes it fast, which costs memory by the frame.
    static let smallPixels = 1280 * 720

    /// Threads in effect for a frame size.
    func effectiveThreads(pixels: Int, cores: Int) -> Int {
        if let threads { return threads }
        guard lowLatency else {
            let isCheap = cores > 2 || pixels <= Self.smallPixels
            return max(1, min(16, codec == .h264 && isCheap ? cores * 3 / 2 : cores))
        }
        return max(1, min(cores, pixels > 1920 * 1088 ? 4 : 2))
    }
}
