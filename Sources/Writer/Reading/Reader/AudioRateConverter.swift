internal import LibAV
internal import Media

/// A track's audio at another rate.
///
/// One resampler runs on over reads that follow each other. Any other place begins a new one early
/// enough that its filter has settled, at a frame where both rates meet: it then has the same phase as
/// one that began at zero, and gives the same frames.
final class AudioRateConverter {
    /// What the filter must have seen before its output is right (frames of the slower rate).
    private static let settling: Int64 = 512
    /// Fed at a time (frames).
    private static let block = 2048

    // immutable
    private let line: AudioLine
    private let rate: Int
    private let channels: Int
    private let path: String
    /// Both rates meet every so many frames.
    private let stepIn: Int64
    private let stepOut: Int64

    // owned by the calling thread
    private var resampler: AudioResampler?
    /// The line's frame to be fed next.
    private var nextIn: Int64 = 0
    /// Resampled frames that wait, and the place of the first.
    private var waiting: [Float] = []
    private var waitingStart: Int64 = 0

    init(line: AudioLine, to rate: Int, channels: Int, path: String) {
        self.line = line
        self.rate = rate
        self.channels = channels
        self.path = path
        var (a, b) = (line.rate, rate)
        while b != 0 { (a, b) = (b, a % b) }
        stepIn = Int64(line.rate / a)
        stepOut = Int64(rate / a)
    }

    private var waitingEnd: Int64 { waitingStart + Int64(waiting.count / channels) }

    func read(
        at frame: Int64, into target: UnsafeMutableBufferPointer<Float>
    ) throws(MediaError) {
        let count = target.count / channels
        if resampler == nil || frame < waitingStart || frame > waitingEnd + Int64(rate) {
            try begin(at: frame)
        }
        drop(before: frame)
        var filled = 0
        while filled < count {
            let wanted = frame + Int64(filled)
            if wanted >= waitingEnd {
                try feed()
                drop(before: wanted)
                continue
            }
            let offset = Int(wanted - waitingStart) * channels
            let part = min((count - filled) * channels, waiting.count - offset)
            for index in 0..<part { target[filled * channels + index] = waiting[offset + index] }
            filled += part / channels
        }
        drop(before: frame + Int64(count))
    }

    private func begin(at frame: Int64) throws(MediaError) {
        let lead = Self.settling * max(1, Int64(rate / max(line.rate, 1)) + 1)
        var rounds = (frame - lead) / stepOut
        if rounds * stepOut > frame - lead { rounds -= 1 }
        func format(_ rate: Int) -> AudioFormat {
            AudioFormat(coding: .raw(.float32), sampleRate: rate, channels: channels)
        }
        do throws(MediaError) {
            resampler = try AudioResampler(
                from: format(line.rate), to: format(rate), isSteerable: false)
        } catch {
            throw error.of(path)
        }
        nextIn = rounds * stepIn
        waitingStart = rounds * stepOut
        waiting = []
    }

    private func drop(before frame: Int64) {
        let gone = min(max(0, frame - waitingStart), Int64(waiting.count / channels))
        guard gone > 0 else { return }
        waiting.removeFirst(Int(gone) * channels)
        waitingStart += gone
    }

    private func feed() throws(MediaError) {
        guard let resampler else { return }
        var source = [Float](repeating: 0, count: Self.block * channels)
        var failure: MediaError?
        source.withUnsafeMutableBufferPointer { buffer in
            do throws(MediaError) { try line.read(at: nextIn, into: buffer) } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        nextIn += Int64(Self.block)
        let whole = source.withUnsafeBytes { BlockBuffer($0) }
        do throws(MediaError) {
            let made = try resampler.convert(whole)
            made.withUnsafeBytes { waiting.append(contentsOf: $0.bindMemory(to: Float.self)) }
        } catch {
            throw error.of(path)
        }
    }
}
