internal import LibAV
internal import Media

/// Turns what a microphone delivers into one unbroken run of frames on the session's grid, where
/// frame *n* is at `start + n / rate`.
///
/// Frames pass bit-exactly while the device keeps the host's time. A device that drifts is steered
/// by a resampler; a hole becomes silence of exactly its length, with fades of 3 ms at its edges;
/// time that comes twice is trimmed. Docs: docs/design/recording.md, "Audio".
struct AudioAligner {
    /// Frames to write, at their place on the grid.
    struct Run: Sendable {
        var firstFrame: Int64
        var block: BlockBuffer
        /// Whether the frames are silence that the aligner made.
        var isFilled: Bool
    }

    /// A hole that was filled with silence.
    struct Gap: Sendable, Equatable {
        var firstFrame: Int64
        var frames: Int64
        var cause: String
    }

    /// What one call made.
    struct Output: Sendable {
        var runs: [Run] = []
        var gaps: [Gap] = []
        /// By how much the device's clock was set anew, once a time (seconds; positive: forward).
        var clockSteps: [Double] = []
    }

    // immutable
    /// The track's raw format.
    let format: AudioFormat
    /// The session's start (host clock, ns).
    let start: Int64

    // what is being made
    /// Frame of the grid that comes next out of the fader.
    private var emitted: Int64 = 0
    /// Frame of the grid that comes next into the fader.
    private var next: Int64 = 0
    /// Frames to leave out before the next one is kept, because their place is taken.
    private var skip: Int64 = 0
    private var fader: EdgeFader
    private var output = Output()
    private var openGap: (firstFrame: Int64, cause: String)?
    private var stream: DeviceStream?
    private var lastPPM: Double?

    /// Largest distance from the right place while in steady state (seconds).
    private(set) var largestError = 0.0

    init(format: AudioFormat, start: Int64) {
        self.format = format
        self.start = start
        fader = EdgeFader(format: format)
    }

    // MARK: What is known

    /// The device's measured rate against the host clock (ppm); of the last device if it is gone.
    var driftPPM: Double? { stream?.estimator.ppm ?? lastPPM }

    /// Whether the samples go through the resampler now.
    var isSteering: Bool { stream?.steering.isEngaged ?? false }

    /// How far what is written reaches (host clock, ns).
    var reach: Int64 { hostTime(ofFrame: next) }

    /// Whether a device is delivering.
    var isStreaming: Bool { stream != nil }

    /// Frame of the grid at a host time, to the nearest.
    func frame(atHostTime time: Int64) -> Int64 {
        MediaTime.nanoseconds(time - start).ticks(
            per: Int32(format.sampleRate), rounding: .nearest)
    }

    /// Host time of a frame of the grid (ns, to the nearest).
    func hostTime(ofFrame frame: Int64) -> Int64 {
        start + MediaTime(value: frame, timescale: Int32(format.sampleRate)).nanoseconds()
    }

    // MARK: What happens

    /// Takes a buffer of the device.
    /// - Parameters:
    ///   - stamp: host time of its first frame (ns).
    ///   - lost: device frames announced as lost immediately before it.
    ///   - cause: why they were lost.
    mutating func push(
        _ block: BlockBuffer, format device: AudioFormat, at stamp: Int64, lost: Int = 0,
        cause: String = SampleDrop.Cause.overrun.rawValue
    ) throws(MediaError) -> Output {
        if let stream, stream.format != device {
            try closeStream(cause: SourceInterruption.Reason.formatChanged.rawValue)
        }
        if stream == nil { try openStream(device, at: stamp) }
        if lost > 0 { try announce(lost: Int64(lost), cause: cause) }
        let frames = Int64(block.count / device.bytesPerFrame)
        guard frames > 0, let verdict = stream?.judge(stamp) else { return take() }
        stream?.hold(block, at: stamp)
        switch verdict {
        case .suspect: break
        case .continuous: try release()
        case .displaced(let seconds): try displace(seconds)
        }
        return take()
    }

    /// The device fell silent: what it gave fades out, and silence may follow (`fill`).
    mutating func interrupt(cause: String) throws(MediaError) -> Output {
        try closeStream(cause: cause)
        return take()
    }

    /// No device has delivered by the session's start: silence may follow (`fill`) until one does.
    mutating func expect(cause: String) {
        if stream == nil, openGap == nil { openGap = (next, cause) }
    }

    /// Writes silence up to a host time while no device delivers.
    mutating func fill(until time: Int64) -> Output {
        guard openGap != nil else { return Output() }
        silence(frame(atHostTime: time) - next)
        return take()
    }

    /// The end: everything that is held.
    mutating func finish() throws(MediaError) -> Output {
        if stream != nil {
            try settle()
            try drainStream()
            lastPPM = driftPPM
            stream = nil
        }
        if let block = fader.flush() { emit(block, filled: false) }
        closeGap(at: next)
        return take()
    }

    private mutating func take() -> Output {
        defer { output = Output() }
        return output
    }

    // MARK: Streams of a device

    private mutating func openStream(
        _ device: AudioFormat, at stamp: Int64
    ) throws(MediaError) {
        stream = try DeviceStream(format: device, track: format, origin: stamp)
        place(at: frame(atHostTime: stamp))
    }

    /// The next frame's place is `frame`: silence up to it, or trimming where it is taken.
    private mutating func place(at frame: Int64) {
        skip = max(0, next - frame)
        silence(frame - next)
        closeGap(at: next)
    }

    private mutating func closeStream(cause: String) throws(MediaError) {
        guard stream != nil else { return }
        try settle()
        try drainStream()
        lastPPM = driftPPM
        stream = nil
        skip = 0
        breakOff()
        openGap = (next, cause)
    }

    /// What the resampler still has.
    private mutating func drainStream() throws(MediaError) {
        if let tail = try stream?.finishPath() { keep(tail) }
    }

    private mutating func closeGap(at frame: Int64) {
        guard let gap = openGap else { return }
        openGap = nil
        guard frame > gap.firstFrame else { return }
        output.gaps.append(
            Gap(firstFrame: gap.firstFrame, frames: frame - gap.firstFrame, cause: gap.cause))
    }

    // MARK: Holes

    private mutating func announce(lost: Int64, cause: String) throws(MediaError) {
        try settle()
        try insertHole(deviceFrames: lost, cause: cause)
    }

    private mutating func displace(_ seconds: Double) throws(MediaError) {
        guard let rate = stream?.format.sampleRate else { return }
        let frames = Int64((seconds * Double(rate)).rounded())
        if seconds > 0, seconds < DeviceStream.largestHole {
            try insertHole(deviceFrames: frames, cause: "gap")
        } else if seconds < 0, -seconds < DeviceStream.largestOverlap {
            stream?.skip(frames)
            skip += trackFrames(-frames)
        } else {
            // the device's clock was set anew: its count is all there is to go by
            stream?.rebase(by: seconds)
            output.clockSteps.append(seconds)
        }
        try release()
    }

    private mutating func insertHole(
        deviceFrames: Int64, cause: String
    ) throws(MediaError) {
        try drainStream()
        breakOff()
        let frames = trackFrames(deviceFrames)
        let first = next
        let skipped = min(skip, frames)
        skip -= skipped
        silence(frames - skipped)
        if next > first {
            output.gaps.append(Gap(firstFrame: first, frames: next - first, cause: cause))
        }
        stream?.skip(deviceFrames)
        try stream?.restartPath()
    }

    private mutating func settle() throws(MediaError) {
        guard let seconds = stream?.detector.settle() else { return }
        try displace(seconds)
    }

    private func trackFrames(_ deviceFrames: Int64) -> Int64 {
        guard let rate = stream?.format.sampleRate, rate != format.sampleRate else {
            return deviceFrames
        }
        return MediaTime(value: deviceFrames, timescale: Int32(rate)).ticks(
            per: Int32(format.sampleRate), rounding: .nearest)
    }

    // MARK: Frames

    /// Lets everything that was held back through.
    private mutating func release() throws(MediaError) {
        for held in stream?.takeHeld() ?? [] {
            stream?.learn(held)
            anchorBeforeFirstFrame()
            if let frames = try stream?.convert(held.block) { keep(frames) }
            try steer()
        }
    }

    /// Until the first frame is kept its place follows the best estimate.
    private mutating func anchorBeforeFirstFrame() {
        guard next == 0, skip > 0, let stream, !stream.isResampling else { return }
        skip = max(0, -Int64((position(of: stream) * Double(format.sampleRate)).rounded()))
    }

    /// Where the next frame out of the stream belongs (seconds after the session's start).
    private func position(of stream: DeviceStream) -> Double {
        Double(stream.anchor - start) / 1e9 + stream.nextOutputTime
    }

    private mutating func steer() throws(MediaError) {
        guard let stream, stream.isStepDue else { return }
        let error = Double(next - skip) / Double(format.sampleRate) - position(of: stream)
        if skip == 0 { largestError = max(largestError, abs(error)) }
        try self.stream?.step(error: error)
    }

    private mutating func keep(_ block: BlockBuffer) {
        var frames = Int64(block.count / format.bytesPerFrame)
        var kept = block
        if skip > 0 {
            let cut = min(skip, frames)
            skip -= cut
            frames -= cut
            kept = block.slice(Int(cut) * format.bytesPerFrame..<block.count)
        }
        guard frames > 0 else { return }
        next += frames
        if let certain = fader.push(kept) { emit(certain, filled: false) }
    }

    private mutating func breakOff() {
        if let block = fader.breakOff() { emit(block, filled: false) }
    }

    private mutating func silence(_ frames: Int64) {
        guard frames > 0 else { return }
        breakOff()
        // one for all of it: hours of silence cost no memory
        let block = BlockBuffer(count: Int(min(frames, 4_800)) * format.bytesPerFrame) { bytes in
            bytes.initializeMemory(as: UInt8.self, repeating: 0)
        }
        var left = frames
        while left > 0 {
            let count = min(left, 4_800)
            let bytes = Int(count) * format.bytesPerFrame
            emit(bytes < block.count ? block.slice(0..<bytes) : block, filled: true)
            left -= count
        }
        next += frames
    }

    private mutating func emit(_ block: BlockBuffer, filled: Bool) {
        output.runs.append(Run(firstFrame: emitted, block: block, isFilled: filled))
        emitted += Int64(block.count / format.bytesPerFrame)
    }
}
