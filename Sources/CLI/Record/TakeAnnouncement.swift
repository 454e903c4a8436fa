import Media
import Writer

/// What is said of a take before it begins: what is recorded, in which form and where to.
enum TakeAnnouncement {
    /// A line for each device and one for the movie.
    static func lines(_ inputs: [RecordInputs.Input], _ settings: RecordingSettings) -> [String] {
        let devices = inputs.map { device($0.device.name, $0.source.format, settings) }
        let limit = settings.duration.map { ", for \(Amounts.clock($0, fractionDigits: 3))" } ?? ""
        return devices + ["into \(settings.outputPath)\(limit)"]
    }

    static func device(
        _ name: String, _ format: FormatDescription, _ settings: RecordingSettings
    ) -> String {
        switch format {
        case .video(let video):
            let rate = video.nominalRate.map { ", \(decimal($0.approximate)) frames/s" } ?? ""
            return "camera \(name): \(video.width)x\(video.height)\(rate), "
                + codec(video, settings.video)
        case .audio(let audio):
            let channels = audio.channels == 1 ? "1 channel" : "\(audio.channels) channels"
            let mixed = settings.microphones == .mixed ? ", mixed" : ""
            return "microphone \(name): \(audio.sampleRate) Hz, \(channels), "
                + settings.audio.codec.rawValue + mixed
        case .text: return name
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
