import Foundation

/// A device that records a scene: when it begins, how its clock runs, and what it makes of the sound.
package struct Microphone: Sendable {
    /// When it begins to record (seconds of the scene).
    package var start = 0.0
    package var seconds = 30.0
    /// How much too fast its clock runs (parts per million).
    package var drift = 0.0
    package var rate = 48_000
    package var gain = 0.7
    /// Of the scene's level above its own noise (dB; nil: no noise).
    package var noiseRatio: Double?
    /// Corners of its filters (Hz; nil: none).
    package var lowCut: Double?
    package var highCut: Double?
    /// When an echo comes, and how loud it is.
    package var echoes: [(delay: Double, gain: Double)] = []
    package var isInverted = false
    /// What cannot be louder (full scale 1).
    package var clip = 1.0
    package var seed: UInt64 = 1

    package init() {}

    /// What it records of a scene.
    package func recording(of scene: SoundScene) -> [Float] {
        var samples = interpolated(scene.samples)
        for echo in echoes {
            let late = Int(echo.delay * Double(rate))
            for index in stride(from: samples.count - 1, through: late, by: -1) {
                samples[index] += samples[index - late] * Float(echo.gain)
            }
        }
        if let highCut {
            let part = Float(1 - exp(-2 * .pi * highCut / Double(rate)))
            var low: Float = 0
            for index in samples.indices {
                low += (samples[index] - low) * part
                samples[index] = low
            }
        }
        if let lowCut {
            let part = Float(1 - exp(-2 * .pi * lowCut / Double(rate)))
            var low: Float = 0
            for index in samples.indices {
                low += (samples[index] - low) * part
                samples[index] -= low
            }
        }
        addNoise(to: &samples, level: scene.level)
        let factor = Float(isInverted ? -gain : gain)
        let most = Float(clip)
        for index in samples.indices {
            samples[index] = max(-most, min(most, samples[index] * factor))
        }
        return samples
    }

    private func addNoise(to samples: inout [Float], level: Double) {
        guard let noiseRatio else { return }
        // of a mean square of a third
        let strength = Float(level * pow(10, -noiseRatio / 20) * 3.0.squareRoot())
        var random = SplitMix(seed: seed)
        for index in samples.indices {
            samples[index] +=
                strength * Float(Int32(truncatingIfNeeded: random.next())) / Float(1 << 31)
        }
    }

    private static let taps = 32
    private static let phases = 512
    /// A windowed sinc at each of the phases between two samples.
    private static let kernels: [[Float]] = (0...phases).map { phase in
        (0..<taps).map { tap in
            let x = Double(tap - taps / 2 + 1) - Double(phase) / Double(phases)
            let window = 0.5 + 0.5 * cos(.pi * x / Double(taps / 2))
            return Float((abs(x) < 1e-9 ? 1 : sin(.pi * x) / (.pi * x)) * window)
        }
    }

    private func interpolated(_ scene: [Float]) -> [Float] {
        let step = SoundScene.rate / Double(rate) / (1 + drift * 1e-6)
        let first = start * SoundScene.rate
        var result = [Float](repeating: 0, count: Int(seconds * Double(rate)))
        scene.withUnsafeBufferPointer { scene in
            result.withUnsafeMutableBufferPointer { result in
                for index in result.indices {
                    let place = first + Double(index) * step
                    let whole = Int(place.rounded(.down))
                    let from = whole - Self.taps / 2 + 1
                    guard from >= 0, from + Self.taps <= scene.count else { continue }
                    let phase = Int(((place - Double(whole)) * Double(Self.phases)).rounded())
                    Self.kernels[phase].withUnsafeBufferPointer { kernel in
                        var sum: Float = 0
                        for tap in 0..<Self.taps { sum += kernel[tap] * scene[from + tap] }
                        result[index] = sum
                    }
                }
            }
        }
        return result
    }

    /// When something that this device records is in what another one records (seconds of it).
    /// - Parameter time: of this one's recording.
    package func time(_ time: Double, in other: Microphone) -> Double {
        let moment = start + time / (1 + drift * 1e-6)
        return (moment - other.start) * (1 + other.drift * 1e-6)
    }
}
