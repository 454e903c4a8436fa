import Detect
import Media
import Recording
import Writing

/// What is said of a take before it begins: what is recorded, in which form and where to.
enum TakeAnnouncement {
    /// A line for each device and one for the movie.
    static func lines(_ inputs: [RecordInputs.Input], _ settings: RecordingSettings) -> [String] {
        let devices = inputs.map { input in
            let what = input.source is StereoDepthOutput ? "" : "camera "
            return device(input.name, input.source.format, settings, of: what)
        }
        let limit = settings.duration.map { ", for \(Amounts.clock($0, fractionDigits: 3))" } ?? ""
        return devices + ["into \(settings.outputPath)\(limit)"]
    }

    /// What is recorded as others may not expect it, one sentence each.
    static func cautions(
        _ inputs: [RecordInputs.Input], _ settings: RecordingSettings
    ) -> [String] {
        inputs.compactMap { caution($0.name, $0.source.format, settings) }
    }

    /// Encoders of takes have 8 bits.
    static func caution(
        _ name: String, _ format: FormatDescription, _ settings: RecordingSettings
    ) -> String? {
        guard let video = format.video, case .encoded = settings.video else { return nil }
        let light: String
        switch video.color.transfer {
        case 16: light = "PQ (HDR)"
        case 18: light = "HLG (HDR)"
        default: return nil
        }
        return "the frames of \(name) are \(light) and are recorded with 8 bits, in which soft "
            + "gradients show steps: have the camera deliver another range, or copy what it codes "
            + "(--codec copy)"
    }

    /// - Parameter camera: what stands before the name of what delivers frames.
    static func device(
        _ name: String, _ format: FormatDescription, _ settings: RecordingSettings,
        of camera: String = "camera "
    ) -> String {
        switch format {
        case .video(let video):
            let rate = video.nominalRate.map { ", \(decimal($0.approximate)) frames/s" } ?? ""
            let coding =
                video.depth.map { "ffv1 of \($0)" } ?? codec(video, settings.video)
            return "\(camera)\(name): \(video.width)x\(video.height)\(rate), \(coding)"
        case .audio(let audio):
            let channels = audio.channels == 1 ? "1 channel" : "\(audio.channels) channels"
            let mixed = settings.microphones == .mixed ? ", mixed" : ""
            return "microphone \(name): \(audio.sampleRate) Hz, \(channels), "
                + settings.audio.codec.rawValue + mixed
        case .text: return name
        case .metadata: return "what is found in the frames of \(name): a track of metadata"
        }
    }

    private static func codec(
        _ video: VideoFormat, _ output: RecordingSettings.VideoTrackOutput
    ) -> String {
        switch output {
        case .encoded(let settings): settings.codec.rawValue
        case .copied: "\(video.codec?.rawValue ?? "as it comes"), copied"
        }
    }

    private static func decimal(_ value: Double) -> String {
        value == value.rounded() ? Amounts.decimal(value, 0) : Amounts.decimal(value, 2)
    }
}
