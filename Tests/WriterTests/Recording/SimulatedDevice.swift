import Media
import TestSupport

@testable import Recording

/// A microphone on a clock of its own, driven through an aligner. What it hears says when it was:
/// in `.ramp` the level is the host time within its second, in `.count` it is the host's frame.
struct SimulatedDevice {
    enum Content {
        /// Float: seconds since the last whole second of host time.
        case ramp
        /// Int16: 1…30,000, by the host's count of frames.
        case count
        /// Float: a tone (Hz).
        case sine(Double)
    }

    var rate = 48_000
    var ppm = 0.0
    var content = Content.ramp
    /// Host time of device frame 0 (seconds).
    var origin = 100.0
    /// Largest error of a stamp (seconds).
    var jitter = 0.0
    /// Every so many buffers a stamp is 60 ms late.
    var outlierEvery: Int?
    private(set) var frame: Int64 = 0
    private var buffers = 0
    private var noise = Noise(seed: 99)

    init(rate: Int = 48_000, ppm: Double = 0, content: Content = .ramp) {
        self.rate = rate
        self.ppm = ppm
        self.content = content
    }

    var format: AudioFormat {
        let sample: AudioSampleFormat = if case .count = content { .int16 } else { .float32 }
        return AudioFormat(coding: .raw(sample), sampleRate: rate, channels: 1)
    }

    /// True host time of a device frame (seconds).
    func hostTime(_ frame: Int64) -> Double {
        origin + Double(frame) / (Double(rate) * (1 + ppm * 1e-6))
    }

    /// Frames that nobody will ever get.
    mutating func lose(_ frames: Int64) { frame += frames }

    /// The same time once more.
    mutating func rewind(_ frames: Int64) { frame -= frames }

    /// The next buffer and its stamp (ns).
    mutating func next(_ count: Int) -> (block: BlockBuffer, stamp: Int64) {
        var stamp = hostTime(frame) + noise.next() * jitter
        if let outlierEvery, buffers % outlierEvery == outlierEvery / 2 { stamp += 0.060 }
        buffers += 1
        defer { frame += Int64(count) }
        return (fill(count), Int64((stamp * 1e9).rounded()))
    }

    private func fill(_ count: Int) -> BlockBuffer {
        BlockBuffer(count: count * format.bytesPerFrame) { bytes in
            switch content {
            case .count:
                let out = bytes.bindMemory(to: Int16.self)
                let base = Int64((hostTime(frame) * Double(rate)).rounded())
                for index in 0..<count { out[index] = Int16((base + Int64(index)) % 30_000 + 1) }
            case .ramp:
                let out = bytes.bindMemory(to: Float.self)
                let step = 1 / (Double(rate) * (1 + ppm * 1e-6))
                var time = hostTime(frame)
                time -= time.rounded(.down)
                for index in 0..<count {
                    out[index] = Float(time)
                    time += step
                    if time >= 1 { time -= 1 }
                }
            case .sine(let frequency):
                let out = bytes.bindMemory(to: Float.self)
                for index in 0..<count {
                    out[index] = Sine.value(cycles: frequency * hostTime(frame + Int64(index)))
                }
            }
        }
    }
}

/// What an aligner made, as one run that was checked to be unbroken.
struct AlignedTrack {
    var floats: [Float] = []
    var integers: [Int16] = []
    var gaps: [AudioAligner.Gap] = []
    var clockSteps: [Double] = []
    var filled = 0
    /// Whether every run began where the one before ended.
    var isUnbroken = true
    private var next: Int64 = 0

    mutating func take(_ output: AudioAligner.Output, _ format: AudioFormat) {
        clockSteps += output.clockSteps
        for run in output.runs {
            if run.firstFrame != next { isUnbroken = false }
            let frames = run.block.count / format.bytesPerFrame
            next = run.firstFrame + Int64(frames)
            if run.isFilled { filled += frames }
            run.block.withUnsafeBytes { bytes in
                if format.sampleFormat == .int16 {
                    integers.append(contentsOf: bytes.bindMemory(to: Int16.self))
                } else {
                    floats.append(contentsOf: bytes.bindMemory(to: Float.self))
                }
            }
        }
        gaps += output.gaps
    }
}
