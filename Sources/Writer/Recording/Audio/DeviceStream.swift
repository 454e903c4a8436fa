internal import LibAV
internal import Media

/// One opened device's stream as the aligner follows it: its count of frames, its line on the host
/// clock, and the way its samples take (as they are, or through the resampler).
struct DeviceStream {
    /// A longer hole is a clock that was set anew (seconds).
    static let largestHole = 3_600.0
    /// A longer overlap is a clock that was set anew (seconds).
    static let largestOverlap = 10.0

    struct Held {
        var block: BlockBuffer
        var stamp: Int64
    }

    let format: AudioFormat
    private let track: AudioFormat
    /// Host time of the device's frame 0 as its stamps are now (ns).
    private(set) var origin: Int64
    /// The same as they were at first: a clock that is set anew moves no audio (ns).
    let anchor: Int64
    /// Device frames so far, lost ones included, held ones not.
    var count: Int64 = 0
    private(set) var estimator: DriftEstimator
    var detector = GapDetector()
    private(set) var steering = DriftSteering()
    private var held: [Held] = []
    private var heldFrames: Int64 = 0
    private var resampler: AudioResampler?
    /// The last frames given as they are, to fill the resampler's filter when it is engaged.
    private var history: [UInt8] = []
    /// Frames to leave out of the resampler's output: the history's.
    private var repeated = 0
    private var sinceStep: Int64 = 0

    private static let historyFrames = 256

    init(format: AudioFormat, track: AudioFormat, origin: Int64) throws(MediaError) {
        self.format = format
        self.track = track
        self.origin = origin
        anchor = origin
        estimator = DriftEstimator(rate: format.sampleRate)
        if format != track { resampler = try AudioResampler(from: format, to: track) }
    }

    var isResampling: Bool { resampler != nil }

    // MARK: Stamps

    /// Judges a stamp against where the line has the next frame.
    mutating func judge(_ stamp: Int64) -> GapDetector.Verdict {
        let frame = count + heldFrames
        let expected =
            Double(frame) / Double(format.sampleRate) + (estimator.offset(at: frame) ?? 0)
        return detector.judge(Double(stamp - origin) / 1e9 - expected)
    }

    mutating func hold(_ block: BlockBuffer, at stamp: Int64) {
        held.append(Held(block: block, stamp: stamp))
        heldFrames += Int64(block.count / format.bytesPerFrame)
    }

    mutating func takeHeld() -> [Held] {
        defer {
            held.removeAll()
            heldFrames = 0
        }
        return held
    }

    /// Learns the place of a buffer that is about to be converted.
    mutating func learn(_ held: Held) {
        let nominal = Double(count) / Double(format.sampleRate)
        estimator.add(frame: count, offset: Double(held.stamp - origin) / 1e9 - nominal)
    }

    /// The device's clock jumped by so much; its count runs on.
    mutating func rebase(by seconds: Double) {
        origin += Int64((seconds * 1e9).rounded())
        estimator.breakOff()
    }

    /// So many device frames were lost, or came twice (negative), before the next one.
    mutating func skip(_ frames: Int64) {
        count += frames
        estimator.breakOff()
    }

    /// Device time, on the host's scale, of the next frame that comes out (seconds after `origin`).
    var nextOutputTime: Double {
        let waiting = max(0, (resampler?.delayFrames ?? 0) - repeated)
        let frame = count - Int64(waiting * format.sampleRate / track.sampleRate)
        return Double(frame) / Double(format.sampleRate) + (estimator.offset(at: frame) ?? 0)
    }

    // MARK: Samples

    /// The track's frames for a block of the device; `count` moves on.
    mutating func convert(_ block: BlockBuffer) throws(MediaError) -> BlockBuffer {
        let frames = Int64(block.count / format.bytesPerFrame)
        count += frames
        sinceStep += frames
        guard let resampler else {
            remember(block)
            return block
        }
        return withoutRepeats(try resampler.convert(block))
    }

    /// What is still inside the resampler, which takes no more.
    mutating func finishPath() throws(MediaError) -> BlockBuffer? {
        guard let resampler else { return nil }
        return withoutRepeats(try resampler.finish())
    }

    /// Continues behind a hole.
    mutating func restartPath() throws(MediaError) {
        history.removeAll()
        repeated = 0
        guard resampler != nil else { return }
        resampler = try AudioResampler(from: format, to: track)
        try applyStretch()
    }

    private mutating func withoutRepeats(_ block: BlockBuffer) -> BlockBuffer {
        guard repeated > 0 else { return block }
        let cut = min(repeated, block.count / track.bytesPerFrame)
        repeated -= cut
        return block.slice(cut * track.bytesPerFrame..<block.count)
    }

    private mutating func remember(_ block: BlockBuffer) {
        let size = Self.historyFrames * format.bytesPerFrame
        block.withUnsafeBytes { history.append(contentsOf: $0.suffix(size)) }
        if history.count > size { history.removeFirst(history.count - size) }
    }

    // MARK: Steering

    /// Whether half a second has passed since the last step.
    var isStepDue: Bool { sinceStep * 2 >= Int64(format.sampleRate) }

    /// One step of the steering.
    mutating func step(error: Double) throws(MediaError) {
        sinceStep = 0
        guard steering.step(error: error, ppm: estimator.ppm) != nil else { return }
        if resampler == nil {
            resampler = try AudioResampler(from: format, to: track)
            try applyStretch()
            try prime()
        } else {
            try applyStretch()
        }
    }

    private func applyStretch() throws(MediaError) {
        // over ten seconds, so that a step is 2 ppm at 48 kHz; the next step replaces it
        let distance = track.sampleRate * 10
        let delta = (Double(distance) * steering.stretch / 1e6).rounded()
        try resampler?.steer(deltaFrames: Int(delta), over: distance)
    }

    /// Runs the last frames through once more, so that the filter is full where it takes over.
    private mutating func prime() throws(MediaError) {
        guard let resampler, !history.isEmpty else { return }
        repeated = history.count / format.bytesPerFrame
        let made = try resampler.convert(BlockBuffer(history))
        history.removeAll()
        repeated -= made.count / track.bytesPerFrame
    }
}
