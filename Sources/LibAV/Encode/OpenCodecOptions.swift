internal import Media

/// What AV1's and VP9's encoders are asked for. Presets have x264's words; each encoder counts its own.
///
/// Source: SVT-AV1 1.4 and libvpx 1.12 as libavcodec 59 opens them.
struct OpenCodecOptions {
    let settings: VideoEncoderSettings
    let width: Int
    let threads: Int
    /// Frames from a sync sample to the next.
    let keyFrameImages: Int

    var values: [(name: String, value: String)] {
        [("g", "\(keyFrameImages)")] + (settings.codec == .av1 ? av1 : vp9)
    }

    // MARK: AV1

    private var av1: [(name: String, value: String)] {
        rate(quality: { [("crf", "\($0)")] }, bits: { [("b", "\($0)")] })
            + [("preset", "\(av1Speed)"), ("svtav1-params", "lp=\(threads)")]
    }

    /// Of 0 to 12, which is the fastest.
    private var av1Speed: Int {
        switch settings.preset {
        case "ultrafast": 12
        case "superfast": 11
        case "veryfast": 10
        case "faster": 9
        case "fast": 8
        case "medium": 7
        case "slow": 6
        case "slower": 4
        case "veryslow": 2
        default: 0
        }
    }

    // MARK: VP9

    private var vp9: [(name: String, value: String)] {
        let (deadline, speed) = vp9Speed
        // of one pass with an average alone libvpx makes what it likes (two quiet seconds, then twelve times the rate)
        let isConstant = settings.pass == nil
        return rate(
            quality: { [("crf", "\($0)"), ("b", "0")] },
            bits: { bits in
                let names = isConstant ? ["b", "minrate", "maxrate", "bufsize"] : ["b"]
                return names.map { ($0, "\(bits)") }
            }
        ) + [
            ("deadline", deadline), ("cpu-used", "\(speed)"), ("row-mt", "1"),
            ("tile-columns", "\(tileColumns)"), ("auto-alt-ref", "1"), ("lag-in-frames", "25"),
        ]
    }

    private var vp9Speed: (deadline: String, speed: Int) {
        switch settings.preset {
        // what is said of a pass is said of good quality
        case "ultrafast" where settings.pass == nil: ("realtime", 8)
        case "superfast" where settings.pass == nil: ("realtime", 6)
        case "ultrafast", "superfast": ("good", 5)
        case "veryfast": ("good", 5)
        case "faster": ("good", 4)
        case "fast": ("good", 3)
        case "medium": ("good", 2)
        case "slow": ("good", 1)
        case "slower": ("good", 0)
        default: ("best", 0)
        }
    }

    /// Columns that threads work at side by side, of 256 pixels at least (binary logarithm of their count).
    private var tileColumns: Int { width >= 1024 ? 2 : width >= 512 ? 1 : 0 }

    private func rate(
        quality: (Int) -> [(name: String, value: String)],
        bits: (Int) -> [(name: String, value: String)]
    ) -> [(name: String, value: String)] {
        switch settings.rateControl {
        case .quality(let value): quality(Int(value.rounded()))
        case .bitrate(let rate): bits(rate)
        case .lossless, .profile: []
        }
    }
}
