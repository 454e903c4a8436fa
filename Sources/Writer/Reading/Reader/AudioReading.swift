internal import LibAV
internal import Media

/// A track's audio in runs of equal length.
// because its owner serialises its calls
final class AudioReading: TrackReading, @unchecked Sendable {
    /// Frames of a sample.
    private static let run = 1024

    // immutable
    private let cursor: AudioCursor
    private let format: AudioFormat
    private let path: String

    // owned by the calling thread
    private var place: Int64 = 0
    private var end: Int64 = 0
    private var converter: AudioResampler?

    init(_ asset: Asset, _ track: AssetTrack, format: AudioFormat?) throws(MediaError) {
        path = asset.path
        var floats = format
        floats?.coding = .raw(.float32)
        cursor = try AudioCursor(asset: asset, track: track, wanted: floats)
        self.format = format ?? cursor.format
        do throws(MediaError) {
            if self.format.sampleFormat != .float32 {
                converter = try AudioResampler(
                    from: cursor.format, to: self.format, isSteerable: false)
            }
        } catch {
            cursor.close()
            throw error.of(asset.path)
        }
    }

    func begin(_ range: MediaTimeRange) {
        let rate = Int32(format.sampleRate)
        let (from, to) = (range.start, range.end)
        place = from.scaled(to: rate, rounding: .nearest).value
        end = to.scaled(to: rate, rounding: .nearest).value
    }

    var damagedSamples: Int { cursor.damagedSamples }

    func close() { cursor.close() }

    func next() throws(MediaError) -> SampleBuffer? {
        let count = Int(min(Int64(Self.run), end - place))
        guard count > 0 else { return nil }
        var block = try cursor.read(at: place, count: count)
        if let converter {
            do throws(MediaError) { block = try converter.convert(block) } catch {
                throw error.of(path)
            }
        }
        let rate = Int32(format.sampleRate)
        defer { place += Int64(count) }
        return SampleBuffer(
            payload: .audio(block), format: .audio(format),
            presentationTime: MediaTime(value: place, timescale: rate),
            duration: MediaTime(value: Int64(count), timescale: rate))
    }
}
