internal import LibAV
package import Media

/// The audio of a track by movie time, counted in frames of a wanted rate: frame 0 is movie time 0.
/// Thread-bound.
///
/// Every read gives exactly the frames asked for; where the track has none (before it, after it, in
/// empty edits, where samples are lost) they are silence. Reads that follow each other are one
/// stream; any other place is the same frames as in that stream.
package final class AudioCursor: @unchecked Sendable {  // because its owner serialises its calls
    // immutable
    /// Interleaved float32 of the wanted rate and channels.
    package let format: AudioFormat
    private let source: any CodedTrack
    private let line: AudioLine
    private let path: String

    // owned by the calling thread
    private var rateConverter: AudioRateConverter?
    private var isOpen = true

    /// - Parameter format: raw float32 of the wanted rate and channels.
    /// - Throws: `unsupported`, `damaged-file`, `no-such-file`, `invalid-setting`.
    package convenience init(
        asset: Asset, track: AssetTrack, format: AudioFormat
    ) throws(MediaError) {
        try self.init(asset: asset, track: track, wanted: format)
    }

    /// - Parameter wanted: `nil` = float32 of the track's own rate and channels.
    init(asset: Asset, track: AssetTrack, wanted: AudioFormat?) throws(MediaError) {
        if let wanted { try AudioCursor.check(wanted, asset.path) }
        path = asset.path
        source = try asset.open(track)
        do throws(MediaError) {
            guard let coded = source.format.audio else {
                throw asset.unreadable(track, because: "it holds video and not audio")
            }
            let stream = try AudioStream(source, coded, path: path)
            format = AudioFormat(
                coding: .raw(.float32), sampleRate: wanted?.sampleRate ?? stream.rate,
                channels: wanted?.channels ?? stream.channels)
            line = try AudioLine(stream, source.line, channels: format.channels, path: path)
            if line.rate != format.sampleRate {
                rateConverter = AudioRateConverter(
                    line: line, to: format.sampleRate, channels: format.channels, path: path)
            }
        } catch {
            source.close()
            throw error
        }
    }

    private static func check(_ format: AudioFormat, _ path: String) throws(MediaError) {
        guard format.sampleFormat == .float32, (1...64).contains(format.channels),
            (1...768_000).contains(format.sampleRate)
        else {
            throw MediaError(
                code: .invalidSetting, subject: path,
                message: "Cannot read audio of \(path) in that format; ask for raw audio of "
                    + "1…64 channels and 1…768,000 Hz.")
        }
    }

    /// Frames per second of the track itself (Hz).
    package var nativeRate: Int { line.rate }

    /// Channels of the track itself (count).
    package var nativeChannels: Int { line.stream.channels }

    /// Coded samples that could not be decoded so far (count); silence stands for them.
    package var damagedSamples: Int { line.stream.damagedSamples }

    /// Frames from a place on.
    /// - Parameters:
    ///   - frame: any place; negative ones are before the movie (frames of `format`).
    ///   - count: how many (frames; not negative).
    package func read(at frame: Int64, count: Int) throws(MediaError) -> BlockBuffer {
        guard isOpen else {
            throw MediaError(
                code: .invalidState, subject: path,
                message: "Cannot read audio of \(path): its cursor is closed.")
        }
        guard frame.magnitude < 1 << 50, (0...1 << 28).contains(count) else {
            throw MediaError(
                code: .invalidSetting, subject: path,
                message: "Cannot read \(count) frames at \(frame) of \(path): no audio is so long.")
        }
        var failure: MediaError?
        let block = BlockBuffer(count: max(0, count) * format.bytesPerFrame) { bytes in
            let target = bytes.bindMemory(to: Float.self)
            do throws(MediaError) {
                if let rateConverter {
                    try rateConverter.read(at: frame, into: target)
                } else {
                    try line.read(at: frame, into: target)
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
        return block
    }

    /// Gives back the decoder and the file.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        rateConverter = nil
        line.stream.close()
        source.close()
    }

    deinit { close() }
}
