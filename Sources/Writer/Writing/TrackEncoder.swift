internal import LibAV
internal import Media

/// Turns the samples of one track into coded samples. Thread-bound: the track's encoder thread.
protocol TrackEncoder: AnyObject, Sendable {
    /// The coded format.
    var format: FormatDescription { get }
    /// Whether `format` is complete; if not at once, then after the first sample.
    var isFormatKnown: Bool { get }
    /// See `AssetWriterResult.Track.encoderFingerprint`.
    var fingerprint: String? { get }
    func encode(_ sample: SampleBuffer) throws(MediaError) -> [SampleBuffer]
    func finish() throws(MediaError) -> [SampleBuffer]
    /// Hands out what can be without ending the track: after a pause it continues with a sync sample.
    func drain() throws(MediaError) -> [SampleBuffer]
    /// Asks for another speed from the next sync sample on, where the encoder can change it. From any thread.
    func hurry(_ speed: EncodingSpeed)
    /// What has become of that since the last call.
    func takePresetChange() -> PresetChange?
    /// The frame given last, where it could not be converted and the movie is without it (movie time).
    func takeLostFrame() -> MediaTime?
    /// No sample follows: gives back threads and memory, even while its format is still asked for.
    func close()
}

/// From one frame on a track is encoded with another preset.
struct PresetChange: Sendable {
    let preset: String
    /// Of the first frame (movie time).
    let time: MediaTime
}

extension TrackEncoder {
    var isFormatKnown: Bool { true }
    func drain() throws(MediaError) -> [SampleBuffer] { [] }
    func hurry(_ speed: EncodingSpeed) {}
    func takePresetChange() -> PresetChange? { nil }
    func takeLostFrame() -> MediaTime? { nil }
    func close() {}
}

/// Passes coded samples on as they are.
final class PassThrough: TrackEncoder {
    let format: FormatDescription
    let fingerprint: String? = nil

    init(format: FormatDescription) { self.format = format }

    func encode(_ sample: SampleBuffer) -> [SampleBuffer] { [sample] }
    func finish() -> [SampleBuffer] { [] }
}

/// Encodes raw audio through LibAV, PCM included, converted first where another rate or other channels are asked for.
final class AudioTrackEncoder: TrackEncoder {
    private let encoder: AudioEncoder
    private let converter: AudioConverter?

    init(_ settings: AudioOutputSettings, input: AudioFormat) throws(MediaError) {
        let format = settings.trackFormat(for: input)
        converter = format == input ? nil : try AudioConverter(from: input, to: format)
        encoder = try AudioEncoder(
            settings: AudioEncoderSettings(codec: settings.codec, bitrate: settings.bitrate),
            input: format)
    }

    var format: FormatDescription { .audio(encoder.format) }
    var fingerprint: String? { nil }

    func encode(_ sample: SampleBuffer) throws(MediaError) -> [SampleBuffer] {
        guard let converter else { return try encoder.encode(sample) }
        return try converter.convert(sample).map(encoder.encode) ?? []
    }

    func finish() throws(MediaError) -> [SampleBuffer] {
        let rest = try converter?.finish().map(encoder.encode) ?? []
        return try rest + encoder.finish()
    }
}
