internal import LibAV
internal import Media
internal import Reading

/// The audio of a recording in a file: its first audio track that can be read. Thread-bound.
final class RecordedSound: AlignableSound {
    let duration: Double
    private let coarse: AudioCursor
    private let exact: AudioCursor

    /// - Throws: `unsupported` where there is no audio; what the file answered.
    init(_ asset: Asset) throws(MediaError) {
        let tracks = asset.tracks(of: .audio)
        guard let track = tracks.first(where: { $0.format != nil && $0.sampleCount > 0 }) else {
            let reason = tracks.first { $0.format == nil }?.reasonUnread ?? "it has no audio"
            throw MediaError(
                code: .unsupported, subject: asset.path,
                message: "Cannot align \(asset.path) by its audio: \(reason).")
        }
        func cursor(_ rate: Int) throws(MediaError) -> AudioCursor {
            try AudioCursor(
                asset: asset, track: track,
                format: AudioFormat(coding: .raw(.float32), sampleRate: rate, channels: 1))
        }
        duration = track.duration.approximateSeconds
        coarse = try cursor(AlignmentScale.searchRate)
        exact = try cursor(AlignmentScale.exactRate)
    }

    /// Coded samples that could not be decoded so far (count); silence stands for them.
    var damagedSamples: Int { coarse.damagedSamples }

    func read(from frame: Int64, count: Int, rate: Int) throws(MediaError) -> [Float] {
        let cursor = rate == AlignmentScale.exactRate ? exact : coarse
        let block = try cursor.read(at: frame, count: count)
        return block.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// Reads all of it once.
    /// - Parameter progress: hears how much is read (seconds).
    func profile(
        _ progress: (Double) throws(MediaError) -> Void
    ) throws(MediaError) -> SoundProfile {
        let rate = AlignmentScale.searchRate
        let maker = try SoundProfile.Maker()
        let total = Int64(duration * Double(rate))
        for frame in stride(from: Int64(0), to: total, by: rate) {
            try progress(Double(frame) / Double(rate))
            maker.add(
                try read(from: frame, count: Int(min(Int64(rate), total - frame)), rate: rate))
        }
        return maker.finish()
    }

    func close() {
        coarse.close()
        exact.close()
    }
}
