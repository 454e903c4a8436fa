/// What of a preset stands in the parameter sets. A faster preset that is given these writes the very same ones, so
/// that its frames fit a track that was begun with the slower one. Seen with libx264 164 and x265 3.5; that
/// it is so is looked at each time (`VideoEncoder.format`).
enum ParameterSetOptions {
    /// Entries for x264-params; none where the preset in use is the one that was set.
    static func x264(_ settings: VideoEncoderSettings) -> [String] {
        guard settings.presetInUse != settings.preset else { return [] }
        let references =
            switch settings.preset {
            case "faster", "fast": 2
            case "medium": 3
            case "slow": 5
            case "slower": 8
            case "veryslow", "placebo": 16
            default: 1
            }
        // from `fast` on (subme 6) x264 lowers the chroma's quantiser for its psychovisual decisions, and says so in
        // the frame parameter set
        let isPsychovisual =
            !["ultrafast", "superfast", "veryfast", "faster"].contains(settings.preset)
        return [
            "ref=\(references)", "8x8dct=1", "cabac=1", "weightp=1",
            "chroma-qp-offset=\(isPsychovisual ? -2 : 0)",
        ]
    }

    /// Entries for x265-params; none where the preset in use is the one that was set.
    static func x265(_ settings: VideoEncoderSettings) -> [String] {
        guard settings.presetInUse != settings.preset else { return [] }
        let common = ["min-cu-size=8", "signhide=1", "cutree=1", "qg-size=32"]
        if settings.preset == "superfast" {
            return common + ["ctu=32", "ref=1", "sao=0", "weightp=0", "aq-mode=0"]
        }
        let references =
            switch settings.preset {
            case "fast", "medium": 3
            case "slow": 4
            default: 2
            }
        return common + ["ctu=64", "ref=\(references)", "sao=1", "weightp=1", "aq-mode=2"]
    }
}
