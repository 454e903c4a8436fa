internal import Media

/// A track of coded sound whose stamps are coarser than its frames (Matroska's are milliseconds), with
/// packets placed by counting on from the first: a stamp moves the count only where it is off by more than
/// stamps can be inexact. Track times are frames. Thread-bound.
final class CountedTrack: CodedTrack {
    // immutable
    let format: FormatDescription
    let line: EditLine
    let hasCoarseStamps = false
    let decodeTimes = DecodeTimes.inOrder
    private let source: any CodedTrack
    private let placement: SoundPlacement
    private let packetFrames: Int64
    private let rate: Int32

    // owned by the calling thread
    /// Where the packet before ends; nil after a jump.
    private var end: Int64?

    /// - Returns: nil where packets do not tell how long they are.
    init?(_ source: any CodedTrack) throws(WriterError) {
        guard let audio = source.format.audio, let frames = audio.framesPerPacket, frames > 0 else {
            return nil
        }
        self.source = source
        format = source.format
        rate = Int32(audio.sampleRate)
        packetFrames = Int64(frames)
        line = .identity(timescale: rate)
        _ = try source.seek(to: .min / 4)
        placement = SoundPlacement(
            rate: audio.sampleRate, ticks: source.line.timescale, coded: audio,
            first: try source.next(), firstFrames: frames, isCoarse: true)
        _ = try source.seek(to: .min / 4)
    }

    func next() throws(WriterError) -> SampleBuffer? {
        guard var sample = try source.next() else { return nil }
        let stamp = sample.presentationTime.ticks(per: rate, rounding: .nearest)
        let place =
            end.map { placement.next(stamp: stamp, counted: $0) } ?? placement.landing(stamp: stamp)
        var frames = packetFrames
        // ALAC's last packet tells how short it is
        if let length = sample.duration, length.timescale == rate {
            frames = min(frames, max(1, length.value))
        }
        end = place + frames
        sample.presentationTime = line.time(place)
        sample.decodeTime = nil
        sample.duration = line.time(frames)
        return sample
    }

    func seek(to media: Int64) throws(WriterError) -> Bool {
        end = nil
        let ticks = line.time(max(media, .min / 8)).ticks(
            per: source.line.timescale, rounding: .down)
        return try source.seek(to: ticks)
    }

    func syncTime(before media: Int64) -> Int64? { nil }

    func close() { source.close() }
}

extension Asset {
    /// Whether a sound track's stamps do not tell its frames exactly.
    func hasCoarseStamps(_ track: AssetTrack) -> Bool {
        guard let audio = track.format?.audio else { return false }
        return container != "mp4" && container != "mov"
            && audio.isCoarse(inTicksOf: track.timescale)
    }
}

extension AudioFormat {
    /// Whether ticks are no parts of a frame: longer (Matroska's milliseconds), or such that frames lie
    /// between them (MPEG-TS's 90,000 a second) and packets of a known length can be counted.
    func isCoarse(inTicksOf timescale: Int32) -> Bool {
        let rate = Int32(clamping: sampleRate)
        guard rate > 0 else { return false }
        return timescale < rate
            || (timescale % rate != 0 && codec == .aac && framesPerPacket != nil)
    }
}
