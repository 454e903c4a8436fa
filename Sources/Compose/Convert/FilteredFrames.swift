internal import LibAV
internal import Media

/// Pictures of a conversion as a processor changes them, upright and of 8 bits. Unlike a camera's they wait for it, and
/// where it fails there is no movie. Thread-bound.
final class FilteredFrames: FrameSupply {
    // immutable
    let format: VideoFormat
    private let supply: any FrameSupply
    private let processor: any FrameProcessor

    /// Whether pictures are of sizes of their own, which what comes behind makes one.
    private let isMixed: Bool

    // owned by the calling thread
    private var shown: (from: VideoFormat, to: VideoFormat, converter: FrameConverter)?
    /// Looked at, and not processed.
    private var ahead: [SampleBuffer] = []
    private var hasEnded = false
    private var count = 0

    /// - Parameter isMixed: whether pictures keep sizes of their own.
    init(
        _ supply: any FrameSupply, _ processor: any FrameProcessor, isMixed: Bool
    ) throws(MediaError) {
        (self.supply, self.processor, self.isMixed) = (supply, processor, isMixed)
        format = try FrameTarget(pixelFormat: .yuv420p, orientation: .upright)
            .format(of: supply.format)
        try processor.check(format)
    }

    var damage: SourceDamage { supply.damage }

    func close() { supply.close() }

    /// Filter after filter.
    var counts: [FilterCounts] {
        var own = FilterCounts(name: processor.name, fallback: processor.fallback)
        (own.processed, own.covered) = (count, processor.covered)
        return ((supply as? FilteredFrames)?.counts ?? []) + [own]
    }

    /// What is changed of the pictures besides; one sentence.
    var note: String? {
        if let inner = supply as? FilteredFrames { return inner.note }
        guard let own = supply.format.pixelFormat, own.bitDepth > 8 || own.hasAlpha || own.isRGB
        else {
            return nil
        }
        return "The frames are filtered as yuv420p; they are \(own.rawValue)."
    }

    func next() throws(MediaError) -> SampleBuffer? {
        while !hasEnded, !isFarEnough {
            guard let sample = try supply.next() else {
                hasEnded = true
                break
            }
            let frame = try planar(sample)
            do { try processor.look(at: frame) } catch { throw failure(error) }
            ahead.append(frame)
        }
        guard !ahead.isEmpty else { return nil }
        let frame = ahead.removeFirst()
        do {
            let result = try processor.processed(frame)
            count += 1
            return result
        } catch { throw failure(error) }
    }

    private var isFarEnough: Bool {
        guard let first = ahead.first, let last = ahead.last else { return false }
        return last.presentationTime - first.presentationTime >= processor.lookAhead
    }

    private func planar(_ sample: SampleBuffer) throws(MediaError) -> SampleBuffer {
        guard let pixels = sample.pixelBuffer, let own = sample.format.video else { return sample }
        let (target, converter) = try target(of: own)
        var result = sample
        do throws(FrameConverter.Failure) {
            result.payload = .pixels(try converter.convert(pixels, own))
        } catch { throw error.error }
        result.format = .video(target)
        return result
    }

    private func target(
        of own: VideoFormat
    ) throws(MediaError) -> (VideoFormat, FrameConverter) {
        if let shown, !isMixed || shown.from == own { return (shown.to, shown.converter) }
        let target =
            isMixed
            ? try FrameTarget(pixelFormat: .yuv420p, orientation: .upright).format(of: own) : format
        let converter = FrameConverter(to: target, limit: 64, exhaustion: .allocates)
        shown = (own, target, converter)
        return (target, converter)
    }

    private func failure(_ error: any Error) -> MediaError {
        error as? MediaError
            ?? MediaError(
                code: .conversionFailed, subject: processor.name,
                message: "The filter \(processor.name) failed: \(error).")
    }
}
