internal import CFFmpeg
internal import Media

/// Everything that decides how a codec encodes, ready for libavcodec and for the fingerprint.
struct VideoEncoderPlan {
    /// Stamps go in and out of libavcodec in this timescale, whatever the samples carry.
    static let timescale: Int32 = 90_000
    /// Presets in which x264 takes another number of B-frames than three, and has its own number of frames in hand.
    private static let unusualPresets: Set = ["ultrafast", "veryslow", "placebo"]
    /// Presets in which x264 predicts from one frame a direction.
    private static let singleReferencePresets: Set = ["ultrafast", "superfast", "veryfast"]
    /// Greatest delay of a low-latency encoder at the nominal rate (milliseconds).
    static let delayLimitMilliseconds = 200

    let settings: VideoEncoderSettings
    let input: VideoFormat
    let pixelFormat: PixelFormat
    let rate: FrameRate
    let threads: Int
    /// Look-ahead (frames); `nil` leaves it to the preset.
    let lookahead: Int?
    /// Frames after which the codec itself makes a sync sample; `nil` when it never does.
    let keyFrameImages: Int?

    init(
        _ settings: VideoEncoderSettings, input: VideoFormat, pixelFormat: PixelFormat, cores: Int
    ) {
        self.settings = settings
        self.input = input
        self.pixelFormat = pixelFormat
        rate = input.nominalRate ?? FrameRate(30)
        let wanted = settings.effectiveThreads(pixels: input.width * input.height, cores: cores)
        let isInter = settings.codec.isPredictive
        guard settings.lowLatency, isInter else {
            threads = settings.codec == .mjpeg ? settings.threads ?? 1 : wanted
            lookahead = nil
            keyFrameImages =
                isInter
                ? settings.keyFrameFrames ?? Self.pictures(in: settings.keyFrameInterval, rate)
                : nil
            return
        }
        keyFrameImages = nil
        // beside the look-ahead, x264 holds a frame for each thread but one; x265 3.5 always two
        let budget = max(
            0,
            Int(rate.numerator) * Self.delayLimitMilliseconds / (1000 * Int(rate.denominator)) - 1)
        threads = settings.codec == .h264 ? min(wanted, budget + 1) : wanted
        let held = settings.codec == .h264 ? threads - 1 : 2
        // x264's look-ahead is no part of the parameter sets, x265's tree is
        let isHurried = settings.codec == .h264 && settings.presetInUse != settings.preset
        lookahead = isHurried ? 0 : max(0, min(budget - held, 10))
    }

    /// Whole frames of a rate that an interval holds (1…1,000).
    private static func pictures(in interval: MediaTime, _ rate: FrameRate) -> Int {
        let seconds = Double(interval.value) / Double(interval.timescale)
        return max(1, min(1000, Int((seconds * rate.approximate + 1e-6).rounded(.down))))
    }

    /// Greatest distance of two frames at the nominal rate (ticks, rounding included).
    var nominalStep: Int64 {
        rate.frameDuration.ticks(per: Self.timescale, rounding: .up)
    }

    /// Whether threads work at different frames, which costs delay, and not at parts of one, which
    /// costs quality.
    var hasFrameThreads: Bool {
        !settings.lowLatency && (settings.codec == .h264 || settings.codec == .hevc)
    }

    var encoderName: String {
        switch settings.codec {
        case .h264: "libx264"
        case .hevc: "libx265"
        case .prores: "prores_ks"
        case .av1: "libsvtav1"
        case .vp9: "libvpx-vp9"
        default: settings.codec.rawValue
        }
    }

    /// Whether frames without a stated range are full range, as JPEG's are.
    var isFullRange: Bool {
        input.color.range == .full
            || (settings.codec == .mjpeg && input.color.range == .unspecified)
    }

    /// libav's pixel format: MJPEG knows full range only by its deprecated twins, and FFV1 leaves the fourth
    /// byte of bgr0 out.
    var libavPixelFormat: AVPixelFormat {
        if settings.codec == .ffv1, settings.ignoresOpacity, pixelFormat == .bgra {
            return AV_PIX_FMT_BGR0
        }
        guard settings.codec == .mjpeg, isFullRange else { return pixelFormat.libav }
        switch pixelFormat {
        case .yuv420p: return AV_PIX_FMT_YUVJ420P
        case .yuv422p: return AV_PIX_FMT_YUVJ422P
        case .yuv444p: return AV_PIX_FMT_YUVJ444P
        default: return pixelFormat.libav
        }
    }

    /// Options by name.
    var options: [(name: String, value: String)] {
        switch settings.codec {
        case .h264:
            return rateOptions + [
                ("preset", settings.presetInUse), ("forced-idr", "1"),
                ("x264-params", x264Parameters),
            ] + (settings.pass.map { [("stats", $0.statistics)] } ?? [])
        case .hevc:
            return rateOptions + [
                ("preset", settings.presetInUse), ("forced-idr", "1"),
                ("x265-params", x265Parameters),
            ]
        case .mjpeg: return [("huffman", "default")] + (isFullRange ? [] : [("strict", "-1")])
        case .ffv1: return ffv1Options
        case .av1, .vp9:
            return OpenCodecOptions(
                settings: settings, width: input.width, threads: threads,
                keyFrameImages: keyFrameImages ?? 1
            ).values
        case .prores:
            let bits = pixelFormat.hasAlpha ? "16" : "0"
            // players of Apple's know their own encoder's name
            return [("profile", "4444"), ("alpha_bits", bits), ("vendor", "apl0")]
        default: return []
        }
    }

    /// Version 3 with a checksum in each slice; where the frame is too narrow for slices, version 1,
    /// which has none.
    private var ffv1Options: [(name: String, value: String)] {
        let slices = FFV1Slices(input.width, input.height, libavPixelFormat).count
        return slices.map { [("level", "3"), ("slicecrc", "1"), ("slices", "\($0)"), ("g", "1")] }
            ?? [("level", "1"), ("g", "1")]
    }

    private var rateOptions: [(name: String, value: String)] {
        switch settings.rateControl {
        case .quality(let crf):
            [("crf", "\(crf)")]
                + (limits.map { [("maxrate", "\($0.rate)"), ("bufsize", "\($0.buffer)")] } ?? [])
        case .bitrate(let rate):
            [("b", "\(rate)"), ("maxrate", "\(peak(of: rate))"), ("bufsize", "\(peak(of: rate))")]
        case .lossless, .profile: []
        }
    }

    /// The greatest rate over a second: what two passes save in one place they spend in another.
    private func peak(of rate: Int) -> Int {
        min(settings.pass == nil ? rate : 2 * rate, limits?.rate ?? .max)
    }

    /// What the level that is stated holds.
    private var limits: VideoLevel.Limits? { settings.level?.limits(of: settings.codec) }

    /// At low latency sync samples come only where `VideoEncoder` asks (no scene cuts, no interval of
    /// the codec's own). Otherwise they come at scene cuts too and the codec keeps the interval, which
    /// it does best, knowing what is ahead. Groups of frames are closed either way, and nothing in the
    /// parameter sets depends on the frames (stitchable).
    private var syncParameters: [String] {
        guard let keyFrameImages else { return ["min-keyint=1", "scenecut=0"] }
        return ["keyint=\(keyFrameImages)", "scenecut=40"]
    }

    private var x264Parameters: String {
        var entries = syncParameters
        if keyFrameImages == nil { entries.append("keyint=infinite") }
        entries += ["open-gop=0", "stitchable=1", "sps-id=\(settings.parameterSetID)"]
        if settings.lowLatency {
            entries += ["bframes=0", "sync-lookahead=0"]
        } else if input.width * input.height > VideoEncoderSettings.smallPixels {
            // large frames in hand cost too much memory and leave other work to do
            entries.append("sync-lookahead=1")
        } else if !Self.unusualPresets.contains(settings.preset) {
            // between x264's look-ahead and its threads, so that neither waits for the other: twice its own four are a
            // twelfth faster, and a fifth faster than one
            entries.append("sync-lookahead=8")
        }
        if !settings.lowLatency, Self.singleReferencePresets.contains(settings.preset) {
            // the fourth frame that `normal` keeps could only be a second reference
            entries.append("b-pyramid=strict")
        }
        if let lookahead {
            entries += ["rc-lookahead=\(lookahead)", "mbtree=\(lookahead > 0 ? 1 : 0)"]
        }
        entries += ParameterSetOptions.x264(settings) + profileEntries
        if let level = settings.level { entries.append("level=\(level)") }
        return entries.joined(separator: ":")
    }

    /// x264 writes the lowest profile that holds what it uses, so each is made to use what it is named for.
    private var profileEntries: [String] {
        switch settings.profile {
        case .baseline: ["cabac=0", "8x8dct=0", "bframes=0", "weightp=0"]
        case .main: ["cabac=1", "8x8dct=0"]
        case .high: ["cabac=1", "8x8dct=1"]
        case .main10, nil: []
        }
    }

    private var x265Parameters: String {
        var entries = syncParameters
        if keyFrameImages == nil { entries.append("keyint=-1") }
        entries += [
            "open-gop=0", "repeat-headers=0", "info=0", "log-level=none", "pools=\(threads)",
        ]
        entries += lightParameters
        if settings.lowLatency { entries += ["frame-threads=1", "bframes=0", "b-adapt=0"] }
        if let lookahead { entries.append("rc-lookahead=\(lookahead)") }
        entries += ParameterSetOptions.x265(settings) + x265Pass
        if let level = settings.level { entries += ["level-idc=\(level)", "high-tier=0"] }
        return entries.joined(separator: ":")
    }

    /// What the input says of light, in x265's words.
    private var lightParameters: [String] {
        var entries: [String] = []
        guard input.isLit else { return [] }
        if let display = input.masteringDisplay {
            func place(_ color: MasteringDisplay.Chromaticity) -> String {
                "(\(color.x),\(color.y))"
            }
            entries.append(
                "master-display=G\(place(display.green))B\(place(display.blue))"
                    + "R\(place(display.red))WP\(place(display.white))"
                    + "L(\(display.maximumLuminance),\(display.minimumLuminance))")
        }
        if let light = input.contentLight {
            entries.append("max-cll=\(light.maximum),\(light.maximumFrameAverage)")
        }
        return entries
    }

    /// x265 has its passes among its parameters, whose separators a path may hold.
    private var x265Pass: [String] {
        guard let pass = settings.pass else { return [] }
        let path = pass.statistics.map { "\\:='".contains($0) ? "\\\($0)" : String($0) }.joined()
        return pass.isFirst
            ? ["pass=1", "slow-firstpass=0", "stats=\(path)"] : ["pass=2", "stats=\(path)"]
    }

    /// Equal for two encoders whose frames may share a track and a configuration.
    func fingerprint(configuration: [UInt8]) -> String {
        let version = avcodec_version()
        let color = input.color
        let aspect = input.pixelAspect
        let options = options.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
        let sync =
            settings.keyFrameFrames.map { "\($0) frames" } ?? "\(settings.keyFrameInterval.reduced)"
        return [
            "vcap/1 \(settings.codec.rawValue)",
            "libavcodec \(version >> 16).\(version >> 8 & 255).\(version & 255)",
            "\(input.width)x\(input.height) \(pixelFormat.rawValue)",
            "aspect \(aspect.horizontal):\(aspect.vertical)",
            "color \(color.primaries)/\(color.transfer)/\(color.matrix)/\(color.range.rawValue)",
            "rate \(rate)", "sync \(sync)",
            "threads \(threads)\(hasFrameThreads ? " by frame" : "")",
            "quality \(settings.rateControl)", options,
            "configuration \(String(fowlerNollVo(configuration), radix: 16))",
        ].joined(separator: "; ")
    }
}

/// FNV-1a, 64 bit: distinguishes configurations, protects nothing.
private func fowlerNollVo(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
