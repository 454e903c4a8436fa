internal import CFFmpeg
package import Media

/// Interleaved PCM of one format into another: sample format, rate, channel count, and a rate that can
/// be steered in small steps to follow a drifting device. Thread-bound.
///
/// Output frame 0 is at the time of input frame 0 (the filter's delay is taken out). After `finish`
/// the count is exact: input frames times the ratio of rates plus what was steered, to the nearest.
///
/// Source: libswresample, polyphase with linear interpolation between the phases.
package final class AudioResampler: @unchecked Sendable {  // because its owner serialises its calls
    // immutable
    package let input: AudioFormat
    package let output: AudioFormat
    /// Whether the rate can be steered, or is converted anyway.
    package let isSteerable: Bool
    private let box: SwrBox

    // owned by the calling thread
    /// Frames taken in and handed out so far (frames).
    package private(set) var framesIn: Int64 = 0
    package private(set) var framesOut: Int64 = 0
    private var steering: (delta: Int, over: Int, used: Int)?
    private var steered = 0.0
    private var lastFrame: [UInt8] = []

    /// - Parameter isSteerable: `false` leaves samples of equal rates as they are, at no cost; then
    ///   `steer` is refused.
    package init(
        from input: AudioFormat, to output: AudioFormat, isSteerable: Bool = true
    ) throws(MediaError) {
        guard let source = input.sampleFormat, let target = output.sampleFormat,
            (1...64).contains(input.channels), (1...64).contains(output.channels),
            (1...768_000).contains(input.sampleRate), (1...768_000).contains(output.sampleRate)
        else {
            throw .refused(
                .unsupported, "the audio resampler",
                "Cannot convert audio between these formats; give raw ones of 1…64 channels and "
                    + "1…768,000 Hz.")
        }
        self.input = input
        self.output = output
        self.isSteerable = isSteerable || input.sampleRate != output.sampleRate
        let steers = [("flags", "res"), ("linear_interp", "1")].map { (name: $0.0, value: $0.1) }
        box = try SwrBox(
            from: (source.libav, input.sampleRate, input.channels),
            to: (target.libav, output.sampleRate, output.channels),
            options: self.isSteerable ? steers : [])
    }

    /// Output frames that are still inside (frames at the output's rate, rounded up).
    package var delayFrames: Int {
        Int(swr_get_delay(box.pointer, Int64(output.sampleRate)))
    }

    /// Makes the next `over` output frames hold `deltaFrames` more (or fewer) than the rates say, evenly
    /// spread; replaces a steering that is still under way.
    /// - Throws: `.unsupported` above 1 % or when the resampler is not steerable.
    package func steer(deltaFrames: Int, over: Int) throws(MediaError) {
        guard isSteerable, over > 0, deltaFrames.magnitude * 100 <= over, over <= Int(Int32.max)
        else {
            throw .refused(
                .unsupported, "the audio resampler",
                "Cannot steer \(deltaFrames) frames over \(over); stay within 1 %.")
        }
        settleSteering()
        LibAVLog.clear()
        let result = swr_set_compensation(box.pointer, Int32(deltaFrames), Int32(over))
        guard result >= 0 else { throw SwrBox.failure("swr_set_compensation", result) }
        steering = (deltaFrames, over, 0)
    }

    /// Converts a block of whole frames; what comes out may be more or less, or nothing.
    package func convert(_ block: BlockBuffer) throws(MediaError) -> BlockBuffer {
        let count = block.count / input.bytesPerFrame
        framesIn += Int64(count)
        return try block.withUnsafeBytes { bytes throws(MediaError) in
            try run(bytes.bindMemory(to: UInt8.self).baseAddress, count)
        }
    }

    /// Hands out the rest, so that the total is exact; no block may follow.
    package func finish() throws(MediaError) -> BlockBuffer {
        let before = framesOut
        let rest = try run(nil, 0)
        settleSteering()
        let exact = Double(framesIn) * Double(output.sampleRate) / Double(input.sampleRate)
        let wanted = max(0, Int64((exact + steered).rounded()) - before)
        framesOut = before + wanted
        let bytes = output.bytesPerFrame
        let have = rest.count / bytes
        if Int(wanted) <= have { return rest.slice(0..<Int(wanted) * bytes) }
        // one frame short by rounding: the last one holds
        let silence = [UInt8](repeating: 0, count: bytes)
        let last = lastFrame.isEmpty ? silence : lastFrame
        return BlockBuffer(
            rest.bytes + (have..<Int(wanted)).flatMap { _ in last })
    }

    /// The smallest count that holds whatever comes out for `count` frames in.
    private func run(_ source: UnsafePointer<UInt8>?, _ count: Int) throws(MediaError)
        -> BlockBuffer
    {
        let most = swr_get_out_samples(box.pointer, Int32(count))
        guard most >= 0 else { throw SwrBox.failure("swr_get_out_samples", most) }
        let bytes = output.bytesPerFrame
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: (Int(most) + 64) * bytes, alignment: 16)
        var target: UnsafeMutablePointer<UInt8>? = memory.bindMemory(to: UInt8.self).baseAddress
        var input = source
        LibAVLog.clear()
        let made = withUnsafeMutablePointer(to: &input) { pointer in
            swr_convert(
                box.pointer, &target, most + 64, source == nil ? nil : pointer, Int32(count))
        }
        guard made >= 0 else {
            memory.deallocate()
            throw SwrBox.failure("swr_convert", made)
        }
        framesOut += Int64(made)
        steering?.used += Int(made)
        let used = UnsafeRawBufferPointer(rebasing: memory[..<(Int(made) * bytes)])
        if made > 0 { lastFrame = Array(used.suffix(bytes)) }
        let base = Deallocation(memory)
        return BlockBuffer(sharing: used, release: { base.run() })
    }

    /// Books what the steering so far has added.
    private func settleSteering() {
        guard let current = steering else { return }
        let share = Double(min(current.used, current.over)) / Double(current.over)
        steered += Double(current.delta) * share
        steering = nil
    }
}

private struct Deallocation: @unchecked Sendable {  // because it only frees
    private let memory: UnsafeMutableRawBufferPointer
    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }
    func run() { memory.deallocate() }
}
