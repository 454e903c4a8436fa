internal import Media
internal import Movie

/// A track of coded audio whose stamps are coarser than its frames (Matroska's are milliseconds), with
/// packets placed by counting on from the first: a stamp moves the count only where it is off by more than
/// stamps can be inexact. Track times are frames. Thread-bound.
final class CountedTrack: CodedTrack {
    // immutable
    let format: FormatDescription
    let line: EditLine
    let hasCoarseStamps = false
    let decodeTimes = DecodeTimes.inOrder
    private let source: any CodedTrack
    private let placement: AudioPlacement
    /// Frames of every packet; nil where each one states its own.
    private let packetFrames: Int64?
    private let rate: Int32

    // owned by the calling thread
    /// Where the packet before ends; nil after a jump.
    private var end: Int64?
    /// Whether the next packet is the track's first.
    private var isAtBeginning = true
    /// A packet read while looking for a place.
    private var waiting: SampleBuffer?

    /// - Returns: nil where packets do not say how long they are.
    init?(_ source: any CodedTrack) throws(MediaError) {
        guard let audio = source.format.audio else { return nil }
        (source as? DemuxedFileTrack)?.keepLengths()
        self.source = source
        format = source.format
        rate = Int32(audio.sampleRate)
        line = .identity(timescale: rate)
        _ = try source.seek(to: .min / 4)
        let first = try source.next()
        _ = try source.seek(to: .min / 4)
        let stated = audio.framesPerPacket.flatMap { $0 > 0 ? Int64($0) : nil }
        let isStated = first?.duration.map { $0.timescale == Int32(audio.sampleRate) } ?? false
        guard stated != nil || isStated else { return nil }
        packetFrames = stated
        placement = AudioPlacement(
            rate: audio.sampleRate, ticks: source.line.timescale, coded: audio, first: first,
            firstFrames: Int(stated ?? 0), isCoarse: true)
    }

    func next() throws(MediaError) -> SampleBuffer? {
        if let sample = waiting {
            waiting = nil
            return sample
        }
        guard var sample = try source.next() else { return nil }
        let stamp = sample.presentationTime.ticks(per: rate, rounding: .nearest)
        let start = isAtBeginning ? placement.first : placement.landing(stamp: stamp)
        let place = end.map { placement.next(stamp: stamp, counted: $0) } ?? start
        var length =
            packetFrames ?? sample.duration?.ticks(per: rate, rounding: .nearest) ?? 0
        // ALAC's last packet says how short it is
        if let stated = sample.duration, stated.timescale == rate {
            length = min(length, max(1, stated.value))
        }
        end = place + length
        isAtBeginning = false
        sample.presentationTime = line.time(place)
        sample.decodeTime = nil
        sample.duration = line.time(length)
        return sample
    }

    /// Packets of different lengths can be counted from the beginning only.
    func seek(to media: Int64) throws(MediaError) -> Bool {
        (end, waiting) = (nil, nil)
        guard packetFrames == nil else {
            let ticks = line.time(max(media, .min / 8)).ticks(
                per: source.line.timescale, rounding: .down)
            isAtBeginning = try source.seek(to: ticks)
            return isAtBeginning
        }
        _ = try source.seek(to: .min / 4)
        isAtBeginning = true
        var passed = -1
        var found: SampleBuffer?
        while let sample = try next() {
            (found, passed) = (sample, passed + 1)
            let length = sample.duration?.value ?? 0
            guard sample.presentationTime.value + length <= media else { break }
        }
        waiting = found
        return passed <= 0
    }

    func syncTime(before media: Int64) -> Int64? { nil }

    func close() { source.close() }
}

extension Asset {
    /// Whether an audio track's stamps do not state its frames exactly.
    func hasCoarseStamps(_ track: AssetTrack) -> Bool {
        guard let audio = track.format?.audio else { return false }
        return container != "mp4" && container != "mov"
            && audio.isCoarse(inTicksOf: track.timescale)
    }
}
