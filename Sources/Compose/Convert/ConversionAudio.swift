internal import LibAV
internal import Media
internal import Reading

/// The sound of a conversion as the encoder gets it: exactly the frames of the range, from zero on.
/// Thread-bound.
final class ConversionAudio {
    /// Frames of a block.
    private static let block: Int64 = 4096

    // immutable
    let format: AudioFormat
    private let cursor: AudioCursor
    /// Into whole numbers, where the source has no more than 16 bits and nothing is to be lost.
    private let converter: AudioResampler?
    private let first: Int64
    private let count: Int64

    // owned by the calling thread
    private var made: Int64 = 0

    init(
        _ asset: Asset, _ track: ConversionPlan.Track, from start: MediaTime, sampleRate: Int,
        channels: Int, codec: AudioCodec
    ) throws(MediaError) {
        let own = track.source.format?.audio
        let isNarrow =
            codec.isLossless && own?.sampleRate == sampleRate && own?.channels == channels
            && own?.significantBits ?? 24 <= 16
        let floats = AudioFormat(
            coding: .raw(.float32), sampleRate: sampleRate, channels: channels)
        var format = floats
        if isNarrow { format.coding = .raw(.int16) }
        self.format = format
        let rate = Int32(sampleRate)
        first = start.ticks(per: rate, rounding: .nearest)
        count = track.range.duration.ticks(per: rate, rounding: .nearest)
        cursor = try AudioCursor(asset: asset, track: track.source, format: floats)
        do throws(MediaError) {
            converter =
                isNarrow ? try AudioResampler(from: floats, to: format, isSteerable: false) : nil
        } catch {
            cursor.close()
            throw error
        }
    }

    var damage: SourceDamage { SourceDamage(sound: cursor.damagedSamples) }

    func close() { cursor.close() }

    func next() throws(MediaError) -> SampleBuffer? {
        let length = min(Self.block, count - made)
        guard length > 0 else { return nil }
        let rate = Int32(format.sampleRate)
        defer { made += length }
        var block = try cursor.read(at: first + made, count: Int(length))
        block = try converter?.convert(block) ?? block
        return SampleBuffer(
            payload: .audio(block), format: .audio(format),
            presentationTime: MediaTime(value: made, timescale: rate),
            duration: MediaTime(value: length, timescale: rate))
    }
}
