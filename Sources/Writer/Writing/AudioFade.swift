internal import Media

/// Where a run of raw audio lies in the fades of its span. Linear in amplitude.
struct AudioFade: Sendable, Hashable {
    /// Length of a fade (frames).
    let length: Int64
    /// Frames between the span's start and the run's; `nil` when the span does not fade in.
    let sinceStart: Int64?
    /// Frames between the run's end and the span's; `nil` when the end is open or not a cut.
    let untilEnd: Int64?

    /// Whether any frame of a run of `count` frames changes.
    func touches(_ count: Int) -> Bool {
        (sinceStart.map { $0 < length } ?? false)
            || (untilEnd.map { $0 < length } ?? false)
                && count > 0
    }

    /// The factor of one frame (0…1).
    func gain(_ index: Int, of count: Int) -> Float {
        var gain: Float = 1
        if let sinceStart { gain = min(gain, ratio(sinceStart + Int64(index))) }
        if let untilEnd { gain = min(gain, ratio(untilEnd + Int64(count - 1 - index))) }
        return gain
    }

    private func ratio(_ distance: Int64) -> Float {
        distance >= length ? 1 : (Float(distance) + 0.5) / Float(length)
    }

    /// The run with the fades applied; the same bytes when no fade touches it.
    func apply(to block: BlockBuffer, format: AudioFormat) -> BlockBuffer {
        guard format.bytesPerFrame > 0, let sampleFormat = format.sampleFormat else { return block }
        let count = block.count / format.bytesPerFrame
        guard touches(count) else { return block }
        return BlockBuffer(count: block.count) { target in
            block.withUnsafeBytes { target.copyMemory(from: $0) }
            for frame in 0..<count {
                let factor = gain(frame, of: count)
                guard factor < 1 else { continue }
                let first = frame * format.channels
                switch sampleFormat {
                case .int16: scale(target, first, format.channels, Int16.self, factor)
                case .int32: scale(target, first, format.channels, Int32.self, factor)
                case .float32:
                    let samples = target.assumingMemoryBound(to: Float.self)
                    for index in first..<first + format.channels { samples[index] *= factor }
                }
            }
        }
    }

    private func scale<Sample: FixedWidthInteger>(
        _ bytes: UnsafeMutableRawBufferPointer, _ first: Int, _ channels: Int, _: Sample.Type,
        _ factor: Float
    ) {
        let samples = bytes.assumingMemoryBound(to: Sample.self)
        for index in first..<first + channels {
            samples[index] = Sample((Double(samples[index]) * Double(factor)).rounded())
        }
    }
}
