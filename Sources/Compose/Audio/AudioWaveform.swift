public import Media

/// How loud a film's audio is all along: of equal parts of its time the extremes and the power of each channel, and
/// the loudness of all of it.
public struct AudioWaveform: Sendable, Hashable {
    /// What one channel does in one part of the time.
    public struct Part: Sendable, Hashable {
        /// The extremes of its samples (amplitude; 1 = full scale; 0 where the part holds none).
        public internal(set) var lowest: Float = 0
        public internal(set) var highest: Float = 0
        /// The root of the mean square of its samples (amplitude; 1 = full scale).
        public internal(set) var meanPower: Float = 0
    }

    /// What was measured of the film.
    public let timeRange: MediaTimeRange
    /// Of each channel, left first, as many equal parts of the time.
    public let channels: [[Part]]
    public let loudness: Loudness

    /// Measures the mix as an export makes it: in stereo at 48 kHz, with its loudness target reached. Blocks while all
    /// of the audio is read.
    /// - Parameters:
    ///   - film: has audio.
    ///   - range: of the film (default: the film's range, or all of it).
    ///   - parts: of the time (count; 1…100,000).
    ///   - progress: called while it is measured (0…1).
    /// - Throws: `invalid-setting` for a film without audio, an empty range or a count out of range; what a source
    ///   answered.
    public init(
        of film: Film, range: MediaTimeRange? = nil, parts: Int,
        progress: (Double) -> Void = { _ in }
    ) throws(MediaError) {
        guard !film.composition.tracks(of: .audio).isEmpty else {
            throw .setting("film", "The film has no audio.")
        }
        guard (1...100_000).contains(parts) else {
            throw .setting("parts", "A waveform has 1 to 100000 parts, not \(parts).")
        }
        let output = AudioMixOutput(film: film)
        let rate = output.format.sampleRate
        let count = output.format.channels
        let whole = range ?? film.range ?? output.timeRange
        let first = whole.start.ticks(per: Int32(rate), rounding: .nearest)
        let frames = whole.end.ticks(per: Int32(rate), rounding: .nearest) - first
        guard frames > 0, whole.start >= .zero, whole.end <= output.timeRange.end else {
            throw .setting("range", "The range has no audio of the film in it.")
        }
        let meter = try LoudnessMeter(channels: count, sampleRate: rate)
        var course = Course(frames: frames, parts: parts, channels: count)
        try output.begin(whole)
        defer { output.end() }
        while let sample = try output.produce() {
            let samples = sample.mixedSamples
            try meter.add(samples)
            course.add(samples)
            progress(Double(course.place) / Double(frames))
        }
        timeRange = whole
        channels = course.channels
        loudness = try meter.loudness()
    }
}

extension AudioWaveform {
    /// Collects samples into parts.
    private struct Course {
        private let frames: Int64
        private let parts: Int
        private(set) var channels: [[Part]]
        /// Frames so far.
        private(set) var place: Int64 = 0
        /// Of the part that is being filled: frames, and of each channel the extremes and the sum of squares.
        private var held: Int64 = 0
        private var lowest: [Float]
        private var highest: [Float]
        private var squares: [Double]
        private var part = 0

        init(frames: Int64, parts: Int, channels count: Int) {
            (self.frames, self.parts) = (frames, parts)
            channels = Array(repeating: Array(repeating: Part(), count: parts), count: count)
            lowest = Array(repeating: .infinity, count: count)
            highest = Array(repeating: -.infinity, count: count)
            squares = Array(repeating: 0, count: count)
        }

        /// Where a part ends (frames; a part may hold none).
        private func end(of part: Int) -> Int64 {
            Int64(Int128(frames) * Int128(part + 1) / Int128(parts))
        }

        mutating func add(_ samples: [Float]) {
            let count = channels.count
            var taken = 0
            while taken < samples.count / count {
                while place >= end(of: part), part < parts - 1 { next() }
                let room = Int(min(Int64(samples.count / count - taken), end(of: part) - place))
                guard room > 0 else { return }
                for channel in 0..<count {
                    var (low, high, sum) = (lowest[channel], highest[channel], 0.0)
                    for frame in taken..<taken + room {
                        let value = samples[frame * count + channel]
                        low = min(low, value)
                        high = max(high, value)
                        sum += Double(value) * Double(value)
                    }
                    (lowest[channel], highest[channel]) = (low, high)
                    squares[channel] += sum
                }
                (taken, held, place) = (taken + room, held + Int64(room), place + Int64(room))
            }
            if place >= frames { finish() }
        }

        private mutating func next() {
            finish()
            part += 1
            held = 0
            for channel in squares.indices {
                (lowest[channel], highest[channel], squares[channel]) = (.infinity, -.infinity, 0)
            }
        }

        private mutating func finish() {
            guard held > 0 else { return }
            for channel in channels.indices {
                channels[channel][part] = Part(
                    lowest: lowest[channel], highest: highest[channel],
                    meanPower: Float((squares[channel] / Double(held)).squareRoot()))
            }
        }
    }
}

extension SampleBuffer {
    /// Of raw float32 audio, interleaved.
    fileprivate var mixedSamples: [Float] {
        block?.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) } ?? []
    }
}
