internal import LibAV
internal import Media
internal import Movie

/// Which encoder a track gets.
enum EncoderChoice {
    static func encoder(
        for coding: TrackInput.Coding, _ configuration: AssetWriterConfiguration
    ) throws(MediaError) -> any TrackEncoder {
        switch coding {
        case .passThrough(let format):
            AnnexBPassThrough(format: format) ?? PassThrough(format: format)
        case .audio(let settings, let format): try AudioTrackEncoder(settings, input: format)
        case .video(let settings, let format):
            try VideoTrackEncoder(
                settings, source: format, lowLatency: configuration.mode == .realTime,
                rotatesPixels: !configuration.container.holdsOrientation)
        }
    }
}
