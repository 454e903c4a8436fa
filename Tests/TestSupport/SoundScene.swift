import Foundation

/// What there is to be heard at a place, made by numbers alone: 48,000 samples a second.
package struct SoundScene: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case speech, music, noise
        /// The same again and again: nothing that a time can be recognised by.
        case hum, metronome, loop
    }

    package static let rate = 48_000.0

    package var samples: [Float]

    package init(_ kind: Kind, seconds: Double, seed: UInt64) {
        var maker = SceneMaker(seconds: seconds, seed: seed)
        switch kind {
        case .speech: maker.speak()
        case .music: maker.play()
        case .noise: maker.rush()
        case .hum: maker.hum()
        case .metronome: maker.click()
        case .loop: maker.loop()
        }
        samples = maker.samples
    }

    /// The level that voices and notes have (root of the mean square).
    package var level: Double {
        let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
        return (sum / Double(samples.count)).squareRoot()
    }
}

/// Adds sounds to a scene.
private struct SceneMaker {
    var samples: [Float]
    private var random: SplitMix
    private let rate = SoundScene.rate

    init(seconds: Double, seed: UInt64) {
        samples = [Float](repeating: 0, count: Int(seconds * SoundScene.rate))
        random = SplitMix(seed: seed)
    }

    private mutating func number(_ range: ClosedRange<Double>) -> Double {
        let part = Double(random.next() >> 11) / Double(1 << 53)
        return range.lowerBound + part * (range.upperBound - range.lowerBound)
    }

    private mutating func noise() -> Float {
        Float(Int32(truncatingIfNeeded: random.next())) / Float(1 << 31)
    }

    /// Syllables of a voice with two formants and hissing consonants, in phrases with pauses between them.
    mutating func speak() {
        var place = Int(number(0...0.5) * rate)
        while place < samples.count {
            let syllables = Int(number(4...16))
            let pitch = number(90...240)
            for _ in 0..<syllables {
                let length = Int(number(0.09...0.3) * rate)
                hiss(at: place, Int(number(0.02...0.07) * rate))
                voice(at: place + Int(0.03 * rate), length, pitch * number(0.85...1.2))
                place += length + Int(number(0.03...0.08) * rate)
            }
            place += Int(number(0.25...1.4) * rate)
        }
    }

    /// What of a span lies in the scene.
    private func span(_ start: Int, _ length: Int) -> Range<Int> {
        (max(0, start)..<max(0, start) + length).clamped(to: samples.indices)
    }

    private mutating func hiss(at start: Int, _ length: Int) {
        let strength = Float(number(0.02...0.12))
        var last: Float = 0
        for index in span(start, length) {
            let value = noise()
            samples[index] += (value - last) * strength
            last = value
        }
    }

    private mutating func voice(at start: Int, _ length: Int, _ pitch: Double) {
        var first = Resonator(number(300...800), 90, rate)
        var second = Resonator(number(900...2400), 140, rate)
        let glide = number(-0.15...0.15)
        let strength = number(0.4...1)
        var phase = 0.0
        for step in 0..<length where start + step < samples.count {
            let part = Double(step) / Double(length)
            phase += pitch * (1 + glide * part) / rate
            var pulse: Float = 0
            if phase >= 1 {
                phase -= 1
                pulse = 1
            }
            let shape = Float(strength * min(1, 8 * part, 4 * (1 - part)))
            samples[start + step] += shape * (first.next(pulse) + 0.6 * second.next(pulse)) * 0.5
        }
    }

    /// Notes of chords that begin and fade, never the same twice.
    mutating func play() {
        var place = number(0...0.4)
        let beat = number(0.3...0.6)
        while place * rate < Double(samples.count) {
            let root = 110 * pow(2, Double(Int(number(0...11.99))) / 12)
            for interval in [0.0, Double(Int(number(3...4.99))), 7, 12] {
                note(
                    at: Int((place + number(0...0.015)) * rate), root * pow(2, interval / 12),
                    number(0.3...1.4))
            }
            for _ in 0..<Int(number(0...3.99)) {
                note(
                    at: Int((place + beat * number(0...1)) * rate),
                    440 * pow(2, Double(Int(number(-5...12))) / 12), number(0.1...0.5))
            }
            place += beat * Double(Int(number(1...2.99)))
        }
    }

    private mutating func note(at start: Int, _ frequency: Double, _ seconds: Double) {
        let length = Int(seconds * 3 * rate)
        for partial in 1...4 {
            let step = 2 * Double.pi * frequency * Double(partial) * 1.0003 / rate
            let (turnCos, turnSin) = (cos(step), sin(step))
            var (re, im) = (0.06 / Double(partial), 0.0)
            let decay = exp(-1 / (seconds / Double(partial).squareRoot() * rate))
            for index in span(start, length) {
                let rise = Double(min(200, index - start)) / 200
                samples[index] += Float(im * rise)
                (re, im) = (
                    (re * turnCos - im * turnSin) * decay, (re * turnSin + im * turnCos) * decay
                )
            }
        }
    }

    /// A waterfall.
    mutating func rush() {
        var low: Float = 0
        for index in samples.indices {
            low += (noise() - low) * 0.3
            samples[index] += low * 0.3
        }
    }

    /// The mains, in every room with the same frequency.
    mutating func hum() {
        let frequency = 50.0
        for partial in 1...12 {
            let strength = number(0.2...1) * 0.1 / Double(partial)
            let phase = number(0...(2 * .pi))
            let step = 2 * Double.pi * frequency * Double(partial) / rate
            for index in samples.indices {
                samples[index] += Float(strength * sin(phase + step * Double(index)))
            }
        }
    }

    /// One of a few usual tempos: the clicks of two that have nothing to do with each other meet all along.
    mutating func click() {
        let tempos = [60.0, 90, 100, 120, 120, 120, 140]
        let beat = 60 / tempos[Int(number(0...6.99))]
        var place = number(0...beat)
        while place * rate < Double(samples.count) {
            let start = Int(place * rate)
            for index in span(start, 900) {
                let age = Double(index - start) / rate
                samples[index] += Float(0.6 * exp(-age * 400) * sin(2 * .pi * 1600 * age))
            }
            place += beat
        }
    }

    /// A drum computer: one bar, always the same, of a few usual ones.
    mutating func loop() {
        let number = number(0...3.99)
        let seconds = [2.0, 2, 4, 8][Int(number)]
        var pattern = SceneMaker(seconds: seconds, seed: 77 + UInt64(number))
        let steps = Int(seconds * 4)
        for step in 0..<steps where step % 2 == 0 || pattern.number(0...1) > 0.5 {
            let start = step * pattern.samples.count / steps
            pattern.note(at: start, pattern.number(80...600), 0.08)
            pattern.hiss(at: start, 2000)
        }
        let first = Int(self.number(0...seconds) * rate)
        for index in samples.indices {
            samples[index] += pattern.samples[(index + first) % pattern.samples.count]
        }
    }
}

/// A filter that rings at one frequency.
private struct Resonator {
    private let a: Float
    private let b: Float
    private let gain: Float
    private var (one, two): (Float, Float) = (0, 0)

    init(_ frequency: Double, _ width: Double, _ rate: Double) {
        let radius = exp(-Double.pi * width / rate)
        a = Float(2 * radius * cos(2 * .pi * frequency / rate))
        b = Float(-radius * radius)
        gain = Float((1 - radius) * 12)
    }

    mutating func next(_ value: Float) -> Float {
        let result = value * gain + a * one + b * two
        (one, two) = (result, one)
        return result
    }
}
