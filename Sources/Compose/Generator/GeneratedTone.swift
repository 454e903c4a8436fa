internal import Media

/// Audio as a function of its place.
protocol GeneratedTone {
    /// - Parameter frame: since the clip's beginning (audio frames).
    func sample(at frame: Int64) -> Float
}

/// A sine of 1 kHz without an end.
struct SteadyTone: GeneratedTone {
    /// After as many samples it is the same again.
    private let period: [Float]

    /// - Parameter level: of its peaks (dB of full scale).
    init(level: Double, sampleRate: Int) {
        var (count, rest) = (sampleRate, 1000)
        while rest != 0 { (count, rest) = (rest, count % rest) }
        let samples = max(1, sampleRate / max(1, count))
        let peak = Decibel.amplitude(level)
        period = (0..<samples).map { index in
            let turns = Double(index * 1000 % sampleRate) / Double(sampleRate)
            return Float(peak * Trigonometry.sine(2 * .pi * turns))
        }
    }

    func sample(at frame: Int64) -> Float {
        guard frame >= 0 else { return 0 }
        return period[Int(frame % Int64(period.count))]
    }
}

/// A beep of 1 kHz, one frame of film long, with each that begins a second.
struct BeepTone: GeneratedTone {
    private let clock: CounterClock
    private let sampleRate: Int
    private let tone: SteadyTone
    /// Over which it ends (audio frames): 1 ms, so that it does not click.
    private let fade: Int64

    init(_ clock: CounterClock, sampleRate: Int) {
        self.clock = clock
        self.sampleRate = sampleRate
        tone = SteadyTone(level: -20, sampleRate: sampleRate)
        fade = max(1, Int64(sampleRate / 1000))
    }

    func sample(at frame: Int64) -> Float {
        guard frame >= 0 else { return 0 }
        // the film's frame that has begun last
        var index = Int64(
            Int128(frame) * Int128(clock.step.timescale)
                / (Int128(clock.step.value) * Int128(sampleRate)))
        if begin(index + 1) <= frame { index += 1 }
        if begin(index) > frame { index -= 1 }
        guard clock.beeps(at: index) else { return 0 }
        let (start, end) = (begin(index), begin(index + 1))
        let sample = tone.sample(at: frame - start)
        let left = end - frame
        guard left < fade else { return sample }
        return sample * Float(left) / Float(fade)
    }

    /// Where a frame of film begins, to the nearest of audio.
    private func begin(_ index: Int64) -> Int64 {
        let divisor = Int128(clock.step.timescale)
        let dividend = Int128(index) * Int128(clock.step.value) * Int128(sampleRate)
        return Int64((2 * dividend + divisor) / (2 * divisor))
    }
}
