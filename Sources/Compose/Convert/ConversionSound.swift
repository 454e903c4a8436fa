internal import Media
internal import Writer

/// The sound of a conversion as the encoder gets it: exactly the frames of the range, from zero on.
/// Thread-bound.
final class ConversionSound {
    /// Frames of a block.
    private static let block: Int64 = 4096

    // immutable
    let format: AudioFormat
    private let cursor: SoundCursor
    private let first: Int64
    private let count: Int64

    // owned by the calling thread
    private var made: Int64 = 0

    init(
        _ asset: Asset, _ track: ConversionPlan.Track, from start: MediaTime, sampleRate: Int,
        channels: Int
    ) throws(ComposeError) {
        format = AudioFormat(coding: .raw(.float32), sampleRate: sampleRate, channels: channels)
        let rate = Int32(sampleRate)
        first = start.ticks(per: rate, rounding: .nearest)
        count = track.range.duration.ticks(per: rate, rounding: .nearest)
        do throws(WriterError) {
            cursor = try SoundCursor(asset: asset, track: track.source, format: format)
        } catch { throw ComposeError(error) }
    }

    var damage: SourceDamage { SourceDamage(sound: cursor.damagedSamples) }

    func close() { cursor.close() }

    func next() throws(ComposeError) -> SampleBuffer? {
        let length = min(Self.block, count - made)
        guard length > 0 else { return nil }
        let rate = Int32(format.sampleRate)
        defer { made += length }
        do throws(WriterError) {
            return SampleBuffer(
                payload: .audio(try cursor.read(at: first + made, count: Int(length))),
                format: .audio(format), presentationTime: MediaTime(value: made, timescale: rate),
                duration: MediaTime(value: length, timescale: rate))
        } catch { throw ComposeError(error) }
    }
}
