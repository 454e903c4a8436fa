internal import LibAV
package import Media

/// The first of two passes over a film's frames: an encoder looks at them and nothing is written but what it saw. The
/// second one is `VideoOutputSettings.pass` of the writer's input. Thread-bound.
package final class FirstPass {
    private let encoder: VideoTrackEncoder

    /// - Parameters:
    ///   - settings: of the film's track.
    ///   - source: what is added.
    ///   - statistics: path of the file that is made; others may lie beside it.
    package init(
        _ settings: VideoOutputSettings, source: VideoFormat, statistics: String
    ) throws(MediaError) {
        var settings = settings
        settings.pass = .first(statistics: statistics)
        encoder = try VideoTrackEncoder(
            settings, source: source, lowLatency: false, rotatesPixels: false)
    }

    package func add(_ frame: SampleBuffer) throws(MediaError) { _ = try encoder.encode(frame) }

    /// Ends the pass: what it saw is in the file then.
    package func finish() throws(MediaError) {
        _ = try encoder.finish()
        encoder.close()
    }
}

extension VideoOutputSettings {
    /// Codecs that can be encoded in two passes.
    package static let twoPassCodecs = EncodingPass.codecs

    /// The second pass of what a first one saw.
    package func secondPass(statistics: String) -> VideoOutputSettings {
        var settings = self
        settings.pass = .second(statistics: statistics)
        return settings
    }
}
