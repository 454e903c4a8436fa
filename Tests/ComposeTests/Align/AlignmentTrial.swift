import Foundation
import Media
import TestSupport

@testable import Compose

/// Samples in memory as the aligner reads a recording: at 48,000 Hz, and a sixth of it.
final class ArraySound: AlignableSound {
    let duration: Double
    private let exact: [Float]
    private let coarse: [Float]

    init(_ samples: [Float]) {
        exact = samples
        coarse = Self.sixth(of: samples)
        duration = Double(samples.count) / 48_000
    }

    func read(from frame: Int64, count: Int, rate: Int) throws(MediaError) -> [Float] {
        let samples = rate == AlignmentScale.exactRate ? exact : coarse
        var result = [Float](repeating: 0, count: count)
        for index in max(0, -Int(frame))..<count where Int(frame) + index < samples.count {
            result[index] = samples[Int(frame) + index]
        }
        return result
    }

    func profile() throws -> SoundProfile {
        let maker = try SoundProfile.Maker()
        maker.add(coarse)
        return maker.finish()
    }

    /// Through a filter of 96 taps that cuts at 3.6 kHz.
    private static func sixth(of samples: [Float]) -> [Float] {
        let taps = 97
        let kernel: [Float] = (0..<taps).map { tap in
            let x = Double(tap - taps / 2)
            let window = 0.54 + 0.46 * cos(2 * .pi * x / Double(taps))
            let width = 2 * 3600.0 / 48_000
            return Float(width * (x == 0 ? 1 : sin(.pi * x * width) / (.pi * x * width)) * window)
        }
        var result = [Float](repeating: 0, count: samples.count / 6)
        samples.withUnsafeBufferPointer { samples in
            for index in result.indices {
                let from = index * 6 - taps / 2
                var sum: Float = 0
                for tap in max(0, -from)..<min(taps, samples.count - from) {
                    sum += kernel[tap] * samples[from + tap]
                }
                result[index] = sum
            }
        }
        return result
    }
}

/// One pair of recordings, with what is true of them.
struct AlignmentTrial {
    let outcome: SoundMatcher.Outcome

    init(reference: [Float], recording: [Float]) throws {
        let (one, other) = (ArraySound(reference), ArraySound(recording))
        outcome = try SoundMatcher(
            reference: (one, try one.profile()), recording: (other, try other.profile())
        ).outcome { _ throws(MediaError) in }
    }

    var result: SoundMatcher.Result? {
        if case .found(let result) = outcome { result } else { nil }
    }

    /// Furthest that what was found is from the truth, anywhere in what both have (seconds); nil: nothing was found.
    func error(reference: Microphone, recording: Microphone) -> Double? {
        guard let result else { return nil }
        return [result.overlap.lowerBound, result.overlap.upperBound].map { time in
            abs(result.line.reference(at: time) - recording.time(time, in: reference))
        }.max()
    }

    /// Two devices at one event, as different as a seed makes them.
    static func pair(
        _ seed: UInt64
    ) -> (kind: SoundScene.Kind, scene: SoundScene, reference: Microphone, recording: Microphone) {
        var random = SplitMix(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double {
            Double.random(in: range, using: &random)
        }
        let kind: SoundScene.Kind = seed % 3 == 0 ? .music : seed % 3 == 1 ? .speech : .noise
        let length = number(24...40)
        let scene = SoundScene(kind, seconds: length + 22, seed: seed &* 977)
        var (one, other) = (Microphone(), Microphone())
        one.start = 11
        one.seconds = length
        one.noiseRatio = 12
        other.start = 11 + number(-10...10)
        other.seconds = length
        other.drift = number(-200...200)
        other.noiseRatio = 12
        other.seed = seed &+ 5
        one.seed = seed &+ 6
        other.gain = number(0.1...1.4)
        other.lowCut = Bool.random(using: &random) ? number(80...300) : nil
        other.highCut = Bool.random(using: &random) ? number(2500...9000) : nil
        if Bool.random(using: &random) {
            other.echoes = [(number(0.012...0.05), 0.5), (number(0.06...0.2), 0.3)]
        }
        other.isInverted = Bool.random(using: &random)
        other.clip = Bool.random(using: &random) ? 0.3 : 1
        return (kind, scene, one, other)
    }
}

extension AlignmentTrial {
    /// Two devices at two events that have nothing to do with each other, but may be of one kind.
    static func strangers(_ seed: UInt64) -> (name: String, one: [Float], other: [Float]) {
        var random = SplitMix(seed: seed &+ 1 << 32)
        let kinds = SoundScene.Kind.allCases
        let first = kinds[Int(seed % UInt64(kinds.count))]
        // every other pair is of one kind
        let second = seed / 6 % 2 == 0 ? first : kinds.randomElement(using: &random) ?? first
        let length = Double.random(in: 12...40, using: &random)
        func recording(_ kind: SoundScene.Kind, _ seed: UInt64) -> [Float] {
            var microphone = Microphone()
            microphone.start = 0.5
            microphone.seconds = length
            microphone.drift = Double.random(in: -100...100, using: &random)
            microphone.noiseRatio = Bool.random(using: &random) ? 20 : nil
            microphone.seed = seed &+ 3
            return microphone.recording(
                of: SoundScene(kind, seconds: length + 2, seed: seed))
        }
        return (
            "\(first.rawValue) and \(second.rawValue)", recording(first, seed &* 2 &+ 10_001),
            recording(second, seed &* 2 &+ 900_002)
        )
    }
}
